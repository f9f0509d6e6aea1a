//! Whether a condition holds: exactly, to the precision of the coefficients, or not at all.

use hemiola_tableau::{Butcher, Exact, Method, Scalar, Tableau};
use num_dual::Dual64;
use num_traits::Zero;

use crate::gradient::Gradients;
use crate::majorant::Majorant;
use crate::trees::{TreeId, Trees};
use crate::weights::{Stages, Weights};

/// The verdict on one order condition Φ(t) = 1/γ(t).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The residual is zero in exact arithmetic.
    Exact,
    /// The residual is no larger than the stated precision of the coefficients explains (or, with none stated,
    /// rounding them to doubles).
    ToPrecision,
    /// The residual is larger than that.
    Fails,
}

/// One condition with its residual.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// The tree t.
    pub tree: TreeId,
    /// The elementary weight Φ(t).
    pub value: f64,
    /// Φ(t) − 1/γ(t).
    pub residual: f64,
    /// How large a residual the uncertainty of the coefficients explains.
    pub explained: f64,
    /// Whether the condition holds.
    pub verdict: Verdict,
}

/// Evaluates conditions of one method: in doubles with a bound on their rounding, and where that does not decide,
/// in exact arithmetic.
pub(crate) struct Judge<'a> {
    trees: &'a Trees,
    stages: Stages,
    tolerance: Option<f64>,
    uncertainties: &'a Tableau<f64>,
    doubles: Weights<'a, f64>,
    sizes: Weights<'a, Majorant>,
    exact: Weights<'a, Exact>,
    gradients: Gradients<'a>,
    tableau: &'a Tableau<f64>,
    /// The largest ratio of an uncertainty to its coefficient.
    relative_uncertainty: f64,
}

/// A method's coefficients in every form that a [`Judge`] needs.
pub(crate) struct Coefficients {
    exact: Tableau<Exact>,
    doubles: Tableau<f64>,
    sizes: Tableau<Majorant>,
    uncertainties: Tableau<f64>,
}

