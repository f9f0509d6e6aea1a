//! The order of a method: the verdicts on its conditions, order by order.

use hemiola_number::Counter;
use hemiola_tableau::{Method, Precision};

use crate::engine::weights::StageSolution;
use crate::error::OrderError;
use crate::trees::grammar::Grammar;
use crate::verdict::condition::{Condition, NUMERICALLY, OrderSummary};
use crate::verdict::condition_checker::linearized;
use crate::verdict::condition_checker::{self, CheckExtent, CheckRequest, PHASE, order_to_check};
use crate::verdict::joint::DigitsOff;

/// The class of problems whose conditions are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProblemClass {
    /// Autonomous problems q' = f(q), all partitions coupled.
    #[default]
    General,
    /// Problems in which a partition's derivative depends only on the other partitions.
    Separable,
    /// Problems q' = f(t, q): conditions with the abscissae c as well, if these differ from the row sums.
    NonAutonomous,
}

impl ProblemClass {
    pub(crate) fn grammar(self, method: &Method) -> Grammar {
        let partitions = method.partitions().len();
        match self {
            Self::General => Grammar::partitioned(partitions),
            Self::Separable => Grammar::separable(partitions),
            Self::NonAutonomous => Grammar::non_autonomous(partitions),
        }
    }
}

/// Options of an order check.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// The highest order whose conditions are evaluated.
    pub highest_order: usize,
    /// Whether the check goes on beyond this order as long as all conditions hold, up to the first order that fails or
    /// to what takes seconds.
    pub goes_on: bool,
    /// The class of problems.
    pub problem: ProblemClass,
    /// The solution of the stage equations.
    pub stages: StageSolution,
    /// A residual up to which a condition holds to precision and beyond which it fails. `None` derives the bounds
    /// of each condition from the precision of the coefficients and from errors in last digits.
    pub tolerance: Option<f64>,
}

impl CheckOptions {
    /// Returns the options of a check without a requested order: one order above the claim ([`order_to_check`]) or,
    /// without a claim, four orders, and further as long as all conditions hold, up to the first order that fails.
    ///
    /// ```
    /// use hemiola_order::{CheckOptions, OrderCheck};
    /// let gauss = hemiola_tableau::library::method("gauss-3").unwrap();
    /// let check = OrderCheck::new(&gauss, CheckOptions::for_claim(&gauss, None).unwrap()).unwrap();
    /// assert_eq!((check.order(), check.highest_order()), (6, 7));
    /// ```
    ///
    /// # Errors
    /// Returns [`OrderError::ClaimTooHigh`] if the check of the claim would take longer than about a minute.
    pub fn for_claim(method: &Method, claimed: Option<usize>) -> Result<Self, OrderError> {
        let highest_order = claimed.map_or(Ok(WITHOUT_CLAIM), |claimed| order_to_check(method, claimed))?;
        Ok(Self { highest_order, goes_on: true, ..Self::default() })
    }
}

/// Order up to which a method without a claim is checked even if a lower order fails.
const WITHOUT_CLAIM: usize = 4;

/// Returns whether a method has an order: as stated or, with `numerically`, at least numerically. Stops as soon as the
/// answer is known.
pub(crate) fn has_order(
    method: &Method,
    order: usize,
    problem: ProblemClass,
    numerically: bool,
) -> Result<bool, OrderError> {
    let grammar = problem.grammar(method);
    let asked = CheckRequest {
        method,
        grammar: &grammar,
        order,
        goes_on: false,
        tolerance: None,
        listed: 1,
        counter: &Counter::new(&(), PHASE, None),
    };
    condition_checker::holds(asked, numerically)
}

/// Maximum number of failing conditions listed, lowest orders first.
const LISTED: usize = 1000;

/// A stated precision that is too high.
#[derive(Clone, Copy, Debug)]
struct OverstatedPrecision {
    precision: Precision,
    /// The order to this precision.
    order_as_stated: usize,
}

/// The verdicts on all conditions up to some order.
#[derive(Clone, Debug)]
pub struct OrderCheck {
    orders: Vec<OrderSummary>,
    digits_off: Option<DigitsOff>,
    overstated: Option<OverstatedPrecision>,
}

