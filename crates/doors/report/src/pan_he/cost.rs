//! Operations saved by iterative refinement.

use hemiola_multibody::Mechanism;
use hemiola_number::Progress;

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError};

/// Numbers of refinement iterations considered.
const ITERATIONS: [u32; 3] = [1, 2, 3];

/// Returns the operations of a dense Cholesky factorization and solution, f³/3 + 2f².
fn full(f: f64) -> f64 {
    f.powi(3) / 3.0 + 2.0 * f * f
}

/// Returns the operations of a solution with an old factor and k refinements: 2f² + 4kf².
fn refined(f: f64, k: u32) -> f64 {
    2.0 * f * f + 4.0 * f64::from(k) * f * f
}

/// Returns the fraction of operations that k refinements save.
pub(crate) fn saved(f: f64, k: u32) -> f64 {
    1.0 - refined(f, k) / full(f)
}

pub(crate) fn section(_: &dyn Progress, machines: &[(&'static str, Mechanism)]) -> Result<Report, ReportError> {
    let rows = machines.iter().map(|(name, machine)| {
        let f = machine.degrees_of_freedom();
        let part = |k: u32| format!("{} %", digits(100.0 * saved(f as f64, k), 2).replace('-', "−"));
        [(*name).to_owned(), f.to_string()].into_iter().chain(ITERATIONS.map(part)).collect()
    });
    let text = format!(
        "\
## The law of cost

A dense factorization takes f³/3 operations and a solution 2f²; each refinement takes 2f² for the residual and 2f² for the correction. So k iterations save
1 − (2 + 4k)/(f/3 + 2) of the solution, which is positive only for f > 12k:

{}
With one iteration both of the paper's vehicles gain, the larger one more; with two the smaller one loses. An evaluation that is refined is every other one, and the solution is only a
part of it, so that the gain of a run is much smaller: the paper's 2.7 and 9.5 %. Ours are measured by `scripts/timing`, beside the times of the direct way, to which this law does not
apply where there are no loops.
",
        table(&["vehicle", ">f", ">k = 1", ">k = 2", ">k = 3"], rows)
    );
    Ok(Report { text, figures: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::saved;

    #[test]
    fn refinement_wins_above_twelve_degrees_of_freedom_for_each_iteration() {
        for k in 1..5 {
            assert!(saved(12.0 * f64::from(k), k).abs() < 1e-14);
            assert!(saved(12.0 * f64::from(k) + 1.0, k) > 0.0 && saved(12.0 * f64::from(k) - 1.0, k) < 0.0);
        }
        let percent = |f: f64, k| (100.0 * saved(f, k)).round();
        assert_eq!([percent(16.0, 1), percent(16.0, 2), percent(40.0, 1), percent(40.0, 2)], [18.0, -36.0, 61.0, 35.0]);
    }
}
