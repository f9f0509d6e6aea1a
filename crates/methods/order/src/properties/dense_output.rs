//! The order of a dense output: the conditions of bᵢ(θ) = Σₖ dᵢₖθᵏ for all θ at once.
//!
//! Σᵢ bᵢ(θ)Ψᵢ(t) = θ^|t|/γ(t) for all θ means that Σᵢ dᵢₖΨᵢ(t) is 1/γ(t) for k = |t| and zero for every other k
//! (Hairer, Nørsett & Wanner 1993, Theorem II.6.1, with one set of polynomials for each root color).

use hemiola_tableau::{Butcher, Coefficient, Method, Scalar, Tableau, dot};

use crate::engine::weights::Weights;
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::{Grammar, NodeKind};
use crate::verdict::check::CheckOptions;
use crate::verdict::condition::Verdict;
use crate::verdict::equations::{EquationJudge, Equations};
use crate::verdict::midpoint_radius::MidpointRadius;

/// Properties of a dense output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseOutput {
    /// The order for all θ, up to the highest order checked; zero if the polynomials do not end in the step's result.
    pub order: usize,
    /// The order that holds exactly.
    pub exact_order: usize,
    /// The degree of the polynomials bᵢ(θ).
    pub degree: usize,
    /// Whether b(1) = b: the output is continuous.
    pub continuous: Verdict,
    /// Whether its derivative also equals f at both ends of a step: b′(0) and b′(1) select the first and the last stage
    /// of a method with first same as last.
    pub smooth: Verdict,
}

/// Checks the dense output; returns `None` if the method has none.
///
/// ```
/// use hemiola_order::{CheckOptions, dense_output};
/// let text = br#"{ "format": "hemiola-method/1", "id": "heun", "name": "Heun", "partitions": [{ "name": "all",
///     "a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"], "dense": [["1", "-1/2"], ["0", "1/2"]] }] }"#;
/// let heun = hemiola_tableau::Method::from_json(text, "heun.json").unwrap();
/// let options = CheckOptions { highest_order: 3, ..CheckOptions::default() };
/// let dense = dense_output(&heun, options).unwrap().unwrap();
/// assert_eq!((dense.order, dense.exact_order, dense.degree), (2, 2, 2));
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range or there are too many trees.
pub fn dense_output(method: &Method, options: CheckOptions) -> Result<Option<DenseOutput>, OrderError> {
    let Some(degree) = method.partitions()[0].dense.as_ref().map(|rows| rows[0].len()) else { return Ok(None) };
    let exact = extended(method, |coefficient| coefficient.value().clone());
    let rounding = method.rounding();
    let uncertain = extended(method, |coefficient| MidpointRadius::new(coefficient, rounding));
    let judge = EquationJudge::of(exact, uncertain, rounding, options.tolerance);
    let partitions = method.partitions().len();
    // The power of θ for any order beyond the degree is missing.
    let highest = options.highest_order.min(degree);
    let trees = Trees::new(&Grammar::partitioned(partitions), highest)?;
    let reach = judge.verified_orders(highest, |order| DenseConditions { trees: &trees, options, order });
    let continuous = judge.verdict(&EndWeights { partitions });
    let is_reused = method.stages() > 1 && judge.verdict(&Reuse { partitions }).holds();
    let smooth = if is_reused { judge.verdict(&EndSlopes { partitions }).max(continuous) } else { Verdict::Fails };
    Ok(Some(DenseOutput {
        order: if continuous.holds() { reach.order } else { 0 },
        exact_order: if continuous == Verdict::Exact { reach.exact } else { 0 },
        degree,
        continuous,
        smooth,
    }))
}