impl OrderCheck {
    /// Evaluates all conditions of orders 1 to `options.highest_order`, and further ones if the options say so.
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is out of range or there are too many trees.
    ///
    /// ```
    /// use hemiola_order::{CheckOptions, OrderCheck};
    /// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
    /// let check = OrderCheck::new(&rk4, CheckOptions { highest_order: 5, ..CheckOptions::default() }).unwrap();
    /// assert_eq!((check.order(), check.exact_order()), (4, 4));
    /// assert_eq!(check.orders()[4].failed(), 9);
    /// ```
    pub fn new(method: &Method, options: CheckOptions) -> Result<Self, OrderError> {
        Self::counted(method, options, CheckExtent::All, &Counter::new(&(), PHASE, None))
    }

    /// Evaluates the conditions of the orders in an extent, and counts them. If the claim fails to the stated precision, but
    /// holds to that of the digits with residuals up to 1e-12, the stated precision is too high and is ignored.
    pub(crate) fn counted(
        method: &Method,
        options: CheckOptions,
        extent: CheckExtent,
        counter: &Counter<'_>,
    ) -> Result<Self, OrderError> {
        let check = Self::as_stated(method, options, extent, counter)?;
        let claimed = method.claims().order.unwrap_or(usize::MAX);
        let Some(precision) = method.precision().filter(|_| check.order() < claimed.min(check.highest_order())) else {
            return Ok(check);
        };
        let silent = Counter::new(counter, PHASE, None);
        let by_digits = Self::as_stated(&method.clone().without_precision(), options, extent, &silent)?;
        let order = by_digits.order();
        let is_tiny = |summary: &OrderSummary| summary.max_residual <= NUMERICALLY;
        let is_better = order > check.order() && by_digits.orders.iter().take(order).all(is_tiny);
        let overstated = Some(OverstatedPrecision { precision, order_as_stated: check.order_as_stated() });
        Ok(if is_better { Self { overstated, ..by_digits } } else { check })
    }

    /// Evaluates the conditions with the stated precision.
    fn as_stated(
        method: &Method,
        options: CheckOptions,
        extent: CheckExtent,
        counter: &Counter<'_>,
    ) -> Result<Self, OrderError> {
        let grammar = options.problem.grammar(method);
        let CheckOptions { highest_order: order, goes_on, tolerance, .. } = options;
        if let Some(tolerance) = tolerance.filter(|tolerance| !(0.0..=f64::MAX).contains(tolerance)) {
            return Err(OrderError::Tolerance { tolerance: tolerance.to_string() });
        }
        let asked = CheckRequest { method, grammar: &grammar, order, goes_on, tolerance, listed: LISTED, counter };
        let (orders, digits_off) = match options.stages {
            StageSolution::Solved => condition_checker::check(asked, extent)?,
            StageSolution::Linearized { iterations } => (linearized::check(asked, iterations)?, None),
        };
        Ok(Self { orders, digits_off, overstated: None })
    }

    /// Returns the verdicts, order by order.
    #[must_use]
    pub fn orders(&self) -> &[OrderSummary] {
        &self.orders
    }

    /// Returns the highest order whose conditions were evaluated.
    #[must_use]
    pub fn highest_order(&self) -> usize {
        self.orders.len()
    }

    /// Returns whether the conditions of all orders checked hold, so that the order might be higher.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.order() == self.highest_order()
    }

    /// Returns the stated precision if it is too high: the conditions of the order hold with tiny residuals, but not to that
    /// precision.
    #[must_use]
    pub fn overstated(&self) -> Option<Precision> {
        self.overstated.map(|overstated| overstated.precision)
    }

    /// Iterates over the first thousand conditions that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Condition> {
        self.orders.iter().flat_map(|summary| &summary.failures)
    }

    /// Returns the changes of the coefficients that make all conditions of the order hold, if it exceeds the
    /// order as stated. Returns `None` also for linearized stages, for which the changes are not determined.
    #[must_use]
    pub fn digits_off(&self) -> Option<&DigitsOff> {
        self.digits_off.as_ref()
    }

    /// Returns the largest order up to which all conditions hold exactly, to precision or numerically, and a single
    /// change of the coefficients explains all residuals.
    #[must_use]
    pub fn order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.holds()).count()
    }

    /// Returns the largest order up to which all conditions hold exactly or to precision, and a single rounding of the
    /// coefficients explains all residuals.
    #[must_use]
    pub fn order_as_stated(&self) -> usize {
        let by_digits = self.orders.iter().take_while(|summary| summary.holds_as_stated()).count();
        self.overstated.map_or(by_digits, |overstated| overstated.order_as_stated)
    }

    /// Returns the largest order up to which all conditions hold exactly.
    #[must_use]
    pub fn exact_order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.exact == summary.conditions).count()
    }
}
