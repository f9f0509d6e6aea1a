//! The order of a method: the verdicts on its conditions, order by order.

use hemiola_number::Counter;
use hemiola_tableau::Method;

use crate::engine::weights::StageSolution;
use crate::error::OrderError;
use crate::trees::grammar::Grammar;
use crate::verdict::condition::{Condition, OrderSummary};
use crate::verdict::condition_checker::linearized;
use crate::verdict::condition_checker::{self, CheckExtent, CheckRequest};
use crate::verdict::joint::DigitsOff;

/// Name of the units that a check counts.
pub(crate) const PHASE: &str = "conditions";

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
    /// The class of problems.
    pub problem: ProblemClass,
    /// The solution of the stage equations.
    pub stages: StageSolution,
    /// A residual up to which a condition holds to precision and beyond which it fails. `None` derives the bounds
    /// of each condition from the precision of the coefficients and from errors in last digits.
    pub tolerance: Option<f64>,
}

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
        tolerance: None,
        listed: 1,
        counter: &Counter::new(&(), PHASE, None),
    };
    condition_checker::holds(asked, numerically)
}

/// Maximum number of failing conditions listed, lowest orders first.
const LISTED: usize = 1000;

/// The verdicts on all conditions up to some order.
#[derive(Clone, Debug)]
pub struct OrderCheck {
    orders: Vec<OrderSummary>,
    digits_off: Option<DigitsOff>,
}

impl OrderCheck {
    /// Evaluates all conditions of orders 1 to `options.highest_order`.
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

    /// Evaluates the conditions of the orders in an extent, and counts them.
    pub(crate) fn counted(
        method: &Method,
        options: CheckOptions,
        extent: CheckExtent,
        counter: &Counter<'_>,
    ) -> Result<Self, OrderError> {
        let grammar = options.problem.grammar(method);
        let CheckOptions { highest_order: order, tolerance, .. } = options;
        if let Some(tolerance) = tolerance.filter(|tolerance| !(0.0..=f64::MAX).contains(tolerance)) {
            return Err(OrderError::Tolerance { tolerance: tolerance.to_string() });
        }
        let (orders, digits_off) = match options.stages {
            StageSolution::Solved => {
                let asked = CheckRequest { method, grammar: &grammar, order, tolerance, listed: LISTED, counter };
                condition_checker::check(asked, extent)?
            }
            StageSolution::Linearized { iterations } => {
                (linearized::check(method, &grammar, iterations, order, tolerance, LISTED)?, None)
            }
        };
        Ok(Self { orders, digits_off })
    }

    /// Returns the verdicts, order by order.
    #[must_use]
    pub fn orders(&self) -> &[OrderSummary] {
        &self.orders
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
        self.orders.iter().take_while(|summary| summary.holds_as_stated()).count()
    }

    /// Returns the largest order up to which all conditions hold exactly.
    #[must_use]
    pub fn exact_order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.exact == summary.conditions).count()
    }
}
