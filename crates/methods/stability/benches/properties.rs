//! Benchmark of strong and nonlinear stability of all methods of the library. Prints a table in Markdown.
//!
//! Run it with `cargo bench -p hemiola-stability --bench properties`. Each property is computed in exact arithmetic, for
//! every partition by itself; the slowest method is named.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use hemiola_stability::monotonicity::{ssp_coefficient, threshold_factor};
use hemiola_stability::nonlinear::{
    algebraic_stability, contractivity_radius, is_an_stable, is_b_stable, reducibility,
};
use hemiola_tableau::{Method, library};

fn main() {
    let methods: Vec<Method> = library::ids().map(|id| library::method(id).unwrap()).collect();
    println!("| property | partitions | total | slowest | method |");
    println!("|---|--:|--:|--:|---|");
    let mut all = Duration::ZERO;
    all += measured("SSP coefficient", &methods, |method, part| drop(black_box(ssp_coefficient(method, part))));
    all += measured("threshold factor", &methods, |method, part| drop(black_box(threshold_factor(method, part))));
    all += measured("algebraic stability", &methods, |method, part| drop(black_box(algebraic_stability(method, part))));
    all += measured("B-stability", &methods, |method, part| drop(black_box(is_b_stable(method, part))));
    all += measured("AN-stability", &methods, |method, part| drop(black_box(is_an_stable(method, part))));
    all += measured("contractivity", &methods, |method, part| drop(black_box(contractivity_radius(method, part))));
    all += measured("reducibility", &methods, |method, _| drop(black_box(reducibility(method))));
    println!("| all | | {:.2} s | | |", all.as_secs_f64());
}

/// Times a property of every partition of every method.
fn measured(name: &str, methods: &[Method], compute: impl Fn(&Method, usize)) -> Duration {
    let (mut total, mut slowest, mut count) = (Duration::ZERO, (Duration::ZERO, ""), 0);
    for method in methods {
        for part in 0..method.partitions().len() {
            let start = Instant::now();
            compute(method, part);
            let taken = start.elapsed();
            total += taken;
            count += 1;
            if taken > slowest.0 {
                slowest = (taken, method.id());
            }
        }
    }
    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    println!(
        "| {name} | {count} | {:.0} ms | {:.1} ms | {} |",
        milliseconds(total),
        milliseconds(slowest.0),
        slowest.1
    );
    total
}
