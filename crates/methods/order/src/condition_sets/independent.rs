//! A smallest set of conditions: those whose gradients are linearly independent at a method.
//!
//! Order conditions are redundant: on the variety of methods with a given structure, many follow from others, at least
//! to first order. The independent conditions depend on the method, because its coefficients determine the rank of the
//! Jacobian.

use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};

use crate::engine::arithmetic::Arithmetic;
use crate::engine::gradient::{entries, value_and_gradient};
use crate::engine::modular::{Modular, primes_below};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::trees::tree::Tree;

/// Maximum number of primes tried; one in 2ᵏ suits coefficients with k square roots.
const MOST_PRIMES: usize = 2000;
/// Maximum number of conditions; more would take minutes.
const MOST_CONDITIONS: u128 = 10_000;

/// Marks the coefficients that the structure of a tableau leaves free.
///
/// These are the coefficients below the diagonal of an explicit method, those of a diagonally implicit method
/// including the diagonal, and all coefficients of other methods, but none in columns of stages that are not
/// evaluated. Abscissae are row sums.
///
/// ```
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().exact();
/// let free = hemiola_order::free_coefficients(&rk4);
/// let count = free.partitions[0].a.iter().flatten().chain(&free.partitions[0].b).filter(|free| **free).count();
/// assert_eq!(count, 6 + 4);
/// ```
#[must_use]
pub fn free_coefficients<T: Scalar>(tableau: &Tableau<T>) -> Tableau<bool> {
    let of = |butcher: &Butcher<T>| {
        let s = butcher.stages();
        let evaluated = butcher.evaluated_stages();
        let reaches = |i: usize| match (butcher.is_explicit(), butcher.is_diagonally_implicit()) {
            (true, _) => i,
            (false, true) => i + 1,
            (false, false) => s,
        };
        let is_free = |i: usize, j: usize| j < reaches(i) && evaluated.contains(&j);
        let a = (0..s).map(|i| (0..s).map(|j| is_free(i, j)).collect()).collect();
        Butcher { a, b: (0..s).map(|j| evaluated.contains(&j)).collect(), c: vec![false; s] }
    };
    Tableau { partitions: tableau.partitions.iter().map(of).collect() }
}

/// Selects conditions of orders 1 to `order` whose gradients are linearly independent at this tableau.
///
/// Returns the trees, smallest first, whose gradients with respect to the free coefficients are linearly
/// independent of the preceding ones. The gradients of all other conditions depend on those of the returned
/// trees.
///
/// The rank is determined modulo a prime of 62 bits. This proves that the selected gradients are independent,
/// since a minor that does not vanish modulo a prime does not vanish. It does not prove that the others are
/// dependent, which is true unless the prime happens to divide a minor. Dependent gradients also do not prove
/// that a condition *follows* from others, as [`reduced_trees`](crate::reduced_trees) does. The number of
/// returned trees is the codimension to first order.
///
/// ```
/// use hemiola_order::{free_coefficients, independent_conditions};
/// // Eight conditions of order four, ten coefficients: at the classical method all eight are independent, and two
/// // parameters remain (Kutta 1901).
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().exact();
/// assert_eq!(independent_conditions(&rk4, &free_coefficients(&rk4), 4).unwrap().len(), 8);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range, there are more than ten thousand conditions, or no prime
/// suits the coefficients.
pub fn independent_conditions(
    tableau: &Tableau<Exact>,
    free: &Tableau<bool>,
    order: usize,
) -> Result<Vec<Tree>, OrderError> {
    let grammar = Grammar::partitioned(tableau.partitions.len());
    grammar.check_total(order, MOST_CONDITIONS)?;
    let trees = Trees::new(&grammar, order)?;
    let trees = (1..=order).flat_map(|order| trees.of_order(order)).map(|id| trees.tree(id));
    let with_gradient = |tree: Tree| {
        let (_, gradient) = value_and_gradient(&tree, tableau);
        (tree, gradient)
    };
    let gradients: Vec<(Tree, Tableau<Exact>)> = trees.map(with_gradient).collect();
    let selected = primes_below(None).take(MOST_PRIMES).find_map(|field| select(field, &gradients, free));
    selected.ok_or(OrderError::NoPrime { tried: MOST_PRIMES })
}

