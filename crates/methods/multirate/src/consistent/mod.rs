//! Order conditions of internally consistent methods: far fewer conditions than trees, prepared once for many
//! evaluations.
//!
//! - `shape`: trees modulo the identities of internal consistency and of the exact fast solution.
//! - `program`: the values that the conditions require, in the order of their computation.
//! - `evaluate`: their computation over any number type.
//! - `independent`: conditions that follow from others, beyond the consequences of internal consistency.
//! - `assumption`: simplifying assumptions, such as C(2) and D(1).

mod assumption;
mod evaluate;
mod independent;
mod program;
mod shape;

use std::collections::BTreeMap;

use hemiola_order::{Grammar, Tree, Trees};
use hemiola_tableau::Scalar;

pub use self::assumption::SimplifyingAssumption;
use self::independent::{follows_from_a_product, follows_from_moments};
use self::program::Program;
use self::shape::{Normal, Shape};
use crate::error::MultirateError;
use crate::stage::InfinitesimalStage;

/// A condition Φ(t) = 1/γ(t) that represents all trees with the same residual.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsistentCondition {
    /// The tree t, with the color 1 at leaves.
    pub tree: Tree,
    /// The sum of f²/σ² over the represented trees, whose residuals are f times that of t. For trees one order above
    /// that of the method, Σ `weight`·residual² is the square of the principal error norm.
    pub weight: f64,
}

/// The order conditions of a method without starts and drifts whose slow partitions are all internally consistent.
///
/// The abscissae of slow and fast partitions then agree along every stage, so the colors of leaves have no influence. A
/// subtree with fast inner nodes only is a power of the abscissa, which the fast solution integrates exactly. If the
/// root and a child are fast, either may serve as the root: the product rule transforms one condition into the other,
/// given those of lower order.
///
/// ```
/// use hemiola_multirate::{ConsistentConditions, InfinitesimalStage, library};
/// let conditions = ConsistentConditions::new(2, 4)?;
/// // Of 72 trees up to order four, twelve conditions remain, eight of them of order four.
/// assert_eq!((conditions.conditions().len(), conditions.of_order(4).len()), (12, 8));
/// let rows: Vec<InfinitesimalStage<f64>> =
///     library::method("merk43")?.exact_rows().iter().take(6).map(|row| row.map(|x| x.to_f64())).collect();
/// assert!(conditions.residuals(&rows).iter().all(|residual| residual.abs() < 1e-15));
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConsistentConditions {
    conditions: Vec<ConsistentCondition>,
    program: Program,
}

impl ConsistentConditions {
    /// Prepares the conditions of all orders up to `order` for a number of partitions, including the fast one.
    ///
    /// # Errors
    /// Returns [`MultirateError::Order`] if there are too many trees.
    pub fn new(partitions: usize, order: usize) -> Result<Self, MultirateError> {
        Self::kept(partitions, order, |_| true)
    }

