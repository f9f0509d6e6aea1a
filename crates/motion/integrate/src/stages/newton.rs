//! Convergence test of the Newton iterations.
//!
//! A correction is measured relative to the corrected quantity and compared with the rounding ε. With the rate θ =
//! δₘ/δₘ₋₁ of the last two corrections, the error after m of them is θ/(1−θ)·δₘ if the matrix is kept (Hairer & Wanner
//! 1996, §IV.8) and θ²·δₘ if it is renewed each time, since errors are then squared. The iterations end when this
//! estimate is below ε: no tolerance needs to be chosen.

/// Maximum number of iterations with one matrix: they reach rounding at a rate of 1/40.
const KEPT: usize = 10;
/// Maximum number of iterations with a new matrix each time. From one correct bit, six of them reach 53; the rest allow
/// for a poor start.
const RENEWED: usize = 20;

/// The decision after a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewtonDecision {
    Converged,
    Continue,
    /// The iterations contract, but would take too many steps to reach rounding.
    Slow,
    /// The iterations do not contract, or their maximum number is reached.
    Failed,
}

/// Convergence history of one sequence of iterations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionHistory {
    is_renewed: bool,
    pub(crate) iterations: usize,
    last: Option<f64>,
}

impl CorrectionHistory {
    /// Starts a sequence whose matrix is kept or renewed.
    pub(crate) fn new(is_renewed: bool) -> Self {
        Self { is_renewed, iterations: 0, last: None }
    }

    /// Decides from the relative size of the last correction.
    pub(crate) fn decide(&mut self, correction: f64) -> NewtonDecision {
        self.iterations += 1;
        let last = self.last.replace(correction);
        if !correction.is_finite() {
            return NewtonDecision::Failed;
        }
        if correction <= f64::EPSILON {
            return NewtonDecision::Converged;
        }
        let verdict = last.map_or(NewtonDecision::Continue, |last| self.compare(last, correction));
        let limit = if self.is_renewed { RENEWED } else { KEPT };
        if verdict == NewtonDecision::Continue && self.iterations >= limit { NewtonDecision::Failed } else { verdict }
    }

    fn compare(&self, last: f64, correction: f64) -> NewtonDecision {
        let rate = correction / last;
        if self.is_renewed {
            // Errors that are squared in each iteration and fall below √ε are below ε in the next. Corrections that
            // remain are rounding errors of the right-hand sides.
            let is_noise = last.max(correction) <= f64::EPSILON.sqrt();
            let is_done = is_noise || (rate < 1.0 && rate * rate * correction <= f64::EPSILON);
            return if is_done { NewtonDecision::Converged } else { NewtonDecision::Continue };
        }
        if rate >= 1.0 {
            return NewtonDecision::Failed;
        }
        let rest = rate / (1.0 - rate) * correction;
        let left = KEPT.saturating_sub(self.iterations) as i32;
        if rest <= f64::EPSILON {
            NewtonDecision::Converged
        } else if rest * rate.powi(left) > f64::EPSILON {
            NewtonDecision::Slow
        } else {
            NewtonDecision::Continue
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(is_renewed: bool, corrections: &[f64]) -> Vec<NewtonDecision> {
        let mut contraction = CorrectionHistory::new(is_renewed);
        corrections.iter().map(|correction| contraction.decide(*correction)).collect()
    }

    #[test]
    fn linear_convergence_is_foreseen() {
        use NewtonDecision::{Continue, Converged, Failed, Slow};
        // The error after the third correction is 1e-18: no fourth is needed.
        assert_eq!(judged(false, &[1e-6, 1e-10, 1e-14]), [Continue, Continue, Converged]);
        assert_eq!(judged(false, &[1.0, 0.5]), [Continue, Slow]);
        assert_eq!(judged(false, &[1.0, 2.0]), [Continue, Failed]);
        assert_eq!(judged(false, &[0.0]), [Converged]);
        assert_eq!(judged(false, &[f64::NAN]), [Failed]);
    }

    #[test]
    fn quadratic_convergence_is_foreseen() {
        use NewtonDecision::{Continue, Converged};
        // θ = 1e-4 at δ = 1e-8: the next correction would be 1e-16.
        assert_eq!(judged(true, &[1e-2, 1e-4, 1e-8]), [Continue, Continue, Converged]);
        // Corrections that grow at first are not a failure, and noise does not prolong the iterations.
        assert_eq!(judged(true, &[1.0, 2.0, 1.0]), [Continue; 3]);
        assert_eq!(judged(true, &[1e-9, 2e-9]), [Continue, Converged]);
    }

    #[test]
    fn iterations_are_limited() {
        let verdicts = judged(true, &[1.0; RENEWED]);
        assert_eq!(verdicts[RENEWED - 2..], [NewtonDecision::Continue, NewtonDecision::Failed]);
    }
}
