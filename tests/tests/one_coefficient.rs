//! A change of one coefficient by 1e-12, far below what eight printed decimals show, is found out.

use hemiola_order::{CheckOptions, OrderCheck};
use hemiola_tableau::{Coefficient, Method, Partition, library};
use rayon::prelude::*;

/// The methods of the library that are exact, of order three and more, and of a size that keeps the test short.
fn exact_methods() -> Vec<Method> {
    let load = |id| library::method(id).unwrap_or_else(|error| panic!("{error}"));
    let suits = |method: &Method| {
        let order = method.claims().order.unwrap_or(0);
        (3..=6).contains(&order)
            && method.stages() <= 7
            && method.precision().is_none()
            && orders(method, order) == (order, order)
    };
    library::ids().map(load).filter(suits).collect()
}

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
    let methods = exact_methods();
    assert!(methods.len() >= 30, "{} methods", methods.len());
    let dropped: Vec<usize> = methods.par_iter().map(coefficients_that_matter).collect();
    // Every weight matters, and nearly all coefficients of the matrices.
    assert!(dropped.iter().sum::<usize>() > 1000, "{dropped:?}");
}

/// How many coefficients of a method lower its order when they are changed.
fn coefficients_that_matter(method: &Method) -> usize {
    let (id, order) = (method.id(), method.claims().order.unwrap_or(0));
    let mut matter = 0;
    for partition in 0..method.partitions().len() {
        for row in 0..=method.stages() {
            for column in 0..method.stages() {
                let (found, exact) = orders(&perturbed(method, partition, row, column), order);
                // How far the order falls may differ: a condition may be off by the square of the change alone.
                let place = format!("{id}, partition {partition}, row {row}, column {column}");
                assert_eq!(found < order, exact < order, "{place}: order {found}, exactly {exact}");
                let is_weight = row == method.stages();
                assert!(!is_weight || exact == 0, "{id}: Σ b = 1 holds with another weight {column}");
                matter += usize::from(exact < order);
            }
        }
    }
    matter
}
