//! Coefficients of Nyström methods and their order.

use hemiola_tableau::{Exact, Method, Scalar, Tableau, dot};
use num_traits::Zero;

use crate::error::OrderError;
use crate::nystrom::trees::{NystromProblem, POSITION, nystrom_trees};
use crate::trees::grammar::NodeKind;
use crate::trees::tree::Tree;
use crate::verdict::equations::{EquationJudge, Equations, VerifiedOrders};

/// The coefficients of a Nyström method (Hairer, Nørsett & Wanner 1993, §II.14):
/// Qᵢ = q + cᵢhv + h²Σ āᵢⱼkⱼ, Vᵢ = v + hΣ aᵢⱼkⱼ, kᵢ = f(Qᵢ, Vᵢ); q⁺ = q + hv + h²Σ b̄ᵢkᵢ, v⁺ = v + hΣ bᵢkᵢ.
#[derive(Clone, Debug, PartialEq)]
pub struct Nystrom<T> {
    /// The matrix ā, row by row.
    pub a_bar: Vec<Vec<T>>,
    /// The matrix a, row by row; irrelevant for y″ = f(y), where it may be empty.
    pub a: Vec<Vec<T>>,
    /// The weights b̄ of the position.
    pub b_bar: Vec<T>,
    /// The weights b of the velocity.
    pub b: Vec<T>,
    /// The abscissae.
    pub c: Vec<T>,
}

impl<T: Scalar> Nystrom<T> {
    /// Converts a pair for q' = v, v' = f(q, v) to a Nyström method, from its partitions for q and v. These
    /// coincide for a method with one partition.
    ///
    /// # Errors
    /// Returns [`OrderError::NoPartition`] if there is no such partition.
    ///
    /// ```
    /// use hemiola_order::Nystrom;
    /// let verlet = hemiola_tableau::library::method("stormer-verlet").unwrap().to_f64();
    /// let nystrom = Nystrom::from_pair(&verlet, 0, 1).unwrap();
    /// assert_eq!((nystrom.b_bar, nystrom.b), (vec![0.5, 0.0], vec![0.5, 0.5])); // q⁺ = q + hv + h²/2 f(q)
    /// ```
    pub fn from_pair(tableau: &Tableau<T>, position: usize, velocity: usize) -> Result<Self, OrderError> {
        let partitions = tableau.partitions.len();
        let of = |partition| tableau.partitions.get(partition).ok_or(OrderError::NoPartition { partition, partitions });
        let (q, v) = (of(position)?, of(velocity)?);
        let columns: Vec<Vec<T>> = (0..v.stages()).map(|j| v.a.iter().map(|row| row[j].clone()).collect()).collect();
        let times_a = |row: &[T]| columns.iter().map(|column| dot(row, column)).collect::<Vec<T>>();
        Ok(Self {
            a_bar: q.a.iter().map(|row| times_a(row)).collect(),
            a: v.a.clone(),
            b_bar: times_a(&q.b),
            b: v.b.clone(),
            c: q.row_sums(),
        })
    }

    /// Computes Ψ(t) of an N-tree, one number for each stage.
    fn derivative_weight(&self, tree: &Tree) -> Vec<T> {
        let mut psi = vec![T::one(); self.b.len()];
        for child in tree.children() {
            let pushed = match (child.kind(), child.children().first()) {
                (NodeKind::Partition(POSITION), None) => self.c.clone(),
                (NodeKind::Partition(POSITION), Some(below)) => apply(&self.a_bar, &self.derivative_weight(below)),
                _ => apply(&self.a, &self.derivative_weight(child)),
            };
            psi.iter_mut().zip(pushed).for_each(|(psi, pushed)| *psi = psi.clone() * pushed);
        }
        psi
    }

    /// Computes Σ bᵢΨᵢ(t) − 1/γ(t) of an N-tree.
    #[must_use]
    pub fn velocity_residual(&self, tree: &Tree) -> T {
        dot(&self.b, &self.derivative_weight(tree)) - T::ratio(1, tree.density())
    }

    /// Computes Σ b̄ᵢΨᵢ(t) − 1/((|t| + 1)γ(t)) of an N-tree: a condition of order |t| + 1.
    #[must_use]
    pub fn position_residual(&self, tree: &Tree) -> T {
        let density = tree.density() * (tree.order() as u64 + 1);
        dot(&self.b_bar, &self.derivative_weight(tree)) - T::ratio(1, density)
    }
}

impl Nystrom<Exact> {
    /// Returns the largest order up to `highest` whose conditions hold exactly.
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is out of range or there are too many trees.
    pub fn exact_order(&self, problem: NystromProblem, highest: usize) -> Result<usize, OrderError> {
        for order in 1..=highest {
            let residuals = NystromConditions::new(problem, order)?.of(self);
            if !residuals.iter().all(Exact::is_zero) {
                return Ok(order - 1);
            }
        }
        Ok(highest)
    }
}

/// Determines the order of a pair as a Nyström method, with partitions for q and v, which may be the same.
///
/// Conditions hold exactly or to the precision of the coefficients. Only the conditions of N-trees are required, so the
/// order may exceed that of the pair.
///
/// ```
/// use hemiola_order::{NystromProblem, nystrom_order};
/// let ruth = hemiola_tableau::library::method("ruth-3").unwrap();
/// // ScreenContext 1 for general pairs, 3 where the systems are separable, as y″ = f(y) is.
/// assert_eq!(nystrom_order(&ruth, 0, 1, NystromProblem::Special, 5).unwrap().order, 3);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if a partition does not exist, the order is out of range or there are too many trees.
pub fn nystrom_order(
    method: &Method,
    position: usize,
    velocity: usize,
    problem: NystromProblem,
    highest: usize,
) -> Result<VerifiedOrders, OrderError> {
    let judge = EquationJudge::new(method, None);
    Nystrom::from_pair(&judge.exact, position, velocity)?;
    judge.try_reach(highest, |order| {
        Ok(PairConditions { position, velocity, conditions: NystromConditions::new(problem, order)? })
    })
}

