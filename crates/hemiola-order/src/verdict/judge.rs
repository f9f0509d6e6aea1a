//! Conditions of Runge–Kutta methods proper: doubles dismiss what clearly fails, exact arithmetic decides the rest.

use std::sync::OnceLock;

use hemiola_number::parallel;
use hemiola_tableau::Method;
use num_traits::Zero;

use crate::engine::arithmetic::{Doubles, ExactNumbers, Sized64};
use crate::engine::ball::Balls;
use crate::engine::modular::{Denominator, MOST_PRIMES, Modular};
use crate::engine::tables::{Spine, Tables};
use crate::engine::walk::{small_order, walk};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::trees::tree::Tree;
use crate::verdict::condition::{Allowance, Condition, NUMERICALLY, OrderSummary, Verdict};
use crate::verdict::forms::Forms;
use crate::verdict::joint::{DigitsOff, decide_together};
use crate::verdict::screen::{Criterion, Entry, Screen, Values};

/// More conditions than this take seconds to minutes: they are refused.
const MOST_CONDITIONS: u128 = 2_000_000_000;

/// The verdicts on all conditions of orders 1 to `order`; the first `listed` failures come with their trees. And what has to change
/// for all conditions of the order to hold, if they do not as the coefficients are stated.
pub(crate) fn check(
    method: &Method,
    grammar: &Grammar,
    order: usize,
    tolerance: Option<f64>,
    listed: usize,
) -> Result<(Vec<OrderSummary>, Option<DigitsOff>), OrderError> {
    let counts = grammar.counts(order);
    let count = counts.iter().fold(0u128, |sum, count| sum.saturating_add(*count));
    if count > MOST_CONDITIONS {
        return Err(OrderError::TooManyTrees { order, count, limit: MOST_CONDITIONS });
    }
    let trees = Trees::new(grammar, small_order(order))?;
    let forms = Forms::new(method);
    let judge = Judge::new(&trees, &forms, tolerance);
    let mut orders: Vec<OrderSummary> = Vec::with_capacity(order);
    let mut left = listed;
    let mut held = Vec::with_capacity(order);
    for (k, count) in counts.iter().enumerate() {
        let (summary, conditions) = judge.order(k + 1, *count, left);
        left -= summary.failures.len();
        orders.push(summary);
        held.push(conditions);
    }
    // A tolerance is for each condition by itself.
    let digits_off = if tolerance.is_some() { None } else { decide_together(&mut orders, held, &forms.uncertainties) };
    Ok((orders, digits_off))
}

struct Judge<'a> {
    trees: &'a Trees,
    forms: &'a Forms,
    tolerance: Option<f64>,
    doubles: Tables<'a, Doubles>,
    values: Values,
    balls: OnceLock<Tables<'a, Balls>>,
    exact: OnceLock<Tables<'a, ExactNumbers>>,
    denominator: Option<Denominator>,
    /// The tables modulo primes that suit the coefficients.
    residues: Vec<OnceLock<Tables<'a, Modular>>>,
}

