//! Principal error coefficients: what the local error begins with.

use hemiola_tableau::{Scalar, Tableau};

use crate::error::OrderError;
use crate::grammar::{Grammar, Kind, KindSet};
use crate::trees::Trees;
use crate::weights::{Stages, Weights};

/// The size of some principal error coefficients.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Norms {
    /// The square root of the sum of their squares.
    pub two: f64,
    /// The largest absolute value.
    pub infinity: f64,
}

impl Norms {
    /// The norms of a vector.
    pub(crate) fn of(coefficients: impl IntoIterator<Item = f64>) -> Self {
        let add = |sum: Self, x: f64| Self { two: sum.two + x * x, infinity: sum.infinity.max(x.abs()) };
        let sum = coefficients.into_iter().fold(Self::default(), add);
        Self { two: sum.two.sqrt(), ..sum }
    }
}

/// Norms of the principal error coefficients of one order, in total and by what the trees couple. The squares of the
/// 2-norms of the parts add up to that of the total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrincipalError {
    /// The order of the trees: one above that of the method.
    pub order: usize,
    /// Over all trees, all root colours.
    pub total: Norms,
    /// Over the trees of one colour, for each partition.
    pub partitions: Vec<Norms>,
    /// Over the trees with at least two colours; zero for a single partition.
    pub coupling: Norms,
}

/// (Φ(t) − 1/γ(t))/σ(t) for all trees of one order: the principal error coefficients of a method of the order below
/// (Hairer, Nørsett & Wanner 1993, §II.3).
///
/// ```
/// use hemiola_order::principal_error_coefficients;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap().to_f64();
/// // One tree of order two, [τ]: 0 − 1/2.
/// assert_eq!(principal_error_coefficients(&euler, 2).unwrap(), [-0.5]);
/// ```
///
/// # Errors
/// [`OrderError`] where there are too many trees.
pub fn principal_error_coefficients<T: Scalar>(tableau: &Tableau<T>, order: usize) -> Result<Vec<T>, OrderError> {
    let trees = trees(tableau, order)?;
    Ok(coefficients(&trees, tableau, order))
}

/// The norms of the principal error coefficients over the trees of order p + 1 of a method of order p.
///
/// ```
/// use hemiola_order::principal_error;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().to_f64();
/// assert!((principal_error(&rk4, 4).unwrap().total.two - 0.01450).abs() < 1e-5);
/// ```
///
/// # Errors
/// [`OrderError`] where there are too many trees.
pub fn principal_error(tableau: &Tableau<f64>, order: usize) -> Result<PrincipalError, OrderError> {
    let order = order + 1;
    let trees = trees(tableau, order)?;
    let coefficients = coefficients(&trees, tableau, order);
    let sets = colour_sets(&trees);
    let colours: Vec<KindSet> = trees.of_order(order).into_iter().map(|tree| sets[tree.index()]).collect();
    let norms = |belongs: &dyn Fn(KindSet) -> bool| {
        let members = coefficients.iter().zip(&colours).filter(|(_, set)| belongs(**set));
        Norms::of(members.map(|(coefficient, _)| *coefficient))
    };
    Ok(PrincipalError {
        order,
        total: norms(&|_| true),
        partitions: (0..tableau.partitions.len()).map(|r| norms(&|set| set == 1 << r)).collect(),
        coupling: norms(&|set| !set.is_power_of_two()),
    })
}

/// The 2-norm of the principal error coefficients over the trees of order p + 1 of a method of order p, both root colours.
///
/// # Errors
/// [`OrderError`] where there are too many trees.
pub fn principal_error_norm(tableau: &Tableau<f64>, order: usize) -> Result<f64, OrderError> {
    Ok(Norms::of(principal_error_coefficients(tableau, order + 1)?).two)
}

fn trees<T>(tableau: &Tableau<T>, order: usize) -> Result<Trees, OrderError> {
    Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)
}

fn coefficients<T: Scalar>(trees: &Trees, tableau: &Tableau<T>, order: usize) -> Vec<T> {
    let mut weights = Weights::new(trees, tableau, Stages::Solved);
    let coefficient = |tree| weights.residual(tree) * T::ratio(1, trees.symmetry(tree));
    trees.of_order(order).into_iter().map(coefficient).collect()
}

/// The colours that occur in each tree, as sets of bits.
fn colour_sets(trees: &Trees) -> Vec<KindSet> {
    let mut sets = Vec::with_capacity(trees.tree_count());
    for tree in (1..=trees.highest_order()).flat_map(|order| trees.ids_of_order(order)) {
        let (Kind::Partition(colour) | Kind::Time(colour)) = trees.kind(tree);
        // The children are smaller trees and come first.
        let below: KindSet = trees.children(tree).fold(0, |set, child| set | sets[child.index()]);
        sets.push(below | 1 << colour);
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn parts_add_up_to_the_total() {
        let method = library::method("shome-haug-jay-2-5").unwrap();
        let error = principal_error(&method.to_f64(), 2).unwrap();
        assert!((error.total.two - 0.40372).abs() < 1e-5);
        assert_eq!(error.total.two, principal_error_norm(&method.to_f64(), 2).unwrap());
        let parts = error.partitions.iter().chain([&error.coupling]);
        let (squares, largest) =
            parts.fold((0.0, 0f64), |(sum, largest), part| (sum + part.two * part.two, largest.max(part.infinity)));
        assert!((squares.sqrt() - error.total.two).abs() < 1e-15);
        assert_eq!(largest, error.total.infinity);
        for (partition, part) in error.partitions.iter().enumerate() {
            let alone = method.partition_alone(partition).unwrap().to_f64();
            assert!((part.two - principal_error(&alone, 2).unwrap().total.two).abs() < 1e-15);
        }
    }

    #[test]
    fn a_single_partition_has_nothing_to_couple() {
        // Dormand & Prince 1980: ‖τ⁽⁶⁾‖ = 3.99e-4 for their pair of orders 5 and 4.
        let error = principal_error(&library::method("dormand-prince-5").unwrap().to_f64(), 5).unwrap();
        assert!((error.total.two - 3.99e-4).abs() < 1e-6);
        assert_eq!((error.partitions[0], error.coupling), (error.total, Norms::default()));
    }
}