impl Coefficients {
    pub(crate) fn new(method: &Method) -> Self {
        Self {
            exact: method.exact(),
            doubles: method.to_f64(),
            sizes: method.tableau(|coefficient| Majorant(coefficient.value().to_f64().abs())),
            uncertainties: method.uncertainties(),
        }
    }
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        trees: &'a Trees,
        coefficients: &'a Coefficients,
        stages: Stages,
        tolerance: Option<f64>,
    ) -> Self {
        let Coefficients { exact, doubles, sizes, uncertainties } = coefficients;
        // An abscissa that cancels to zero has no relative uncertainty; its parts in A have.
        let ratios = entries(uncertainties).zip(entries(doubles)).filter(|(u, value)| **u > 0.0 && **value != 0.0);
        let relative_uncertainty = ratios.map(|(uncertainty, value)| uncertainty / value.abs()).fold(0.0, f64::max);
        Self {
            trees,
            stages,
            tolerance,
            uncertainties,
            doubles: Weights::new(trees, doubles, stages),
            sizes: Weights::new(trees, sizes, stages),
            exact: Weights::new(trees, exact, stages),
            gradients: Gradients::new(trees, doubles),
            tableau: doubles,
            relative_uncertainty,
        }
    }

    pub(crate) fn judge(&mut self, tree: TreeId) -> Condition {
        let value = self.doubles.elementary_weight(tree);
        let residual = self.doubles.residual(tree);
        let size = self.sizes.elementary_weight(tree).0;
        let rounding = self.rounding_bound(tree, size);
        let explained = self.tolerance.unwrap_or_else(|| self.explained(tree, size));
        let condition = Condition { tree, value, residual, explained, verdict: Verdict::Fails };
        // A comparison that is false for NaN leaves the decision to exact arithmetic.
        if residual.abs() - rounding > explained { condition } else { self.judge_exactly(condition) }
    }

    fn judge_exactly(&mut self, condition: Condition) -> Condition {
        let exact = self.exact.residual(condition.tree);
        let residual = exact.to_f64();
        let verdict = if exact.is_zero() {
            Verdict::Exact
        } else if residual.abs() <= condition.explained {
            Verdict::ToPrecision
        } else {
            Verdict::Fails
        };
        Condition { residual, verdict, ..condition }
    }

    /// Bounds |fl(residual) − residual| (Higham 2002, §3.1): every path of products through the tree meets at most
    /// n(s + 2) roundings, among them those of the n coefficients themselves; iterates repeat them q times over.
    fn rounding_bound(&self, tree: TreeId, size: f64) -> f64 {
        let iterates = match self.stages {
            Stages::Solved => 1,
            Stages::Linearized { iterations } => 4 * iterations,
        };
        let operations = (self.trees.order(tree) * (self.tableau.stages() + 2) * iterates) as f64;
        let u = 0.5 * f64::EPSILON;
        let gamma = operations * u / (1.0 - operations * u);
        gamma * size + 4.0 * u * (size + 1.0 / self.trees.density(tree) as f64)
    }

    /// The change of the residual that the uncertainties of the coefficients can cause: Σ |∂Φ/∂x| δx, and the bound
    /// Φ(|x|)((1 + ρ)ⁿ − 1 − nρ) on the terms of higher order, ρ the largest relative uncertainty.
    fn explained(&mut self, tree: TreeId, size: f64) -> f64 {
        if self.relative_uncertainty == 0.0 {
            return 0.0;
        }
        let n = self.trees.order(tree) as i32;
        let rho = self.relative_uncertainty;
        // Below 1e-8 the difference would cancel; its leading term with a factor 2 bounds it there.
        let beyond =
            if rho < 1e-8 { f64::from(n * n) * rho * rho } else { (1.0 + rho).powi(n) - 1.0 - f64::from(n) * rho };
        self.first_order(tree) + beyond * size
    }

    fn first_order(&mut self, tree: TreeId) -> f64 {
        if self.stages == Stages::Solved {
            let (_, gradient) = self.gradients.value_and_gradient(tree);
            return entries(&gradient).zip(entries(self.uncertainties)).map(|(g, u)| (g * u).abs()).sum();
        }
        self.dual_first_order(tree)
    }

    /// The same sum by dual numbers, one coefficient after the other: linearised methods have no adjoint here.
    fn dual_first_order(&self, tree: TreeId) -> f64 {
        let mut sum = 0.0;
        for (place, &uncertainty) in entries(self.uncertainties).enumerate() {
            if uncertainty > 0.0 {
                let tableau = dual_tableau(self.tableau, place);
                sum += uncertainty * Weights::new(self.trees, &tableau, self.stages).elementary_weight(tree).eps.abs();
            }
        }
        sum
    }
}

/// All entries (A, b, c) of all partitions in a fixed sequence.
fn entries(tableau: &Tableau<f64>) -> impl Iterator<Item = &f64> {
    tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c))
}

/// The tableau as duals, with derivative 1 at one place of the sequence of [`entries`].
fn dual_tableau(tableau: &Tableau<f64>, seed: usize) -> Tableau<Dual64> {
    let mut place = 0;
    let mut dual = |value: &f64| {
        let derivative = f64::from(u8::from(place == seed));
        place += 1;
        Dual64::new(*value, derivative)
    };
    let partitions = tableau.partitions.iter().map(|butcher| Butcher {
        a: butcher.a.iter().map(|row| row.iter().map(&mut dual).collect()).collect(),
        b: butcher.b.iter().map(&mut dual).collect(),
        c: butcher.c.iter().map(&mut dual).collect(),
    });
    Tableau { partitions: partitions.collect() }
}

/// Φ − 1/γ over σ for all trees of one order: the principal error coefficients of a method of the order below.
///
/// ```
/// use hemiola_order::principal_error_coefficients;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap().to_f64();
/// // One tree of order two, [τ]: 0 − 1/2.
/// assert_eq!(principal_error_coefficients(&euler, 2).unwrap(), [-0.5]);
/// ```
///
/// # Errors
/// [`OrderError`](crate::OrderError) where there are too many trees.
pub fn principal_error_coefficients<T: Scalar>(
    tableau: &Tableau<T>,
    order: usize,
) -> Result<Vec<T>, crate::OrderError> {
    let trees = Trees::new(&crate::Grammar::partitioned(tableau.partitions.len()), order)?;
    let mut weights = Weights::new(&trees, tableau, Stages::Solved);
    let coefficient = |tree| weights.residual(tree) * T::ratio(1, trees.symmetry(tree));
    Ok(trees.of_order(order).into_iter().map(coefficient).collect())
}
