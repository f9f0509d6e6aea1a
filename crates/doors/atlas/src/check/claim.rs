//! Claims and their verdicts.

use hemiola_multirate::{InfinitesimalMethod, MultirateReport, RowVerdicts};
use hemiola_order::{has_exchanged_weights, off_row_sums_text};
use hemiola_tableau::library::{LibraryTwin, TwinDifference};
use hemiola_tableau::{Method, Precision, Rounding};

use super::method_check::MethodCheck;
use super::orders::ClaimOrders;
use crate::wording;

/// Subject of a claim or request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClaimSubject {
    Order,
    SeparableOrder,
    EmbeddedOrder,
    DenseOrder,
    /// Order requested on the command line, without a claim.
    Asked,
}

/// A claim with the order found.
#[derive(Clone, Debug)]
pub struct CheckedClaim {
    subject: ClaimSubject,
    claimed: usize,
    found: usize,
    /// Order to the stated precision, if known.
    as_stated: Option<usize>,
    /// Exact order, if known.
    exact: Option<usize>,
    checked_to: usize,
    must_be_exact: bool,
    /// Explanation of “to precision”.
    precision: String,
    /// Explanation of “numerically”.
    numerically: String,
    /// The order for problems y' = f(t, y) and the abscissae that lower it, if they do.
    with_time: Option<(usize, String)>,
}

impl<R: ClaimOrders> MethodCheck<R> {
    /// Returns the relevant claims, failing ones last. A linearized method is a different method and has none.
    pub fn claims(&self) -> Vec<CheckedClaim> {
        let claims = self.method.claims();
        let mut all: Vec<CheckedClaim> = if self.iterations().is_some() {
            Vec::new()
        } else if self.is_separable() {
            let subject =
                if claims.separable_order.is_some() { ClaimSubject::SeparableOrder } else { ClaimSubject::Order };
            self.claimed_order.map(|claimed| self.claim(subject, claimed)).into_iter().collect()
        } else {
            let order = claims.order.map(|claimed| self.claim(ClaimSubject::Order, claimed));
            self.further_claims().chain(order).collect()
        };
        if all.is_empty() && self.is_order_asked && self.iterations().is_none() {
            all.push(self.claim(ClaimSubject::Asked, self.options.highest_order));
        }
        all.sort_by_key(CheckedClaim::fails);
        all
    }

    /// Builds a claim about the conditions that were checked.
    fn claim(&self, subject: ClaimSubject, claimed: usize) -> CheckedClaim {
        let check = self.report.check();
        let [with_time, exact_with_time] = self.report.non_autonomous();
        CheckedClaim {
            subject,
            claimed,
            found: check.order(),
            as_stated: Some(check.order_as_stated()),
            exact: Some(exact_with_time.map_or(check.exact_order(), |exact| exact.min(check.exact_order()))),
            checked_to: self.options.highest_order,
            must_be_exact: self.must_be_exact,
            precision: precision(self.options.tolerance, &self.method),
            numerically: numerically(check.overstated()),
            with_time: with_time.filter(|order| *order < check.order()).and_then(|order| self.with_time(order)),
        }
    }

    /// Returns the order for problems y' = f(t, y) with the abscissae that differ from the row sums.
    fn with_time(&self, order: usize) -> Option<(usize, String)> {
        Some((order, off_row_sums_text(&self.method)?))
    }

    /// Returns whether b and b̂ have the orders claimed for each other.
    pub fn has_exchanged_weights(&self) -> bool {
        self.is_general()
            && has_exchanged_weights(self.method.claims(), self.report.check().order(), self.report.embedded()[0])
    }

    /// Returns the method of the library with the coefficients of the table, unless one entry differs that is no misprint.
    /// Linearized methods and separable problems have other orders.
    pub fn twin(&self) -> Option<LibraryTwin> {
        let order = self.report.check().order();
        let twin = LibraryTwin::find(&self.method).filter(|_| self.is_general())?;
        let is_shown = match twin.difference {
            TwinDifference::OneEntry(_) => twin.is_misprint(order, self.report.embedded()[0]),
            _ => true,
        };
        is_shown.then_some(twin)
    }

    /// Describes the order of a method without claims.
    pub fn without_claim(&self) -> String {
        let order = wording::at_least(self.report.check());
        match self.report.non_autonomous()[0].filter(|with_time| *with_time < self.report.check().order()) {
            Some(with_time) => format!("no claim; order {order} for y' = f(y), order {with_time} for y' = f(t, y)"),
            None => format!("no claim; order {order}"),
        }
    }

    /// Returns claims about other weights or other classes of problems.
    fn further_claims(&self) -> impl Iterator<Item = CheckedClaim> {
        let (claims, report) = (self.method.claims(), &self.report);
        let checked_to = self.options.highest_order;
        // A check that goes on finds the first order that fails. Separable orders are checked up to one above their own claim.
        let [embedded_to, separable_to] = match self.options.goes_on {
            true => [usize::MAX; 2],
            false => [checked_to, checked_to.max(claims.separable_order.unwrap_or(0))],
        };
        // The precision of conditions is reported only for the order; exactness is relevant here if only exact orders count.
        let further = |subject, claimed: Option<usize>, [found, exact]: [Option<usize>; 2], checked_to| {
            let (claimed, found) = (claimed?, found?);
            let exact = exact.filter(|_| self.must_be_exact);
            Some(CheckedClaim {
                found,
                as_stated: None,
                exact,
                checked_to,
                with_time: None,
                ..self.claim(subject, claimed)
            })
        };
        let embedded = further(ClaimSubject::EmbeddedOrder, claims.embedded_order, report.embedded(), embedded_to);
        let separable = further(ClaimSubject::SeparableOrder, claims.separable_order, report.separable(), separable_to);
        let dense = further(ClaimSubject::DenseOrder, claims.dense_order, report.dense_output(), checked_to);
        [embedded, dense, separable].into_iter().flatten()
    }
}

