//! Suggested readings of a tableau, and the cells that they change.

use hemiola_tableau::{Coefficient, Method};

use crate::diagnose::claim::CoefficientArray;
use crate::diagnose::hypotheses::Slip;
use crate::verdict::cell::Cell;

/// Decimal logarithm of the number of accidental fits below which a suggestion is plausible: one in a hundred.
pub const PLAUSIBLE: f64 = -2.0;

/// A reading of the tableau that satisfies all conditions.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The presumed slip.
    pub slip: Slip,
    /// The cells that change.
    pub changes: Vec<CoefficientChange>,
    /// The order with these changes, up to the claimed order.
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
    /// Returns whether a fit this good is unlikely by chance.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.log_accidental_fits < PLAUSIBLE
    }
}

/// A cell with its printed and its suggested coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoefficientChange {
    /// The cell; for embedded weights and dense output, the weight of this stage.
    pub cell: Cell,
    /// The array that contains the cell.
    pub array: CoefficientArray,
    /// The printed coefficient.
    pub old: Coefficient,
    /// The suggested coefficient.
    pub new: Coefficient,
    /// Whether the value was computed from the conditions. Otherwise it occurs elsewhere in the tableau or
    /// repairs the printed text.
    pub solved: bool,
}

impl CoefficientChange {
    pub(super) fn at(&self) -> (Cell, CoefficientArray) {
        (self.cell, self.array)
    }

    /// Returns the name of the entry as in print: `a32`, `b4`, `b̂4`; `d42` for the coefficient of θ² in the
    /// weight of stage 4.
    ///
    /// ```
    /// use hemiola_order::diagnose::{Claim, DiagnoseOptions, diagnose};
    /// use hemiola_tableau::{Method, library};
    /// let right = library::method("bogacki-shampine-3").unwrap().to_json();
    /// let wrong = right.replace("\"7/24\"", "\"7/42\"");
    /// let method = Method::from_json(wrong.as_bytes(), "bs3.json").unwrap();
    /// let options = DiagnoseOptions { order: 2, claim: Claim::EmbeddedOrder, ..DiagnoseOptions::default() };
    /// let change = &diagnose(&method, &options, &()).unwrap().suggestions[0].changes[0];
    /// assert_eq!((change.entry().as_str(), change.new.text()), ("b̂1", "7/24"));
    /// ```
    #[must_use]
    pub fn entry(&self) -> String {
        let stage = self.cell.column() + 1;
        match self.array {
            CoefficientArray::Tableau => self.cell.place.to_string(),
            CoefficientArray::Embedded => format!("b̂{stage}"),
            CoefficientArray::Dense { power } if stage < 10 && power < 10 => format!("d{stage}{power}"),
            CoefficientArray::Dense { power } => format!("d{stage},{power}"),
        }
    }
}
