//! Arrays of an MRI-GARK method for packages that support one slow partition, stages that each continue the previous
//! one, and forcing of degree 0 or 1.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::Exact;

use super::rows::{CouplingRows, is_nonzero};
use crate::write::error::WriteError;

/// Number of powers of τ that the tables have.
pub(super) const POWERS: usize = 2;

/// Arrays of a method in which stage i continues the one before it.
pub(super) struct GarkTable {
    pub(super) intervals: Vec<Exact>,
    /// Coefficients of 1 and of τ by stages, without the coefficient of a stage on itself.
    pub(super) forcing: [Vec<Vec<Exact>>; POWERS],
    pub(super) embedded: Option<[Vec<Exact>; POWERS]>,
    /// Coefficient of each stage on itself.
    pub(super) own: Vec<Exact>,
}

impl GarkTable {
    /// Collects the arrays; a method of another structure is an error that names the format.
    pub(super) fn new(method: &InfinitesimalMethod, format: &'static str) -> Result<Self, WriteError> {
        let rows = CouplingRows::new(method);
        if let Some(found) = misfit(&rows) {
            let id = method.id().to_owned();
            let expected = "continued stages of one slow partition, with forcing of degree 0 or 1";
            return Err(WriteError::Form { id, format, found, expected });
        }
        let stages = rows.stages.len();
        let row = |row: &InfinitesimalStage<Exact>, k: usize, width: usize| -> Vec<Exact> {
            (0..stages).map(|j| if j < width { entry(row, k, j) } else { Exact::from(0) }).collect()
        };
        let forcing = |k: usize| rows.stages.iter().enumerate().map(|(e, stage)| row(stage, k, e + 1)).collect();
        Ok(Self {
            intervals: rows.stages.iter().map(|row| row.interval.clone()).collect(),
            forcing: [forcing(0), forcing(1)],
            embedded: rows.embedded.as_ref().map(|stage| [row(stage, 0, stages), row(stage, 1, stages)]),
            own: rows.stages.iter().enumerate().map(|(e, row)| entry(row, 0, e + 1)).collect(),
        })
    }
}

/// Returns the reason why a method has no such table; `None` if it has one.
fn misfit(rows: &CouplingRows) -> Option<String> {
    rows.combined().or_else(|| other_misfit(rows).map(str::to_owned))
}

fn other_misfit(rows: &CouplingRows) -> Option<&'static str> {
    let slow = rows.stages.first().map_or(0, |row| row.forcing.len());
    let implicit_powers = rows.stages.iter().enumerate().any(|(e, row)| is_nonzero(&entry(row, 1, e + 1)));
    let embedded_own =
        rows.embedded.as_ref().is_some_and(|row| (0..POWERS).any(|k| is_nonzero(&entry(row, k, rows.stages.len()))));
    match slow {
        1 if !rows.continues() => Some("its stages restart"),
        1 if rows.powers() > POWERS => Some("its forcing is of degree 2 or more"),
        1 if rows.has_corrections(0) => Some("it has corrections"),
        1 if implicit_powers => Some("a stage depends on itself with a power of τ"),
        1 if embedded_own => Some("its embedded row is implicit"),
        1 => None,
        _ => Some("it has several slow partitions"),
    }
}

fn entry(row: &InfinitesimalStage<Exact>, power: usize, column: usize) -> Exact {
    row.forcing[0].get(power).and_then(|row| row.get(column)).cloned().unwrap_or_else(|| Exact::from(0))
}
