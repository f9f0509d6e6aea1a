//! The step from fitting hypotheses to ranked suggestions with texts.

use std::sync::OnceLock;

use hemiola_number::{Counter, parallel};
use hemiola_tableau::{Coefficient, Exact, Tableau};
use num_traits::Zero;

use crate::diagnose::claim::{Claim, CoefficientArray};
use crate::diagnose::fitting::{Fitter, HypothesisFit};
use crate::diagnose::hypotheses::{Hypothesis, HypothesisFamily, Slip, hypotheses};
use crate::diagnose::nearby::SmallChangeTest;
use crate::diagnose::options::DiagnoseOptions;
use crate::diagnose::ranking::ErrorEffects;
use crate::diagnose::slips::{NumberStyle, SolvedValue, TextCandidate};
use crate::diagnose::subject::ExtendedMethod;
use crate::diagnose::suggestion::{CoefficientChange, Suggestion};
use crate::diagnose::suspects::SuspectExtent;
use crate::diagnose::verification::{ClaimVerdict, has_order, verdict, with_changes};
use crate::error::OrderError;
use crate::verdict::cell::Cell;

/// Maximum number of suspected entries. Hypotheses concern pairs of entries, and a million pairs take half a
/// minute.
pub(super) const MOST_ENTRIES: usize = 1000;
/// Maximum number of suggestions.
const KEPT: usize = 10;
/// Maximum number of texts tried for a free value, the best first.
const MOST_TEXTS: usize = 12;

/// The hypotheses of one attempt with the data to test them.
pub(super) struct HypothesisSearch<'a> {
    subject: &'a ExtendedMethod<'a>,
    exact: Tableau<Exact>,
    options: &'a DiagnoseOptions,
    hypotheses: Vec<Hypothesis>,
    fitter: Fitter,
    /// Number of hypotheses tried before these.
    tried: usize,
    /// Whether the tableau holds numerically, so that a hypothesis must also correct the last digits.
    holds_numerically: bool,
    /// The suspected cells, and the effects of errors in them.
    cells: Vec<Cell>,
    errors: ErrorEffects,
    /// Refutes texts that hardly change the tableau. Computed on first use; `None` if there are too many
    /// conditions.
    nearby: OnceLock<Option<SmallChangeTest>>,
}

impl<'a> HypothesisSearch<'a> {
    pub(super) fn new(
        subject: &'a ExtendedMethod<'a>,
        options: &'a DiagnoseOptions,
        extent: SuspectExtent,
        row_sums: &[(usize, usize)],
        tried: usize,
        holds_numerically: bool,
    ) -> Result<Self, OrderError> {
        let cells = subject.suspects(options, extent);
        if cells.len() > MOST_ENTRIES {
            return Err(OrderError::TooManyEntries { entries: cells.len(), limit: MOST_ENTRIES });
        }
        let fitter = Fitter::new(subject, options, row_sums)?;
        let hypotheses = hypotheses(&cells, &subject.row_pairs(options), fitter.printed());
        let errors = fitter.errors(&cells);
        let (exact, nearby) = (subject.method.exact(), OnceLock::new());
        Ok(Self { exact, subject, options, hypotheses, fitter, tried, holds_numerically, cells, errors, nearby })
    }

    /// Returns the number of hypotheses, including those tried before.
    pub(super) fn tried(&self) -> usize {
        self.tried + self.hypotheses.len()
    }

    /// Returns the hypotheses that satisfy all conditions, those least likely by chance first, without those that
    /// contain needless changes.
    ///
    /// `counter` counts the hypotheses that were tried, and stops the search.
    pub(super) fn suggestions(&self, counter: &Counter<'_>) -> Result<Vec<Suggestion>, OrderError> {
        let suggest = |hypothesis: &Hypothesis| {
            if counter.is_stopped() {
                return None;
            }
            let found = self.fitter.fit(hypothesis).and_then(|fit| self.suggest(hypothesis, &fit));
            let _ = counter.advance(1);
            found
        };
        let found = parallel::map(self.hypotheses.len(), |k| suggest(&self.hypotheses[k]));
        if counter.is_stopped() {
            return Err(OrderError::Interrupted);
        }
        let mut all: Vec<Suggestion> = found.into_iter().flatten().collect();
        all.sort_by(|x, y| x.log_accidental_fits.total_cmp(&y.log_accidental_fits));
        let needed = |index: usize| !(0..all.len()).any(|other| all[other].makes_needless(&all[index], other < index));
        let kept: Vec<usize> = (0..all.len()).filter(|&index| needed(index)).take(KEPT).collect();
        Ok(kept.into_iter().map(|index| all[index].clone()).collect())
    }

