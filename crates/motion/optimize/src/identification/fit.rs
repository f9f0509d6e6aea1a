//! Result of an identification.

use nalgebra::DMatrix;

use super::statistics::chi_squared_tail;

/// Reason why an identification ended. The parameters are the best ones found in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitStatus {
    /// Steps fell below the rounding of the sum of squares.
    Converged,
    /// No step reduces the sum of squares, but steps are not small.
    Stalled,
    /// The iteration limit was reached.
    IterationLimit,
    /// The caller stopped the iterations.
    Interrupted,
}

/// Parameters fitted to measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterFit {
    /// Reason why the iterations ended.
    pub ending: FitStatus,
    /// Fitted parameters.
    pub parameters: Vec<f64>,
    /// Whether each parameter is at a bound. Parameters at a bound have no variance.
    pub at_bound: Vec<bool>,
    /// Covariance of the parameters.
    pub covariance: DMatrix<f64>,
    /// Fitted values of the measured states, time by time.
    pub fitted: Vec<Vec<f64>>,
    /// Weighted residuals, (measured − fitted) / standard deviation, time by time.
    pub residuals: Vec<Vec<f64>>,
    /// Sum of the squared residuals.
    pub chi_squared: f64,
    /// Degrees of freedom: the number of measured values minus the number of free parameters.
    pub degrees: usize,
    /// Whether the standard deviations were given. Otherwise residuals are scaled by the deviation estimated from
    /// themselves, and χ² carries no information.
    pub is_weighted: bool,
    /// Number of iterations.
    pub iterations: usize,
}

impl FitStatus {
    /// Describes the ending in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::Stalled => "stalled",
            Self::IterationLimit => "iteration limit",
            Self::Interrupted => "interrupted",
        }
    }
}

impl ParameterFit {
    /// Returns the standard deviation of each parameter.
    #[must_use]
    pub fn deviations(&self) -> Vec<f64> {
        self.covariance.diagonal().iter().map(|variance| variance.max(0.0).sqrt()).collect()
    }

    /// Returns the probability that a correct model would leave residuals at least this large; `None` if the deviations
    /// were not given.
    #[must_use]
    pub fn probability(&self) -> Option<f64> {
        self.is_weighted.then(|| chi_squared_tail(self.chi_squared, self.degrees))
    }

    /// Returns the correlation of two parameters.
    #[must_use]
    pub fn correlation(&self, i: usize, j: usize) -> f64 {
        let scale = (self.covariance[(i, i)] * self.covariance[(j, j)]).sqrt();
        if scale > 0.0 { self.covariance[(i, j)] / scale } else { 0.0 }
    }
}
