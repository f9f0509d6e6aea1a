//! The choice among methods whose errors are nearly the smallest.

use hemiola_polynomial::Axis;
use serde::{Deserialize, Serialize};

/// Damping ratio of coupled steps on the imaginary axis, as in the profiles of reports.
const DAMPING: f64 = 0.05;
/// Damping ratio next to one: coupled steps on the negative real axis.
const REAL: f64 = 1.0 - 1e-12;
/// A rule that chooses among methods whose error is nearly the smallest: the best coupled profile, within bounds on the
/// internal amplification and with abscissae in the step.
///
/// A profile costs little error: a search for the smallest error alone gives up most of it for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Preference {
    /// The fraction by which the error may exceed the smallest one found.
    pub margin: f64,
    /// The coupling strength γ at which the profiles are compared.
    pub gamma: f64,
    /// The fraction by which profiles count as equal; the smaller internal amplification then decides.
    pub tie: f64,
    /// The largest internal amplification of the fast partition.
    pub amplification: f64,
}

impl Preference {
    /// Returns the default rule for a number of fast evaluations and the axis of the fast polynomial.
    ///
    /// ```
    /// use hemiola_design::Preference;
    /// use hemiola_polynomial::Axis;
    /// assert_eq!(Preference::new(20, Axis::Imaginary).amplification, 30.0);
    /// // On the real axis the amplification of stabilized methods grows with the square of their stages.
    /// assert_eq!(Preference::new(20, Axis::Real).amplification, 400.0);
    /// ```
    #[must_use]
    pub fn new(fast: usize, axis: Axis) -> Self {
        let amplification = if axis == Axis::Real { 30f64.max((fast * fast) as f64) } else { 30.0 };
        Self { margin: 0.02, gamma: 0.1, tie: 1e-3, amplification }
    }

    /// Returns the damping ratio at which profiles are compared: on the axis itself for the real one.
    #[must_use]
    pub fn damping(axis: Axis) -> f64 {
        if axis == Axis::Real { REAL } else { DAMPING }
    }
}
