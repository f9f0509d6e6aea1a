//! Starting point of the iterations.

use super::control_problem::{ProblemError, expect};
use crate::steps::ProblemSizes;

/// States and controls at equally spaced times, duration and parameters: a first guess or an earlier solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// States, point by point; at least two points.
    pub states: Vec<Vec<f64>>,
    /// Controls, point by point.
    pub controls: Vec<Vec<f64>>,
    /// Duration T.
    pub duration: f64,
    /// Parameters p.
    pub parameters: Vec<f64>,
}

impl Guess {
    /// Interpolates the guess linearly to a grid of N points.
    ///
    /// # Errors
    /// [`ProblemError`] if sizes do not match the problem or numbers are not finite.
    pub(crate) fn on_grid(&self, points: usize, local: ProblemSizes) -> Result<Self, ProblemError> {
        for (what, rows, size) in [
            ("states of the guess", &self.states, local.states),
            ("controls of the guess", &self.controls, local.controls),
        ] {
            if rows.len() < 2 {
                return Err(ProblemError::TooFew { what, found: rows.len(), least: 2 });
            }
            for row in rows {
                expect(what, row.len(), size)?;
                finite(what, row)?;
            }
        }
        expect("parameters of the guess", self.parameters.len(), local.parameters)?;
        finite("parameters of the guess", &self.parameters)?;
        finite("duration of the guess", &[self.duration])?;
        let on =
            |rows: &[Vec<f64>]| (0..points).map(|k| interpolate_rows(rows, k as f64 / (points - 1) as f64)).collect();
        Ok(Self { states: on(&self.states), controls: on(&self.controls), ..self.clone() })
    }
}

pub(crate) fn finite(what: &'static str, row: &[f64]) -> Result<(), ProblemError> {
    let bad = row.iter().enumerate().find(|(_, value)| !value.is_finite());
    bad.map_or(Ok(()), |(index, &value)| Err(ProblemError::NotFinite { what, index, value }))
}

/// Interpolates equally spaced rows linearly at a fraction of their range.
fn interpolate_rows(rows: &[Vec<f64>], fraction: f64) -> Vec<f64> {
    let place = fraction * (rows.len() - 1) as f64;
    let left = (place.floor() as usize).min(rows.len() - 2);
    let share = place - left as f64;
    rows[left].iter().zip(&rows[left + 1]).map(|(a, b)| a + share * (b - a)).collect()
}
