//! What all one-step methods have in common.

use crate::error::StepError;
use crate::problem::system::{System, rates};

/// A one-step method made ready for systems of given sizes: it owns all the room that a step takes, so that steps allocate nothing.
pub trait Stepper<S: System + ?Sized> {
    /// Advances y from t to t + h.
    ///
    /// # Errors
    /// [`StepError`] where there is no such step; y is then as before.
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError>;

    /// Writes the rates of all variables at (t, y), which a step from there uses again where it can.
    fn slope(&mut self, system: &S, t: f64, y: &[f64], slope: &mut [f64]) {
        rates(system, t, y, slope);
    }

    /// Writes the difference of the last step's result from the embedded method's, h Σ (bᵢ − b̂ᵢ) kᵢ; false where there is none, or the
    /// slopes are no longer those of that step.
    fn estimate(&self, _error: &mut [f64]) -> bool {
        false
    }

    /// Writes the dense output at the part θ of the last step, y(t + θh); false as for [`estimate`](Self::estimate).
    fn interpolate(&self, _theta: f64, _y: &mut [f64]) -> bool {
        false
    }
}

impl<S: System + ?Sized, T: Stepper<S> + ?Sized> Stepper<S> for Box<T> {
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        (**self).step(system, t, h, y)
    }

    fn slope(&mut self, system: &S, t: f64, y: &[f64], slope: &mut [f64]) {
        (**self).slope(system, t, y, slope);
    }

    fn estimate(&self, error: &mut [f64]) -> bool {
        (**self).estimate(error)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) -> bool {
        (**self).interpolate(theta, y)
    }
}