/// Returns the method's partitions, followed for each power of θ by the same number of partitions with the
/// coefficients of that power as weights.
fn extended<T: Scalar>(method: &Method, convert: impl Fn(&Coefficient) -> T) -> Tableau<T> {
    let mut tableau = method.tableau(&convert);
    let dense: Vec<_> = method.partitions().iter().filter_map(|partition| partition.dense.as_ref()).collect();
    for k in 0..dense[0][0].len() {
        for rows in &dense {
            let b = rows.iter().map(|row| convert(&row[k])).collect();
            // Trees branch only into the method's own partitions.
            tableau.partitions.push(Butcher { a: Vec::new(), b, c: Vec::new() });
        }
    }
    tableau
}

/// Iterates over the coefficients of θ, θ², … of a partition's polynomials.
fn powers<T>(tableau: &Tableau<T>, partitions: usize, color: usize) -> impl Iterator<Item = &Vec<T>> {
    tableau.partitions[partitions..].iter().skip(color).step_by(partitions).map(|butcher| &butcher.b)
}

/// The conditions of one order.
struct DenseConditions<'a> {
    trees: &'a Trees,
    options: CheckOptions,
    order: usize,
}

impl Equations for DenseConditions<'_> {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let ids = self.trees.of_order(self.order);
        let colors = ids.iter().filter_map(|&id| match self.trees.kind(id) {
            NodeKind::Partition(color) => Some(color),
            NodeKind::Time(_) => None,
        });
        let partitions = colors.max().map_or(1, |color| color + 1);
        let mut weights = Weights::new(self.trees, tableau, self.options.stages);
        let mut residuals = Vec::new();
        for id in ids {
            let NodeKind::Partition(color) = self.trees.kind(id) else { continue };
            let psi = weights.derivative_weight(id);
            for (k, d) in powers(tableau, partitions, color).enumerate() {
                let is_own = k + 1 == self.order;
                let expected = if is_own { T::ratio(1, self.trees.density(id)) } else { T::zero() };
                residuals.push(dot(d, &psi) - expected);
            }
        }
        residuals
    }
}

/// The conditions Σₖ dᵢₖ = bᵢ.
struct EndWeights {
    partitions: usize,
}

impl Equations for EndWeights {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let colors = tableau.partitions[..self.partitions].iter().enumerate();
        let residual = |(color, butcher): (usize, &Butcher<T>)| {
            let mut sums: Vec<T> = butcher.b.iter().map(|b| -b.clone()).collect();
            for d in powers(tableau, self.partitions, color) {
                sums.iter_mut().zip(d).for_each(|(sum, d)| *sum += d.clone());
            }
            sums
        };
        colors.flat_map(residual).collect()
    }
}

/// The conditions that the first row of A is zero and the last is b, so that the last stage is the first of the
/// next step.
struct Reuse {
    partitions: usize,
}

impl Equations for Reuse {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let rows = tableau.partitions[..self.partitions].iter().flat_map(|Butcher { a, b, .. }| {
            let last = a.last().into_iter().flat_map(move |row| row.iter().zip(b).map(|(a, b)| a.clone() - b.clone()));
            a[0].iter().cloned().chain(last)
        });
        rows.collect()
    }
}

/// The conditions dᵢ₁ = 1 at the first stage and Σₖ k dᵢₖ = 1 at the last, and zero elsewhere.
struct EndSlopes {
    partitions: usize,
}

impl Equations for EndSlopes {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let stages = tableau.stages();
        let unit = |i: usize, j: usize| if i == j { T::one() } else { T::zero() };
        let mut residuals = Vec::new();
        for color in 0..self.partitions {
            for i in 0..stages {
                let mut last = -unit(i, stages - 1);
                for (k, d) in powers(tableau, self.partitions, color).enumerate() {
                    if k == 0 {
                        residuals.push(d[i].clone() - unit(i, 0));
                    }
                    last += d[i].clone() * T::ratio(k as i64 + 1, 1);
                }
                residuals.push(last);
            }
        }
        residuals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::{Claims, Precision, Source, library};

