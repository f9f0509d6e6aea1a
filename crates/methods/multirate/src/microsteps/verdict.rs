//! Verdicts on the order conditions for every number of micro-steps.

use hemiola_number::{Exact, Scalar};
use hemiola_order::{Grammar, NodeKind, OrderError, StageSolution, Tree, TreeId, Trees, Weights};
use num_traits::Zero;

use super::method::{Entries, FastSlowCoupling, MicroStepMethod};
use super::polynomial::{Exponents, RatioPolynomial};
use super::zeros::positive_integer_zeros;
use crate::error::MultirateError;

/// Highest order; a condition of order 5 needs about ten values of M.
const HIGHEST: usize = 5;
/// The slow and the fast color.
const SLOW: usize = 0;

/// The numbers M of micro-steps for which conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldingRatios {
    /// Every M from the [minimum](MicroStepMethod::least_ratio) on.
    Every,
    /// Only these numbers, in ascending order.
    Only(Vec<u64>),
}

impl HoldingRatios {
    /// Returns the numbers in both sets.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Every, set) | (set, Self::Every) => set,
            (Self::Only(a), Self::Only(b)) => Self::Only(a.into_iter().filter(|m| b.contains(m)).collect()),
        }
    }
}

/// The verdict on the conditions of one order.
#[derive(Clone, Debug, PartialEq)]
pub struct MicroStepOrder {
    /// The order of the trees.
    pub order: usize,
    /// The number of conditions.
    pub conditions: usize,
    /// The trees whose conditions do not hold for every M, each with the M for which it holds.
    pub failures: Vec<(Tree, HoldingRatios)>,
    /// The M for which all conditions of this order hold.
    pub holds: HoldingRatios,
    /// An upper bound of the degree in M of the residuals after multiplication by powers of M and of divisors. Zeros at
    /// one more value of M than this degree prove that a residual vanishes for every M.
    pub degree: usize,
}

/// The verdicts on the conditions of a method with micro-steps, order by order, in exact arithmetic.
///
/// The weight of a tree is a polynomial in M and 1/M: sums over micro-steps of polynomials in λ are polynomials, even
/// if the first or the last micro-step has its own coefficients. Bounds of the exponents limit the degree: a residual
/// that vanishes at one more M than its degree vanishes for every M. If polynomials in M divide the couplings, they
/// also divide the weights, and the residuals are multiplied by powers of these polynomials.
#[derive(Clone, Debug, PartialEq)]
pub struct MicroStepReport {
    /// The verdicts from order 1 on.
    pub orders: Vec<MicroStepOrder>,
}

impl MicroStepReport {
    /// Evaluates the conditions of orders 1 to `highest_order`; `None` checks up to the first order that does not hold
    /// for every M, at most 5.
    ///
    /// ```
    /// use hemiola_multirate::microsteps::{HoldingRatios, MicroStepReport, library};
    /// let report = MicroStepReport::new(&library::method("multirate-midpoint")?, None)?;
    /// assert_eq!(report.order(), 2);
    /// assert_eq!(report.orders[1].holds, HoldingRatios::Every);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Order`] for an order above 5, [`MultirateError::Substeps`] if the pairs have too many
    /// stages, [`MultirateError::Undecided`] if a condition may hold for an M beyond a million.
    pub fn new(method: &MicroStepMethod, highest_order: Option<usize>) -> Result<Self, MultirateError> {
        let grammar = Grammar::partitioned(2);
        if let Some(order) = highest_order.filter(|order| *order > HIGHEST) {
            let conditions = grammar.counts(order)?.into_iter().fold(0, u128::saturating_add);
            let stages = method.stages().iter().sum();
            return Err(OrderError::TooMuchWork { order, conditions, stages, most: 1_200 }.into());
        }
        let trees = Trees::new(&grammar, highest_order.unwrap_or(HIGHEST))?;
        let mut orders = Vec::new();
        for order in 1..=trees.highest_order() {
            let verdict = verdict(method, &trees, order)?;
            let is_last = highest_order.is_none() && verdict.holds != HoldingRatios::Every;
            orders.push(verdict);
            if is_last {
                break;
            }
        }
        Ok(Self { orders })
    }

    /// Returns the largest order up to which all conditions hold for every M.
    #[must_use]
    pub fn order(&self) -> usize {
        self.orders.iter().take_while(|order| order.holds == HoldingRatios::Every).count()
    }

    /// Returns whether the conditions of all orders checked hold for every M, so that the order might be higher.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.order() == self.orders.len()
    }

    /// Returns the M for which the conditions up to an order hold.
    #[must_use]
    pub fn holds_to(&self, order: usize) -> HoldingRatios {
        self.orders.iter().take(order).map(|order| order.holds.clone()).fold(HoldingRatios::Every, HoldingRatios::and)
    }
}

