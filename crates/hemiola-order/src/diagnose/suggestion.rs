//! A way to read a table, and the cells that it changes.

use hemiola_tableau::{Coefficient, Method};

use crate::diagnose::hypotheses::Slip;
use crate::verdict::cell::Cell;

/// A suggestion is plausible where chance would give fewer than one in a hundred.
const PLAUSIBLE: f64 = -2.0;

/// A way to read the table that satisfies all conditions.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// What seems to have happened.
    pub slip: Slip,
    /// The cells that change.
    pub changes: Vec<Change>,
    /// The order with these changes, up to the claimed one.
    pub order: usize,
    /// The largest residual that is left.
    pub max_residual: f64,
    /// How far the value that was solved for may lie from the suggested one.
    pub radius: f64,
    /// The decimal logarithm of the number of fits as good that chance alone would give among all hypotheses tried.
    pub log_accidental_fits: f64,
    /// The method as suggested.
    pub method: Method,
}

impl Suggestion {
    /// Whether chance would hardly give a fit as good.
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
    /// Whether the value was solved for from the conditions; else it is elsewhere in print.
    pub solved: bool,
}
