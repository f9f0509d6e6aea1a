//! Benchmark of optimal stability polynomials: the optimum in doubles, and its coefficients to 34 digits.
//!
//! Prints a table in Markdown. `cargo bench -p hemiola-polynomial` runs it; `scripts/benchmarks` writes the table into
//! `reports/benchmarks.md`, and `scripts/compare-polynomials` compares it with cvxpy and Clarabel.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the problems are known to have an optimum")]

use std::time::{Duration, Instant};

use dashu::rational::RBig;
use hemiola_polynomial::{Optimality, Problem, Spectrum, StabilityPolynomial};

/// Digits of quadruple precision.
const DIGITS: usize = 34;

/// Spectra, orders and numbers of stages of the benchmark.
const PROBLEMS: [(&str, usize, &[usize]); 10] = [
    ("imaginary", 2, &[5, 10, 20, 40]),
    ("imaginary", 3, &[5, 9, 21, 41, 61]),
    ("imaginary", 4, &[21, 61]),
    ("imaginary", 5, &[21, 60]),
    ("real", 2, &[5, 10, 20, 40, 50, 100, 200]),
    ("real", 4, &[200]),
    ("disk", 3, &[20]),
    ("wedge:60", 2, &[20]),
    ("rectangle:1,1", 2, &[20]),
    ("rays:0.02,0.3", 3, &[12]),
];

fn main() {
    println!(
        "| spectrum | order | stages | formula | optimum | limit | {DIGITS} digits | limit to {DIGITS} digits | proof | optimal to |"
    );
    println!("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|");
    for (spectrum, order, stages) in PROBLEMS {
        stages.iter().for_each(|&stages| row(spectrum, order, stages));
    }
}

/// Prints one row: times the optimum and its refinement to [`DIGITS`] digits, where its contact points are isolated.
fn row(spectrum: &str, order: usize, stages: usize) {
    let problem = Problem::new(spectrum.parse::<Spectrum>().unwrap(), stages, order);
    let optimum = problem.solve().unwrap();
    let solve = milliseconds(fastest(|| problem.solve()));
    let (formula, limit) = (optimum.closed_form().unwrap_or("–"), optimum.limit());
    let digits = optimum.polynomial(DIGITS).map_or_else(
        |_| "– | – | – | –".to_owned(),
        |polynomial| {
            let time = milliseconds(fastest(|| optimum.polynomial(DIGITS)));
            format!("{time} | {} | {}", polynomial.limit_text(DIGITS), proof(&polynomial))
        },
    );
    println!("| {spectrum} | {order} | {stages} | {formula} | {solve} | {limit} | {digits} |");
}

/// Returns the time of the certificate and the relative gap between the proved upper bound and the attained limit.
fn proof(polynomial: &StabilityPolynomial) -> String {
    let start = Instant::now();
    let certificate = polynomial.certificate();
    let time = milliseconds(start.elapsed());
    let gap = match certificate.map(|certificate| certificate.optimality) {
        None => return "– | –".to_owned(),
        Some(Optimality::Theorem(_)) => "theorem".to_owned(),
        Some(Optimality::Bounded(bound)) => {
            let ratio = bound.limit.sqr() / polynomial.limit_squared();
            format!("{:.0e}", (ratio - RBig::ONE).to_f64().value() / 2.0)
        }
        Some(_) => "stable".to_owned(),
    };
    format!("{time} | {gap}")
}

fn milliseconds(time: Duration) -> String {
    format!("{:.4} ms", time.as_secs_f64() * 1e3)
}

/// Returns the shortest time of at least three runs; further runs start within the first half second.
fn fastest<T>(mut task: impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(task());
        start.elapsed()
    };
    let goes_on = |run: &usize| *run < 3 || begin.elapsed() < Duration::from_millis(500);
    (0..).take_while(goes_on).map(time).min().unwrap_or_default()
}