/// Selects the independent conditions modulo a prime; `None` if the prime does not suit the numbers.
fn select(field: Modular, gradients: &[(Tree, Tableau<Exact>)], free: &Tableau<bool>) -> Option<Vec<Tree>> {
    let mut echelon = Echelon { field, rows: Vec::new() };
    let mut selected = Vec::new();
    for (tree, gradient) in gradients {
        let residues = field.tableau(gradient)?;
        let row = entries(&residues).zip(entries(free)).filter(|(_, free)| **free).map(|(residue, _)| *residue);
        if echelon.add(row.collect()) {
            selected.push(tree.clone());
        }
    }
    Some(selected)
}

/// Rows modulo a prime, each with zeros in the pivot columns of the rows before it.
struct Echelon {
    field: Modular,
    /// The pivot column of each row, and the row.
    rows: Vec<(usize, Vec<u64>)>,
}

impl Echelon {
    /// Adds a row unless it depends on the rows present.
    fn add(&mut self, mut row: Vec<u64>) -> bool {
        for (place, known) in &self.rows {
            if row[*place] == 0 {
                continue;
            }
            // Cross-multiplication avoids a division.
            let (factor, subtracted) = (known[*place], self.field.negative(&row[*place]));
            for (x, y) in row.iter_mut().zip(known) {
                let mut sum = self.field.product(x, &factor);
                self.field.add_product(&mut sum, y, &subtracted);
                *x = sum;
            }
        }
        let leading = row.iter().position(|entry| *entry != 0);
        self.rows.extend(leading.map(|place| (place, row)));
        leading.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn count(id: &str, order: usize) -> usize {
        let tableau = library::method(id).unwrap().exact();
        independent_conditions(&tableau, &free_coefficients(&tableau), order).unwrap().len()
    }

    #[test]
    fn ranks_of_single_methods() {
        assert_eq!([count("rk4", 1), count("rk4", 2), count("rk4", 3)], [1, 2, 4]);
        // All eight conditions of order four are independent at Fehlberg's six stages. Not all seventeen of order
        // five are at Dormand & Prince's seven stages, whose simplifying assumptions make some follow from
        // others.
        assert_eq!((count("fehlberg-4-5", 4), count("dormand-prince-5", 5)), (8, 15));
        // There are six coefficients with square roots: the rank cannot be larger.
        assert_eq!(count("gauss-2", 4), 6);
    }

    #[test]
    fn ranks_of_pairs() {
        // The shared abscissae of both partitions are free to differ, so all conditions are independent.
        assert_eq!(count("ars-2-2-2", 2), 6);
        // At an additive method of Kennedy & Carpenter 41 of 72 conditions are independent.
        assert_eq!(count("kennedy-carpenter-ark-4-3-6", 4), 41);
    }

    #[test]
    fn the_selection_spans_all_gradients() {
        // Compares with a rank determined in doubles.
        for (id, order) in [("shome-haug-jay-2-5", 3), ("lobatto-iiia-iiib-3", 4), ("ssp-rk-5-4", 5)] {
            let method = library::method(id).unwrap();
            let (exact, doubles) = (method.exact(), method.to_f64());
            let free = free_coefficients(&exact);
            let trees = Trees::new(&Grammar::partitioned(exact.partitions.len()), order).unwrap();
            let all: Vec<Tree> =
                (1..=order).flat_map(|order| trees.of_order(order)).map(|tree| trees.tree(tree)).collect();
            let row = |tree: &Tree| {
                let gradient = value_and_gradient(tree, &doubles).1;
                let pairs = entries(&gradient).zip(entries(&free)).filter(|(_, free)| **free);
                pairs.map(|(slope, _)| *slope).collect::<Vec<f64>>()
            };
            let selected = independent_conditions(&exact, &free, order).unwrap();
            assert_eq!(rank(selected.iter().map(row).collect()), selected.len(), "{id}");
            assert_eq!(rank(all.iter().map(row).collect()), selected.len(), "{id}");
        }
    }

    /// Computes the rank by elimination with complete pivoting.
    fn rank(mut rows: Vec<Vec<f64>>) -> usize {
        let mut rank = 0;
        loop {
            let places = rows.iter().enumerate().skip(rank).flat_map(|(i, row)| (0..row.len()).map(move |j| (i, j)));
            let Some((i, j)) = places.max_by(|x, y| rows[x.0][x.1].abs().total_cmp(&rows[y.0][y.1].abs())) else {
                return rank;
            };
            if rows[i][j].abs() < 1e-10 {
                return rank;
            }
            rows.swap(rank, i);
            let pivot = rows[rank].clone();
            for row in rows.iter_mut().skip(rank + 1) {
                let factor = row[j] / pivot[j];
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
            rank += 1;
        }
    }
}
