//! What decides the claims of a method, in both of the forms in which checks end.

use hemiola::order::{CheckOptions, ClaimedOrders, DenseOutput, OrderCheck, OrderError, OrderReport};
use hemiola::tableau::Method;

/// The results of a check that claims are about.
pub(crate) trait Orders: Send + Sized {
    /// Checks a method; `watch` is told how many more conditions are decided, and answers whether to go on.
    fn watched(
        method: &Method,
        options: CheckOptions,
        watch: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Self, OrderError>;

    /// How many conditions `watch` is told of.
    fn conditions(method: &Method, options: CheckOptions) -> u128;

    /// The conditions that were checked.
    fn check(&self) -> &OrderCheck;

    /// The order for separable problems, and the one that holds exactly.
    fn separable(&self) -> [Option<usize>; 2];

    /// The same for the embedded weights.
    fn embedded(&self) -> [Option<usize>; 2];

    /// The same for the dense output.
    fn dense_output(&self) -> [Option<usize>; 2];
}

/// All properties, for pages and JSON.
impl Orders for OrderReport {
    fn watched(
        method: &Method,
        options: CheckOptions,
        watch: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Self, OrderError> {
        Self::watched(method, options, watch)
    }

    fn conditions(method: &Method, options: CheckOptions) -> u128 {
        Self::conditions(method, options)
    }

    fn check(&self) -> &OrderCheck {
        &self.check
    }

    fn separable(&self) -> [Option<usize>; 2] {
        [self.separable_order, self.separable_exact_order]
    }

    fn embedded(&self) -> [Option<usize>; 2] {
        [self.embedded_order, self.embedded_exact_order]
    }

    fn dense_output(&self) -> [Option<usize>; 2] {
        of_output(self.dense_output)
    }
}

/// What summaries need.
impl Orders for ClaimedOrders {
    fn watched(
        method: &Method,
        options: CheckOptions,
        watch: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Self, OrderError> {
        Self::watched(method, options, watch)
    }

    fn conditions(method: &Method, options: CheckOptions) -> u128 {
        Self::conditions(method, options)
    }

    fn check(&self) -> &OrderCheck {
        &self.check
    }

    fn separable(&self) -> [Option<usize>; 2] {
        of_check(self.separable.as_ref())
    }

    fn embedded(&self) -> [Option<usize>; 2] {
        of_check(self.embedded.as_ref())
    }

    fn dense_output(&self) -> [Option<usize>; 2] {
        of_output(self.dense_output)
    }
}

fn of_check(check: Option<&OrderCheck>) -> [Option<usize>; 2] {
    [check.map(OrderCheck::order), check.map(OrderCheck::exact_order)]
}

fn of_output(output: Option<DenseOutput>) -> [Option<usize>; 2] {
    [output.map(|output| output.order), output.map(|output| output.exact_order)]
}
