//! Principal error coefficients, the leading term of the local error.
//!
//! They are small for good methods: Φ and 1/γ agree to many digits, and large terms cancel in sums. Norms are therefore
//! computed in ball arithmetic with ninety digits.

use hemiola_tableau::{Exact, Scalar, Tableau};

use crate::engine::ball::{Ball, Balls};
use crate::engine::tables::ForestTables;
use crate::engine::walk::{TreeBlock, Visitor, small_order, walk};
use crate::engine::weights::{StageSolution, Weights};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::{Grammar, KindSet};

/// Maximum number of trees; more coefficients would take too long.
const MOST_TREES: u128 = 3_000_000;

/// Norms of a set of principal error coefficients.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Norms {
    /// The square root of the sum of squares.
    pub two: f64,
    /// The largest absolute value.
    pub infinity: f64,
}

impl Norms {
    /// Computes the norms of a vector.
    #[must_use]
    pub fn of(coefficients: impl IntoIterator<Item = f64>) -> Self {
        let add = |sum: Self, x: f64| Self { two: sum.two + x * x, infinity: sum.infinity.max(x.abs()) };
        let sum = coefficients.into_iter().fold(Self::default(), add);
        Self { two: sum.two.sqrt(), ..sum }
    }
}

/// Norms of the principal error coefficients of one order, in total and by the coupling of the trees. The squares
/// of the 2-norms of the parts add up to that of the total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrincipalError {
    /// The order of the trees: one above that of the method.
    pub order: usize,
    /// Norms over all trees, of all root colors.
    pub total: Norms,
    /// Norms over the trees of one color, for each partition.
    pub partitions: Vec<Norms>,
    /// Norms over the trees with at least two colors; zero for a single partition.
    pub coupling: Norms,
}

/// Computes (Φ(t) − 1/γ(t))/σ(t) for all trees of one order: the principal error coefficients of a method of order
/// `order` − 1 (Hairer, Nørsett & Wanner 1993, §II.3).
///
/// ```
/// use hemiola_order::principal_error_coefficients;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap().to_f64();
/// // One tree of order two, [τ]: 0 − 1/2.
/// assert_eq!(principal_error_coefficients(&euler, 2).unwrap(), [-0.5]);
/// ```
///
/// Small coefficients lose digits in double precision; use [`principal_error`] for norms.
///
/// # Errors
/// Returns an [`OrderError`] if there are too many trees.
pub fn principal_error_coefficients<T: Scalar>(tableau: &Tableau<T>, order: usize) -> Result<Vec<T>, OrderError> {
    let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
    let mut weights = Weights::new(&trees, tableau, StageSolution::Solved);
    let coefficient = |tree| weights.residual(tree) * T::ratio(1, trees.symmetry(tree));
    Ok(trees.of_order(order).into_iter().map(coefficient).collect())
}

/// Computes the norms of the principal error coefficients over the trees of order p + 1 of a method of order p,
/// to the accuracy of doubles.
///
/// ```
/// use hemiola_order::principal_error;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().exact();
/// assert!((principal_error(&rk4, 4).unwrap().total.two - 0.01450).abs() < 1e-5);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if there are too many trees.
pub fn principal_error(tableau: &Tableau<Exact>, order: usize) -> Result<PrincipalError, OrderError> {
    let order = order + 1;
    let coefficients = accurate_coefficients(tableau, order)?;
    let norms = |belongs: &dyn Fn(KindSet) -> bool| {
        let members = coefficients.iter().filter(|coefficient| belongs(coefficient.colors));
        Norms::of(members.map(|coefficient| coefficient.value))
    };
    Ok(PrincipalError {
        order,
        total: norms(&|_| true),
        partitions: (0..tableau.partitions.len()).map(|r| norms(&|colors| colors == 1 << r)).collect(),
        coupling: norms(&|colors| !colors.is_power_of_two()),
    })
}

/// Computes the 2-norm of the principal error coefficients over the trees of order p + 1 of a method of order p,
/// for all root colors, to the accuracy of doubles.
///
/// # Errors
/// Returns an [`OrderError`] if there are too many trees.
pub fn principal_error_norm(tableau: &Tableau<Exact>, order: usize) -> Result<f64, OrderError> {
    Ok(principal_error(tableau, order)?.total.two)
}

/// The coefficient (Φ(t) − 1/γ(t))/σ(t) of a tree, with the partitions whose colors occur in it as a set of bits.
pub(crate) struct ErrorCoefficient {
    pub(crate) value: f64,
    colors: KindSet,
}

/// Computes the error coefficients of all trees of an order, in a sequence that depends only on the number of
/// partitions.
pub(crate) fn accurate_coefficients(
    tableau: &Tableau<Exact>,
    order: usize,
) -> Result<Vec<ErrorCoefficient>, OrderError> {
    let grammar = Grammar::partitioned(tableau.partitions.len());
    let count = grammar.counts(order)?.last().copied().unwrap_or(0);
    if count > MOST_TREES {
        return Err(OrderError::TooManyTrees { order, count, limit: MOST_TREES });
    }
    let trees = Trees::new(&grammar, small_order(order))?;
    let balls = Ball::tableau(tableau);
    let tables = ForestTables::new(&Balls, &trees, &balls);
    let collected = walk(&tables, order, count, || Collector { tables: &tables, coefficients: Vec::new() });
    Ok(collected.into_iter().flat_map(|collector| collector.coefficients).collect())
}

/// A visitor that computes the coefficients of its trees.
struct Collector<'a> {
    tables: &'a ForestTables<'a, Balls>,
    coefficients: Vec<ErrorCoefficient>,
}

impl Visitor<Ball> for Collector<'_> {
    fn visit(&mut self, block: &TreeBlock<Ball>) {
        let stem = block.stem();
        for member in block.members.clone() {
            let residual = self.tables.residual(block.at, block.table, member);
            let spine = stem.spine(self.tables.trees, member);
            let value = residual.to_f64().0 / spine.symmetry(self.tables.trees) as f64;
            self.coefficients.push(ErrorCoefficient { value, colors: spine.colors(self.tables.trees) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn parts_add_up_to_the_total() {
        let method = library::method("shome-haug-jay-2-5").unwrap();
        let error = principal_error(&method.exact(), 2).unwrap();
        assert!((error.total.two - 0.40372).abs() < 1e-5);
        assert_eq!(error.total.two, principal_error_norm(&method.exact(), 2).unwrap());
        let parts = error.partitions.iter().chain([&error.coupling]);
        let (squares, largest) =
            parts.fold((0.0, 0f64), |(sum, largest), part| (sum + part.two * part.two, largest.max(part.infinity)));
        assert!((squares.sqrt() - error.total.two).abs() < 1e-15);
        assert_eq!(largest, error.total.infinity);
        for (partition, part) in error.partitions.iter().enumerate() {
            let alone = method.partition_alone(partition).unwrap().exact();
            assert!((part.two - principal_error(&alone, 2).unwrap().total.two).abs() < 1e-15);
        }
    }

    #[test]
    fn a_single_partition_has_nothing_to_couple() {
        // Dormand & Prince 1980: ‖τ⁽⁶⁾‖ = 3.99e-4 for their pair of orders 5 and 4.
        let error = principal_error(&library::method("dormand-prince-5").unwrap().exact(), 5).unwrap();
        assert!((error.total.two - 3.99e-4).abs() < 1e-6);
        assert_eq!((error.partitions[0], error.coupling), (error.total, Norms::default()));
    }
}