/// The conditions of one order.
struct NystromConditions {
    /// Trees with `order` nodes, for b.
    velocity: Vec<Tree>,
    /// Trees with one node less, for b̄.
    position: Vec<Tree>,
}

impl NystromConditions {
    fn new(problem: NystromProblem, order: usize) -> Result<Self, OrderError> {
        let position = if order > 1 { nystrom_trees(problem, order - 1)? } else { Vec::new() };
        Ok(Self { velocity: nystrom_trees(problem, order)?, position })
    }

    fn of<T: Scalar>(&self, method: &Nystrom<T>) -> Vec<T> {
        let velocity = self.velocity.iter().map(|tree| method.velocity_residual(tree));
        velocity.chain(self.position.iter().map(|tree| method.position_residual(tree))).collect()
    }
}

/// The conditions on a pair.
struct PairConditions {
    position: usize,
    velocity: usize,
    conditions: NystromConditions,
}

impl Equations for PairConditions {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let method = Nystrom::from_pair(tableau, self.position, self.velocity);
        method.map(|method| self.conditions.of(&method)).unwrap_or_default()
    }
}

/// Computes A x; zero for an empty matrix.
fn apply<T: Scalar>(a: &[Vec<T>], x: &[T]) -> Vec<T> {
    if a.is_empty() { vec![T::zero(); x.len()] } else { a.iter().map(|row| dot(row, x)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn fractions(numbers: &[(i64, u64)]) -> Vec<Exact> {
        numbers.iter().map(|&(n, d)| Exact::from_ratio(n, d)).collect()
    }

    #[test]
    fn nystroms_own_methods() {
        // Nyström 1925, for y″ = f(x, y): orders 4 and 5 (Hairer, Nørsett & Wanner 1993, §II.14).
        let fourth = Nystrom {
            a_bar: [[(0, 1), (0, 1), (0, 1)], [(1, 8), (0, 1), (0, 1)], [(0, 1), (1, 2), (0, 1)]]
                .map(|row| fractions(&row))
                .to_vec(),
            a: Vec::new(),
            b_bar: fractions(&[(1, 6), (1, 3), (0, 1)]),
            b: fractions(&[(1, 6), (4, 6), (1, 6)]),
            c: fractions(&[(0, 1), (1, 2), (1, 1)]),
        };
        assert_eq!(fourth.exact_order(NystromProblem::Special, 6), Ok(4));
        let fifth = Nystrom {
            a_bar: [
                [(0, 1), (0, 1), (0, 1), (0, 1)],
                [(1, 50), (0, 1), (0, 1), (0, 1)],
                [(-1, 27), (7, 27), (0, 1), (0, 1)],
                [(3, 10), (-2, 35), (9, 35), (0, 1)],
            ]
            .map(|row| fractions(&row))
            .to_vec(),
            a: Vec::new(),
            b_bar: fractions(&[(14, 336), (100, 336), (54, 336), (0, 1)]),
            b: fractions(&[(14, 336), (125, 336), (162, 336), (35, 336)]),
            c: fractions(&[(0, 1), (1, 5), (2, 3), (1, 1)]),
        };
        assert_eq!(fifth.exact_order(NystromProblem::Special, 6), Ok(5));
    }

    #[test]
    fn pairs_as_nystrom_methods() {
        let order = |id: &str, problem| {
            let method = library::method(id).unwrap();
            let velocity = method.partitions().len() - 1;
            nystrom_order(&method, 0, velocity, problem, 7).unwrap().order
        };
        // A method with one partition retains its order.
        assert_eq!(order("rk4", NystromProblem::General), 4);
        assert_eq!(order("gauss-2", NystromProblem::General), 4);
        assert_eq!(order("gauss-3", NystromProblem::Special), 6);
        // Störmer–Verlet, and the Lobatto pair of order 4.
        assert_eq!(order("stormer-verlet", NystromProblem::Special), 2);
        assert_eq!(order("lobatto-iiia-iiib-3", NystromProblem::General), 4);
        // Explicit symplectic methods have their separable order, far above that of the pair.
        assert_eq!(order("candy-rozmus-4", NystromProblem::Special), 4);
        assert_eq!(order("candy-rozmus-4", NystromProblem::General), 1);
    }

    #[test]
    fn residuals_are_those_of_the_pair() {
        // N-trees are P-trees of the pair, if the abscissae of the position are its row sums.
        let tableau = library::method("lobatto-iiic-iiic-star-3").unwrap().exact();
        let method = Nystrom::from_pair(&tableau, 0, 1).unwrap();
        for tree in (1..=5).flat_map(|order| nystrom_trees(NystromProblem::General, order).unwrap()) {
            let (weight, _) = crate::value_and_gradient(&tree, &tableau);
            assert_eq!(method.velocity_residual(&tree), weight - Exact::ratio(1, tree.density()));
        }
        let missing = Nystrom::from_pair(&tableau, 0, 2);
        assert_eq!(missing, Err(OrderError::NoPartition { partition: 2, partitions: 2 }));
    }
}
