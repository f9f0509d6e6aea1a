//! The beam with its reference solution, integrated by the listing and by our driver.

use hemiola_integrate::{Counted, Reference};
use hemiola_models::{Model, model};

use crate::jack::control::{FIRST, StepControl};
use crate::jack::listing::{Counts, rk_odeint};
use crate::report::ReportError;
use crate::runs::{MeasuredRun, reference};
use hemiola_integrate::Track;

/// Number of samples in the listing's loop. It accumulates `time = time + step`; after 600 steps of 0.01 s, the sum is
/// less than 6 by rounding, so that `time <= end` allows one more iteration.
pub(crate) const SAMPLES: u32 = 601;
/// End of the last sample, in s.
pub(crate) const END: f64 = added_up(SAMPLES);

/// Returns the listing's time after a number of samples.
const fn added_up(samples: u32) -> f64 {
    let (mut time, mut sample) = (0.0, 0);
    while sample < samples {
        time += 0.01;
        sample += 1;
    }
    time
}

/// The beam with its reference solution.
pub(crate) struct Beam {
    pub(crate) model: Model,
    pub(crate) reference: Reference,
    pub(crate) track: Track,
}

/// Result of the transcribed listing: its counts and the error of the last state.
pub(crate) struct ListingRun {
    pub(crate) counts: Counts,
    pub(crate) evaluations: u64,
    pub(crate) error: f64,
}

impl Beam {
    pub(crate) fn new() -> Result<Self, ReportError> {
        let model = model("flexible-beam", &[])?;
        let (reference, track) = reference(&model, END, 0.0)?;
        Ok(Self { model, reference, track })
    }

    /// Returns the largest factor by which a relative error grows if it refers to the final value of the variable.
    pub(crate) fn relative_to_end(&self) -> f64 {
        let Reference { end, scale, .. } = &self.reference;
        scale.iter().zip(end).map(|(scale, end)| scale / end.abs()).fold(0.0, f64::max)
    }

    /// Returns the smallest scale, which is the largest modulus of a variable.
    pub(crate) fn smallest(&self) -> f64 {
        self.reference.scale.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the largest error of any of the 18 variables at the end, each relative to its largest modulus in the
    /// run.
    pub(crate) fn error(&self, y: &[f64]) -> f64 {
        self.reference.error(y, &(0..y.len()).collect::<Vec<_>>())
    }

    pub(crate) fn listing(&self, tolerance: f64) -> ListingRun {
        let (system, mut y, mut counts) = (Counted::new(&self.model), self.model.initial.clone(), Counts::default());
        let mut time = 0.0;
        while time <= 6.0 {
            let tend = time + 0.01;
            rk_odeint(&system, &mut y, [time, tend], [tolerance, FIRST, 1e-11 * 0.01], &mut counts);
            counts.samples += 1;
            time = tend;
        }
        ListingRun { counts, evaluations: system.evaluations().iter().sum(), error: self.error(&y) }
    }

    pub(crate) fn driver(&self, tolerance: f64, spacing: f64) -> Result<MeasuredRun, ReportError> {
        StepControl::listing(SAMPLES).run(&self.model, END, tolerance, spacing)
    }

    /// Returns the pairs of orders 5 and 8, with an absolute tolerance suited to the smallest variable.
    pub(crate) fn pairs(&self) -> [StepControl; 2] {
        let scale = self.smallest();
        [("dormand-prince-5", 4), ("dormand-prince-8", 7)].map(|(id, order)| StepControl::Pair { id, order, scale })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_integrate::Outcome;

    #[test]
    fn time_that_is_added_up_ends_a_sample_later() {
        let counts = Beam::new().unwrap().listing(1e-3).counts;
        assert_eq!(counts.samples, u64::from(SAMPLES));
        // The end is 6.01 s instead of 6 s: the loop's condition holds before the last sample, but not after it.
        assert!(added_up(600) < 6.0 && END > 6.0 && (END - 6.01).abs() < 1e-12);
    }

    #[test]
    fn the_driver_does_what_the_listing_does_and_keeps_its_tolerance() {
        let beam = Beam::new().unwrap();
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (typed, ours) = (beam.listing(tolerance), beam.driver(tolerance, END).unwrap());
            assert_eq!(ours.run.outcome, Outcome::Finished);
            let steps = (typed.counts.nok + typed.counts.nbad) as f64;
            assert!((ours.run.steps as f64 / steps - 1.0).abs() < 0.01, "{tolerance}");
            let error = beam.error(&ours.y);
            assert!((error / typed.error - 1.0).abs() < 0.03, "{tolerance}: {error} {}", typed.error);
            assert!(error < 200.0 * tolerance && typed.counts.too_many == 0, "{tolerance}");
        }
    }

    #[test]
    fn order_eight_takes_an_eighth_of_the_evaluations() {
        let beam = Beam::new().unwrap();
        let doubling = beam.driver(1e-9, END).unwrap();
        let pair = beam.pairs()[1].run(&beam.model, END, 5e-10, END).unwrap();
        assert!(beam.error(&pair.y) < beam.error(&doubling.y));
        assert!(8 * pair.evaluations[0] < doubling.evaluations[0]);
    }
}
