//! Benchmarks of the search by size and seed: the fraction of successful starts, the time and the error. Prints
//! tables in Markdown.
//!
//! `cargo bench -p hemiola-design` runs the small sizes, `cargo bench -p hemiola-design -- long` all of them, and
//! `-- 4-8` a single one, each with `--seeds N` seeds on `--threads N` threads (0: all). `--each N` follows each of
//! the first N starts to its minimum by itself, for comparison with searches that do not rank their starts.
//! `--random N` prints the first N random starts of each size, a JSON object each, for searches by other programs.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::Instant;

use hemiola_design::{DesignError, STARTS, Search, Specification, Start, design};
use hemiola_number::Update;

const QUICK: [(usize, usize); 3] = [(2, 5), (3, 6), (4, 6)];
const LONG: [(usize, usize); 6] = [(4, 8), (4, 10), (4, 12), (6, 8), (6, 9), (6, 10)];
/// Factor within which a norm counts as good as the best.
const NEAR: f64 = 1.01;

fn main() {
    if let Some(starts) = after("--random") {
        return random(starts);
    }
    let threads = after("--threads").unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| match after("--each") {
        Some(starts) => each(starts),
        None => searches(),
    });
}

/// Returns the value of an option.
fn after<T: FromStr>(option: &str) -> Option<T> {
    std::env::args().skip_while(|argument| argument != option).nth(1)?.parse().ok()
}

fn sizes() -> Vec<(usize, usize)> {
    let size = |argument: &String| {
        let (slow, fast) = argument.split_once('-')?;
        Some((slow.parse().ok()?, fast.parse().ok()?))
    };
    let arguments: Vec<String> = std::env::args().collect();
    let named: Vec<(usize, usize)> = arguments.iter().filter_map(size).collect();
    match named.is_empty() {
        true if arguments.iter().any(|argument| argument == "long") => [&QUICK[..], &LONG].concat(),
        true => QUICK.to_vec(),
        false => named,
    }
}

/// Prints random starts, each with its slow stages, for every size.
fn random(starts: usize) {
    for (slow, fast) in sizes() {
        let specification = Specification::new(slow, fast, None).unwrap().with_effort(1);
        let search = Search::new(&specification, Vec::new()).unwrap();
        let starts: Vec<_> = (0..starts).map(|number| search.random_start(number)).collect();
        println!(
            "{}",
            serde_json::json!({ "slow": slow, "fast": fast, "order": specification.order, "starts": starts })
        );
    }
}

/// Runs a search for every size and seed, then prints a summary of the seeds of each size.
fn searches() {
    let seeds = after("--seeds").unwrap_or(3);
    println!(
        "| pair | order | seed | starts | solved | success | time | a start | principal error norm | minimum | largest coefficient |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|");
    let sizes = sizes();
    let runs: Vec<Vec<(Option<f64>, f64)>> =
        sizes.iter().map(|size| (1..=seeds).map(|seed| search(*size, seed)).collect()).collect();
    println!("\n| pair | seeds | best norm | within 1 % of it | mean time | longest time |");
    println!("|---|--:|--:|--:|--:|--:|");
    for ((slow, fast), runs) in sizes.iter().zip(&runs) {
        let best = runs.iter().filter_map(|(norm, _)| *norm).fold(f64::INFINITY, f64::min);
        let near = runs.iter().filter(|(norm, _)| norm.is_some_and(|norm| norm <= NEAR * best)).count();
        let (sum, longest) = runs.iter().fold((0.0, 0f64), |(sum, most), (_, time)| (sum + time, most.max(*time)));
        let mean = sum / seeds as f64;
        println!("| {slow}–{fast} | {seeds} | {best:.8} | {near} | {mean:.2} s | {longest:.2} s |");
    }
}

/// Runs a search and prints its row; returns the norm, if a method was found, and the seconds.
fn search((slow, fast): (usize, usize), seed: u64) -> (Option<f64>, f64) {
    let mut specification = Specification { seed, ..Specification::new(slow, fast, None).unwrap() };
    specification.starts = after("--starts").unwrap_or(specification.starts);
    let begin = Instant::now();
    let found = design(&specification, &());
    let time = begin.elapsed().as_secs_f64();
    let starts = specification.starts as f64;
    let (solved, norm, rest) = match found {
        Ok(found) => {
            let minimum = if found.converged { "yes" } else { "no" };
            let (norm, largest) = (found.error_norm, found.largest_coefficient);
            (found.solved, Some(norm), format!("{norm:.8} | {minimum} | {largest:.3}"))
        }
        Err(DesignError::NotFound { solved, .. }) => (solved, None, "– | – | –".to_owned()),
        Err(error) => panic!("{error}"),
    };
    let (percent, milliseconds) = (100.0 * solved as f64 / starts, 1e3 * time / starts);
    println!(
        "| {slow}–{fast} | {} | {seed} | {starts} | {solved} | {percent:.0} % | {time:.2} s | {milliseconds:.1} ms | {rest} |",
        specification.order
    );
    (norm, time)
}

/// Prints a row for every start: its own result, and the time without the setup of the design.
fn each(starts: usize) {
    println!("| pair | start | solved | principal error norm | time |");
    println!("|---|--:|---|--:|--:|");
    for (slow, fast) in sizes() {
        for number in 0..starts {
            let (solved, norm, time) = one(slow, fast, number);
            let norm = norm.map_or_else(|| "–".to_owned(), |norm| format!("{norm:.8}"));
            println!(
                "| {slow}–{fast} | {number} | {} | {norm} | {:.3} ms |",
                if solved { "yes" } else { "no" },
                1e3 * time
            );
        }
    }
}

/// Follows one start; returns whether it leads to a solution, the norm if its minimum is within the bounds, and the
/// seconds.
fn one(slow: usize, fast: usize, number: usize) -> (bool, Option<f64>, f64) {
    let specification = Specification { starts: number + 1, ..Specification::new(slow, fast, None).unwrap() };
    let earlier = (0..number).map(|number| Start { number, solution: None }).collect();
    let search = Search::new(&specification, earlier).unwrap();
    let begin = Instant::now();
    let last = Mutex::new(0.0);
    let see = |update: Update<'_>| {
        if update.phase == STARTS || Some(update.done) == update.total {
            *last.lock().unwrap() = begin.elapsed().as_secs_f64();
        }
        ControlFlow::Continue(())
    };
    let found = search.run(&see);
    let time = *last.lock().unwrap();
    match found {
        Ok(found) => (true, Some(found.error_norm), time),
        Err(DesignError::NotFound { solved, .. }) => (solved > 0, None, time),
        Err(error) => panic!("{error}"),
    }
}
