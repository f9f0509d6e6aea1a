//! Numbers of factorizations and iterations of a run, and its difference from a run with all factorizations.

use std::ops::ControlFlow;

use hemiola_multibody::{
    AccelerationSolver, MachineRun, Mechanism, MotionError, Refinement, ResidualForm, SolverCounts,
};
use hemiola_number::Progress;
use rayon::prelude::*;

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};

/// Step sizes in s.
const STEPS: [f64; 4] = [0.5e-3, 1e-3, 2e-3, 5e-3];
const TOLERANCES: [f64; 3] = [1e-3, 1e-6, 1e-9];
/// Duration in s, into the first turn of the lane change.
const DURATION: f64 = 1.0;

/// Runs a machine and returns the final state and the counts.
pub(crate) fn run(
    machine: &Mechanism,
    solver: AccelerationSolver,
    h: f64,
    end: f64,
) -> Result<(Vec<f64>, SolverCounts), MotionError> {
    let mut run = MachineRun::new(machine, solver);
    let mut y = machine.initial().to_vec();
    let steps = (end / h).round() as u32;
    run.run([0.0, end], steps, &mut y, |_, _| ControlFlow::Continue(()))?;
    Ok((y, run.counts()))
}

/// Returns the largest difference of two states, relative to the larger of one and the variable's modulus.
pub(crate) fn apart(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs() / x.abs().max(1.0)).fold(0.0, f64::max)
}

/// Formats a difference, or "< 1e-12" if it is at the level of rounding errors over a second of motion.
pub(crate) fn format_difference(difference: f64) -> String {
    if difference < 1e-12 { "< 1e-12".to_owned() } else { digits(difference, 1) }
}

pub(crate) fn section(progress: &dyn Progress, machines: &[(&'static str, Mechanism)]) -> Result<Report, ReportError> {
    let cases: Vec<_> = machines.iter().flat_map(|machine| STEPS.map(|h| (machine, h))).collect();
    let rows = cases.par_iter().map(|((name, machine), h)| -> Result<Vec<Vec<String>>, ReportError> {
        next(progress, &format!("{name} with steps of {:.1} ms", 1e3 * h))?;
        let (full, counts) = run(machine, AccelerationSolver::Cholesky, *h, DURATION)?;
        let mut rows = Vec::new();
        for tolerance in TOLERANCES {
            let refined = |residual| {
                run(machine, AccelerationSolver::Refined(Refinement::new(tolerance, residual)), *h, DURATION)
            };
            let (y, printed) = refined(ResidualForm::Assembled)?;
            let (z, free) = refined(ResidualForm::MatrixFree)?;
            let mean = printed.iterations as f64 / printed.refined.max(1) as f64;
            rows.push(vec![
                (*name).to_owned(),
                digits(1e3 * h, 2),
                format!("{tolerance:.0e}"),
                format!("{} of {}", printed.factorizations, counts.factorizations),
                digits(mean, 3),
                printed.most_iterations.max(free.most_iterations).to_string(),
                format_difference(apart(&full, &y)),
                format_difference(apart(&full, &z)),
            ]);
        }
        Ok(rows)
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?.concat();
    let columns = [
        "vehicle",
        ">h, ms",
        ">tolerance",
        ">factorizations",
        ">iterations, mean",
        ">most",
        ">apart, as printed",
        ">matrix-free",
    ];
    let text = format!(
        "\
## Factorizations, iterations, accuracy

A second of the maneuver with each step and tolerance (relative and absolute alike): factorizations of the run beside those without refinement, 2N + 1 of 4N for N steps;
iterations in an evaluation that refines; and the distance of its end from that of the run with all factorizations, each variable relative to its size or to one.

{}
",
        table(&columns, rows)
    );
    Ok(Report { text, figures: Vec::new() })
}
