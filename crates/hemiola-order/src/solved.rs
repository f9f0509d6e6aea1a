//! Conditions of Runge–Kutta methods proper: doubles dismiss what clearly fails, exact arithmetic decides the rest.

use std::sync::OnceLock;

use hemiola_tableau::{Butcher, Coefficient, Exact, Method, Tableau};
use num_traits::Zero;
use rayon::prelude::*;

use crate::arithmetic::{Doubles, ExactNumbers, Sized64};
use crate::ball::{Ball, Balls};
use crate::error::OrderError;
use crate::grammar::Grammar;
use crate::joint::{DigitsOff, decide_together};
use crate::kernel::{CHUNK, Screened, combine_and_screen};
use crate::modular::{Denominator, MOST_PRIMES, Modular, conjugate_bound, primes_below};
use crate::tables::{Spine, Tables};
use crate::tree::Tree;
use crate::trees::Trees;
use crate::uncertainty::Uncertainties;
use crate::verdict::{Allowance, Condition, NUMERICALLY, OrderSummary, Verdict};
use crate::walk::{Block, Table, Visitor, small_order, walk};

/// More conditions than this take seconds to minutes: they are refused.
const MOST_CONDITIONS: u128 = 2_000_000_000;

/// A method's coefficients in every form that verdicts need.
struct Forms {
    exact: Tableau<Exact>,
    balls: Tableau<Ball>,
    doubles: Tableau<Sized64>,
    uncertainties: Uncertainties,
    /// Primes that suit the coefficients, with the coefficients modulo each.
    residues: Vec<OnceLock<(Modular, Tableau<u64>)>>,
}

impl Forms {
    fn new(method: &Method) -> Self {
        let rounding = method.rounding();
        let sized = |coefficient: &Coefficient| {
            let value = coefficient.value();
            let change = rounding.of(coefficient);
            // The size covers all conjugates, which proofs need, and the changed number.
            Sized64 { value: value.to_f64(), size: conjugate_bound(value) + change, change }
        };
        let doubles = method.partitions().iter().map(|partition| {
            let vector = |row: &[Coefficient]| row.iter().map(sized).collect::<Vec<Sized64>>();
            let a: Vec<Vec<Sized64>> = partition.a.iter().map(|row| vector(row)).collect();
            let sum = |row: &Vec<Sized64>| row.iter().fold(Sized64::default(), |sum, x| sum.plus(*x));
            let c = partition.c.as_ref().map_or_else(|| a.iter().map(sum).collect(), |c| vector(c));
            Butcher { a, b: vector(&partition.b), c }
        });
        let exact = method.exact();
        Self {
            balls: Ball::tableau(&exact),
            exact,
            doubles: Tableau { partitions: doubles.collect() },
            uncertainties: Uncertainties::of(method),
            residues: (0..MOST_PRIMES).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The coefficients modulo the k-th prime that suits them.
    fn residue_tableau(&self, k: usize) -> Option<&(Modular, Tableau<u64>)> {
        // One in 2ᵏ primes suits k radicands, and hardly one divides a denominator.
        const TRIED: usize = 1000;
        let known = self.residues.get(k)?;
        if known.get().is_none() {
            let last = match k.checked_sub(1) {
                Some(k) => Some(self.residue_tableau(k)?.0.p),
                None => None,
            };
            let suited = |field: Modular| Some((field, field.tableau(&self.exact)?));
            let found = primes_below(last).take(TRIED).find_map(suited)?;
            let _ = known.set(found);
        }
        known.get()
    }
}

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
        let verdicts = self.decide(candidates);
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
    fn decide(&self, candidates: Vec<Entry>) -> Vec<(usize, Condition)> {
        let vanishing = self.vanishing(&candidates);
        let decide = |(Entry { place, spine, residual: sized }, vanishes): (Entry, bool)| {
            let tree = spine.tree(self.trees);
            if vanishes {
                return (place, Condition::new(tree, 0.0, 0.0, Verdict::Exact));
            }
            let (residual, allowance) = self.residual_and_allowance(&spine, &tree, &sized);
            (place, Condition::new(tree, residual, allowance.to_precision, Verdict::on(residual, allowance)))
        };
        candidates.into_par_iter().zip(vanishing).map(decide).collect()
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
            open = open
                .par_iter()
                .zip(candidates)
                .zip(&needed)
                .map(|((open, entry), needed)| *open && (*needed <= 0.0 || tables.residual(&entry.spine) == 0))
                .collect();
            // Primes just below 2⁶² have more than 61 bits.
            needed.iter_mut().for_each(|needed| *needed -= 61.0);
        }
        let settle = |((open, needed), entry): ((bool, f64), &Entry)| {
            open && (needed <= 0.0 || self.exact().residual(&entry.spine).is_zero())
        };
        open.into_par_iter().zip(needed).zip(candidates).map(settle).collect()
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

/// The tables as plain doubles, for the inner loop.
struct Values {
    /// By the number of nodes: Ψ of forests and AΨ of trees.
    forests: Vec<Rows>,
    trees: Vec<Rows>,
}

/// Rows of values, padded for the inner loop, with the largest size and the largest change in each.
struct Rows {
    values: Vec<Vec<f64>>,
    largest: Vec<Sized64>,
}

impl Values {
    fn new(tables: &Tables<Doubles>) -> Self {
        let sizes = 0..tables.trees.highest_order();
        Self {
            forests: sizes.clone().map(|size| Rows::new(tables.forest_rows(size))).collect(),
            trees: sizes.map(|order| Rows::new(tables.tree_rows(order))).collect(),
        }
    }

    fn rows(&self, table: Table) -> &Rows {
        match table {
            Table::Forests { size } => &self.forests[size],
            Table::Trees { order, .. } => &self.trees[order],
        }
    }
}

impl Rows {
    fn new(rows: &[Vec<Sized64>]) -> Self {
        let values = |row: &Vec<Sized64>| {
            let mut values: Vec<f64> = row.iter().map(|x| x.value).collect();
            values.resize(row.len().next_multiple_of(CHUNK), 0.0);
            values
        };
        let largest = |row: &Vec<Sized64>| {
            row.iter().fold(Sized64::default(), |largest, x| Sized64 {
                value: 0.0,
                size: largest.size.max(x.size),
                change: largest.change.max(x.change),
            })
        };
        Self { values: rows.iter().map(values).collect(), largest: rows.iter().map(largest).collect() }
    }
}

/// A tree with its place in the sequence and its residual in doubles.
struct Entry {
    place: usize,
    spine: Spine,
    residual: Sized64,
}

/// When a residual clearly fails: where it exceeds what rounding and uncertainty, or the tolerance, can explain.
#[derive(Clone, Copy)]
struct Criterion {
    rounding: f64,
    tolerance: Option<f64>,
}

impl Criterion {
    fn threshold(self, residual: &Sized64) -> f64 {
        // The bounds are sums of positive numbers: their own rounding is covered by a second helping of the first term.
        let rounding = 2.0 * self.rounding * residual.size;
        rounding + self.tolerance.unwrap_or((NUMERICALLY * residual.size).max(residual.change))
    }
}

/// Sorts residuals into those that clearly fail and those to be decided exactly.
///
/// Size and change are first bounded for a whole block, and computed for the few that this bound does not dismiss.
struct Screen<'a> {
    tables: &'a Tables<'a, Doubles>,
    values: &'a Values,
    criterion: Criterion,
    listed: usize,
    seen: usize,
    max_residual: f64,
    /// What needs a decision.
    candidates: Vec<Entry>,
    /// The first failures.
    failures: Vec<Entry>,
    weights: Vec<f64>,
    residuals: Vec<f64>,
}

impl<'a> Screen<'a> {
    fn new(tables: &'a Tables<'a, Doubles>, values: &'a Values, criterion: Criterion, listed: usize) -> Self {
        Self {
            tables,
            values,
            criterion,
            listed,
            seen: 0,
            max_residual: 0.0,
            candidates: Vec::new(),
            failures: Vec::new(),
            weights: Vec::new(),
            residuals: Vec::new(),
        }
    }

