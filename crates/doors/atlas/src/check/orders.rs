//! Results that decide the claims of a method, common to full and short checks.

use hemiola_number::Progress;
use hemiola_order::{CheckOptions, ClaimedOrders, DenseOutput, OrderCheck, OrderError, OrderReport};
use hemiola_tableau::Method;

/// Results of a check to which claims refer: all results, or only the orders.
pub trait ClaimOrders: Send + Sized {
    /// Checks a method.
    ///
    /// # Errors
    /// [`OrderError`] as for [`OrderReport`].
    fn new(method: &Method, options: CheckOptions, progress: &dyn Progress) -> Result<Self, OrderError>;

    /// Returns the checked conditions.
    fn check(&self) -> &OrderCheck;

    /// Returns the order and the exact order for problems y' = f(t, y), if the abscissae differ from the row sums.
    fn non_autonomous(&self) -> [Option<usize>; 2];

    /// Returns the order and the exact order for separable problems.
    fn separable(&self) -> [Option<usize>; 2];

    /// Returns the order and the exact order of the embedded weights.
    fn embedded(&self) -> [Option<usize>; 2];

    /// Returns the order and the exact order of the dense output.
    fn dense_output(&self) -> [Option<usize>; 2];
}

/// All properties, for pages and JSON.
impl ClaimOrders for OrderReport {
    fn new(method: &Method, options: CheckOptions, progress: &dyn Progress) -> Result<Self, OrderError> {
        Self::new(method, options, progress)
    }

    fn check(&self) -> &OrderCheck {
        &self.check
    }

    fn non_autonomous(&self) -> [Option<usize>; 2] {
        [self.non_autonomous_order, self.non_autonomous_exact_order]
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

/// Orders needed for summaries.
impl ClaimOrders for ClaimedOrders {
    fn new(method: &Method, options: CheckOptions, progress: &dyn Progress) -> Result<Self, OrderError> {
        Self::new(method, options, progress)
    }

    fn check(&self) -> &OrderCheck {
        &self.check
    }

    fn non_autonomous(&self) -> [Option<usize>; 2] {
        of_check(self.non_autonomous.as_ref())
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
