//! Looks for the transcription error in a table that fails its claimed order.
//!
//! Every hypothesis says that some entries belong in other cells and leaves one value free. The value is fitted to the
//! conditions; what it means, a lost sign or a wrong digit, is asked of the hypotheses that fit. Suggestions are ranked by how
//! often chance would do as well; none of them is applied.

mod cells;
mod conditions;
mod fitting;
mod ranking;
mod readings;
mod slips;
mod verification;

use hemiola_tableau::{Coefficient, Exact, Method};
use num_traits::Zero;
use rayon::prelude::*;

use crate::error::OrderError;

use self::cells::{Extent, suspects};
use self::conditions::told_row_sums;
use self::fitting::{Fit, Fitter};
use self::ranking::Errors;
use self::readings::{Family, Reading, readings};
use self::slips::{Candidate, Solved, Style};
use self::verification::{verdict, with_changes};

pub use self::cells::{Cell, Place};
pub use self::readings::Slip;

/// As many suggestions are kept.
const KEPT: usize = 10;
/// Texts that are tried for a free value, the best first.
const MOST_TEXTS: usize = 12;
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
    /// The order that the table as it stands has, up to the claimed one.
    pub order: usize,
    /// The number of conditions.
    pub conditions: u64,
    /// How many of them fail.
    pub failed: u64,
    /// How many hypotheses were tried.
    pub tried: usize,
    /// What may be the error, the most surprising fit first; readings that no condition tells apart stand side by side.
    pub suggestions: Vec<Suggestion>,
}

