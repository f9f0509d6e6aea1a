//! A reading of a table, and the cells that it changes.

use hemiola_tableau::{Coefficient, Method};

use crate::diagnose::hypotheses::Slip;
use crate::verdict::cell::Cell;

/// A suggestion is plausible if fewer than one in a hundred fits this good is expected by chance.
const PLAUSIBLE: f64 = -2.0;

/// A reading of the table that satisfies all conditions.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The presumed slip.
    pub slip: Slip,
    /// The cells that change.
    pub changes: Vec<Change>,
    /// The order with these changes, up to the claimed one.
    pub order: usize,
    /// The largest remaining residual.
    pub max_residual: f64,
    /// The uncertainty of the computed value.
    pub radius: f64,
    /// The decimal logarithm of the number of equally good fits expected by chance among all hypotheses tried.
    pub log_accidental_fits: f64,
    /// The method as suggested.
    pub method: Method,
}

impl Suggestion {
    /// Whether a fit this good is unlikely by chance.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.log_accidental_fits < PLAUSIBLE
    }
}

/// A cell with its printed and its suggested coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The cell.
    pub cell: Cell,
    /// What is printed.
    pub old: Coefficient,
    /// What is suggested.
    pub new: Coefficient,
    /// Whether the value was computed from the conditions; otherwise it occurs elsewhere in the table.
    pub solved: bool,
}