    /// Returns a method of the library with dense-output polynomials for its stages.
    fn with_dense(id: &str, rows: &[&[&str]], precision: Option<Precision>) -> Method {
        let mut partition = library::method(id).unwrap().partitions()[0].clone();
        let number = |text: &&str| Coefficient::parse(text).unwrap();
        partition.dense = Some(rows.iter().map(|row| row.iter().map(number).collect()).collect());
        Method::new(id, id, vec![partition], Claims::default(), precision, Source::default()).unwrap()
    }

    fn checked(method: &Method) -> DenseOutput {
        let options = CheckOptions { highest_order: 6, ..CheckOptions::default() };
        dense_output(method, options).unwrap().unwrap()
    }

    /// The continuous extension of degree four by Dormand & Prince (Shampine, Math. Comp. 46, 1986, 135–150).
    const DORMAND_PRINCE: [&[&str]; 7] = [
        &["1", "-8048581381/2820520608", "8663915743/2820520608", "-12715105075/11282082432"],
        &["0", "0", "0", "0"],
        &["0", "131558114200/32700410799", "-68118460800/10900136933", "87487479700/32700410799"],
        &["0", "-1754552775/470086768", "14199869525/1410260304", "-10690763975/1880347072"],
        &["0", "127303824393/49829197408", "-318862633887/49829197408", "701980252875/199316789632"],
        &["0", "-282668133/205662961", "2019193451/616988883", "-1453857185/822651844"],
        &["0", "40617522/29380423", "-110615467/29380423", "69997945/29380423"],
    ];

    #[test]
    fn the_continuous_extension_of_dormand_and_prince() {
        let dense = checked(&with_dense("dormand-prince-5", &DORMAND_PRINCE, None));
        assert_eq!((dense.order, dense.exact_order, dense.degree), (4, 4, 4));
        assert_eq!((dense.continuous, dense.smooth), (Verdict::Exact, Verdict::Exact));
    }

    #[test]
    fn the_three_verdicts() {
        // The polynomials of order three of the classical method, unique for four stages (HNW II.6).
        let exact = with_dense(
            "rk4",
            &[&["1", "-3/2", "2/3"], &["0", "1", "-2/3"], &["0", "1", "-2/3"], &["0", "-1/2", "2/3"]],
            None,
        );
        assert_eq!((checked(&exact).order, checked(&exact).exact_order), (3, 3));
        assert_eq!((checked(&exact).continuous, checked(&exact).smooth), (Verdict::Exact, Verdict::Fails));
        let rows: [&[&str]; 4] =
            [&["1.0", "-1.5", "0.667"], &["0", "1.0", "-0.667"], &["0", "1.0", "-0.667"], &["0", "-0.5", "0.667"]];
        let rounded = checked(&with_dense("rk4", &rows, Some(Precision { decimals: 3 })));
        // The ends agree only to precision, so no order is exact.
        assert_eq!((rounded.order, rounded.exact_order, rounded.continuous), (3, 0, Verdict::ToPrecision));
        // Three digits are presumed to be rounded, but not with an error of a hundredth.
        let presumed = checked(&with_dense("rk4", &rows, None));
        assert_eq!((presumed.order, presumed.continuous), (3, Verdict::ToPrecision));
        let wrong: [&[&str]; 4] = [&["1.0", "-1.5", "0.677"], rows[1], rows[2], rows[3]];
        let fails = checked(&with_dense("rk4", &wrong, None));
        assert_eq!((fails.order, fails.continuous), (0, Verdict::Fails));
    }

    #[test]
    fn a_dense_output_that_does_not_end_in_the_result_has_no_order() {
        // The output follows Euler's method, and the result is that of the midpoint rule, which gives order one, but a
        // jump at the end.
        let midpoint = with_dense("explicit-midpoint", &[&["1", "0"], &["0", "0"]], None);
        assert_eq!((checked(&midpoint).order, checked(&midpoint).continuous), (0, Verdict::Fails));
        assert!(dense_output(&library::method("rk4").unwrap(), CheckOptions::default()).unwrap().is_none());
    }
}
