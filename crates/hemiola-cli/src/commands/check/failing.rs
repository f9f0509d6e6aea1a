//! The conditions that fail, as far as they are of interest.

use std::ops::RangeInclusive;

use hemiola::order::Condition;

use super::checked::Checked;

/// Failing conditions of some orders.
pub(crate) struct Failing<'a> {
    /// Those that the check lists, from the lowest order up.
    pub(crate) listed: Vec<&'a Condition>,
    /// How many there are.
    pub(crate) count: u64,
}

impl Checked {
    /// What refutes the claims: the failing conditions up to the claimed order. Above it failures are no fault.
    pub(crate) fn faults(&self) -> Failing<'_> {
        let claimed = self.claimed_order.unwrap_or(self.options.highest_order);
        // Without claims the orders 1 to 0: none.
        self.failing(1..=if self.claims().is_empty() { 0 } else { claimed })
    }

    /// The faults; where there are none, the failing conditions of the first order that has some.
    pub(crate) fn faults_or_first_failing(&self) -> Failing<'_> {
        let faults = self.faults();
        let first = self.report.check.order() + 1;
        if faults.count > 0 { faults } else { self.failing(first..=first) }
    }

    fn failing(&self, orders: RangeInclusive<usize>) -> Failing<'_> {
        let check = &self.report.check;
        let summaries = check.orders().iter().filter(|summary| orders.contains(&summary.order));
        Failing {
            count: summaries.map(hemiola::order::OrderSummary::failed).sum(),
            listed: check.failures().filter(|condition| orders.contains(&condition.tree.order())).collect(),
        }
    }
}
