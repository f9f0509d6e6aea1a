//! The beam with errors relative to the ranges of the variables: Δ₀ = ε y_range (D.4).

use crate::jack::beam::{Beam, END, SAMPLES};
use crate::jack::control::ranged;
use crate::markdown::{digits, table};
use crate::report::{Report, ReportError};
use crate::runs::MeasuredRun;
use rayon::prelude::*;

const EXPONENTS: std::ops::RangeInclusive<i32> = 3..=10;

impl Beam {
    /// Returns the range of each variable during the run.
    fn ranges(&self) -> Vec<f64> {
        let values = |k: usize| self.track.states.iter().map(move |y| y[k]);
        let range = |k| values(k).fold(f64::NEG_INFINITY, f64::max) - values(k).fold(f64::INFINITY, f64::min);
        (0..self.model.initial.len()).map(range).collect()
    }

    fn ranged(&self, tolerance: f64, samples: u32) -> Result<MeasuredRun, ReportError> {
        ranged(&self.model, [END, f64::from(samples)], tolerance, &self.ranges())
    }
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let beam = Beam::new()?;
    let mut rows = Vec::new();
    let (mut first, mut at_listed, mut listed) = (f64::NAN, [f64::NAN; 3], f64::NAN);
    let mut equal = f64::NAN;
    let tolerance = |exponent: i32| 10f64.powi(-exponent);
    let runs = |exponent| -> Result<[MeasuredRun; 3], ReportError> {
        let tolerance = tolerance(exponent);
        Ok([beam.driver(tolerance, 0.0)?, beam.ranged(tolerance, SAMPLES)?, beam.ranged(tolerance, 1)?])
    };
    let all = EXPONENTS.into_par_iter().map(runs).collect::<Result<Vec<_>, _>>()?;
    for (exponent, runs) in EXPONENTS.zip(all) {
        let tolerance = tolerance(exponent);
        let mut row = vec![digits(tolerance, 1)];
        for run in &runs {
            let error = beam.error(&run.y);
            row.extend([run.run.steps, run.run.rejected, run.evaluations[0]].map(|count| count.to_string()));
            row.push(if error < beam.reference.uncertainty { "< 1e-9".to_owned() } else { digits(error, 2) });
        }
        if exponent == 9 {
            first = runs[1].track.times.get(1).copied().unwrap_or(f64::NAN);
            listed = runs[0].evaluations[0] as f64;
            at_listed = [beam.error(&runs[1].y) / beam.error(&runs[0].y), 1.0, 2.0];
            for k in [1, 2] {
                at_listed[k] = listed / runs[k].evaluations[0] as f64;
            }
        }
        if exponent == 10 {
            equal = 100.0 * (1.0 - runs[1].evaluations[0] as f64 / listed);
        }
        rows.push(row);
    }
    let columns = [
        ">ε",
        ">listing's scale: steps",
        ">rejected",
        ">evaluations",
        ">error",
        ">ranges: steps",
        ">rejected",
        ">evaluations",
        ">error",
        ">ranges, one call: steps",
        ">rejected",
        ">evaluations",
        ">error",
    ];
    let text = TEXT
        .replace("{ranges}", &table(&columns, rows))
        .replace("{first}", &digits(first, 2))
        .replace("{larger}", &digits(at_listed[0], 2))
        .replace("{fewer}", &digits(at_listed[1], 3))
        .replace("{fewest}", &digits(at_listed[2], 3))
        .replace("{equal}", &digits(equal, 1));
    Ok(Report { text, figures: Vec::new() })
}

const TEXT: &str = "\
### Errors relative to ranges: Δ₀ = ε y_range (D.4)

“The calculation of the estimated truncation error Δ₀ can be based upon some fraction ε of the full range y_range.” The listing does not do this: its scale |y| + |h y'| is that of the current
step. With the range of each variable in the whole run, which one has to know beforehand (`Doubling::run_with_ranges`; here it is taken from the solution), called for each
sample as in the listing, and once for the whole run:

{ranges}
The trap is gone: the first step of the run with ε = 10⁻⁹ is {first} s, and no passage through zero makes steps shorter. At the same ε the run takes {fewer} times fewer evaluations than with the listing's scale ({fewest} if it is not
interrupted by samples), for an error {larger} times as large, since ε means less. At about equal errors, with 10⁻¹⁰ here and 10⁻⁹ there, it takes {equal} % fewer: on the beam, all of whose variables oscillate, the
two scales differ in what ε means and in their first steps, and hardly in what an error costs. “In effect ε sets the fraction of the integration which one Runge–Kutta step can cover”: this is true of the range of
a variable, not of the time.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_the_tolerance_with_fewer_steps() {
        let beam = Beam::new().unwrap();
        for tolerance in [1e-5, 1e-7] {
            let (momentary, ranged) = (beam.driver(tolerance, END).unwrap(), beam.ranged(tolerance, SAMPLES).unwrap());
            assert!(ranged.run.steps < momentary.run.steps, "{tolerance}");
            let error = beam.error(&ranged.y);
            // Local errors accumulate over the run. They are measured relative to moduli, which are about half as large
            // as ranges.
            assert!(error < 1e4 * tolerance, "{tolerance}: {error}");
        }
    }
}