    /// Returns the best text for the free cell with which the tableau passes the check. Among equally good texts,
    /// the one with the smallest residuals wins.
    fn suggest(&self, hypothesis: &Hypothesis, fit: &HypothesisFit) -> Option<Suggestion> {
        let mut candidates = self.candidates(hypothesis, fit);
        candidates.sort_by(TextCandidate::compare);
        let mut best: Option<(f64, Suggestion)> = None;
        for candidate in candidates.iter().take(MOST_TEXTS) {
            if best.as_ref().is_some_and(|(chance, _)| candidate.chance > *chance) {
                break;
            }
            let found = self.verified(hypothesis, candidate);
            let improves =
                |found: &Suggestion| best.as_ref().is_none_or(|(_, best)| found.max_residual < best.max_residual);
            best = found.filter(improves).map(|found| (candidate.chance, found)).or(best);
        }
        best.map(|(_, suggestion)| suggestion)
    }

    fn candidates(&self, hypothesis: &Hypothesis, fit: &HypothesisFit) -> Vec<TextCandidate> {
        let partitions = self.subject.method.partitions();
        let printed = hypothesis.free.coefficient(partitions);
        let exact = self.solve_exactly(hypothesis, fit);
        let radius = self.radius(fit, exact.is_some());
        let solved = SolvedValue { value: fit.value, radius, exact };
        let (mut candidates, slip) = match hypothesis.family {
            HypothesisFamily::One if printed.value().is_zero() => (Vec::new(), Slip::Lost),
            HypothesisFamily::One => (solved.repaired(printed), Slip::Wrong),
            HypothesisFamily::Rows => {
                let other = hypothesis.copies.iter().find(|(_, from)| *from == hypothesis.free);
                let other = other.map(|(to, _)| to.coefficient(partitions));
                let taken = other.and_then(|other| solved.taken_from(other));
                return taken.map(|taken| taken.explained_by(Slip::ExchangedRows)).into_iter().collect();
            }
            HypothesisFamily::Move => {
                let others = hypothesis.copies.iter().map(|(to, _)| to.coefficient(partitions));
                (others.filter_map(|other| solved.taken_from(other)).collect(), Slip::MovedAndLost)
            }
            HypothesisFamily::Shift => (Vec::new(), Slip::Shifted),
        };
        candidates.extend(solved.written(slip, NumberStyle::around(&self.subject.method, hypothesis.free)));
        candidates
    }

    /// Returns the error bound of the solved value: that of the fit, or a smaller one if more digits than those of a
    /// double are known.
    fn radius(&self, fit: &HypothesisFit, is_exact: bool) -> f64 {
        // Margin for the errors of all other entries in the condition that determines the value.
        const UNITS: f64 = 100.0;
        match self.subject.method.precision() {
            Some(precision) if is_exact => fit.radius.min(UNITS * precision.half_unit()),
            _ => fit.radius,
        }
    }

    /// Solves one condition that is affine in the free value, in exact arithmetic. Returns `None` if coefficients
    /// are known to few decimals, so that no single condition gives the value as accurately as all of them do.
    fn solve_exactly(&self, hypothesis: &Hypothesis, fit: &HypothesisFit) -> Option<Exact> {
        // A condition that hardly depends on the value would magnify the errors of all other entries.
        const STEEP: f64 = 1e-3;
        const FEW_DECIMALS: u32 = 15;
        if self.subject.method.precision().is_some_and(|precision| precision.decimals <= FEW_DECIMALS) {
            return None;
        }
        let conditions = self.fitter.conditions();
        let affine = conditions.affine_in(hypothesis.free);
        let slope = |k: &usize| conditions.slopes(*k, &fit.tableau, &[hypothesis.free])[0].abs() > STEEP;
        let index = (0..conditions.len()).filter(|&k| affine[k]).find(slope)?;
        let mut tableau = hypothesis.apply(&self.exact);
        let mut residual_at = |value: Exact| {
            *hypothesis.free.of_mut(&mut tableau) = value;
            conditions.exact_residual(index, &tableau)
        };
        let (at_zero, at_one) = (residual_at(Exact::zero()), residual_at(Exact::from(1)));
        at_zero.clone() / (at_zero - at_one)
    }