impl Diagnosis {
    /// Whether the table keeps its claim: there is nothing to diagnose.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.failed == 0
    }

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

    /// Whether another suggestion changes these cells and more, or the same ones in the same way and stands behind.
    fn makes_needless(&self, other: &Self, stands_before: bool) -> bool {
        let fewer = self.changes.len() < other.changes.len();
        let within = self.changes.iter().all(|change| other.changes.iter().any(|more| more.cell == change.cell));
        let reads = |suggestion: &Self| -> Vec<(Cell, Exact)> {
            suggestion.changes.iter().map(|change| (change.cell, change.new.value().clone())).collect()
        };
        (fewer && within) || (stands_before && within && reads(self) == reads(other))
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
/// assert_eq!((best.slip, best.changes[0].cell.place.to_string(), best.changes[0].new.text()), (Slip::Sign, "a32".into(), "1/2"));
/// assert!(best.is_plausible());
/// ```
///
/// # Errors
/// [`OrderError`] where the order is out of range or a partition or power does not exist.
pub fn diagnose(method: &Method, options: &DiagnoseOptions) -> Result<Diagnosis, OrderError> {
    validate(method, options)?;
    let printed = verdict(method, options)?;
    let mut diagnosis = Diagnosis {
        order: printed.order,
        conditions: printed.conditions,
        failed: printed.failed,
        tried: 0,
        suggestions: Vec::new(),
    };
    if diagnosis.is_sound() {
        return Ok(diagnosis);
    }
    for (extent, row_sums) in attempts(method) {
        let search = Search::new(method, options, extent, &row_sums, diagnosis.tried)?;
        diagnosis.tried += search.readings.len();
        diagnosis.suggestions = search.suggestions();
        if diagnosis.plausible().next().is_some() {
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

/// All that hypotheses are made of and measured by.
struct Search<'a> {
    method: &'a Method,
    options: &'a DiagnoseOptions,
    readings: Vec<Reading>,
    fitter: Fitter,
    /// How many hypotheses were tried before these.
    tried: usize,
    errors: Errors,
}

impl<'a> Search<'a> {
    fn new(
        method: &'a Method,
        options: &'a DiagnoseOptions,
        extent: Extent,
        row_sums: &[(usize, usize)],
        tried: usize,
    ) -> Result<Self, OrderError> {
        let fitter = Fitter::new(method, options, row_sums)?;
        let cells = suspects(method, &options.given, extent);
        let readings = readings(&cells, fitter.printed());
        let errors = fitter.errors(&cells);
        Ok(Self { method, options, readings, fitter, tried, errors })
    }

    /// The readings that satisfy everything, the most surprising first; of those that differ in needless changes, the least.
    fn suggestions(&self) -> Vec<Suggestion> {
        let suggest = |reading: &Reading| self.suggest(reading, &self.fitter.fit(reading)?);
        let mut all: Vec<Suggestion> = self.readings.par_iter().filter_map(suggest).collect();
        all.sort_by(|x, y| x.log_accidental_fits.total_cmp(&y.log_accidental_fits));
        let needed = |index: usize| !(0..all.len()).any(|other| all[other].makes_needless(&all[index], other < index));
        let kept: Vec<usize> = (0..all.len()).filter(|&index| needed(index)).take(KEPT).collect();
        kept.into_iter().map(|index| all[index].clone()).collect()
    }

    /// The best text for the free cell with which the table as written passes the check; of equally good ones, that with the
    /// smallest residuals.
    fn suggest(&self, reading: &Reading, fit: &Fit) -> Option<Suggestion> {
        let mut candidates = self.candidates(reading, fit);
        candidates.sort_by(Candidate::compare);
        let mut best: Option<(f64, Suggestion)> = None;
        for candidate in candidates.iter().take(MOST_TEXTS) {
            if best.as_ref().is_some_and(|(chance, _)| candidate.chance > *chance) {
                break;
            }
            let found = self.verified(reading, candidate);
            let improves =
                |found: &Suggestion| best.as_ref().is_none_or(|(_, best)| found.max_residual < best.max_residual);
            best = found.filter(improves).map(|found| (candidate.chance, found)).or(best);
        }
        best.map(|(_, suggestion)| suggestion)
    }

    fn candidates(&self, reading: &Reading, fit: &Fit) -> Vec<Candidate> {
        let partitions = self.method.partitions();
        let printed = reading.free.coefficient(partitions);
        let exact = self.solve_exactly(reading, fit);
        let radius = self.radius(fit, exact.is_some());
        let solved = Solved { value: fit.value, radius, exact };
        let (mut candidates, slip) = match reading.family {
            Family::One if printed.value().is_zero() => (Vec::new(), Slip::Lost),
            Family::One => (solved.repaired(printed), Slip::Wrong),
            Family::Move => {
                let others = reading.copies.iter().map(|(to, _)| to.coefficient(partitions));
                (others.filter_map(|other| solved.taken_from(other)).collect(), Slip::MovedAndLost)
            }
            Family::Shift => (Vec::new(), Slip::Shifted),
        };
        candidates.extend(solved.written(slip, Style::around(self.method, reading.free)));
        candidates
    }

    /// How far the solved value may be off: what the fit says, or less where more digits than a double has are known.
    fn radius(&self, fit: &Fit, is_exact: bool) -> f64 {
        // Room for the errors of all other entries of the condition that the value comes from.
        const UNITS: f64 = 100.0;
        match self.method.precision() {
            Some(precision) if is_exact => fit.radius.min(UNITS * precision.half_unit()),
            _ => fit.radius,
        }
    }

    /// The free value from one condition that is affine in it, in exact arithmetic; `None` where coefficients are known to few
    /// decimals, so that no single condition gives the value as well as all of them do.
    fn solve_exactly(&self, reading: &Reading, fit: &Fit) -> Option<Exact> {
        // A condition that hardly depends on the value would magnify the errors of all others.
        const STEEP: f64 = 1e-3;
        const FEW_DECIMALS: u32 = 15;
        if self.method.precision().is_some_and(|precision| precision.decimals <= FEW_DECIMALS) {
            return None;
        }
        let conditions = self.fitter.conditions();
        let affine = conditions.affine_in(reading.free);
        let slope = |k: &usize| conditions.slopes(*k, &fit.tableau, &[reading.free])[0].abs() > STEEP;
        let index = (0..conditions.len()).filter(|&k| affine[k]).find(slope)?;
        let mut tableau = reading.apply(&self.method.exact());
        let mut residual_at = |value: Exact| {
            *reading.free.of_mut(&mut tableau) = value;
            conditions.exact_residual(index, &tableau)
        };
        let (at_zero, at_one) = (residual_at(Exact::zero()), residual_at(Exact::from(1)));
        at_zero.clone() / (at_zero - at_one)
    }

    fn verified(&self, reading: &Reading, candidate: &Candidate) -> Option<Suggestion> {
        let changes = self.changes(reading, candidate);
        let new: Vec<(Cell, Coefficient)> = changes.iter().map(|change| (change.cell, change.new.clone())).collect();
        let method = with_changes(self.method, &new)?;
        let verdict = verdict(&method, self.options).ok().filter(|verdict| verdict.failed == 0)?;
        Some(Suggestion {
            slip: candidate.slip,
            order: verdict.order,
            max_residual: verdict.max_residual,
            radius: candidate.radius,
            log_accidental_fits: self.log_accidental_fits(reading, candidate.chance),
            method,
            changes,
        })
    }

    fn changes(&self, reading: &Reading, candidate: &Candidate) -> Vec<Change> {
        let partitions = self.method.partitions();
        let solved = matches!(candidate.slip, Slip::Lost | Slip::Wrong | Slip::MovedAndLost | Slip::Shifted);
        let free = (reading.free, candidate.coefficient.clone(), solved);
        let copies = reading.copies.iter().map(|(to, from)| (*to, from.coefficient(partitions).clone(), false));
        let change = |(cell, new, solved): (Cell, Coefficient, bool)| Change {
            cell,
            old: cell.coefficient(partitions).clone(),
            new,
            solved,
        };
        let mut changes: Vec<Change> = copies.chain([free]).map(change).collect();
        changes.retain(|change| change.old.value() != change.new.value());
        changes.sort_by_key(|change| change.cell);
        changes
    }

    /// The logarithm of the expected number of accidental fits among the hypotheses of this family and all simpler ones, with
    /// a free value whose meaning has some chance by itself.
    fn log_accidental_fits(&self, reading: &Reading, chance: f64) -> f64 {
        let tried = self.tried + self.readings.iter().filter(|other| other.family <= reading.family).count();
        // An exact hit would be infinitely surprising.
        let chance = chance.clamp(f64::MIN_POSITIVE, 1.0);
        (tried as f64).log10() + self.errors.log_chance_of_fit(reading.free) + chance.log10()
    }
}
