//! Equations of a polished table: order conditions of the weights and the embedded weights, row sums, and simplifying
//! assumptions.

use hemiola_order::{Tree, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};

use crate::polish::assumption::AssumptionComponent;
use crate::polish::damping::{DampingMatrix, determinant, slope};
use crate::proof::trees::weight;

/// An equation of a polished table.
#[derive(Clone, Debug)]
pub(crate) enum PolishEquation {
    /// Σⱼ aᵢⱼ of a partition equals a number.
    RowSum { partition: usize, row: usize, sum: Exact },
    /// Σⱼ aᵢⱼ of a partition equals that of the first partition.
    SharedSum { partition: usize, row: usize },
    /// A component of a simplifying assumption vanishes.
    Assumed(AssumptionComponent),
    /// R of a partition with an explicit first stage is bounded.
    Damped(DampingMatrix),
    /// Φ(t) = 1/γ(t).
    Order(Tree),
}

impl PolishEquation {
    pub(crate) fn residual<T: Scalar>(&self, tableau: &Tableau<T>, number: impl Fn(&Exact) -> T) -> T {
        let sum = |partition: usize, row: usize| {
            tableau.partitions[partition].a[row].iter().fold(T::zero(), |sum, entry| sum + entry.clone())
        };
        match self {
            Self::RowSum { partition, row, sum: wanted } => sum(*partition, *row) - number(wanted),
            Self::SharedSum { partition, row } => sum(*partition, *row) - sum(0, *row),
            Self::Assumed(component) => component.value(tableau),
            Self::Damped(matrix) => determinant(matrix.size(), |i, k| matrix.position(i, k).entry(tableau).clone()),
            Self::Order(tree) => weight(tree, tableau) - T::ratio(1, tree.density()),
        }
    }

    /// Computes the derivatives with respect to all entries.
    pub(crate) fn gradient<T: Scalar>(&self, tableau: &Tableau<T>) -> Tableau<T> {
        if let Self::Order(tree) = self {
            return value_and_gradient(tree, tableau).1;
        }
        let s = tableau.stages();
        let zero = Butcher { a: vec![vec![T::zero(); s]; s], b: vec![T::zero(); s], c: Vec::new() };
        let mut gradient = Tableau { partitions: vec![zero; tableau.partitions.len()] };
        let fill = |gradient: &mut Tableau<T>, partition: usize, row: usize, by: T| {
            gradient.partitions[partition].a[row].fill(by);
        };
        match self {
            Self::RowSum { partition, row, .. } => fill(&mut gradient, *partition, *row, T::one()),
            Self::SharedSum { partition, row } => {
                fill(&mut gradient, *partition, *row, T::one());
                fill(&mut gradient, 0, *row, -T::one());
            }
            Self::Assumed(component) => component.add_gradient(tableau, &mut gradient),
            Self::Damped(matrix) => {
                let size = matrix.size();
                for (i, k) in (0..size).flat_map(|i| (0..size).map(move |k| (i, k))) {
                    if k <= i || k + 1 == size {
                        let entry = |i: usize, k: usize| matrix.position(i, k).entry(tableau).clone();
                        *matrix.position(i, k).entry_mut(&mut gradient) = slope(size, entry, (i, k));
                    }
                }
            }
            Self::Order(_) => {}
        }
        gradient
    }
}
