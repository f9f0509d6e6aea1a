//! Proofs that weights do not exist, in terms that can be checked by hand.

use hemiola_order::{NodeKind, OrderError, Tree};
use hemiola_tableau::{Butcher, Exact, Method, Scalar, Tableau};
use nalgebra::DMatrix;
use num_traits::Zero;

use crate::completion::elimination::{Contradiction, Elimination};
use crate::interval::bounds::RealInterval;
use crate::proof::independence::are_independent;
use crate::weights::moments::WeightConditions;

/// A proof that weights do not exist. The conditions are Σᵢ xᵢγ(t)Ψᵢ(t) = 1, or zero for powers of θ other than
/// |t|.
#[derive(Clone, Debug)]
pub enum AbsenceProof {
    /// Factors with which the left-hand sides sum to zero for all weights, but the right-hand sides do not; exact.
    Contradiction {
        /// The trees of the conditions with their factors.
        terms: Vec<(Tree, Exact)>,
        /// The sum of the right-hand sides.
        sum: Exact,
    },
    /// Equal numbers of conditions and weights with a nonzero determinant: the method's own weights are the only
    /// solution.
    OnlyOwn {
        /// The trees.
        trees: Vec<Tree>,
        /// The modulus of the determinant of γΨ.
        determinant: Exact,
    },
    /// One of the two proofs above, for every table within the precision of the coefficients.
    ///
    /// The columns of the conditions, extended by the right-hand sides for a contradiction, are independent for all
    /// of them (an enclosure in outward rounded doubles).
    WithinPrecision {
        /// Whether the conditions contradict each other; otherwise the method's own weights are the only solution.
        contradiction: bool,
        /// The number of conditions.
        conditions: usize,
    },
}

impl AbsenceProof {
    pub(crate) fn contradiction(found: &Contradiction, trees: &[Tree], partition: usize) -> Self {
        let trees: Vec<Tree> = trees.iter().map(|tree| rooted(tree, partition)).collect();
        Self::of_rows(found, &trees)
    }

    /// Returns the proof for conditions whose trees already have roots of the right color.
    pub(crate) fn of_rows(found: &Contradiction, trees: &[Tree]) -> Self {
        let terms = found.combination.iter().map(|(number, by)| (trees[*number].clone(), by.clone()));
        let sum = found.right.iter().find(|x| !x.is_zero()).cloned().unwrap_or_else(Exact::zero);
        Self::Contradiction { terms: terms.collect(), sum }
    }

    pub(crate) fn only_own(elimination: &Elimination, trees: &[Tree], partition: usize) -> Self {
        let trees: Vec<Tree> = trees.iter().map(|tree| rooted(tree, partition)).collect();
        Self::only_own_of(elimination, &trees)
    }

    /// Returns the proof for conditions whose trees already have roots of the right color.
    pub(crate) fn only_own_of(elimination: &Elimination, trees: &[Tree]) -> Self {
        let (rows, determinant) = elimination.independent();
        Self::OnlyOwn { trees: rows.into_iter().map(|number| trees[number].clone()).collect(), determinant }
    }
}

/// Returns the tree with a root of another color.
fn rooted(tree: &Tree, partition: usize) -> Tree {
    Tree::new(NodeKind::Partition(partition), tree.children().to_vec())
}

/// The conditions on weights, enclosed for all tables within the precision of the coefficients.
pub(crate) struct EnclosedConditions {
    rows: Vec<Vec<RealInterval>>,
    orders: Vec<usize>,
}

impl EnclosedConditions {
    pub(crate) fn new(method: &EnclosedTableaus, stages: &[usize], order: usize) -> Result<Self, OrderError> {
        let WeightConditions { trees, rows } = WeightConditions::new(&method.cloud, stages, order)?;
        Ok(Self { rows, orders: trees.iter().map(Tree::order).collect() })
    }

    /// Bounds the difference between the matrix of the conditions and its midpoint, in the Frobenius norm.
    pub(crate) fn noise(&self) -> f64 {
        self.rows.iter().flatten().map(|x| (*x - RealInterval::point(x.middle())).size().powi(2)).sum::<f64>().sqrt()
    }

    pub(crate) fn middle(&self) -> DMatrix<f64> {
        let columns = self.rows.first().map_or(0, Vec::len);
        DMatrix::from_fn(self.rows.len(), columns, |i, j| self.rows[i][j].middle())
    }

    /// Proves that the method's own weights are the only solution, if possible.
    pub(crate) fn only_own(&self) -> Option<AbsenceProof> {
        self.independent(|_| None)
            .then(|| AbsenceProof::WithinPrecision { contradiction: false, conditions: self.rows.len() })
    }

    /// Proves that no weights exist for right-hand sides that depend on the number of nodes, if possible.
    pub(crate) fn contradiction(&self, right: impl Fn(usize) -> bool) -> Option<AbsenceProof> {
        let conditions = self.rows.len();
        let one = |order: usize| right(order).then(|| RealInterval::ratio(1, 1));
        let column = |order: usize| Some(one(order).unwrap_or_else(RealInterval::zero));
        self.independent(column).then_some(AbsenceProof::WithinPrecision { contradiction: true, conditions })
    }

    fn independent(&self, right: impl Fn(usize) -> Option<RealInterval>) -> bool {
        let row = |(row, order): (&Vec<RealInterval>, &usize)| {
            row.iter().copied().chain(right(*order)).enumerate().filter(|(_, x)| !x.is_zero()).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<(usize, RealInterval)>> = self.rows.iter().zip(&self.orders).map(row).collect();
        let columns = self.rows.first().map_or(0, Vec::len) + usize::from(right(1).is_some());
        are_independent(&rows, columns)
    }
}

/// The coefficients of a method, exact and as enclosures.
pub(crate) struct EnclosedTableaus {
    pub(crate) exact: Tableau<Exact>,
    cloud: Tableau<RealInterval>,
}

impl EnclosedTableaus {
    pub(crate) fn new(method: &Method) -> Self {
        let exact = method.exact();
        let deltas = method.uncertainties();
        let around =
            |x: &[Exact], d: &[f64]| x.iter().zip(d).map(|(x, d)| bounds(x, *d)).collect::<Vec<RealInterval>>();
        let part = |(x, d): (&Butcher<Exact>, &Butcher<f64>)| {
            let a = x.a.iter().zip(&d.a).map(|(x, d)| around(x, d)).collect();
            Butcher { a, b: around(&x.b, &d.b), c: Vec::new() }
        };
        let cloud = Tableau { partitions: exact.partitions.iter().zip(&deltas.partitions).map(part).collect() };
        Self { exact, cloud }
    }
}

/// Encloses a coefficient; zeros are structural and stay exact.
fn bounds(x: &Exact, radius: f64) -> RealInterval {
    if x.is_zero() { RealInterval::zero() } else { RealInterval::around(x, radius) }
}
