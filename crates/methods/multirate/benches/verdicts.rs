//! Benchmark of the verdicts on multirate methods against a plain recursion over each tree. Prints a table in Markdown.
//!
//! `cargo bench -p hemiola-multirate` runs it; `scripts/benchmarks` writes the table into `reports/benchmarks.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

#[path = "../tests/integration/plain.rs"]
mod plain;

use std::time::{Duration, Instant};

use hemiola_multirate::{InfinitesimalMethod, MultirateReport, MultirateWeights, RowKind, library};
use hemiola_order::{Grammar, TreeId, Trees};

fn main() {
    println!("| task | conditions | shared | plain recursion | ratio |");
    println!("|---|--:|--:|--:|--:|");
    for (id, order) in [("mri-gark-erk45a", 5), ("merk43", 5), ("mri-gark-esdirk46a", 5), ("mri-gark-erk45a", 6)] {
        compare(&library::method(id).unwrap(), order);
    }
    let methods: Vec<InfinitesimalMethod> = library::ids().map(|id| library::method(id).unwrap()).collect();
    let all = least(3, || methods.iter().map(|method| MultirateReport::new(method, None).unwrap()).collect::<Vec<_>>());
    println!("| verdicts and norms of the library, {} methods | | {} | | |", methods.len(), shown(all));
    for (id, order) in [("mri-gark-erk45a", 6), ("mri-gark-erk45a", 8)] {
        let method = library::method(id).unwrap();
        let time = least(1, || MultirateReport::new(&method, Some(order)).unwrap());
        println!("| verdicts of {id} to order {order} | | {} | | |", shown(time));
    }
}

/// Times the weights of all trees of an order in exact arithmetic.
fn compare(method: &InfinitesimalMethod, order: usize) {
    let trees = Trees::new(&Grammar::partitioned(method.partitions().len()), order).unwrap();
    let of_order: Vec<TreeId> = trees.of_order(order);
    let stages = method.stages().len();
    let shared = least(5, || {
        let mut weights = MultirateWeights::new(&trees, method.exact_rows(), stages);
        of_order.iter().map(|tree| weights.weight(*tree, RowKind::Step)).collect::<Vec<_>>()
    });
    let rows = method.exact_rows();
    let alone =
        least(1, || of_order.iter().map(|tree| plain::weight(&rows[..stages], &trees.tree(*tree))).collect::<Vec<_>>());
    let ratio = alone.as_secs_f64() / shared.as_secs_f64();
    println!(
        "| {}, trees of order {order} | {} | {} | {} | {ratio:.0} |",
        method.id(),
        of_order.len(),
        shown(shared),
        shown(alone)
    );
}

fn least<T>(runs: usize, mut task: impl FnMut() -> T) -> Duration {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        std::hint::black_box(task());
        start.elapsed()
    });
    times.min().unwrap()
}

fn shown(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}
