//! Verdicts on the conditions that doubles do not decide: residues prove that residuals vanish, balls of ninety
//! digits measure the others.

use std::sync::{Arc, OnceLock};

use hemiola_number::parallel;
use num_traits::Zero;

use crate::engine::arithmetic::{Arithmetic, BoundedF64, ExactNumbers};
use crate::engine::ball::Balls;
use crate::engine::modular::{MOST_PRIMES, Modular, NormBound};
use crate::engine::tables::{ForestTables, PathVector};
use crate::engine::tree_path::SharedPath;
use crate::trees::enumerate::Trees;
use crate::trees::tree::Tree;
use crate::verdict::condition::{Allowance, Condition, NUMERICALLY, Verdict};
use crate::verdict::forms::CoefficientForms;
use crate::verdict::high_precision::{CloserForms, CloserLook, PathLook};

/// Number of conditions that one task decides. They are neighbors, most of which share a stem.
const GROUP: usize = 32;
/// Number of conditions below which the tables of a closer look are not worthwhile.
const FEW: usize = 100;

/// A tree with its place in the sequence and its residual in doubles.
pub(crate) struct OpenCondition {
    pub(crate) place: usize,
    pub(crate) stem: Arc<SharedPath>,
    pub(crate) member: usize,
    pub(crate) residual: BoundedF64,
}

impl OpenCondition {
    pub(crate) fn tree(&self, trees: &Trees) -> Tree {
        self.stem.spine(trees, self.member).tree(trees)
    }
}

/// Residuals in one arithmetic. The vector of a stem is reused for the next member.
struct ResidualCache<'t, 'a, A: Arithmetic> {
    tables: &'t ForestTables<'a, A>,
    at: Option<(&'t Arc<SharedPath>, PathVector<A::Number>)>,
}

impl<'t, 'a, A: Arithmetic> ResidualCache<'t, 'a, A> {
    fn of(tables: &'t ForestTables<'a, A>) -> Self {
        Self { tables, at: None }
    }

    fn residual(&mut self, entry: &'t OpenCondition) -> A::Number {
        let known = self.at.take().filter(|(stem, _)| Arc::ptr_eq(stem, &entry.stem));
        let (stem, at) = known.unwrap_or_else(|| (&entry.stem, self.tables.at(&entry.stem)));
        let residual = self.tables.residual(&at, stem.table, entry.member);
        self.at = Some((stem, at));
        residual
    }
}

/// The tables of all arithmetics for decisions, each computed on first use.
pub(crate) struct Decisions<'a> {
    trees: &'a Trees,
    forms: &'a CoefficientForms,
    tolerance: Option<f64>,
    balls: OnceLock<ForestTables<'a, Balls>>,
    exact: OnceLock<ForestTables<'a, ExactNumbers>>,
    denominator: Option<NormBound>,
    /// The tables modulo primes that suit the coefficients.
    residues: Vec<OnceLock<ForestTables<'a, Modular>>>,
    closer_forms: &'a OnceLock<Option<CloserForms>>,
    high_precision: OnceLock<Option<CloserLook<'a>>>,
}

impl<'a> Decisions<'a> {
    /// Prepares the decisions; `closer_forms` is filled when a closer look is first taken.
    pub(crate) fn new(
        trees: &'a Trees,
        forms: &'a CoefficientForms,
        closer_forms: &'a OnceLock<Option<CloserForms>>,
        tolerance: Option<f64>,
    ) -> Self {
        Self {
            trees,
            forms,
            tolerance,
            balls: OnceLock::new(),
            exact: OnceLock::new(),
            denominator: NormBound::new(&forms.exact),
            residues: (0..MOST_PRIMES).map(|_| OnceLock::new()).collect(),
            closer_forms,
            high_precision: OnceLock::new(),
        }
    }