    fn verified(&self, hypothesis: &Hypothesis, candidate: &TextCandidate) -> Option<Suggestion> {
        let changes = self.changes(hypothesis, candidate);
        let printed = &self.subject.method;
        let original = self.subject.original();
        let is_own_claim = matches!(self.subject.claim, Claim::Order | Claim::SeparableOrder);
        let nearby = || if is_own_claim { SmallChangeTest::new(original, self.options).ok() } else { None };
        let is_own = changes.iter().all(|change| change.cell.partition < self.subject.partitions);
        let nearby = self.nearby.get_or_init(nearby).as_ref().filter(|_| is_own);
        if nearby.is_some_and(|nearby| nearby.refutes(&changes, original, !self.holds_numerically)) {
            return None;
        }
        let new: Vec<(Cell, Coefficient)> = changes.iter().map(|change| (change.cell, change.new.clone())).collect();
        let method = self.subject.restored(&with_changes(printed, &new)?)?;
        if !has_order(&method, self.options, self.subject.keeps_embedded_order(), !self.holds_numerically) {
            return None;
        }
        let is_right = |verdict: &ClaimVerdict| verdict.holds || verdict.holds_numerically && !self.holds_numerically;
        let verdict = verdict(&method, self.options).ok().filter(is_right)?;
        let in_original =
            |change: CoefficientChange| CoefficientChange { cell: self.subject.entry(change.cell).0, ..change };
        let changes = changes.into_iter().map(in_original).collect();
        Some(Suggestion {
            slip: candidate.slip,
            order: verdict.order,
            max_residual: verdict.max_residual,
            radius: candidate.radius,
            log_accidental_fits: self.log_accidental_fits(hypothesis, candidate.chance),
            method,
            changes,
        })
    }

    fn changes(&self, hypothesis: &Hypothesis, candidate: &TextCandidate) -> Vec<CoefficientChange> {
        let partitions = self.subject.method.partitions();
        let solved = matches!(candidate.slip, Slip::Lost | Slip::Wrong | Slip::MovedAndLost | Slip::Shifted);
        let free = (hypothesis.free, candidate.coefficient.clone(), solved);
        let copies = hypothesis.copies.iter().map(|(to, from)| (*to, from.coefficient(partitions).clone(), false));
        let change = |(cell, new, solved): (Cell, Coefficient, bool)| CoefficientChange {
            cell,
            array: self.subject.entry(cell).1,
            old: cell.coefficient(partitions).clone(),
            new,
            solved,
        };
        let mut changes: Vec<CoefficientChange> = copies.chain([free]).map(change).collect();
        changes.retain(|change| change.old.value() != change.new.value());
        changes.sort_by_key(|change| change.cell);
        changes
    }

    /// Returns the logarithm of the expected number of accidental fits among the hypotheses of this family and
    /// all simpler ones. `chance` is the probability of the interpretation of the free value by itself.
    fn log_accidental_fits(&self, hypothesis: &Hypothesis, chance: f64) -> f64 {
        let tried = self.tried + self.hypotheses.iter().filter(|other| other.family <= hypothesis.family).count();
        // Avoid the probability zero of an exact match.
        let chance = chance.clamp(f64::MIN_POSITIVE, 1.0);
        let free = self.cells.iter().position(|cell| *cell == hypothesis.free);
        (tried as f64).log10() + self.errors.log_chance_of_fit(free) + chance.log10()
    }
}

impl Suggestion {
    /// Returns whether `other` is needless: it changes these cells and further ones, or changes the same cells in the
    /// same way and ranks lower.
    fn makes_needless(&self, other: &Self, stands_before: bool) -> bool {
        let fewer = self.changes.len() < other.changes.len();
        let within = self.changes.iter().all(|change| other.changes.iter().any(|more| more.at() == change.at()));
        let reads = |suggestion: &Self| -> Vec<((Cell, CoefficientArray), Exact)> {
            suggestion.changes.iter().map(|change| (change.at(), change.new.value().clone())).collect()
        };
        (fewer && within) || (stands_before && within && reads(self) == reads(other))
    }
}
