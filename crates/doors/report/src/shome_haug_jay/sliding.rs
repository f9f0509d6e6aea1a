//! Harder steering of the spatial vehicle: sliding wheels are stiff on the real axis.

use hemiola_integrate::{AnyStepper, Extras, equal_steps};
use hemiola_models::{Model, Value, model_with};
use hemiola_number::Progress;
use hemiola_stability::{BlockSystem, stability_limit};
use hemiola_tableau::library;
use num_complex::Complex64;
use rayon::prelude::*;

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};
use crate::runs::{describe_outcome, integrate, reference_to};

/// A fifth of the full steering; the model's own lane change uses a twentieth.
const LANE_CHANGE: f64 = 0.2;
/// Duration of the run in s, and a time at which wheels slide.
const RUN: f64 = 3.0;
const SLIDING: f64 = 1.2;
const METHODS: [&str; 4] = ["rk4", "shome-haug-jay-2-5", "hemiola-4-6", "hemiola-4-8"];
/// Step sizes of the runs: fractions of the limit on the real axis, and a step size in s.
const PARTS: [f64; 2] = [0.95, 1.4];
const STEP: f64 = 0.002;
/// Relaxation length of sliding wheels relative to a, in the last column.
const LONGER: f64 = 0.25;

fn vehicle(least: Option<f64>) -> Result<Model, ReportError> {
    let changes = [("lane-change", Some(LANE_CHANGE)), ("least-relaxation", least)];
    let changes: Vec<(&str, Value<'_>)> =
        changes.into_iter().filter_map(|(name, value)| Some((name, Value::Number(value?)))).collect();
    Ok(model_with("spatial-vehicle", &changes)?)
}

/// Returns the largest decay rate of a real eigenvalue of the fast block while wheels slide.
fn decay(vehicle: &Model) -> Result<f64, ReportError> {
    let state = reference_to(1e-8, vehicle, SLIDING)?.end;
    let blocks = BlockSystem::new(&vehicle.jacobian_at(SLIDING, &state), vehicle.partition())?;
    let real = blocks.block_eigenvalues(1)?.into_iter().filter(|value| value.im == 0.0);
    Ok(real.map(|value| -value.re).fold(0.0, f64::max))
}

/// Describes the outcome of a run with constant step size.
fn outcome(id: &str, vehicle: &Model, h: f64) -> Result<String, ReportError> {
    let method = library::method(id)?;
    let steps = (RUN / h).ceil() as u64;
    let run = integrate(vehicle, RUN, |system, y, observer| {
        let mut stepper = AnyStepper::new(&method, system, Extras::default())?;
        Ok(equal_steps(&mut stepper, system, [0.0, RUN], steps, y, observer))
    })?;
    Ok(describe_outcome(&run.run))
}

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    next(progress, "sliding wheels on the spatial vehicle")?;
    let (short, long) = (vehicle(None)?, vehicle(Some(LONGER))?);
    let decays = [decay(&short)?, decay(&long)?];
    let row = |id: &&str| -> Result<Vec<String>, ReportError> {
        let method = library::method(id)?;
        let fast = method.partitions().len() - 1;
        let limit = stability_limit(&method, fast, Complex64::new(-1.0, 0.0))?.value();
        let step = limit / decays[0];
        let [below, above] = PARTS.map(|part| outcome(id, &short, part * step));
        let at_step = [&short, &long].map(|vehicle| outcome(id, vehicle, STEP));
        let [shorter, longer] = at_step;
        let numbers = [digits(limit, 3), digits(1e3 * step, 3)];
        Ok([vec![format!("`{id}`")], numbers.to_vec(), vec![below?, above?, shorter?, longer?]].concat())
    };
    let rows = METHODS.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let columns = [
        "method",
        ">real limit",
        ">step, ms",
        "at 0.95 of it",
        "at 1.4 of it",
        "at 2 ms",
        "at 2 ms, longer relaxation",
    ];
    let text = format!(
        "\
## Wheels that slide

`simulate spatial-vehicle:lane-change=0.2`, four times the steering of the runs above, ends in numbers that are not finite with `hemiola-4-8` at 2 ms. Neither model nor method is defective: from 1.1 s on
the unloaded wheels slide over all of their contact, where the relaxation length σ = a (1 − q)² of (B12) vanishes. The model keeps a twentieth of a, our choice, since the equation of the slip has no rate
otherwise; slips then decay at |ẋ|/σ = 20/(.05 · .09) = 4444 1/s. The fast block has a real eigenvalue of −{short} 1/s at {at} s. The fast polynomials of pairs like ours and the paper's are made for the imaginary
axis, and real intervals are short; the limit of each method on the real axis, over that decay, is the largest step:

{table}
Steps are thus limited by wheels that slide, in fast variables only and by a constant of ours. With `least-relaxation={longer}` the eigenvalue is −{long} 1/s, and all of these run with 2 ms. For maneuvers at
the limit of friction a pair whose fast part has a long real interval too is the better choice.
",
        short = digits(decays[0], 4),
        long = digits(decays[1], 4),
        at = SLIDING,
        longer = LONGER,
        table = table(&columns, rows),
    );
    Ok(Report { text, figures: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks `hemiola-4-8` at 2 ms, and within its limit on the real axis.
    #[test]
    fn steps_end_where_sliding_slips_are_unstable() {
        let short = vehicle(None).unwrap();
        let rate = decay(&short).unwrap();
        assert!((rate / 4444.0 - 1.0).abs() < 0.05, "{rate}");
        assert!(outcome("hemiola-4-8", &short, STEP).unwrap().starts_with("not finite"));
        assert_eq!(outcome("hemiola-4-8", &short, 0.95 * 3.5585 / rate).unwrap(), "finished");
        assert_eq!(outcome("hemiola-4-8", &vehicle(Some(LONGER)).unwrap(), STEP).unwrap(), "finished");
    }
}
