//! A change of one coefficient by 1e-12, far below what eight printed decimals show, is found out.

use hemiola_order::{CheckOptions, OrderCheck};
use hemiola_tableau::{Coefficient, Method, Partition, library};
use rayon::prelude::*;

/// Exact methods of order three and more: explicit, implicit, with roots, and pairs.
const METHODS: [&str; 12] = [
    "kutta-3",
    "rk4",
    "three-eighths",
    "gill-4",
    "bogacki-shampine-3",
    "cash-karp-5",
    "dormand-prince-5",
    "gauss-2",
    "radau-iia-3",
    "crouzeix-3",
    "ars-4-4-3",
    "lobatto-iiia-iiib-3",
];

/// The method with one coefficient larger by 1e-12: row `row` (b is the last one) and column `column` of a partition.
fn perturbed(method: &Method, partition: usize, row: usize, column: usize) -> Method {
    let mut partitions: Vec<Partition> = method.partitions().to_vec();
    let Partition { a, b, .. } = &mut partitions[partition];
    let coefficient = if row < a.len() { &mut a[row][column] } else { &mut b[column] };
    let text = format!("{}+1e-12", coefficient.text());
    *coefficient = Coefficient::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Method::new("perturbed", "Perturbed", partitions, method.claims(), None, method.source().clone())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The order found, and the order in exact arithmetic.
fn orders(method: &Method, highest_order: usize) -> (usize, usize) {
    let check = OrderCheck::new(method, CheckOptions { highest_order, ..CheckOptions::default() });
    let check = check.unwrap_or_else(|error| panic!("{}: {error}", method.id()));
    (check.order(), check.exact_order())
}

#[test]
fn the_order_found_drops_with_the_exact_order() {
    let dropped: Vec<usize> = METHODS.par_iter().map(|id| coefficients_that_matter(id)).collect();
    // Weights alone are forty; nearly all coefficients of the matrices matter as well.
    assert!(dropped.iter().sum::<usize>() > 200, "{dropped:?}");
}

/// How many coefficients of a method lower its order when they are changed.
fn coefficients_that_matter(id: &str) -> usize {
    let method = library::method(id).unwrap_or_else(|error| panic!("{error}"));
    let order = method.claims().order.unwrap_or(0);
    assert!(order >= 3 && method.precision().is_none(), "{id}");
    assert_eq!(orders(&method, order), (order, order), "{id}");
    let mut matter = 0;
    for partition in 0..method.partitions().len() {
        for row in 0..=method.stages() {
            for column in 0..method.stages() {
                let (found, exact) = orders(&perturbed(&method, partition, row, column), order);
                assert_eq!(found, exact, "{id}, partition {partition}, row {row}, column {column}");
                let is_weight = row == method.stages();
                assert!(!is_weight || exact == 0, "{id}: Σ b = 1 holds with another weight {column}");
                matter += usize::from(exact < order);
            }
        }
    }
    matter
}
