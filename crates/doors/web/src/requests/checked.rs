//! A method with the result of its order check.

use hemiola_order::{Condition, OrderReport, OrderSummary};
use hemiola_tableau::Method;

/// A method with the result of its order check.
pub(crate) struct CheckedMethod {
    pub(crate) method: Method,
    pub(crate) report: OrderReport,
}

impl CheckedMethod {
    /// Returns the failing conditions up to the claimed order or, if there are none, those of the first order with failures, and their
    /// number.
    pub(crate) fn failing(&self) -> (Vec<&Condition>, u64) {
        let check = &self.report.check;
        let claimed = self.method.claims().order.unwrap_or(0);
        let of = |from: usize, to: usize| {
            let orders = check.orders().iter().filter(|summary| (from..=to).contains(&summary.order));
            let listed = check.failures().filter(|condition| (from..=to).contains(&condition.tree.order()));
            (listed.collect::<Vec<_>>(), orders.map(OrderSummary::failed).sum::<u64>())
        };
        let faults = of(1, claimed);
        let first = check.order() + 1;
        if faults.1 > 0 { faults } else { of(first, first) }
    }
}
