//! Descents by our own solver and by argmin's from the same starts: the error reached against evaluations and time.
//! Prints tables in Markdown.
//!
//! `cargo bench -p hemiola-design --bench solvers` compares several sizes, `-- 2-5 3-6` only those.
//! `scripts/design-solvers` writes the tables into `reports/design-solvers.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::time::Instant;

use hemiola_design::{DescentSolver, EvaluationCounts, Search, Specification, Start};

/// Sizes with the numbers of solved starts that are followed.
const SIZES: [(&str, usize); 5] = [("2-5", 48), ("3-6", 48), ("4-7", 24), ("4-8", 24), ("6-8", 8)];
/// Largest numbers of steps, each a row.
const STEPS: [usize; 4] = [5, 20, 100, 500];
/// Gain below which a descent ends, as for the last descents of a search.
const GAIN: f64 = 1e-11;
/// Relative distance within which two descents have reached the same minimum.
const SAME: f64 = 1e-4;

/// The descents of a solver from all starts, with at most some number of steps.
struct Run {
    solver: DescentSolver,
    steps: usize,
    /// √(2 × objective) from each start; infinite where the solver broke down.
    merits: Vec<f64>,
    converged: usize,
    counts: EvaluationCounts,
    milliseconds: f64,
}

fn main() {
    let named: Vec<String> =
        std::env::args().skip(1).filter(|word| word.contains('-') && !word.starts_with("--")).collect();
    for (size, starts) in SIZES {
        if named.is_empty() || named.iter().any(|name| name == size) {
            println!("{}", section(size, starts));
        }
    }
}

fn section(size: &str, count: usize) -> String {
    let (slow, fast) = size.split_once('-').unwrap();
    let specification = Specification::new(slow.parse().unwrap(), fast.parse().unwrap(), None).unwrap();
    let search = Search::new(&specification, Vec::new()).unwrap();
    let solved = (0..specification.starts).map(|number| search.start(number)).filter(|start| start.solution.is_some());
    let starts: Vec<Start> = solved.take(count).collect();
    let Some(free) = starts.first().and_then(|start| search.chart(start)).map(|chart| chart.dimension()) else {
        return format!("### {slow}–{fast}\n\nNo start satisfies the conditions.\n");
    };
    let mut runs: Vec<Run> = Vec::new();
    for solver in DescentSolver::ALL {
        runs.extend(STEPS.map(|steps| run(&specification, solver, &starts, steps)));
    }
    let best: Vec<f64> =
        (0..starts.len()).map(|k| runs.iter().map(|run| run.merits[k]).fold(f64::INFINITY, f64::min)).collect();
    let mut text = format!(
        "### {slow}–{fast}, order {}\n\n{} starts, {free} free directions at the first.\n\n\
         | solver | steps | median of error/best | same as best | best of all | converged | values | gradients | directions | ms |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        specification.order,
        starts.len(),
    );
    for run in &runs {
        text += &row(run, &best);
    }
    text
}

fn run(specification: &Specification, solver: DescentSolver, starts: &[Start], steps: usize) -> Run {
    let specification = Specification { solver, ..specification.clone() };
    let search = Search::new(&specification, Vec::new()).unwrap();
    let begin = Instant::now();
    let ends: Vec<_> = starts.iter().map(|start| search.descent(start, steps, GAIN)).collect();
    Run {
        solver,
        steps,
        milliseconds: begin.elapsed().as_secs_f64() * 1e3,
        merits: ends.iter().map(|end| end.as_ref().map_or(f64::INFINITY, |end| end.merit)).collect(),
        converged: ends.iter().flatten().filter(|end| end.converged).count(),
        counts: search.evaluations(),
    }
}

/// Returns the row of a run; `best` has the smallest error that any solver reached from each start.
fn row(run: &Run, best: &[f64]) -> String {
    let starts = best.len() as f64;
    let mut ratios: Vec<f64> = run.merits.iter().zip(best).map(|(merit, best)| merit / best).collect();
    let same = ratios.iter().filter(|ratio| **ratio <= 1.0 + SAME).count();
    ratios.sort_by(f64::total_cmp);
    let mean = |count: usize| format!("{:.0}", count as f64 / starts);
    let EvaluationCounts { values, gradients, curvatures } = run.counts;
    format!(
        "| {} | {} | {:.4} | {same} | {:.6} | {} | {} | {} | {} | {:.2} |\n",
        run.solver.name(),
        run.steps,
        ratios[ratios.len() / 2],
        run.merits.iter().copied().fold(f64::INFINITY, f64::min),
        run.converged,
        mean(values),
        mean(gradients),
        mean(curvatures),
        run.milliseconds / starts,
    )
}
