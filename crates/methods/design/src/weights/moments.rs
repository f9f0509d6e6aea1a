//! Conditions on weights for given stages: linear equations with more rows than rank.
//!
//! Weights x of one partition have order q if Σᵢ xᵢγ(t)Ψᵢ(t) = 1 for all trees t of at most q nodes. If the method
//! has order q, its own weights are a solution; all other solutions differ from them by a null vector.

use dashu::rational::RBig;
use hemiola_order::{Grammar, NodeKind, OrderError, StageSolution, Tree, TreeId, Trees, Weights};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};
use nalgebra::{DMatrix, DVector};
use num_traits::Zero;

use crate::decomposition::decomposed;
use crate::pair::decimals::{HALF_UNIT, rational};
use crate::pair::partitions::SLOW;

/// The conditions up to an order on weights at some stages.
pub(crate) struct Moments {
    /// The number of nodes of the tree of each row.
    pub(crate) orders: Vec<usize>,
    /// γΨ at the stages, one row for each tree up to the color of its root.
    rows: Vec<Vec<RBig>>,
    /// The rows in doubles.
    pub(crate) matrix: DMatrix<f64>,
    /// |t|·γΨ for |A|: times `relative`, a bound on the change of each row within the precision of the coefficients.
    majorants: DMatrix<f64>,
    /// The relative change of the smallest nonzero coefficient within its precision.
    pub(crate) relative: f64,
    /// A bound on the change of the matrix within the precision of the coefficients, if it is lower than double
    /// precision.
    pub(crate) noise: f64,
}

impl Moments {
    pub(crate) fn new(tableau: &Tableau<Exact>, stages: &[usize], order: usize) -> Result<Self, OrderError> {
        let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
        let ids: Vec<TreeId> = (1..=order).flat_map(|n| forests(&trees, n)).collect();
        let orders: Vec<usize> = ids.iter().map(|&id| trees.order(id)).collect();
        let rows: Vec<Vec<RBig>> = scaled_weights(&trees, &ids, tableau, stages, density)
            .into_iter()
            .map(|row| row.iter().map(rational).collect())
            .collect();
        let sizes = tableau_of_sizes(tableau);
        let majorants = scaled_weights(&trees, &ids, &sizes, stages, density);
        let entries = sizes.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten());
        let smallest = entries.copied().filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min);
        let shape = (ids.len(), stages.len());
        Ok(Self {
            matrix: DMatrix::from_fn(shape.0, shape.1, |i, j| rows[i][j].to_f64().value()),
            majorants: DMatrix::from_fn(shape.0, shape.1, |i, j| orders[i] as f64 * majorants[i][j]),
            relative: HALF_UNIT / smallest,
            noise: 0.0,
            orders,
            rows,
        })
    }

    /// Splits the matrix into its range and its null space, to the precision of the coefficients.
    pub(crate) fn split(&self) -> Option<RangeNullSpace> {
        RangeNullSpace::with_noise(&self.matrix, self.noise)
    }

    /// Computes right-hand sides minus left-hand sides; `expected` gives the right-hand side by the number of
    /// nodes.
    pub(crate) fn residual(&self, x: &[RBig], expected: impl Fn(usize) -> i8) -> DVector<f64> {
        let residual = |(row, order): (&Vec<RBig>, &usize)| {
            let sum = row.iter().zip(x).fold(RBig::from(expected(*order)), |rest, (a, x)| rest - a * x);
            sum.to_f64().value()
        };
        DVector::from_iterator(self.rows.len(), self.rows.iter().zip(&self.orders).map(residual))
    }

    /// Bounds the residuals that the precision of the stages' coefficients explains.
    ///
    /// Redundant rows may contradict each other by that much.
    pub(crate) fn explainable_residual(&self, x: &[RBig]) -> f64 {
        let sizes = DVector::from_iterator(x.len(), x.iter().map(|x| x.to_f64().value().abs()));
        self.relative * (&self.majorants * sizes).max()
    }
}

/// The conditions up to an order on weights at some stages, in any number type: Σᵢ xᵢγ(t)Ψᵢ(t) = 1.
pub(crate) struct WeightConditions<T> {
    /// The tree of each row, with a root of the first partition.
    pub(crate) trees: Vec<Tree>,
    /// γΨ at the stages.
    pub(crate) rows: Vec<Vec<T>>,
}

impl<T: Scalar> WeightConditions<T> {
    pub(crate) fn new(tableau: &Tableau<T>, stages: &[usize], order: usize) -> Result<Self, OrderError> {
        let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
        let ids: Vec<TreeId> = (1..=order).flat_map(|n| forests(&trees, n)).collect();
        let rows = scaled_weights(&trees, &ids, tableau, stages, density);
        Ok(Self { trees: ids.into_iter().map(|id| trees.tree(id)).collect(), rows })
    }
}

/// Returns one tree for each forest of n − 1 nodes.
fn forests(trees: &Trees, n: usize) -> Vec<TreeId> {
    let ids = trees.of_order(n);
    ids.into_iter().filter(|&id| trees.kind(id) == NodeKind::Partition(SLOW)).collect()
}

fn density(trees: &Trees, id: TreeId) -> (i64, u64) {
    (trees.density(id) as i64, 1)
}