impl<'a> Judge<'a> {
    fn new(trees: &'a Trees, forms: &'a Forms, tolerance: Option<f64>) -> Self {
        let doubles = Tables::new(&Doubles, trees, &forms.doubles);
        Self {
            trees,
            forms,
            tolerance,
            values: Values::new(&doubles),
            doubles,
            balls: OnceLock::new(),
            exact: OnceLock::new(),
            denominator: Denominator::new(&forms.exact),
            residues: (0..MOST_PRIMES).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The verdicts on one order, and the conditions that hold.
    fn order(&self, order: usize, count: u128, listed: usize) -> (OrderSummary, Vec<Condition>) {
        let criterion = Criterion { rounding: self.rounding(order), tolerance: self.tolerance };
        let screen = || Screen::new(&self.doubles, &self.values, criterion, listed);
        let screens = walk(&self.doubles, order, count, screen);
        let mut summary = OrderSummary::new(order);
        let mut candidates = Vec::new();
        let mut dismissed = Vec::new();
        let mut place = 0;
        for screen in screens {
            summary.max_residual = summary.max_residual.max(screen.max_residual);
            let moved = |entries: Vec<Entry>| {
                entries.into_iter().map(move |entry| Entry { place: place + entry.place, ..entry })
            };
            candidates.extend(moved(screen.candidates));
            dismissed.extend(moved(screen.failures));
            place += screen.seen;
        }
        summary.conditions = place as u64;
        let verdicts = self.decide(&candidates);
        for (_, condition) in &verdicts {
            summary.max_residual = summary.max_residual.max(condition.residual.abs());
            summary.count(condition.verdict);
        }
        dismissed.truncate(listed);
        let failed = |Entry { place, spine, residual }: Entry| {
            (place, Condition::new(spine.tree(self.trees), residual.value, 0.0, Verdict::Fails))
        };
        let mut failures: Vec<(usize, Condition)> = dismissed.into_iter().map(failed).collect();
        let (fail, hold): (Vec<_>, Vec<_>) =
            verdicts.into_iter().partition(|(_, condition)| condition.verdict == Verdict::Fails);
        failures.extend(fail);
        failures.sort_by_key(|(place, _)| *place);
        summary.failures = failures.into_iter().take(listed).map(|(_, condition)| condition).collect();
        (summary, hold.into_iter().map(|(_, condition)| condition).collect())
    }

    /// Bounds |fl(residual) − residual| by this part of the size (Higham 2002, §3.1): a path of products through the tree
    /// meets at most n(s + 3) roundings, those of the coefficients among them, and the expected value four more.
    fn rounding(&self, order: usize) -> f64 {
        let stages = self.forms.uncertainties.nearest().stages();
        let operations = (order * (stages + 3) + 4) as f64 * 0.5 * f64::EPSILON;
        operations / (1.0 - operations)
    }

    /// Verdicts on the conditions that doubles cannot dismiss, each with its place.
    fn decide(&self, candidates: &[Entry]) -> Vec<(usize, Condition)> {
        let vanishing = self.vanishing(candidates);
        let decide = |k: usize| {
            let Entry { place, spine, residual: sized } = &candidates[k];
            let tree = spine.tree(self.trees);
            if vanishing[k] {
                return (*place, Condition::new(tree, 0.0, 0.0, Verdict::Exact));
            }
            let (residual, allowance) = self.residual_and_allowance(spine, &tree, sized);
            (*place, Condition::new(tree, residual, allowance.to_precision, Verdict::on(residual, allowance)))
        };
        parallel::map(candidates.len(), decide)
    }

    /// A residual that is not zero, and how large it may be.
    fn residual_and_allowance(&self, spine: &Spine, tree: &Tree, sized: &Sized64) -> (f64, Allowance) {
        let balls = self.balls.get_or_init(|| Tables::new(&Balls, self.trees, &self.forms.balls));
        let (residual, error) = balls.residual(spine).to_f64();
        let at_most = |bound: f64| residual.abs() - error <= bound;
        // What a bound on all changes rules out need not be asked of the gradient.
        let (change, numerically) = (sized.change, NUMERICALLY * sized.size);
        let uncertainties = &self.forms.uncertainties;
        let allowance = match (self.tolerance, at_most(change), at_most(numerically)) {
            (Some(tolerance), ..) => Allowance::within(tolerance),
            (None, true, true) => uncertainties.allowance(tree),
            (None, true, false) => Allowance { to_precision: uncertainties.stated.explained(tree), numerically: 0.0 },
            (None, false, true) => Allowance { to_precision: change, numerically: uncertainties.slack_allowance(tree) },
            (None, false, false) => Allowance { to_precision: change, numerically: 0.0 },
        };
        let is_beside = |limit: f64| residual.abs() + error <= limit || residual.abs() - error > limit;
        let decided = is_beside(allowance.to_precision) && is_beside(allowance.numerically);
        // An error of this part of the residual is that of its rounding to a double.
        if decided && error <= 4.0 * f64::EPSILON * residual.abs() {
            (residual, allowance)
        } else {
            (self.exact().residual(spine).to_f64(), allowance)
        }
    }

    /// Which residuals are zero, proved.
    fn vanishing(&self, candidates: &[Entry]) -> Vec<bool> {
        let mut open: Vec<bool> = vec![true; candidates.len()];
        let mut needed: Vec<f64> = candidates.iter().map(|entry| self.norm_bits(entry)).collect();
        for k in 0..MOST_PRIMES {
            // The first prime also tells most numbers from zero for which primes are no proof.
            let pays = |(open, needed): (&bool, &f64)| *open && *needed > 0.0 && (k == 0 || needed.is_finite());
            if !open.iter().zip(&needed).any(pays) {
                break;
            }
            let Some(tables) = self.residue_tables(k) else { break };
            let vanishes = |i: usize| needed[i] <= 0.0 || tables.residual(&candidates[i].spine) == 0;
            open = parallel::map(open.len(), |i| open[i] && vanishes(i));
            // Primes just below 2⁶² have more than 61 bits.
            needed.iter_mut().for_each(|needed| *needed -= 61.0);
        }
        let vanishes = |i: usize| needed[i] <= 0.0 || self.exact().residual(&candidates[i].spine).is_zero();
        parallel::map(open.len(), |i| open[i] && vanishes(i))
    }

    /// The bits that primes must have together to prove that a residual vanishes; infinite where primes cannot.
    fn norm_bits(&self, Entry { spine, residual, .. }: &Entry) -> f64 {
        let density = spine.density(self.trees);
        let bits =
            self.denominator.as_ref().map(|denominator| denominator.norm_bits(spine.order, density, residual.size));
        bits.filter(|bits| *bits < 61.0 * MOST_PRIMES as f64).unwrap_or(f64::INFINITY)
    }

    fn residue_tables(&self, k: usize) -> Option<&Tables<'a, Modular>> {
        let (field, tableau) = self.forms.residue_tableau(k)?;
        Some(self.residues.get(k)?.get_or_init(|| Tables::new(field, self.trees, tableau)))
    }

    fn exact(&self) -> &Tables<'a, ExactNumbers> {
        self.exact.get_or_init(|| Tables::new(&ExactNumbers, self.trees, &self.forms.exact))
    }
}