    /// Returns the tables of a closer look, which decides most of the verdicts; `None` if it is not possible.
    pub(crate) fn high_precision(&self) -> Option<&CloserLook<'a>> {
        let forms = self.closer_forms.get_or_init(|| CloserForms::new(self.forms, self.trees)).as_ref();
        let look = || forms.map(|closer| CloserLook::new(self.forms, closer, self.trees, self.tolerance));
        self.high_precision.get_or_init(look).as_ref()
    }

    /// Decides conditions in sequence, and returns each with its place.
    pub(crate) fn decide(&self, candidates: &[OpenCondition]) -> Vec<(usize, Condition)> {
        let vanishing = self.vanishing(candidates);
        let high_precision = if candidates.len() < FEW { None } else { self.high_precision() };
        in_groups(candidates, |first, group| {
            let (mut balls, mut closer) = (None, None);
            let mut decided = Vec::with_capacity(group.len());
            for (entry, vanishes) in group.iter().zip(&vanishing[first..]) {
                let tree = entry.tree(self.trees);
                let condition = if *vanishes {
                    Condition::new(tree, 0.0, 0.0, Verdict::Exact)
                } else {
                    let balls = balls.get_or_insert_with(|| ResidualCache::of(self.balls()));
                    let residual = balls.residual(entry).to_f64();
                    let is_new = closer.as_ref().is_none_or(|(stem, _)| !Arc::ptr_eq(stem, &entry.stem));
                    if is_new {
                        closer = high_precision.map(|look| (Arc::clone(&entry.stem), look.at(&entry.stem)));
                    }
                    match closer.as_mut().and_then(|(_, closer)| holding_verdict(entry, residual, closer)) {
                        Some((verdict, explained)) => Condition::new(tree, residual.0, explained, verdict),
                        None => self.decide_nonzero(entry, tree, residual),
                    }
                };
                decided.push((entry.place, condition));
            }
            decided
        })
    }

    /// Decides a condition with this nonzero residual, known up to an error.
    fn decide_nonzero(&self, entry: &OpenCondition, tree: Tree, (residual, error): (f64, f64)) -> Condition {
        let allowance = self.allowance(&tree, &entry.residual, residual, error);
        let is_beside = |limit: f64| residual.abs() + error <= limit || residual.abs() - error > limit;
        let is_decided = is_beside(allowance.to_precision) && is_beside(allowance.numerically);
        // An error of this size relative to the residual comes from its rounding to a double.
        let residual = if is_decided && error <= 4.0 * f64::EPSILON * residual.abs() {
            residual
        } else {
            ResidualCache::of(self.exact()).residual(entry).to_f64()
        };
        Condition::new(tree, residual, allowance.to_precision, Verdict::on(residual, allowance))
    }

    /// Returns the allowance for a nonzero residual.
    fn allowance(&self, tree: &Tree, sized: &BoundedF64, residual: f64, error: f64) -> Allowance {
        let at_most = |bound: f64| residual.abs() - error <= bound;
        // The gradient is unnecessary if a bound on all changes already excludes an explanation.
        let (change, numerically) = (sized.change, NUMERICALLY * sized.size);
        let uncertainties = &self.forms.uncertainties;
        match (self.tolerance, at_most(change), at_most(numerically)) {
            (Some(tolerance), ..) => Allowance::within(tolerance),
            (None, true, true) => uncertainties.allowance(tree),
            (None, true, false) => Allowance { to_precision: uncertainties.to_precision(tree), numerically: 0.0 },
            (None, false, true) => Allowance { to_precision: change, numerically: uncertainties.slack_allowance(tree) },
            (None, false, false) => Allowance { to_precision: change, numerically: 0.0 },
        }
    }

    /// Returns for each residual whether it is zero, with proof.
    fn vanishing(&self, candidates: &[OpenCondition]) -> Vec<bool> {
        let mut open: Vec<bool> = vec![true; candidates.len()];
        let mut needed: Vec<f64> = candidates.iter().map(|entry| self.norm_bits(entry)).collect();
        for k in 0..MOST_PRIMES {
            // The first prime also distinguishes most numbers from zero for which primes cannot give a proof.
            let pays = |(open, needed): (&bool, &f64)| *open && *needed > 0.0 && (k == 0 || needed.is_finite());
            if !open.iter().zip(&needed).any(pays) {
                break;
            }
            let Some(tables) = self.residue_tables(k) else { break };
            open = in_groups(candidates, |first, group| {
                let mut residues = ResidualCache::of(tables);
                let vanishes = |(i, entry)| open[i] && (needed[i] <= 0.0 || residues.residual(entry) == 0);
                (first..).zip(group).map(vanishes).collect()
            });
            // Primes just below 2⁶² have more than 61 bits.
            needed.iter_mut().for_each(|needed| *needed -= 61.0);
        }
        in_groups(candidates, |first, group| {
            let is_zero = |entry| ResidualCache::of(self.exact()).residual(entry).is_zero();
            let vanishes = |(i, entry)| open[i] && (needed[i] <= 0.0 || is_zero(entry));
            (first..).zip(group).map(vanishes).collect()
        })
    }

    /// Returns the total number of bits that primes need to prove that a residual vanishes; infinite if primes
    /// cannot prove it.
    fn norm_bits(&self, OpenCondition { stem, member, residual, .. }: &OpenCondition) -> f64 {
        let bits = self.denominator.as_ref().map(|denominator| {
            let density = stem.spine(self.trees, *member).density(self.trees);
            denominator.norm_bits(stem.order, density, residual.size)
        });
        bits.filter(|bits| *bits < 61.0 * MOST_PRIMES as f64).unwrap_or(f64::INFINITY)
    }

    fn balls(&self) -> &ForestTables<'a, Balls> {
        self.balls.get_or_init(|| ForestTables::new(&Balls, self.trees, &self.forms.balls))
    }

    fn residue_tables(&self, k: usize) -> Option<&ForestTables<'a, Modular>> {
        let (field, tableau) = self.forms.residue_tableau(k)?;
        Some(self.residues.get(k)?.get_or_init(|| ForestTables::new(field, self.trees, tableau)))
    }

    fn exact(&self) -> &ForestTables<'a, ExactNumbers> {
        self.exact.get_or_init(|| ForestTables::new(&ExactNumbers, self.trees, &self.forms.exact))
    }
}

/// Returns the verdict on a condition that certainly holds, and an approximation of the part that the precision
/// explains.
fn holding_verdict(
    entry: &OpenCondition,
    (residual, error): (f64, f64),
    closer: &mut PathLook,
) -> Option<(Verdict, f64)> {
    let size = residual.abs();
    // An error of this size relative to the residual comes from its rounding to a double.
    let is_known = error <= 4.0 * f64::EPSILON * size;
    let verdict = closer.verdict_on(entry.member, size - error, size + error).filter(|_| is_known && size > error);
    // Failures are listed with the explained part to its last digit.
    verdict.filter(|(verdict, _)| verdict.holds())
}

/// Runs a task on groups of entries, with the index of the first entry of each, and concatenates the results.
fn in_groups<T: Send>(entries: &[OpenCondition], task: impl Fn(usize, &[OpenCondition]) -> Vec<T> + Sync) -> Vec<T> {
    let groups: Vec<&[OpenCondition]> = entries.chunks(GROUP).collect();
    parallel::map(groups.len(), |k| task(k * GROUP, groups[k])).into_iter().flatten().collect()
}
