//! Characters lost in the scan, and differences between our driver and the listing.

use std::ops::ControlFlow;

use hemiola_integrate::{Doubling, Explicit, Outcome, Run, System};
use hemiola_tableau::library;

use crate::jack::listing::{Counts, rk_odeint};
use crate::markdown::digits;
use crate::report::{Report, ReportError};

/// The problem y' = √(1 − t), whose right-hand side is NaN for t > 1.
pub(crate) struct NanProblem;

impl System for NanProblem {
    fn sizes(&self) -> &[usize] {
        &[1]
    }

    fn rate(&self, _partition: usize, t: f64, _y: &[f64], rate: &mut [f64]) {
        rate[0] = (1.0 - t).sqrt();
    }
}

/// Integrates to t = 2 and returns the listing's last value and messages, and our driver's run.
pub(crate) fn over_the_cliff() -> Result<(f64, Counts, Run), ReportError> {
    let (mut y, mut counts) = ([1.0], Counts::default());
    rk_odeint(&NanProblem, &mut y, [0.0, 2.0], [1e-6, 0.1, 1e-12], &mut counts);
    let control = Doubling { smallest: 1e-12, ..Doubling::new(4, 0.1) };
    let mut stepper = Explicit::new(&library::method("rk4")?, &NanProblem)?;
    let run = control.run(&mut stepper, &NanProblem, [0.0, 2.0], &mut [1.0], &mut |_| ControlFlow::Continue(()));
    Ok((y[0], counts, run))
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let (value, counts, run) = over_the_cliff()?;
    let messages = counts.insignificant + counts.too_small + counts.too_many;
    let text = TEXT
        .replace("{value}", &if value.is_nan() { "NaN".to_owned() } else { value.to_string() })
        .replace("{messages}", if messages == 0 { "no message" } else { "messages" })
        .replace(
            "{outcome}",
            match run.outcome {
                Outcome::StepTooSmall { .. } => "a step too small",
                _ => "another outcome",
            },
        )
        .replace("{t}", &digits(run.t, 6));
    Ok(Report { text, figures: Vec::new() })
}

const TEXT: &str = "\
## The listing

**Lost in the scan.** A colon between two terms stands for a lost minus sign: 27 times in the accelerations of the
beam, seven times in the driver (`ytemp[i] = y[i]: ytemp[i]`, `x2: x1`, `(x + h: x2)*(x + h: x1)`, `h = x2: x`, `(x:
x2)*(x2: x1)`). In the accelerations the frequencies prove it: with minus signs they are those of a uniform beam,
pinned and free, the second to the first within 10⁻⁶; a plus at any single colon changes that ratio by more than 5 ×
10⁻⁵. The formulas of D.3 and D.4 were images and are missing from the copy; Δ₀ and Δ₁ of the text are those of Press
et al.

**Where our driver differs:**

| the listing | `Doubling` |
|---|---|
| a rejected step shrinks to any size | to a tenth at most |
| grows by 4 where the error is below 6 × 10⁻⁴ of the tolerance, which is (0.9/4)⁵ rounded up | by 0.9 Δ^(−1/5), at most 4 |
| a fifteenth is 0.0666666667 | 1/15 |
| if rounding leaves the last step short of the end, another one is taken | the last step ends exactly at the end |
| messages for steps that are too small, which it takes nevertheless | ends, `StepTooSmall` |
| after 10000 steps a message; the state is left unchanged, and the caller's time advances | ends, `TooManySteps`, with the state reached |
| NaN counts as zero error | counts as infinite: the step is rejected |

The last is the dangerous one: `(errmax > fabs(e)) ? errmax : fabs(e)` first takes an e that is not a number and then
replaces it by the next variable's error. On y' = √(1 − t) the listing integrates to t = 2, beyond the end of the
solution at t = 1, and returns {value} with {messages}; our driver ends with {outcome} at t = {t}.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listing_takes_nan_for_a_result_and_the_driver_does_not() {
        let (value, counts, run) = over_the_cliff().unwrap();
        assert!(value.is_nan() && counts.insignificant + counts.too_small + counts.too_many == 0);
        assert!(matches!(run.outcome, Outcome::StepTooSmall { .. }));
        assert!((run.t - 1.0).abs() < 1e-9);
    }
}
