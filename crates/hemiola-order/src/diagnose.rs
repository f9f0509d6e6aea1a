//! Looks for the transcription error in a table that fails its claimed order.
//!
//! Every hypothesis says that some entries belong in other cells and leaves one value free. The value is fitted to the
//! conditions; what it means, a lost sign or a wrong digit, is asked of the hypotheses that fit. Suggestions are ranked by how
//! often chance would do as well; none of them is applied.

mod cells;
mod conditions;
mod fitting;
mod nearby;
mod ranking;
mod readings;
mod search;
mod slips;
mod verification;

use hemiola_tableau::{Coefficient, Exact, Method};

use crate::error::OrderError;

use self::cells::{Extent, suspects};
use self::conditions::told_row_sums;
use self::search::Search;
use self::verification::verdict;

pub use self::cells::{Cell, Place};
pub use self::readings::Slip;

/// A suggestion is plausible where chance would give fewer than one in a hundred.
const PLAUSIBLE: f64 = -2.0;

/// What is known of the method besides its table.
#[derive(Clone, Debug, Default)]
pub struct DiagnoseOptions {
    /// The claimed order.
    pub order: usize,
    /// Whether the claim is about separable problems, whose partitions depend on each other alone.
    pub separable: bool,
    /// The partitions whose tables are right, counted from 0.
    pub given: Vec<usize>,
    /// Known coefficients of stability polynomials.
    pub polynomials: Vec<PolynomialCoefficient>,
}

/// A coefficient β_k of the stability polynomial of one partition of an explicit method: bᵀAᵏ⁻¹𝟙 = β_k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolynomialCoefficient {
    /// The partition, counted from 0.
    pub partition: usize,
    /// The power k of z, at least 1.
    pub power: usize,
    /// The coefficient.
    pub value: Exact,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The order that the table as stated has, up to the claimed one.
    pub order: usize,
    /// The number of conditions.
    pub conditions: u64,
    /// How many of them are off by more than the precision of the table explains, each by itself.
    pub failed: u64,
    /// Whether the table as stated keeps its claim: there is nothing to diagnose. It may fail though no condition does by itself, where no one
    /// rounding of the coefficients explains all residuals.
    pub is_sound: bool,
    /// Whether the table keeps its claim at least numerically: if no misprint is found, last digits are off.
    pub holds_numerically: bool,
    /// How many hypotheses were tried.
    pub tried: usize,
    /// What may be the error, the most surprising fit first; readings that no condition tells apart stand side by side.
    pub suggestions: Vec<Suggestion>,
}

impl Diagnosis {
    /// The suggestions that are better than chance.
    pub fn plausible(&self) -> impl Iterator<Item = &Suggestion> {
        self.suggestions.iter().filter(|suggestion| suggestion.is_plausible())
    }
}

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

/// Looks for the transcription error in a table that fails its claimed order.
///
/// ```
/// use hemiola_order::{DiagnoseOptions, Slip, diagnose};
/// use hemiola_tableau::{Method, library};
///
/// let right = library::method("rk4").unwrap().to_json();
/// let wrong = right.replace(r#"["0", "1/2", "0", "0"]"#, r#"["0", "-1/2", "0", "0"]"#);
/// let method = Method::from_json(wrong.as_bytes(), "rk4.json").unwrap();
/// let diagnosis = diagnose(&method, &DiagnoseOptions { order: 4, ..DiagnoseOptions::default() }).unwrap();
/// let best = &diagnosis.suggestions[0];
/// let change = &best.changes[0];
/// assert_eq!((best.slip, change.cell.place.to_string().as_str(), change.new.text()), (Slip::Sign, "a32", "1/2"));
/// assert!(best.is_plausible());
/// ```
///
/// # Errors
/// [`OrderError`] where the order is out of range, a partition or power does not exist, or more than a thousand entries may be in
/// error.
pub fn diagnose(method: &Method, options: &DiagnoseOptions) -> Result<Diagnosis, OrderError> {
    validate(method, options)?;
    let printed = verdict(method, options)?;
    let mut diagnosis = Diagnosis {
        order: printed.order,
        conditions: printed.conditions,
        failed: printed.failed,
        is_sound: printed.holds,
        holds_numerically: printed.holds_numerically,
        tried: 0,
        suggestions: Vec::new(),
    };
    if diagnosis.is_sound {
        return Ok(diagnosis);
    }
    for (extent, row_sums) in attempts(method) {
        let search = Search::new(method, options, extent, &row_sums, diagnosis.tried, printed.holds_numerically)?;
        diagnosis.tried = search.tried();
        let found = search.suggestions();
        let is_plausible = found.iter().any(Suggestion::is_plausible);
        if is_plausible || diagnosis.suggestions.is_empty() {
            diagnosis.suggestions = found;
        }
        if is_plausible {
            break;
        }
    }
    Ok(diagnosis)
}

/// What may be taken for granted, the most first: that empty parts of the table are meant to be empty, that abscissae are
/// right.
fn attempts(method: &Method) -> Vec<(Extent, Vec<(usize, usize)>)> {
    let row_sums = told_row_sums(method);
    let mut attempts = vec![(Extent::Structure, row_sums.clone())];
    if !row_sums.is_empty() {
        attempts.push((Extent::Structure, Vec::new()));
    }
    let differ = suspects(method, &[], Extent::Structure) != suspects(method, &[], Extent::Whole);
    if differ {
        attempts.push((Extent::Whole, row_sums));
    }
    attempts
}

fn validate(method: &Method, options: &DiagnoseOptions) -> Result<(), OrderError> {
    let partitions = method.partitions().len();
    let named = options.given.iter().chain(options.polynomials.iter().map(|known| &known.partition));
    if let Some(&partition) = named.into_iter().find(|partition| **partition >= partitions) {
        return Err(OrderError::NoPartition { partition, partitions });
    }
    let stages = method.stages();
    match options.polynomials.iter().find(|known| !(1..=stages).contains(&known.power)) {
        Some(known) => Err(OrderError::NoPower { power: known.power, stages }),
        None => Ok(()),
    }
}
