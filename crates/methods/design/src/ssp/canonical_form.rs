//! Methods as convex combinations of Euler steps: the unknowns of a design, and its equations.

use dashu::rational::RBig;
use hemiola_order::{Tree, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};

use crate::proof::trees::psi;

/// A coefficient αᵢⱼ of a partition; row s belongs to the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AlphaEntry {
    pub(crate) partition: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// An equation for the coefficients.
#[derive(Clone, Debug)]
pub(crate) enum SspEquation {
    /// γ(t)Φ(t) = 1 for a tree t.
    Order(Tree),
    /// Both partitions have the same weight at a stage.
    SharedWeight(usize),
    /// Both partitions have the same abscissa at a stage.
    SharedAbscissa(usize),
}

/// The canonical Shu–Osher form with unknown coefficients.
///
/// With rₚ = dₚr and αₚ = rₚ(I + Σ rₚKₚ)⁻¹Kₚ, the conditions of absolute monotonicity at r (Higueras 2006) become
/// bounds, αₚ ≥ 0, and one linear inequality for each row, Σₚ αₚe ≤ e. The coefficients are Kₚ = (I − Σ αₚ)⁻¹αₚ/rₚ. If
/// each partition must be monotone by itself, the sums have one term. The unknowns are the entries of all αₚ and, last,
/// r.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalForm {
    pub(crate) stages: usize,
    /// Whether the partitions are added and share one region; otherwise each is monotone by itself.
    pub(crate) is_additive: bool,
    /// The ratios dₚ of the radii.
    pub(crate) direction: Vec<RBig>,
    pub(crate) entries: Vec<AlphaEntry>,
    pub(crate) equations: Vec<SspEquation>,
}

impl CanonicalForm {
    /// Returns the form of an explicit method in which each partition is evaluated at the given stages.
    pub(crate) fn new(
        evaluated: &[Vec<usize>],
        is_additive: bool,
        direction: Vec<RBig>,
        equations: Vec<SspEquation>,
    ) -> Self {
        let stages = evaluated.iter().flatten().max().map_or(0, |last| last + 1);
        let mut entries = Vec::new();
        for row in 1..=stages {
            for (partition, columns) in evaluated.iter().enumerate() {
                let columns = columns.iter().filter(|&&column| column < row);
                entries.extend(columns.map(|&column| AlphaEntry { partition, row, column }));
            }
        }
        Self { stages, is_additive, direction, entries, equations }
    }

    /// Returns the number of the sum Σ αₚ to which a partition belongs.
    fn block(&self, partition: usize) -> usize {
        if self.is_additive { 0 } else { partition }
    }

    /// Computes all Σ αₚ.
    fn sums<T: Scalar>(&self, alpha: &[T]) -> Vec<Vec<Vec<T>>> {
        let blocks = self.block(self.direction.len() - 1) + 1;
        let mut sums = vec![vec![vec![T::zero(); self.stages]; self.stages + 1]; blocks];
        for (entry, value) in self.entries.iter().zip(alpha) {
            sums[self.block(entry.partition)][entry.row][entry.column] += value.clone();
        }
        sums
    }

    /// Returns the number of unknowns.
    pub(crate) fn unknowns(&self) -> usize {
        self.entries.len() + 1
    }

