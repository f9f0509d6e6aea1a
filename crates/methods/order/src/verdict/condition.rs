//! Verdicts on conditions: they hold exactly, to the precision of the coefficients, numerically, or not at all.

use crate::trees::tree::Tree;

/// Largest residual that errors in last digits may cause, relative to the sum of the moduli of a condition's terms.
pub(crate) const NUMERICALLY: f64 = 1e-12;
/// Largest residual, relative to the expected value, that rounded digits may explain if they are only presumed to be
/// rounded. Conditions of the next order, which are not meant to hold, rarely have smaller residuals.
pub(crate) const PRESUMABLY: f64 = 0.01;

/// The verdict on one order condition Φ(t) = 1/γ(t), or on any polynomial equation between coefficients.
///
/// Better verdicts compare as smaller; the verdict on several conditions is the largest of their verdicts.
///
/// A tableau may be correct except for its last digits, like most tableaus computed in double precision. A backward
/// error distinguishes such residuals from those of wrong digits: they must be explained by changes of the coefficients
/// by 1e-12 of their size or of one, whichever is larger, and by at most 1e-10
/// ([`Rounding::slack`](hemiola_tableau::Rounding::slack)). Thus the size of canceling terms does not excuse a large
/// residual if no change of coefficients can cause it. [`OrderCheck`](crate::OrderCheck) also requires that a single
/// change explains all residuals together, so that an earlier wrong digit cannot hide in conditions that other
/// coefficients dominate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The residual is zero in exact arithmetic.
    Exact,
    /// The residual is no larger than the precision of the coefficients explains: the stated precision or that of
    /// the given digits ([`Rounding`](hemiola_tableau::Rounding)). In a tableau of three to six digits, which are
    /// only presumed to be rounded, it is also at most one percent of the expected value.
    ToPrecision,
    /// The residual exceeds this precision, but is at most 1e-12 of the sum of the moduli of the condition's terms, and
    /// no larger than errors in last digits explain.
    Numerically,
    /// The residual is larger than all of these bounds.
    Fails,
}

impl Verdict {
    /// Returns the verdict on a nonzero residual.
    #[must_use]
    pub fn on(residual: f64, allowance: Allowance) -> Self {
        // NaN fails.
        if residual.abs() <= allowance.to_precision {
            Self::ToPrecision
        } else if residual.abs() <= allowance.numerically {
            Self::Numerically
        } else {
            Self::Fails
        }
    }

    /// Returns whether the condition holds: exactly, to the precision of the coefficients, or numerically.
    #[must_use]
    pub fn holds(self) -> bool {
        self != Self::Fails
    }

    /// Returns whether the condition holds for the coefficients as stated: exactly or to their precision.
    #[must_use]
    pub fn holds_as_stated(self) -> bool {
        self <= Self::ToPrecision
    }
}

/// Largest residuals for the verdicts that are not exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    pub(crate) to_precision: f64,
    pub(crate) numerically: f64,
}

impl Allowance {
    /// Combines the parts explained by the precision and by last digits, for a condition whose terms have moduli
    /// with this sum.
    #[must_use]
    pub fn new(to_precision: f64, last_digits: f64, size: f64) -> Self {
        Self { to_precision, numerically: Self::numerically(last_digits, size) }
    }

    /// Returns the largest residual that holds numerically.
    pub(crate) fn numerically(last_digits: f64, size: f64) -> f64 {
        last_digits.min(NUMERICALLY * size)
    }

    /// Creates an allowance from a tolerance, which replaces all derived bounds.
    pub(crate) fn within(tolerance: f64) -> Self {
        Self { to_precision: tolerance, numerically: tolerance }
    }

    /// Returns the largest residual that holds.
    pub(crate) fn largest(self) -> f64 {
        self.to_precision.max(self.numerically)
    }
}

/// A condition with its residual.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The tree t.
    pub tree: Tree,
    /// The elementary weight Φ(t).
    pub value: f64,
    /// The residual Φ(t) − 1/γ(t).
    pub residual: f64,
    /// The residual that the precision of the coefficients explains; zero if not required.
    pub explained: f64,
    /// The verdict on the condition.
    pub verdict: Verdict,
}

impl Condition {
    /// Creates the condition of a tree from its residual and the verdict on it.
    #[must_use]
    pub fn new(tree: Tree, residual: f64, explained: f64, verdict: Verdict) -> Self {
        let value = residual + 1.0 / tree.density() as f64;
        Self { tree, value, residual, explained, verdict }
    }
}

/// The conditions of one order, counted by verdict.
#[derive(Clone, Debug, Default)]
pub struct OrderSummary {
    /// The order.
    pub order: usize,
    /// The number of conditions.
    pub conditions: u64,
    /// The number of conditions that hold exactly.
    pub exact: u64,
    /// The number of conditions that hold only to the precision of the coefficients.
    pub to_precision: u64,
    /// The number of conditions that hold only numerically.
    pub numerically: u64,
    /// Whether a single change of last digits may explain all conditions up to this order. Also `true` if undecided, or
    /// irrelevant because some conditions fail.
    pub together: bool,
    /// Whether a single rounding of the coefficients to their precision may explain them; `true` in the same
    /// other cases.
    pub together_as_stated: bool,
    /// The largest |Φ − 1/γ|.
    pub max_residual: f64,
    /// The failing conditions in the order of the trees, up to the maximum number listed.
    pub failures: Vec<Condition>,
}

impl OrderSummary {
    /// Returns the number of conditions that fail.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.conditions - self.exact - self.to_precision - self.numerically
    }

    /// Returns whether all conditions of the order hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failed() == 0 && self.together
    }

    /// Returns whether the conditions hold individually, but no single change of the coefficients explains all
    /// residuals.
    #[must_use]
    pub fn fails_together(&self) -> bool {
        self.failed() == 0 && !self.together
    }

    /// Returns whether all conditions of the order hold for the coefficients as stated.
    #[must_use]
    pub fn holds_as_stated(&self) -> bool {
        self.failed() + self.numerically == 0 && self.together_as_stated
    }

    /// Creates the summary of an order without conditions.
    #[must_use]
    pub fn new(order: usize) -> Self {
        Self { order, together: true, together_as_stated: true, ..Self::default() }
    }

    pub(crate) fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Exact => self.exact += 1,
            Verdict::ToPrecision => self.to_precision += 1,
            Verdict::Numerically => self.numerically += 1,
            Verdict::Fails => {}
        }
    }

    /// Adds the counts of another summary of the same order, and takes the larger residual.
    pub(crate) fn include(&mut self, others: Self) {
        self.conditions += others.conditions;
        self.exact += others.exact;
        self.to_precision += others.to_precision;
        self.numerically += others.numerically;
        self.max_residual = self.max_residual.max(others.max_residual);
        self.failures.extend(others.failures);
    }

    /// Adds a condition; `listed` is the largest number of failures stored.
    pub fn add(&mut self, condition: Condition, listed: usize) {
        self.conditions += 1;
        self.count(condition.verdict);
        self.max_residual = self.max_residual.max(condition.residual.abs());
        if condition.verdict == Verdict::Fails && self.failures.len() < listed {
            self.failures.push(condition);
        }
    }
}
