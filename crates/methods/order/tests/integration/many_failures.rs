//! Orders at which nearly all conditions fail and are screened several at a time, compared with the plain
//! recursion in exact arithmetic.
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use hemiola_order::{CheckOptions, Grammar, NodeKind, OrderCheck, TreeId, Trees};
use hemiola_tableau::{Claims, Coefficient, Exact, Method, Partition, Scalar, Source, Tableau, dot, library};

const ORDER: usize = 8;

fn derivative_weight(trees: &Trees, id: TreeId, tableau: &Tableau<Exact>) -> Vec<Exact> {
    let mut psi = vec![Exact::ratio(1, 1); tableau.stages()];
    for child in trees.children(id) {
        let NodeKind::Partition(color) = trees.kind(child) else { continue };
        let pushed = tableau.partitions[color].times(&derivative_weight(trees, child, tableau));
        psi.iter_mut().zip(pushed).for_each(|(psi, pushed)| *psi = psi.clone() * pushed);
    }
    psi
}

/// Counts the conditions of an order that hold, and determines the largest residual.
fn plain(trees: &Trees, order: usize, tableau: &Tableau<Exact>) -> (u64, f64) {
    trees.of_order(order).into_iter().fold((0, 0.0), |(hold, largest), id| {
        let NodeKind::Partition(color) = trees.kind(id) else { return (hold, largest) };
        let phi = dot(&tableau.partitions[color].b, &derivative_weight(trees, id, tableau));
        let residual = phi - Exact::ratio(1, trees.density(id));
        (hold + u64::from(residual == Exact::ratio(0, 1)), f64::max(largest, residual.to_f64().abs()))
    })
}

/// Returns a pair of explicit tableaus whose entries have these powers of ten.
fn pair(sizes: [i32; 2]) -> Method {
    let entry = |k: usize, size: i32| Coefficient::parse(&format!("{}e{size}", 7 + 13 * k % 29)).unwrap();
    let partitions = sizes.iter().enumerate().map(|(color, &size)| {
        let zero = || Coefficient::parse("0").unwrap();
        let cell = |i: usize, j: usize| if j < i { entry(i + 2 * j + color, size) } else { zero() };
        let a: Vec<Vec<Coefficient>> = (0..3).map(|i| (0..3).map(|j| cell(i, j)).collect()).collect();
        let b = (0..3).map(|i| entry(3 * i + color, size)).collect();
        Partition { name: format!("part{color}"), a, b, c: None, b_hat: None, dense: None }
    });
    let partitions = partitions.collect();
    Method::new("pair", "pair", partitions, Claims::default(), None, Source::default()).unwrap()
}

#[test]
fn all_conditions_are_counted_and_the_largest_is_found() {
    let trees = Trees::new(&Grammar::partitioned(2), ORDER).unwrap();
    let library = ["lobatto-iiia-iiib-3", "mprk-p2", "shome-haug-jay-2-5"].map(|id| library::method(id).unwrap());
    let scaled = [[-2, -2], [-40, 30], [30, -40], [-150, 2]].map(pair);
    for method in library.iter().chain(&scaled) {
        let check = OrderCheck::new(method, CheckOptions { highest_order: ORDER, ..Default::default() }).unwrap();
        for summary in check.orders().iter().filter(|summary| summary.order >= 6) {
            let (hold, largest) = plain(&trees, summary.order, &method.exact());
            let found = summary.exact + summary.to_precision + summary.numerically;
            assert_eq!(found, hold, "{}, order {}", method.id(), summary.order);
            assert!(
                (summary.max_residual - largest).abs() <= 1e-12 * largest || summary.max_residual == largest,
                "{}, order {}: {:e} {largest:e}",
                method.id(),
                summary.order,
                summary.max_residual
            );
        }
    }
}
