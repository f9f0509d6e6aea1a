//! Whether a condition holds: exactly, to the precision of the coefficients, or not at all.

use crate::tree::Tree;

/// The verdict on one order condition Φ(t) = 1/γ(t).
///
/// The better verdict is the smaller: the verdict on several conditions is the largest of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The residual is zero in exact arithmetic.
    Exact,
    /// The residual is no larger than the stated precision of the coefficients explains (or, with none stated,
    /// rounding them to doubles).
    ToPrecision,
    /// The residual is larger than that.
    Fails,
}

impl Verdict {
    /// Whether the condition holds, exactly or to the precision of the coefficients.
    #[must_use]
    pub fn holds(self) -> bool {
        self != Self::Fails
    }
}

/// One condition with its residual.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The tree t.
    pub tree: Tree,
    /// The elementary weight Φ(t).
    pub value: f64,
    /// Φ(t) − 1/γ(t).
    pub residual: f64,
    /// How large a residual the uncertainty of the coefficients explains; zero where it was not needed.
    pub explained: f64,
    /// Whether the condition holds.
    pub verdict: Verdict,
}

impl Condition {
    pub(crate) fn new(tree: Tree, residual: f64, explained: f64, verdict: Verdict) -> Self {
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
    /// How many hold exactly.
    pub exact: u64,
    /// How many hold to the precision of the coefficients only.
    pub to_precision: u64,
    /// Whether one and the same rounding of the coefficients may explain all conditions up to this order that hold to
    /// precision; `true` too where that was not decided.
    pub together: bool,
    /// The largest |Φ − 1/γ|.
    pub max_residual: f64,
    /// The conditions that fail, in the sequence of the trees, as far as they are listed.
    pub failures: Vec<Condition>,
}

impl OrderSummary {
    /// How many conditions fail.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.conditions - self.exact - self.to_precision
    }

    pub(crate) fn add(&mut self, condition: Condition, listed: usize) {
        self.conditions += 1;
        self.exact += u64::from(condition.verdict == Verdict::Exact);
        self.to_precision += u64::from(condition.verdict == Verdict::ToPrecision);
        self.max_residual = self.max_residual.max(condition.residual.abs());
        if condition.verdict == Verdict::Fails && self.failures.len() < listed {
            self.failures.push(condition);
        }
    }
}
