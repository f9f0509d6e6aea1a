//! Measured states.

use thiserror::Error;

use crate::steps::StepFailure;

/// Measurements of some of the states at some times, with independent normal errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    /// Times, increasing and nonnegative.
    pub times: Vec<f64>,
    /// Indices of the measured states.
    pub states: Vec<usize>,
    /// One row per time, with a value for each measured state.
    pub values: Vec<Vec<f64>>,
    /// Standard deviation of each state's errors; empty if unknown, in which case they are assumed equal.
    pub deviations: Vec<f64>,
}

/// Reason why parameters cannot be identified.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IdentificationError {
    /// A number that must be finite is not.
    #[error("measurement {row} of state {state}: {value}; expected a finite number")]
    NotFinite {
        /// Row, from 1.
        row: usize,
        /// State, from 1.
        state: usize,
        /// Value.
        value: f64,
    },
    /// Times do not increase.
    #[error("time {time} of measurement {row}; expected a finite number above {before}")]
    Time {
        /// Row, from 1.
        row: usize,
        /// Time.
        time: f64,
        /// Time of the preceding row.
        before: f64,
    },
    /// A size does not match.
    #[error("{what}: {found}; expected {expected}")]
    Size {
        /// Object concerned.
        what: &'static str,
        /// Actual size.
        found: usize,
        /// Expected size.
        expected: usize,
    },
    /// A count is out of range.
    #[error("found {found} {name}; expected {least} to {most}")]
    Count {
        /// Counted quantity.
        name: &'static str,
        /// Given count.
        found: usize,
        /// Smallest accepted count.
        least: usize,
        /// Largest accepted count.
        most: usize,
    },
    /// A standard deviation is invalid.
    #[error("standard deviation {value}; expected a finite number > 0")]
    Deviation {
        /// Value.
        value: f64,
    },
    /// There are not more measurements than parameters.
    #[error("{measurements} measured values for {parameters} parameters; expected more values than parameters")]
    TooFew {
        /// Number of measured values.
        measurements: usize,
        /// Number of parameters.
        parameters: usize,
    },
    /// A first value is out of its bounds, or the bounds are empty.
    #[error("parameter {index}: {value} is not within [{lower}, {upper}]")]
    OutOfBounds {
        /// Parameter, from 1.
        index: usize,
        /// First value.
        value: f64,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// The measurements do not depend on some combination of parameters.
    #[error("the measurements do not determine the parameters: a combination of parameters has no effect on them")]
    NotIdentifiable,
    /// The equations have no solution for the first values.
    #[error("no solution for the initial values of the parameters: {0}")]
    Start(StepFailure),
    /// The model rejects the values.
    #[error(transparent)]
    Model(#[from] hemiola_models::ModelError),
}

impl Measurements {
    /// Checks sizes and numbers.
    pub(crate) fn validate(&self, states: usize) -> Result<(), IdentificationError> {
        let size = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(IdentificationError::Size { what, found, expected }) }
        };
        size("rows of measurements", self.values.len(), self.times.len())?;
        if let Some(&state) = self.states.iter().find(|state| **state >= states) {
            return Err(IdentificationError::Size {
                what: "the largest measured state",
                found: state,
                expected: states - 1,
            });
        }
        let mut before = -f64::MIN_POSITIVE;
        for (row, &time) in self.times.iter().enumerate() {
            if !time.is_finite() || time <= before {
                return Err(IdentificationError::Time { row: row + 1, time, before: before.max(0.0) });
            }
            before = time;
        }
        for (row, values) in self.values.iter().enumerate() {
            size("values of a measurement", values.len(), self.states.len())?;
            if let Some((k, &value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                return Err(IdentificationError::NotFinite { row: row + 1, state: self.states[k] + 1, value });
            }
        }
        if !self.deviations.is_empty() {
            size("standard deviations", self.deviations.len(), self.states.len())?;
        }
        match self.deviations.iter().find(|value| !(value.is_finite() && **value > 0.0)) {
            Some(&value) => Err(IdentificationError::Deviation { value }),
            None => Ok(()),
        }
    }

    pub(crate) fn deviation(&self, k: usize) -> f64 {
        self.deviations.get(k).copied().unwrap_or(1.0)
    }
}