fn verdict(method: &MicroStepMethod, trees: &Trees, order: usize) -> Result<MicroStepOrder, MultirateError> {
    let of_order: Vec<TreeId> = trees.of_order(order);
    let bounds = DegreeBounds::new(method);
    let exponents: Vec<Exponents> = of_order.iter().map(|tree| bounds.residual(&trees.tree(*tree))).collect();
    let growth = |bound: &Exponents| bound.highest - bound.lowest + bound.divisions * bounds.divisor.degree();
    let degrees = exponents.iter().map(|bound| growth(bound).max(0) as usize);
    let degree = degrees.clone().max().unwrap_or(0);
    let least = method.least_ratio();
    // Residuals at one more M than the degree; powers of M and of divisors make them polynomials.
    let mut values = vec![Vec::new(); of_order.len()];
    for ratio in least..=least + degree {
        let tableau = method.tableau_at(ratio)?;
        let mut weights = Weights::new(trees, &tableau, StageSolution::Solved);
        for ((tree, bound), values) in of_order.iter().zip(&exponents).zip(&mut values) {
            let factor = (0..-bound.lowest).fold(Exact::from(1), |power, _| power * Exact::ratio(ratio as i64, 1));
            let divisor = bounds.divisor.at(1, ratio as u64);
            let factor = (0..bound.divisions).fold(factor, |power, _| power * divisor.clone());
            values.push(weights.residual(*tree) * factor);
        }
    }
    let mut found =
        MicroStepOrder { order, conditions: of_order.len(), failures: Vec::new(), holds: HoldingRatios::Every, degree };
    for ((tree, values), degree) in of_order.iter().zip(&values).zip(degrees) {
        let own = &values[..=degree];
        if own.iter().all(Zero::is_zero) {
            continue;
        }
        // The values begin with the minimum M.
        let zeros = positive_integer_zeros(own).ok_or(MultirateError::Undecided { order })?;
        let ratios = HoldingRatios::Only(zeros.into_iter().map(|m| m + least as u64 - 1).collect());
        found.holds = found.holds.and(ratios.clone());
        found.failures.push((trees.tree(*tree), ratios));
    }
    Ok(found)
}

/// Bounds of the exponents of M in elementary weights.
struct DegreeBounds {
    fast_slow: Option<Exponents>,
    slow_fast: Option<Exponents>,
    first: Option<Exponents>,
    /// The product of the divisors.
    divisor: RatioPolynomial,
}

impl DegreeBounds {
    fn new(method: &MicroStepMethod) -> Self {
        let of =
            |entries: &Entries| entries.iter().flatten().filter_map(RatioPolynomial::exponents).reduce(Exponents::plus);
        let coupling = &method.slow_fast;
        let FastSlowCoupling { every, first, last, divisors } = &method.fast_slow;
        let divided = |entries: &Entries, divisor: &Option<RatioPolynomial>| {
            let (bounds, divisor) = (of(entries)?, divisor.as_ref());
            let degree = divisor.map_or(0, RatioPolynomial::degree);
            Some(Exponents { highest: bounds.highest - degree, divisions: i32::from(divisor.is_some()), ..bounds })
        };
        let fast_slow = [every, first, last].into_iter().zip(divisors);
        let fast_slow = fast_slow.filter_map(|(entries, divisor)| divided(entries, divisor));
        let one = RatioPolynomial::from(Exact::from(1));
        Self {
            fast_slow: fast_slow.reduce(Exponents::plus),
            slow_fast: divided(&coupling.every, &coupling.divisor),
            first: divided(&coupling.first, &coupling.divisor),
            divisor: divisors
                .iter()
                .chain([&coupling.divisor])
                .flatten()
                .fold(one, |product, divisor| product.times(divisor)),
        }
    }

    /// Bounds Φ(t) − 1/γ(t).
    fn residual(&self, tree: &Tree) -> Exponents {
        let stage = self.at_stage(tree);
        let weight = if is_slow(tree) { stage } else { stage.over_ratio().summed() };
        weight.plus(Exponents::NUMBER)
    }

    /// Bounds the derivative weight of a tree at the stages of its root, as a polynomial in λ and M.
    fn at_stage(&self, tree: &Tree) -> Exponents {
        let child = |child: &Tree| self.pushed(is_slow(tree), child);
        tree.children().iter().map(child).fold(Exponents::NUMBER, Exponents::times)
    }

    /// Bounds the value that a subtree contributes to a slow or a fast stage.
    fn pushed(&self, to_slow: bool, tree: &Tree) -> Exponents {
        let own = self.at_stage(tree);
        match (to_slow, is_slow(tree)) {
            (true, true) => own,
            // Σ_{μ<λ} b l/M and A l/M.
            (false, false) => own.over_ratio().summed().plus(own.over_ratio()),
            (false, true) => self.fast_slow.map_or(Exponents::NUMBER, |coupling| coupling.times(own)),
            (true, false) => {
                let every = self.slow_fast.map(|coupling| coupling.times(own).over_ratio().summed());
                let first = self.first.map(|coupling| coupling.times(own).over_ratio());
                every.into_iter().chain(first).reduce(Exponents::plus).unwrap_or(Exponents::NUMBER)
            }
        }
    }
}

fn is_slow(tree: &Tree) -> bool {
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = tree.kind();
    color == SLOW
}
