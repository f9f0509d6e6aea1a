//! The search by size and seed: how many starts lead to a method, how long it takes, how small the error is. Prints a
//! table in Markdown.
//!
//! `cargo bench -p hemiola-design` runs the small sizes; `cargo bench -p hemiola-design -- long` all of them, and
//! `-- 4-8` one, each with `--seeds N` seeds.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::ops::ControlFlow;
use std::time::Instant;

use hemiola_design::{DesignError, Specification, design};

const QUICK: [(usize, usize); 3] = [(2, 5), (3, 6), (4, 6)];
const LONG: [(usize, usize); 6] = [(4, 8), (4, 10), (4, 12), (6, 8), (6, 9), (6, 10)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |option: &str| arguments.iter().skip_while(|argument| *argument != option).nth(1);
    let seeds = after("--seeds").map_or(3, |seeds| seeds.parse().unwrap());
    let starts = after("--starts").map(|starts| starts.parse().unwrap());
    let long = arguments.iter().any(|argument| argument == "long");
    let named = |&(slow, fast): &(usize, usize)| arguments.contains(&format!("{slow}-{fast}"));
    let mut sizes: Vec<(usize, usize)> = QUICK.into_iter().chain(LONG).filter(named).collect();
    if sizes.is_empty() {
        sizes = if long { [&QUICK[..], &LONG].concat() } else { QUICK.to_vec() };
    }
    println!("| pair | order | seed | starts | solved | time | principal error norm | minimum | largest coefficient |");
    println!("|---|--:|--:|--:|--:|--:|--:|---|--:|");
    for (slow, fast) in sizes {
        (1..=seeds).for_each(|seed| row(slow, fast, seed, starts));
    }
}

fn row(slow: usize, fast: usize, seed: u64, starts: Option<usize>) {
    let mut specification = Specification::new(slow, fast, None).unwrap();
    specification.seed = seed;
    specification.starts = starts.unwrap_or(specification.starts);
    let start = Instant::now();
    let found = design(&specification, |_| ControlFlow::Continue(()));
    let time = start.elapsed().as_secs_f64();
    let result = match found {
        Ok(found) => {
            let minimum = if found.converged { "yes" } else { "no" };
            let (norm, largest) = (found.error_norm, found.largest_coefficient);
            format!("{} | {time:.2} s | {norm:.8} | {minimum} | {largest:.3}", found.solved)
        }
        Err(DesignError::NotFound { .. }) => format!("0 | {time:.2} s | – | – | –"),
        Err(error) => error.to_string(),
    };
    println!("| {slow}–{fast} | {} | {seed} | {} | {result} |", specification.order, specification.starts);
}