    /// What no residual of a block that clearly fails is below.
    fn threshold(&self, block: &Block<Sized64>) -> f64 {
        let largest = &self.values.rows(block.table).largest;
        let factors = block.at.v.iter().chain([&block.at.factor]);
        let bound = factors.zip(largest).fold(Sized64::default(), |sum, (v, largest)| sum.plus(v.times(*largest)));
        self.criterion.threshold(&bound)
    }

    /// Residuals of a block in `self.residuals`, and what a first look at them tells.
    fn combine(&mut self, block: &Block<Sized64>, threshold: f64) -> Screened {
        let rows = self.values.rows(block.table);
        self.weights.clear();
        self.weights.extend(block.at.v.iter().map(|v| v.value).chain([-block.at.factor.value]));
        // Blocks of a restricted grammar begin anywhere; they are short.
        let length = block.members.end;
        let padded = length.next_multiple_of(CHUNK);
        if self.residuals.len() < padded {
            self.residuals.resize(padded, 0.0);
        }
        combine_and_screen(&self.weights, &rows.values, &mut self.residuals, length, threshold)
    }

    fn look_closely(&mut self, block: &Block<Sized64>, member: usize) {
        let place = self.seen + member - block.members.start;
        let spine = block.spine(self.tables.trees, member);
        let residual = Sized64 { value: self.residuals[member], ..self.tables.residual(&spine) };
        // A comparison that is false for NaN leaves the decision to exact arithmetic.
        if residual.value.abs() > self.criterion.threshold(&residual) {
            self.max_residual = self.max_residual.max(residual.value.abs());
            if self.failures.len() < self.listed {
                self.failures.push(Entry { place, spine, residual });
            }
        } else {
            self.candidates.push(Entry { place, spine, residual });
        }
    }
}

impl Visitor<Sized64> for Screen<'_> {
    fn visit(&mut self, block: &Block<Sized64>) {
        let threshold = self.threshold(block);
        let screened = self.combine(block, threshold);
        // Once enough failures are listed, what is beyond the threshold of the block need not be looked at.
        let is_enough = self.failures.len() >= self.listed && block.members.start == 0;
        if is_enough && screened.within == 0 {
            self.max_residual = self.max_residual.max(screened.largest);
        } else {
            for member in block.members.clone() {
                let size = self.residuals[member].abs();
                if is_enough && size > threshold {
                    self.max_residual = self.max_residual.max(size);
                } else {
                    self.look_closely(block, member);
                }
            }
        }
        self.seen += block.members.len();
    }
}