fn scaled_weights<T: Scalar>(
    trees: &Trees,
    ids: &[TreeId],
    tableau: &Tableau<T>,
    stages: &[usize],
    factor: fn(&Trees, TreeId) -> (i64, u64),
) -> Vec<Vec<T>> {
    let mut weights = Weights::new(trees, tableau, StageSolution::Solved);
    let row = |&id: &TreeId| {
        let (numerator, denominator) = factor(trees, id);
        let psi = weights.derivative_weight(id);
        stages.iter().map(|&i| psi[i].clone() * T::ratio(numerator, denominator)).collect()
    };
    ids.iter().map(row).collect()
}

/// Returns |A| and |b|.
fn tableau_of_sizes(tableau: &Tableau<Exact>) -> Tableau<f64> {
    let vector = |row: &Vec<Exact>| row.iter().map(|x| x.to_f64().abs()).collect::<Vec<f64>>();
    let sizes = |butcher: &Butcher<Exact>| (butcher.a.iter().map(vector).collect(), vector(&butcher.b), None);
    Tableau::new(tableau.partitions.iter().map(sizes).collect())
}

/// The error coefficients of one order as linear functions of weights: Σᵢ xᵢΨᵢ/σ should equal 1/(γσ).
pub(crate) struct ErrorCoefficients {
    /// The number of nodes of the trees.
    pub(crate) order: usize,
    /// Ψ/σ at the stages.
    pub(crate) matrix: DMatrix<f64>,
    /// 1/(γσ).
    pub(crate) expected: DVector<f64>,
}

impl ErrorCoefficients {
    pub(crate) fn new(tableau: &Tableau<f64>, stages: &[usize], order: usize) -> Result<Self, OrderError> {
        let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
        let ids = forests(&trees, order);
        let rows = scaled_weights(&trees, &ids, tableau, stages, |trees, id| (1, trees.symmetry(id)));
        let expected = ids.iter().map(|&id| 1.0 / (trees.density(id) as f64 * trees.symmetry(id) as f64));
        Ok(Self {
            order,
            matrix: DMatrix::from_fn(ids.len(), stages.len(), |i, j| rows[i][j]),
            expected: DVector::from_iterator(ids.len(), expected),
        })
    }
}

/// A pseudoinverse and the null space of a matrix.
pub(crate) struct RangeNullSpace {
    pub(crate) inverse: DMatrix<f64>,
    /// An orthonormal basis of the null space.
    pub(crate) null: DMatrix<f64>,
}

impl RangeNullSpace {
    /// Splits a matrix. Singular values within the error of a backward stable decomposition (Golub & Van Loan 2013,
    /// §5.5.8) count as zero.
    pub(crate) fn new(matrix: &DMatrix<f64>) -> Option<Self> {
        Self::with_noise(matrix, 0.0)
    }

    /// Splits a matrix that is known up to an error of size `noise`.
    pub(crate) fn with_noise(matrix: &DMatrix<f64>, noise: f64) -> Option<Self> {
        let (rows, columns) = matrix.shape();
        if columns == 0 {
            return Some(Self { inverse: DMatrix::zeros(0, rows), null: DMatrix::zeros(0, 0) });
        }
        // With additional zero rows the decomposition returns the whole null space.
        let size = rows.max(columns);
        let svd = decomposed(matrix.clone().resize(size, columns, 0.0))?;
        let cutoff = (size as f64 * f64::EPSILON * svd.singular_values.max()).max(noise);
        let right = svd.v_t.as_ref()?.transpose();
        let vanishing: Vec<usize> = (0..columns).filter(|&j| svd.singular_values[j] <= cutoff).collect();
        let inverse = svd.pseudo_inverse(cutoff).ok()?.columns(0, rows).into_owned();
        Some(Self { inverse, null: right.select_columns(&vanishing) })
    }
}

/// Extends weights at some stages by zeros to weights at all stages.
pub(crate) fn scatter_to_stages(stages: &[usize], count: usize, x: &[RBig]) -> Vec<Exact> {
    let mut all = vec![Exact::zero(); count];
    stages.iter().zip(x).for_each(|(&stage, x)| all[stage] = Exact::from(x.clone()));
    all
}

/// Stacks one matrix on another.
pub(crate) fn stack(upper: &DMatrix<f64>, lower: &DMatrix<f64>) -> DMatrix<f64> {
    let mut all = upper.clone().resize_vertically(upper.nrows() + lower.nrows(), 0.0);
    all.rows_mut(upper.nrows(), lower.nrows()).copy_from(lower);
    all
}

/// Rounds all coefficients to the nearest doubles.
pub(crate) fn to_f64(tableau: &Tableau<Exact>) -> Tableau<f64> {
    let vector = |row: &Vec<Exact>| row.iter().map(Exact::to_f64).collect::<Vec<f64>>();
    let parts =
        tableau.partitions.iter().map(|butcher| (butcher.a.iter().map(vector).collect(), vector(&butcher.b), None));
    Tableau::new(parts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No column leaves no null vector, and no row leaves all of them.
    #[test]
    fn empty_matrices_are_split() {
        for (rows, columns) in [(0, 0), (3, 0), (0, 3)] {
            let RangeNullSpace { inverse, null } = RangeNullSpace::new(&DMatrix::zeros(rows, columns)).unwrap();
            assert_eq!((inverse.shape(), null.shape()), ((columns, rows), (columns, columns)));
        }
    }
}
