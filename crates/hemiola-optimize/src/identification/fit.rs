//! What an identification finds.

use nalgebra::DMatrix;

use super::statistics::chi_squared_tail;

/// How an identification ended; the parameters are the best ones found in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// Steps fell below the rounding of the sum of squares.
    Converged,
    /// No step makes the sum of squares smaller, but steps are not small.
    Stalled,
    /// As many iterations as were allowed.
    IterationLimit,
    /// The caller ended it.
    Interrupted,
}

/// Parameters that fit measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// How it ended.
    pub ending: Ending,
    /// The parameters.
    pub parameters: Vec<f64>,
    /// Those that are at a bound; they have no variance.
    pub at_bound: Vec<bool>,
    /// The covariance of the parameters.
    pub covariance: DMatrix<f64>,
    /// The fitted values of the measured states, time by time.
    pub fitted: Vec<Vec<f64>>,
    /// Measured less fitted, over the standard deviation, time by time.
    pub residuals: Vec<Vec<f64>>,
    /// The sum of their squares.
    pub chi_squared: f64,
    /// The number of measured values less that of free parameters.
    pub degrees: usize,
    /// Whether standard deviations were known; otherwise residuals are over the one that they show themselves, and χ² tells nothing.
    pub is_weighted: bool,
    /// The number of iterations.
    pub iterations: usize,
}

impl Ending {
    /// In words.
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

impl Fit {
    /// The standard deviation of each parameter.
    #[must_use]
    pub fn deviations(&self) -> Vec<f64> {
        self.covariance.diagonal().iter().map(|variance| variance.max(0.0).sqrt()).collect()
    }

    /// The probability that a right model would leave residuals as large; `None` where deviations were not known.
    #[must_use]
    pub fn probability(&self) -> Option<f64> {
        self.is_weighted.then(|| chi_squared_tail(self.chi_squared, self.degrees))
    }

    /// The correlation of two parameters.
    #[must_use]
    pub fn correlation(&self, i: usize, j: usize) -> f64 {
        let scale = (self.covariance[(i, i)] * self.covariance[(j, j)]).sqrt();
        if scale > 0.0 { self.covariance[(i, j)] / scale } else { 0.0 }
    }
}
