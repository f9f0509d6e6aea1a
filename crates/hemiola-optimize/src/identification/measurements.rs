//! Measured states.

use thiserror::Error;

use crate::steps::StepFailure;

/// Some of the states at some times, with independent normal errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    /// The times, increasing and not negative.
    pub times: Vec<f64>,
    /// The states that are measured.
    pub states: Vec<usize>,
    /// One row for each time, with a value for each of these states.
    pub values: Vec<Vec<f64>>,
    /// The standard deviation of each state's errors; empty if unknown, which are then taken as equal.
    pub deviations: Vec<f64>,
}

/// Why parameters cannot be found.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IdentificationError {
    /// A number that must be finite.
    #[error("measurement {row} of state {state}: {value}; expected a finite number")]
    NotFinite {
        /// The row, from 1.
        row: usize,
        /// The state, from 1.
        state: usize,
        /// The value.
        value: f64,
    },
    /// Times that do not increase.
    #[error("time {time} of measurement {row}; expected a finite number above {before}")]
    Time {
        /// The row, from 1.
        row: usize,
        /// The time.
        time: f64,
        /// The one before.
        before: f64,
    },
    /// Something has not the size that it should have.
    #[error("{what}: {found}; expected {expected}")]
    Size {
        /// What it is.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The size it should have.
        expected: usize,
    },
    /// A count out of its range.
    #[error("found {found} {name}; expected {least} to {most}")]
    Count {
        /// What is counted.
        name: &'static str,
        /// The count.
        found: usize,
        /// The smallest count that is accepted.
        least: usize,
        /// The largest count that is accepted.
        most: usize,
    },
    /// A deviation that is none.
    #[error("standard deviation {value}; expected a finite number > 0")]
    Deviation {
        /// The value.
        value: f64,
    },
    /// Fewer measurements than parameters.
    #[error("{measurements} measured values for {parameters} parameters; expected more values than parameters")]
    TooFew {
        /// The number of measured values.
        measurements: usize,
        /// The number of parameters.
        parameters: usize,
    },
    /// A first value out of its bounds, or bounds that are empty.
    #[error("parameter {index}: {value} is not within [{lower}, {upper}]")]
    OutOfBounds {
        /// The parameter, from 1.
        index: usize,
        /// Its first value.
        value: f64,
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// The measurements do not depend on a combination of parameters.
    #[error("the measurements do not tell the parameters apart: a combination of them has no effect")]
    NotIdentifiable,
    /// The equations have no solution with the first values.
    #[error("no solution with the first values of the parameters: {0}")]
    Start(StepFailure),
    /// The model refuses values.
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
