//! Interface of all one-step methods.

use crate::error::StepError;
use crate::problem::system::{System, rates};

/// A one-step method prepared for systems of given sizes. It owns all storage for a step, so that steps do not
/// allocate.
pub trait Stepper<S: System + ?Sized> {
    /// Advances y from t to t + h.
    ///
    /// # Errors
    /// [`StepError`] if the step fails; y is then unchanged.
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError>;

    /// Writes the rates of all variables at (t, y). A step from there reuses them if possible.
    fn slope(&mut self, system: &S, t: f64, y: &[f64], slope: &mut [f64]) {
        rates(system, t, y, slope);
    }

    /// Writes the difference h Σ (bᵢ − b̂ᵢ) kᵢ between the last step and that of the embedded method. Returns false if
    /// there is none, or if the slopes no longer belong to that step.
    fn estimate(&self, _error: &mut [f64]) -> bool {
        false
    }

    /// Writes the dense output y(t + θh) at the fraction θ of the last step. Returns false as
    /// [`estimate`](Self::estimate) does.
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
