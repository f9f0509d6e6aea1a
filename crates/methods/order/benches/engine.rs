//! Benchmark of the order engine against a plain recursion over each tree. Prints a table in Markdown.
//!
//! `cargo bench -p hemiola-order` runs it; `scripts/benchmarks` writes the table into `reports/benchmarks.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

#[path = "../../stability/benches/peak/mod.rs"]
mod peak;

use std::time::{Duration, Instant};

use hemiola_order::{CheckOptions, Grammar, NodeKind, OrderCheck, TreeId, Trees};
use hemiola_tableau::{Claims, Coefficient, Method, Partition, Scalar, Source, Tableau, dot, library};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let peak = peak::fma_peak();
    println!("| task | conditions | engine | share of peak | plain recursion | ratio |");
    println!("|---|--:|--:|--:|--:|--:|");
    let row = |task: &str, method: &Method, order, tableau: &Tableau<f64>, with_plain| {
        let products = |conditions: u64| (2 * method.stages()) as f64 * conditions as f64 / peak;
        print_row(task, method, order, tableau, with_plain, Some(&products));
    };
    one_thread.install(|| {
        let pair = random_method(&["slow", "fast"], 10);
        row("two colors, s = 10, order ≤ 10, doubles, one thread", &pair, 10, &pair.to_f64(), true);
        row("two colors, s = 10, order ≤ 12, doubles, one thread", &pair, 12, &pair.to_f64(), false);
        let single = random_method(&["all"], 13);
        row("one color, s = 13, order ≤ 14, doubles, one thread", &single, 14, &single.to_f64(), true);
        let lobatto = library::method("lobatto-iiia-iiib-3").unwrap();
        print_row("Lobatto IIIA–IIIB, s = 3, order ≤ 8, exact, one thread", &lobatto, 8, &lobatto.exact(), true, None);
    });
    let pair = random_method(&["slow", "fast"], 10);
    print_row("two colors, s = 10, order ≤ 12, doubles, all threads", &pair, 12, &pair.to_f64(), false, None);
}

/// Times a check and, if it does not take too long, the plain recursion over the same trees. `at_peak` computes
/// the time in s of one dot product of stage vectors for each condition at the peak of one core, which is a lower
/// bound for the engine.
fn print_row<T: Scalar>(
    task: &str,
    method: &Method,
    order: usize,
    tableau: &Tableau<T>,
    with_plain: bool,
    at_peak: Option<&dyn Fn(u64) -> f64>,
) {
    let mut conditions = 0;
    let engine = fastest(5, || {
        let check = OrderCheck::new(method, CheckOptions { highest_order: order, ..Default::default() }).unwrap();
        conditions = check.orders().iter().map(|summary| summary.conditions).sum::<u64>();
    });
    let (plain, ratio) = if with_plain {
        let plain = fastest(1, || plain_residuals(tableau, order));
        (milliseconds(plain), format!("{:.0}", plain.as_secs_f64() / engine.as_secs_f64()))
    } else {
        ("–".to_owned(), "–".to_owned())
    };
    let share = |at_peak: &dyn Fn(u64) -> f64| format!("{:.0} %", 100.0 * at_peak(conditions) / engine.as_secs_f64());
    let share = at_peak.map_or_else(|| "–".to_owned(), share);
    println!("| {task} | {conditions} | {} | {share} | {plain} | {ratio} |", milliseconds(engine));
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn fastest(runs: usize, mut task: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        task();
        start.elapsed()
    };
    (0..runs).map(time).min().unwrap_or_default()
}

/// Computes the residuals as a straightforward program does: each tree by itself, from its leaves to its root.
fn plain_residuals<T: Scalar>(tableau: &Tableau<T>, order: usize) {
    let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order).unwrap();
    for id in (1..=order).flat_map(|n| trees.of_order(n)) {
        let psi = derivative_weight(&trees, id, tableau);
        let NodeKind::Partition(color) = trees.kind(id) else { continue };
        let phi = dot(&tableau.partitions[color].b, &psi);
        std::hint::black_box(phi - T::ratio(1, trees.density(id)));
    }
}

fn derivative_weight<T: Scalar>(trees: &Trees, id: TreeId, tableau: &Tableau<T>) -> Vec<T> {
    let mut psi = vec![T::one(); tableau.stages()];
    for child in trees.children(id) {
        let NodeKind::Partition(color) = trees.kind(child) else { continue };
        let pushed = tableau.partitions[color].times(&derivative_weight(trees, child, tableau));
        for (psi, pushed) in psi.iter_mut().zip(pushed) {
            *psi = psi.clone() * pushed;
        }
    }
    psi
}

/// Returns a method with a full tableau of seeded random coefficients for each name.
fn random_method(names: &[&str], stages: usize) -> Method {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = || -> Vec<Coefficient> {
        (0..stages).map(|_| Coefficient::parse(&format!("{:.17}", random.random_range(-0.1..0.1))).unwrap()).collect()
    };
    let partitions = names.iter().map(|name| {
        let a = (0..stages).map(|_| vector()).collect();
        Partition { name: (*name).to_owned(), a, b: vector(), c: None, b_hat: None, dense: None }
    });
    let partitions = partitions.collect();
    Method::new("random", "random", partitions, Claims::default(), None, Source::default()).unwrap()
}