    /// Prepares conditions for proofs of the order of rows. It omits conditions that follow from each other, from the
    /// form of the last row or from an assumption. Of the rows, it uses only their form.
    ///
    /// ```
    /// use hemiola_multirate::{ConsistentConditions, SimplifyingAssumption, library};
    /// let rows = library::method("hemiola-mri-6-5")?.exact_rows();
    /// let assumption = SimplifyingAssumption::D1;
    /// let independent = ConsistentConditions::independent(&rows[..6], 5, Some(assumption))?;
    /// // Of 36 conditions, 16 follow from D(1), and three from others.
    /// assert_eq!((ConsistentConditions::new(2, 5)?.conditions().len(), independent.conditions().len()), (36, 17));
    /// let residuals = assumption.residuals(&rows[..6]);
    /// assert!(residuals.len() == 10 && residuals.iter().all(|residual| residual.to_f64().abs() < 1e-49));
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Order`] if there are too many trees.
    pub fn independent<T>(
        rows: &[InfinitesimalStage<T>],
        order: usize,
        assumption: Option<SimplifyingAssumption>,
    ) -> Result<Self, MultirateError> {
        let partitions = rows.first().map_or(0, |row| row.forcing.len()) + 1;
        let follows = |shape: &Shape| {
            follows_from_a_product(shape)
                || follows_from_moments(shape, rows, order)
                || assumption.is_some_and(|assumption| assumption.implies(shape))
        };
        Self::kept(partitions, order, |shape| !follows(shape))
    }

    fn kept(partitions: usize, order: usize, is_kept: impl Fn(&Shape) -> bool) -> Result<Self, MultirateError> {
        let trees = Trees::new(&Grammar::partitioned(partitions), order)?;
        let mut weights: BTreeMap<(usize, Shape), f64> = BTreeMap::new();
        for order in 1..=order {
            for tree in trees.of_order(order) {
                let symmetry = trees.symmetry(tree) as f64;
                if let Normal::Shape(shape, factor) = shape::normal(&trees.tree(tree)) {
                    let (shape, shift) = shape::representative(shape);
                    *weights.entry((order, shape)).or_default() += (factor * shift / symmetry).powi(2);
                }
            }
        }
        weights.retain(|(_, shape), _| is_kept(shape));
        let shapes: Vec<Shape> = weights.keys().map(|(_, shape)| shape.clone()).collect();
        let condition =
            |((_, shape), weight): ((usize, Shape), f64)| ConsistentCondition { tree: shape.tree(), weight };
        Ok(Self { program: Program::new(&shapes), conditions: weights.into_iter().map(condition).collect() })
    }

    /// Returns the conditions, in ascending order of their trees.
    #[must_use]
    pub fn conditions(&self) -> &[ConsistentCondition] {
        &self.conditions
    }

    /// Returns the positions of the conditions of an order.
    #[must_use]
    pub fn of_order(&self, order: usize) -> std::ops::Range<usize> {
        let position = |order: usize| self.conditions.partition_point(|condition| condition.tree.order() < order);
        position(order)..position(order + 1)
    }

    /// Computes Φ(t) − 1/γ(t) of all conditions for the rows of a method; the last row is the result of the step. The
    /// rows must be internally consistent and [simple](InfinitesimalStage::is_simple).
    ///
    /// # Panics
    /// Panics if there is no row, or if a row refers to a stage that does not precede it.
    #[must_use]
    pub fn residuals<T: Scalar>(&self, rows: &[InfinitesimalStage<T>]) -> Vec<T> {
        evaluate::residuals(&self.program, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MultirateReport, library};

    /// The reduced conditions give the same norms as all trees; another test compares the latter with another program.
    #[test]
    fn norms_of_published_methods_follow_from_the_reduced_conditions() {
        let mut compared = 0;
        for id in library::ids() {
            let method = library::method(id).unwrap();
            let partitions = method.partitions().len();
            // Rounded tables are consistent only to their precision.
            let is_consistent = (1..partitions).all(|partition| method.inconsistencies(partition).is_empty())
                && method.exact_rows().iter().all(InfinitesimalStage::is_simple);
            let order = method.claims().order.unwrap();
            if !is_consistent {
                continue;
            }
            let conditions = ConsistentConditions::new(partitions, order + 1).unwrap();
            let rows: Vec<_> = method.exact_rows().into_iter().take(method.stages().len()).collect();
            let rows: Vec<_> = rows.iter().map(|row| row.map(hemiola_tableau::Exact::to_f64)).collect();
            let residuals = conditions.residuals(&rows);
            let of_order = conditions.of_order(order + 1);
            assert!(residuals[..of_order.start].iter().all(|residual| residual.abs() < 1e-13), "{id}");
            let weighted = of_order.map(|k| conditions.conditions[k].weight * residuals[k] * residuals[k]);
            let norm = weighted.sum::<f64>().sqrt();
            let report = MultirateReport::new(&method, Some(order + 1)).unwrap();
            let expected = report.step.principal_error().unwrap().total.two;
            assert!((norm - expected).abs() < 1e-12 * (1.0 + expected), "{id}: {norm}, {expected}");
            compared += 1;
        }
        assert!(compared >= 15, "{compared}");
    }
}
