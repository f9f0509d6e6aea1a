//! The claimed orders of a method, without its other properties.

use hemiola_number::{Counter, Progress};
use hemiola_tableau::Method;

use crate::engine::weights::StageSolution;
use crate::error::OrderError;
use crate::properties::dense_output::{DenseOutput, dense_output};
use crate::properties::report::{
    embedded, non_autonomous, of_embedded, of_non_autonomous, of_problem, of_separable, separable, total,
};
use crate::verdict::check::{CheckOptions, OrderCheck, ProblemClass};
use crate::verdict::condition_checker::{CheckExtent, PHASE};

/// The checks that decide a method's claims.
///
/// These are the requested check, that of problems y' = f(t, y), and the claimed ones among separable problems, embedded
/// weights and dense output. They take at most half the work of an [`OrderReport`](crate::OrderReport).
#[derive(Clone, Debug)]
pub struct ClaimedOrders {
    /// The conditions that were checked.
    pub check: OrderCheck,
    /// The conditions for problems y' = f(t, y), if the abscissae differ from the row sums.
    pub non_autonomous: Option<OrderCheck>,
    /// The conditions for separable problems, if their order is claimed.
    pub separable: Option<OrderCheck>,
    /// The conditions of the embedded weights, if their order is claimed.
    pub embedded: Option<OrderCheck>,
    /// The properties of the dense output, if its order is claimed.
    pub dense_output: Option<DenseOutput>,
}

impl ClaimedOrders {
    /// Checks a method up to an order, and its further claims if the problem is general and the stages are
    /// solved.
    ///
    /// ```
    /// use hemiola_order::{CheckOptions, ClaimedOrders};
    /// let dp5 = hemiola_tableau::library::method("dormand-prince-5").unwrap();
    /// let options = CheckOptions { highest_order: 6, ..Default::default() };
    /// let orders = ClaimedOrders::new(&dp5, options, &()).unwrap();
    /// assert_eq!((orders.check.order(), orders.embedded.unwrap().order()), (5, 4));
    /// ```
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is out of range, there are too many trees, or `progress` stops the check.
    /// It counts the conditions.
    pub fn new(method: &Method, options: CheckOptions, progress: &dyn Progress) -> Result<Self, OrderError> {
        let counter = &Counter::new(progress, PHASE, total(conditions(method, options)));
        let check = OrderCheck::counted(method, options, CheckExtent::All, counter)?;
        let reached = CheckOptions { highest_order: check.highest_order(), ..options };
        let [has_separable, has_embedded, has_dense] = claims(method, options);
        Ok(Self {
            check,
            non_autonomous: if is_asked(options) { non_autonomous(method, options, counter)? } else { None },
            separable: if has_separable { separable(method, options, counter)? } else { None },
            embedded: if has_embedded { embedded(method, options, counter)? } else { None },
            dense_output: if has_dense { dense_output(method, reached)? } else { None },
        })
    }
}

/// Returns the number of conditions that the checks count; zero for linearized stages.
fn conditions(method: &Method, options: CheckOptions) -> u128 {
    if options.stages != StageSolution::Solved {
        return 0;
    }
    let [has_separable, has_embedded, _] = claims(method, options);
    let separable = if has_separable { of_separable(method, options) } else { 0 };
    let embedded = if has_embedded { of_embedded(method, options) } else { 0 };
    let with_time = if is_asked(options) { of_non_autonomous(method, options) } else { 0 };
    let all = [of_problem(options.problem, method, options), with_time, separable, embedded];
    all.into_iter().fold(0, u128::saturating_add)
}

/// Returns whether the orders for separable problems, of embedded weights and of the dense output are claimed and
/// requested.
fn claims(method: &Method, options: CheckOptions) -> [bool; 3] {
    let claims = method.claims();
    [claims.separable_order, claims.embedded_order, claims.dense_order]
        .map(|claim| is_asked(options) && claim.is_some())
}

/// Returns whether claims about other weights and other problems are requested.
fn is_asked(options: CheckOptions) -> bool {
    options.problem == ProblemClass::General && options.stages == StageSolution::Solved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OrderReport;
    use hemiola_number::Update;
    use hemiola_tableau::library;
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    #[test]
    fn all_claims_of_the_library_have_the_orders_of_the_report() {
        let (mut separable, mut embedded, mut dense) = (0, 0, 0);
        let methods = library::ids().map(|id| library::method(id).unwrap());
        for method in &methods.filter(|method| method.claims().order.is_none_or(|order| order < 6)).collect::<Vec<_>>()
        {
            let options = CheckOptions { highest_order: method.claims().order.unwrap_or(3) + 1, ..Default::default() };
            let counted = Mutex::new([0, 0]);
            let count = |update: Update<'_>| {
                let mut counted = counted.lock().unwrap();
                *counted = [counted[0].max(update.done), update.total.unwrap()];
                ControlFlow::Continue(())
            };
            let claimed = ClaimedOrders::new(method, options, &count).unwrap();
            let [of_claims, all_of_claims] = std::mem::take(&mut *counted.lock().unwrap());
            let report = OrderReport::new(method, options, &count).unwrap();
            let [done, all] = *counted.lock().unwrap();
            assert_eq!((of_claims, done), (all_of_claims, all), "{}", method.id());
            assert!(of_claims <= done, "{}", method.id());
            assert_eq!(claimed.check.order(), report.check.order());
            assert_eq!(claimed.check.exact_order(), report.check.exact_order());
            if let Some(check) = claimed.separable {
                separable += 1;
                assert_eq!(
                    Some((check.order(), check.exact_order())),
                    report.separable_order.zip(report.separable_exact_order)
                );
            }
            if let Some(check) = claimed.embedded {
                embedded += 1;
                assert_eq!(
                    Some((check.order(), check.exact_order())),
                    report.embedded_order.zip(report.embedded_exact_order)
                );
            }
            if let Some(output) = claimed.dense_output {
                dense += 1;
                assert_eq!(Some(output), report.dense_output);
            }
        }
        assert!(separable > 0 && embedded > 0 && dense > 0, "{separable} {embedded} {dense}");
    }

    #[test]
    fn checks_can_be_stopped() {
        let rk4 = library::method("rk4").unwrap();
        let options = CheckOptions { highest_order: 5, ..Default::default() };
        let stop = |_: Update<'_>| ControlFlow::Break(());
        assert_eq!(ClaimedOrders::new(&rk4, options, &stop).unwrap_err(), OrderError::Interrupted);
        assert_eq!(OrderReport::new(&rk4, options, &stop).unwrap_err(), OrderError::Interrupted);
    }
}
