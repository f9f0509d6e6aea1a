//! Prints the lane change of Gerdts (2003), Table 1, as Markdown: linearized Radau IIA compared with the BDF code of
//! diffsol, in the same shooting code.

mod bdf;

use std::sync::Arc;
use std::time::Instant;

use hemiola_optimize::sqp::{Hessian, Options, Status};
use hemiola_optimize::{Grid, Guess, LaneChange, Optimum, Propagation, Shooting, StepRule, Transcription};
use hemiola_tableau::{Scheme, library};

use bdf::DiffsolBdf;

type Failure = Box<dyn std::error::Error>;

/// Numbers of grid points, and ratios of times printed in the paper, in percent.
const PAPER: [(usize, f64); 6] = [(26, 9.4), (51, 6.7), (101, 8.6), (201, 12.4), (251, 11.7), (401, 12.8)];

fn rule(text: &str) -> Result<Propagation, Failure> {
    let find = |id: &str| -> Result<_, Failure> { Ok(library::method(id)?) };
    Ok(StepRule::new(&Scheme::parse(text, find)?, &[7])?.into())
}

/// Returns an optimum and the computing time in seconds.
fn solve(
    with: &Propagation,
    points: usize,
    steps: usize,
    hessian: Hessian,
    guess: &Guess,
) -> Result<(Optimum, f64), Failure> {
    let grid = Grid { points, steps, shooting: Shooting::Multiple, is_linear: true };
    let program = Transcription::new(LaneChange::default().problem(), with.clone(), grid)?;
    let start = Instant::now();
    let found = program.solve(guess, Options { hessian, ..Options::default() }, &())?;
    Ok((found, start.elapsed().as_secs_f64()))
}

fn cell((found, seconds): &(Optimum, f64)) -> String {
    let star = if found.solution.status == Status::Optimal { "" } else { "*" };
    format!("{:.6} | {} | {seconds:.2}{star}", found.found.duration, found.solution.iterations.len() - 1)
}

fn main() -> Result<(), Failure> {
    let tolerance: f64 = std::env::args().nth(1).map_or(Ok(1e-6), |text| text.parse())?;
    let most: usize = std::env::args().nth(2).map_or(Ok(401), |text| text.parse())?;
    let (linearized, accurate) = (rule("linearized:radau-iia-2")?, rule("gauss-3")?);
    let bdf = Propagation::Other(Arc::new(DiffsolBdf { tolerance }));
    let mut guess = LaneChange::default().guess();
    println!(
        "| N | accurate | LIRK, exact | it. | s | LIRK, BFGS | it. | s | BDF, BFGS | it. | s | rel. difference | LIRK/BDF | exact/BDF | paper |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (points, paper) in PAPER.into_iter().filter(|(points, _)| *points <= most) {
        // The smallest numbers for a relative error of the objective below 3e-6.
        let steps = if points < 51 { 3 } else { 2 };
        let exact = solve(&linearized, points, steps, Hessian::Exact, &guess)?;
        let truth = solve(&accurate, points, 4, Hessian::Exact, &exact.0.found)?;
        let ours = solve(&linearized, points, steps, Hessian::Bfgs, &guess)?;
        let theirs = solve(&bdf, points, 2, Hessian::Bfgs, &guess)?;
        println!(
            "| {points} | {:.6} | {} | {} | {} | {:.1e} | {:.0} % | {:.0} % | {paper} % |",
            truth.0.found.duration,
            cell(&exact),
            cell(&ours),
            cell(&theirs),
            (ours.0.found.duration / theirs.0.found.duration - 1.0).abs(),
            100.0 * ours.1 / theirs.1,
            100.0 * exact.1 / theirs.1,
        );
        guess = exact.0.found;
    }
    Ok(())
}