    /// Computes the coefficients from values of the unknowns; `inverse` contains 1/rₚ.
    ///
    /// Explicit methods need no division: row i of rₚKₚ is that of αₚ plus Σⱼ (Σ_q α_q)ᵢⱼ times row j.
    fn tableau<T: Scalar>(&self, alpha: &[T], inverse: &[T]) -> Tableau<T> {
        let s = self.stages;
        let sums = self.sums(alpha);
        let mut scaled = vec![vec![vec![T::zero(); s]; s + 1]; inverse.len()];
        for (entry, value) in self.entries.iter().zip(alpha) {
            scaled[entry.partition][entry.row][entry.column] = value.clone();
        }
        for (partition, rows) in scaled.iter_mut().enumerate() {
            let sums = &sums[self.block(partition)];
            for i in 1..=s {
                let (before, from) = rows.split_at_mut(i);
                for (sum, earlier) in sums[i].iter().zip(before.iter()).filter(|(sum, _)| !sum.is_zero()) {
                    for (x, y) in from[0].iter_mut().zip(earlier).filter(|(_, y)| !y.is_zero()) {
                        *x += sum.clone() * y.clone();
                    }
                }
            }
        }
        let partition = |(rows, inverse): (Vec<Vec<T>>, &T)| {
            let times = |row: Vec<T>| row.into_iter().map(|x| x * inverse.clone()).collect::<Vec<T>>();
            let mut a: Vec<Vec<T>> = rows.into_iter().map(times).collect();
            let b = a.pop().unwrap_or_default();
            Butcher { a, b, c: Vec::new() }
        };
        Tableau { partitions: scaled.into_iter().zip(inverse).map(partition).collect() }
    }

    fn directions(&self) -> impl Iterator<Item = f64> {
        self.direction.iter().map(|d| d.to_f64().value())
    }

    /// Computes the coefficients in doubles.
    pub(crate) fn double_tableau(&self, x: &[f64]) -> Tableau<f64> {
        let (alpha, r) = x.split_at(self.entries.len());
        let inverse: Vec<f64> = self.directions().map(|d| 1.0 / (d * r[0])).collect();
        self.tableau(alpha, &inverse)
    }

    /// Computes the coefficients exactly.
    pub(crate) fn exact_tableau(&self, x: &[RBig]) -> Tableau<Exact> {
        let (alpha, r) = x.split_at(self.entries.len());
        let alpha: Vec<Exact> = alpha.iter().cloned().map(Exact::from).collect();
        let inverse: Vec<Exact> = self.direction.iter().map(|d| Exact::from(RBig::ONE / (d * &r[0]))).collect();
        self.tableau(&alpha, &inverse)
    }

    /// Computes the residuals of the equations.
    pub(crate) fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        self.equations.iter().map(|equation| equation.residual(tableau)).collect()
    }

    /// Computes the residuals and their derivatives in doubles.
    ///
    /// With Gₚ = ∂F/∂Kₚ and X = (I − Σ αₚ)⁻¹, the derivatives with respect to αₚ are Xᵀ(Gₚ/rₚ + Σ_q G_qK_qᵀ); the
    /// derivative with respect to r is −Σₚ Gₚ·Kₚ/r.
    pub(crate) fn linearized(&self, x: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let tableau = self.double_tableau(x);
        let s = self.stages;
        let r = x[self.entries.len()];
        let sums = self.sums(&x[..self.entries.len()]);
        let inverse: Vec<f64> = self.directions().map(|d| 1.0 / (d * r)).collect();
        let row = |k: usize, i: usize| -> &Vec<f64> {
            let part: &Butcher<f64> = &tableau.partitions[k];
            part.a.get(i).unwrap_or(&part.b)
        };
        let mut jacobian = Vec::with_capacity(self.equations.len());
        let mut values = Vec::with_capacity(self.equations.len());
        for equation in &self.equations {
            let (value, gradient) = equation.linearized(&tableau);
            values.push(value);
            let slopes = |k: usize, i: usize| -> &Vec<f64> {
                let part: &Butcher<f64> = &gradient.partitions[k];
                part.a.get(i).unwrap_or(&part.b)
            };
            // Σ_q G_qK_qᵀ over the partitions of a block, in row i and column j.
            let common = |block: usize, i: usize, j: usize| -> f64 {
                let own = (0..inverse.len()).filter(|&k| self.block(k) == block);
                own.map(|k| slopes(k, i).iter().zip(row(k, j)).map(|(g, x)| g * x).sum::<f64>()).sum()
            };
            let mut derivatives = vec![0.0; self.unknowns()];
            for (k, factor) in inverse.iter().enumerate() {
                let block = self.block(k);
                for column in 0..s {
                    // Rows up to the column have no influence.
                    let entry = |i: usize| slopes(k, i)[column] * factor + common(block, i, column);
                    let mut h: Vec<f64> = (0..=s).map(|i| if i > column { entry(i) } else { 0.0 }).collect();
                    // Multiplication by (I − α)⁻ᵀ, from the last row up.
                    for i in (1..=s).rev() {
                        let (above, from) = h.split_at_mut(i);
                        above.iter_mut().zip(&sums[block][i]).for_each(|(x, alpha)| *x += alpha * from[0]);
                    }
                    for (number, entry) in self.entries.iter().enumerate() {
                        if entry.partition == k && entry.column == column {
                            derivatives[number] = h[entry.row];
                        }
                    }
                }
                let along: f64 =
                    (0..=s).map(|i| slopes(k, i).iter().zip(row(k, i)).map(|(g, x)| g * x).sum::<f64>()).sum();
                derivatives[self.entries.len()] -= along / r;
            }
            jacobian.push(derivatives);
        }
        (values, jacobian)
    }

    /// Returns the number of inequalities Σ αᵢⱼ ≤ 1.
    pub(crate) fn row_sums(&self) -> usize {
        self.stages * (self.block(self.direction.len() - 1) + 1)
    }

    /// Returns the number of the inequality in which an entry appears.
    pub(crate) fn row_sum(&self, entry: &AlphaEntry) -> usize {
        self.stages * self.block(entry.partition) + entry.row - 1
    }

    /// Computes 1 − Σ αᵢⱼ of all rows: the factors vᵢ of the initial value.
    pub(crate) fn slacks(&self, alpha: &[f64]) -> Vec<f64> {
        let mut slacks = vec![1.0; self.row_sums()];
        self.entries.iter().zip(alpha).for_each(|(entry, alpha)| slacks[self.row_sum(entry)] -= alpha);
        slacks
    }
}

