//! Failing conditions to report.

use std::ops::RangeInclusive;

use hemiola_order::{Condition, OrderSummary};

use super::method_check::MethodCheck;
use super::orders::ClaimOrders;

/// Failing conditions of some orders.
pub struct FailingConditions<'a> {
    /// Conditions listed by the check, lowest orders first.
    pub listed: Vec<&'a Condition>,
    /// Total number of failing conditions.
    pub count: u64,
}

impl<R: ClaimOrders> MethodCheck<R> {
    /// Returns the failing conditions up to the claimed order, which refute the claims. Failures above that order are
    /// expected.
    pub fn faults(&self) -> FailingConditions<'_> {
        let claimed = self.claimed_order.unwrap_or(self.options.highest_order);
        // An empty range of orders if there are no claims.
        self.failing(1..=if self.claims().is_empty() { 0 } else { claimed })
    }

    /// Returns the failing conditions up to the claimed order; if there are none, those of the first order with
    /// failures.
    pub fn faults_or_first_failing(&self) -> FailingConditions<'_> {
        let faults = self.faults();
        let first = self.report.check().order() + 1;
        if faults.count > 0 { faults } else { self.failing(first..=first) }
    }

    fn failing(&self, orders: RangeInclusive<usize>) -> FailingConditions<'_> {
        let check = self.report.check();
        let summaries = check.orders().iter().filter(|summary| orders.contains(&summary.order));
        FailingConditions {
            count: summaries.map(OrderSummary::failed).sum(),
            listed: check.failures().filter(|condition| orders.contains(&condition.tree.order())).collect(),
        }
    }
}
