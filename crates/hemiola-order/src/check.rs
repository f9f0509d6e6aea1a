//! The order of a method: the verdicts on its conditions, order by order.

use hemiola_tableau::Method;

use crate::error::OrderError;
use crate::grammar::Grammar;
use crate::verdict::{Condition, OrderSummary};
use crate::weights::Stages;
use crate::{linearized, solved};

/// Which conditions a method is asked to satisfy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Problem {
    /// Autonomous problems q' = f(q), all partitions coupled.
    #[default]
    General,
    /// Problems in which the derivative of a partition depends on the other partitions alone.
    Separable,
    /// Problems q' = f(t, q): conditions with the abscissae c as well, where they differ from the row sums.
    NonAutonomous,
}

/// What to check, and how strictly.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// The highest order whose conditions are evaluated.
    pub highest_order: usize,
    /// The class of problems.
    pub problem: Problem,
    /// How the stage equations are solved.
    pub stages: Stages,
    /// A residual up to which a condition counts as holding to precision; `None` derives it for each condition from
    /// the precision of the coefficients.
    pub tolerance: Option<f64>,
}

/// Failing conditions are listed up to this many, from the lowest order upwards.
const LISTED: usize = 1000;

/// The verdicts on all conditions up to some order.
#[derive(Clone, Debug)]
pub struct OrderCheck {
    orders: Vec<OrderSummary>,
}

impl OrderCheck {
    /// Evaluates all conditions of orders 1 to `options.highest_order`.
    ///
    /// # Errors
    /// [`OrderError`] where the order is out of range or there are too many trees.
    ///
    /// ```
    /// use hemiola_order::{CheckOptions, OrderCheck};
    /// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
    /// let check = OrderCheck::new(&rk4, CheckOptions { highest_order: 5, ..CheckOptions::default() }).unwrap();
    /// assert_eq!((check.order(), check.exact_order()), (4, 4));
    /// assert_eq!(check.orders()[4].failed(), 9);
    /// ```
    pub fn new(method: &Method, options: CheckOptions) -> Result<Self, OrderError> {
        let partitions = method.partitions().len();
        let grammar = match options.problem {
            Problem::General => Grammar::partitioned(partitions),
            Problem::Separable => Grammar::separable(partitions),
            Problem::NonAutonomous => Grammar::non_autonomous(partitions),
        };
        let CheckOptions { highest_order: order, tolerance, .. } = options;
        let orders = match options.stages {
            Stages::Solved => solved::check(method, &grammar, order, tolerance, LISTED)?,
            Stages::Linearized { iterations } => {
                linearized::check(method, &grammar, iterations, order, tolerance, LISTED)?
            }
        };
        Ok(Self { orders })
    }

    /// The verdicts, order by order.
    #[must_use]
    pub fn orders(&self) -> &[OrderSummary] {
        &self.orders
    }

    /// The first thousand conditions that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Condition> {
        self.orders.iter().flat_map(|summary| &summary.failures)
    }

    /// The largest order whose conditions, with those below, hold exactly or to precision, and by one and the same rounding
    /// of the coefficients.
    #[must_use]
    pub fn order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.failed() == 0 && summary.together).count()
    }

    /// The largest order whose conditions, with those below, hold exactly.
    #[must_use]
    pub fn exact_order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.exact == summary.conditions).count()
    }
}

/// Whether every abscissa is the row sum of A, exactly or to the precision of the coefficients.
#[must_use]
pub fn has_row_sum_abscissae(method: &Method) -> bool {
    stages_off_row_sums(method).iter().all(Vec::is_empty)
}

/// The stages of each partition, counted from 0, whose abscissa differs from the row sum of A by more than the precision
/// of the coefficients explains.
///
/// ```
/// let pair = hemiola_tableau::library::method("lobatto-iiia-iiib-2").unwrap();
/// assert_eq!(hemiola_order::stages_off_row_sums(&pair), [vec![], vec![0, 1]]);
/// ```
#[must_use]
pub fn stages_off_row_sums(method: &Method) -> Vec<Vec<usize>> {
    let (exact, uncertainties) = (method.exact(), method.uncertainties());
    let partitions = exact.partitions.iter().zip(&uncertainties.partitions).map(|(butcher, uncertainty)| {
        let residuals = butcher.row_sums().into_iter().zip(&butcher.c).map(|(sum, c)| (sum - c.clone()).to_f64().abs());
        let explained = |i: usize| uncertainty.c[i] + uncertainty.a[i].iter().sum::<f64>();
        residuals.enumerate().filter(|(i, residual)| *residual > explained(*i)).map(|(i, _)| i).collect()
    });
    partitions.collect()
}
