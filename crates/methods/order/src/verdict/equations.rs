//! Verdicts on polynomial equations between coefficients, such as simplifying assumptions, symplecticity and
//! symmetry.

use std::convert::Infallible;

use hemiola_tableau::{Exact, Method, Rounding, Scalar, Tableau};
use num_traits::Zero;

use crate::verdict::condition::{Allowance, Verdict};
use crate::verdict::midpoint_radius::MidpointRadius;

/// Equations between the coefficients of a tableau, evaluated in any number type.
pub(crate) trait Equations {
    /// Returns the differences of both sides, one for each equation.
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T>;
}

/// The last orders up to which a sequence of conditions holds, with one set of conditions for each order from 1
/// upwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifiedOrders {
    /// The last order up to which all conditions hold.
    pub order: usize,
    /// The last order up to which all hold exactly or to the precision of the coefficients.
    pub as_stated: usize,
    /// The last order up to which all hold exactly.
    pub exact: usize,
}

/// A method's coefficients in the two forms that verdicts need.
pub(crate) struct EquationJudge {
    pub(crate) exact: Tableau<Exact>,
    uncertain: Tableau<MidpointRadius>,
    tolerance: Option<f64>,
    /// Whether the precision is that of few digits, which are only presumed to be rounded.
    is_presumed: bool,
}

impl EquationJudge {
    /// Converts the coefficients of a method; `tolerance` replaces the bounds from their precision.
    pub(crate) fn new(method: &Method, tolerance: Option<f64>) -> Self {
        let rounding = method.rounding();
        let uncertain = method.tableau(|coefficient| MidpointRadius::new(coefficient, rounding));
        Self::of(method.exact(), uncertain, rounding, tolerance)
    }

    /// Combines both forms of any tableau.
    pub(crate) fn of(
        exact: Tableau<Exact>,
        uncertain: Tableau<MidpointRadius>,
        rounding: Rounding,
        tolerance: Option<f64>,
    ) -> Self {
        Self { exact, uncertain, tolerance, is_presumed: rounding.presumed_digits().is_some() }
    }

    fn allowance(&self, residual: &MidpointRadius) -> Allowance {
        self.tolerance.map_or_else(|| residual.allowance(self.is_presumed), Allowance::within)
    }

    /// Returns the worst verdict on the equations, by exact arithmetic if doubles do not decide.
    pub(crate) fn verdict(&self, equations: &impl Equations) -> Verdict {
        let residuals = equations.residuals(&self.uncertain);
        if residuals.iter().any(|residual| residual.surely_exceeds(self.allowance(residual).largest())) {
            return Verdict::Fails;
        }
        let verdict = |(exact, uncertain): (Exact, &MidpointRadius)| {
            if exact.is_zero() { Verdict::Exact } else { Verdict::on(exact.to_f64(), self.allowance(uncertain)) }
        };
        equations.residuals(&self.exact).into_iter().zip(&residuals).map(verdict).max().unwrap_or(Verdict::Exact)
    }

    /// Determines the last orders up to which the equations of orders 1 to `highest` hold.
    pub(crate) fn verified_orders<E: Equations>(
        &self,
        highest: usize,
        equations: impl Fn(usize) -> E,
    ) -> VerifiedOrders {
        let Ok(reach) = self.try_reach(highest, |order| Ok::<E, Infallible>(equations(order)));
        reach
    }

    /// Determines [`verified_orders`](Self::verified_orders) for equations whose setup may fail because they are too
    /// many.
    pub(crate) fn try_reach<E: Equations, X>(
        &self,
        highest: usize,
        equations: impl Fn(usize) -> Result<E, X>,
    ) -> Result<VerifiedOrders, X> {
        let (mut reach, mut worst) = (VerifiedOrders::default(), Verdict::Exact);
        for order in 1..=highest {
            worst = worst.max(self.verdict(&equations(order)?));
            let moved = |holds: bool, before: usize| if holds { order } else { before };
            reach = VerifiedOrders {
                order: moved(worst.holds(), reach.order),
                as_stated: moved(worst.holds_as_stated(), reach.as_stated),
                exact: moved(worst == Verdict::Exact, reach.exact),
            };
            if worst == Verdict::Fails {
                break;
            }
        }
        Ok(reach)
    }
}