/// Returns the claims of a multirate method, or the order requested without a claim, failing ones last.
pub fn multirate_claims(
    method: &InfinitesimalMethod,
    report: &MultirateReport,
    asked: Option<usize>,
    must_be_exact: bool,
) -> Vec<CheckedClaim> {
    let claim = |subject, claimed, verdicts: &RowVerdicts| CheckedClaim {
        subject,
        claimed,
        found: verdicts.order(),
        as_stated: Some(verdicts.order_as_stated()),
        exact: Some(verdicts.exact_order()),
        checked_to: verdicts.orders().len(),
        must_be_exact,
        precision: precision_of(None, method.precision(), method.rounding()),
        numerically: numerically(None),
        with_time: None,
    };
    let claims = method.claims();
    let embedded = claims.embedded_order.zip(report.embedded.as_ref());
    let embedded = embedded.map(|(claimed, verdicts)| claim(ClaimSubject::EmbeddedOrder, claimed, verdicts));
    let order = claims.order.map(|claimed| claim(ClaimSubject::Order, claimed, &report.step));
    let mut all: Vec<CheckedClaim> = embedded.into_iter().chain(order).collect();
    if let Some(asked) = asked.filter(|_| all.is_empty()) {
        all.push(claim(ClaimSubject::Asked, asked, &report.step));
    }
    all.sort_by_key(CheckedClaim::fails);
    all
}

/// Explains “numerically”, with a stated precision that is too high.
fn numerically(overstated: Option<Precision>) -> String {
    overstated.map_or_else(
        || "numerically".to_owned(),
        |Precision { decimals }| {
            format!("numerically, not to the stated precision of {decimals} decimals, which is too high")
        },
    )
}

/// Explains “to precision” for a method.
fn precision(tolerance: Option<f64>, method: &Method) -> String {
    precision_of(tolerance, method.precision(), method.rounding())
}

fn precision_of(tolerance: Option<f64>, precision: Option<Precision>, rounding: Rounding) -> String {
    match (tolerance, precision) {
        (Some(tolerance), _) => format!("within {tolerance:e}"),
        (None, Some(Precision { decimals })) => format!("to the precision of {decimals} decimals"),
        (None, None) => match rounding.presumed_digits() {
            Some(digits) => format!("to the precision of its {digits} digits"),
            None => "to the precision of its digits".to_owned(),
        },
    }
}

impl CheckedClaim {
    /// Returns the order up to which the claim was checked.
    fn reach(&self) -> usize {
        self.claimed.min(self.checked_to)
    }

    fn holds_exactly(&self) -> bool {
        self.exact.is_some_and(|exact| exact >= self.reach())
    }

    /// Describes how the claim holds if not exactly.
    fn how(&self) -> &str {
        let is_as_stated = self.as_stated.is_none_or(|as_stated| as_stated >= self.reach());
        if is_as_stated { &self.precision } else { &self.numerically }
    }

    /// Returns whether the claim is refuted.
    pub fn fails(&self) -> bool {
        self.found < self.reach() || self.fails_with_time().is_some() || (self.must_be_exact && !self.holds_exactly())
    }

    /// Returns the order for problems y' = f(t, y), if it refutes the claim, and the reason.
    fn fails_with_time(&self) -> Option<&(usize, String)> {
        self.with_time.as_ref().filter(|(order, _)| *order < self.reach())
    }

    /// Formats the claim and its verdict.
    pub fn text(&self) -> String {
        let subject = match self.subject {
            ClaimSubject::Order => "claim order",
            ClaimSubject::SeparableOrder => "claim separable order",
            ClaimSubject::EmbeddedOrder => "claim embedded order",
            ClaimSubject::DenseOrder => "claim dense order",
            ClaimSubject::Asked => "order",
        };
        format!("{subject} {}: {}", self.claimed, self.verdict())
    }

    /// Formats the verdict on the claim.
    fn verdict(&self) -> String {
        if self.found < self.reach() {
            return format!("FAILS (order {})", self.found);
        }
        if let Some((order, reason)) = self.fails_with_time() {
            return format!("FAILS: order {order} for y' = f(t, y), {} for y' = f(y): {reason}", self.found);
        }
        let how = match self.exact {
            None => "verified".to_owned(),
            Some(_) if self.holds_exactly() => "verified exactly".to_owned(),
            Some(exact) if self.must_be_exact => {
                return format!("FAILS: it holds {}, not exactly (exact order {exact})", self.how());
            }
            Some(_) => format!("verified {}", self.how()),
        };
        if self.reach() < self.claimed {
            format!("{how} up to order {}, the highest checked", self.checked_to)
        } else if self.found > self.claimed {
            let at_least = if self.found == self.checked_to { "at least " } else { "" };
            format!("{how} (the order is {at_least}{})", self.found)
        } else {
            how
        }
    }
}