impl SspEquation {
    fn residual<T: Scalar>(&self, tableau: &Tableau<T>) -> T {
        let difference = |row: &dyn Fn(&Butcher<T>) -> T| row(&tableau.partitions[0]) - row(&tableau.partitions[1]);
        match self {
            Self::Order(tree) => {
                let color = match tree.kind() {
                    hemiola_order::NodeKind::Partition(color) => color,
                    hemiola_order::NodeKind::Time(_) => return T::zero(),
                };
                let b = &tableau.partitions[color].b;
                let phi = b.iter().zip(psi(tree, tableau)).fold(T::zero(), |sum, (b, psi)| sum + b.clone() * psi);
                phi * T::ratio(tree.density() as i64, 1) - T::one()
            }
            Self::SharedWeight(stage) => difference(&|part| part.b[*stage].clone()),
            Self::SharedAbscissa(stage) => {
                difference(&|part| part.a[*stage].iter().fold(T::zero(), |sum, entry| sum + entry.clone()))
            }
        }
    }

    /// Computes the residual and its derivatives with respect to all coefficients.
    fn linearized(&self, tableau: &Tableau<f64>) -> (f64, Tableau<f64>) {
        if let Self::Order(tree) = self {
            let density = tree.density() as f64;
            let (phi, mut gradient) = value_and_gradient(tree, tableau);
            for part in &mut gradient.partitions {
                part.a.iter_mut().flatten().chain(&mut part.b).for_each(|slope| *slope *= density);
            }
            return (phi * density - 1.0, gradient);
        }
        let s = tableau.stages();
        let zero = Butcher { a: vec![vec![0.0; s]; s], b: vec![0.0; s], c: Vec::new() };
        let mut gradient = Tableau { partitions: vec![zero; tableau.partitions.len()] };
        for (part, sign) in gradient.partitions.iter_mut().zip([1.0, -1.0]) {
            match self {
                Self::SharedWeight(stage) => part.b[*stage] = sign,
                Self::SharedAbscissa(stage) => part.a[*stage].fill(sign),
                Self::Order(_) => {}
            }
        }
        (self.residual(tableau), gradient)
    }
}
