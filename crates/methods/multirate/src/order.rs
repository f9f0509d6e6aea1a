//! Verdicts on the order conditions, and the principal error.

use hemiola_order::{Condition, Grammar, NodeKind, Norms, OrderError, OrderSummary, Tree, TreeId, Trees, Verdict};
use hemiola_tableau::{Exact, Scalar};
use num_traits::Zero;

use crate::allowances::Allowances;
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::weights::{MultirateWeights, RowKind};

/// Maximum number of conditions; more would take minutes in exact arithmetic.
const MOST_CONDITIONS: u128 = 100_000;
/// Highest order examined in the search for the first that fails; no published method has an order above five.
const HIGHEST_TRIED: usize = 6;
/// Maximum number of failing conditions that are listed for an order.
const LISTED: usize = 1000;

/// Norms of the principal error coefficients (Φ(t) − 1/γ(t))/σ(t), in total and by the rates of the nodes. The
/// squares of the 2-norms of the parts add up to that of the total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorByRate {
    /// The order of the trees: one above that of the method.
    pub order: usize,
    /// Norms over all trees.
    pub total: Norms,
    /// Norms over the trees with fast nodes only.
    pub fast: Norms,
    /// Norms over the trees with slow nodes only, of any slow partition.
    pub slow: Norms,
    /// Norms over the trees with fast and slow nodes.
    pub coupling: Norms,
}

/// The verdicts on the conditions of one row, order by order.
#[derive(Clone, Debug)]
pub struct RowVerdicts {
    orders: Vec<OrderSummary>,
    principal_error: Option<ErrorByRate>,
}

impl RowVerdicts {
    /// Returns the verdicts, order by order. Each condition is judged separately; whether a single change of the
    /// coefficients explains all residuals remains open.
    #[must_use]
    pub fn orders(&self) -> &[OrderSummary] {
        &self.orders
    }

    /// Iterates over the conditions that fail, the first thousand of each order.
    pub fn failures(&self) -> impl Iterator<Item = &Condition> {
        self.orders.iter().flat_map(|summary| &summary.failures)
    }

    /// Returns the largest order up to which all conditions hold exactly, to precision or numerically.
    #[must_use]
    pub fn order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.holds()).count()
    }

    /// Returns the largest order up to which all conditions hold exactly or to precision.
    #[must_use]
    pub fn order_as_stated(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.holds_as_stated()).count()
    }

    /// Returns the largest order up to which all conditions hold exactly.
    #[must_use]
    pub fn exact_order(&self) -> usize {
        self.orders.iter().take_while(|summary| summary.exact == summary.conditions).count()
    }

    /// Returns whether the conditions of all orders checked hold, so that the order might be higher.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.order() == self.orders.len()
    }

    /// Returns the principal error; `None` if no condition of the checked orders fails.
    #[must_use]
    pub fn principal_error(&self) -> Option<&ErrorByRate> {
        self.principal_error.as_ref()
    }
}

/// The verdicts on the order conditions of an infinitesimal method.
#[derive(Clone, Debug)]
pub struct MultirateReport {
    /// The verdicts on the result of the step.
    pub step: RowVerdicts,
    /// The verdicts on the embedded method, if there is one.
    pub embedded: Option<RowVerdicts>,
}

impl MultirateReport {
    /// Evaluates all conditions of orders 1 to `highest_order` in exact arithmetic, for trees colored by the fast and
    /// all slow partitions. `None` checks up to the first order that fails in both rows, at most 6.
    ///
    /// ```
    /// use hemiola_multirate::{MultirateReport, library};
    /// let report = MultirateReport::new(&library::method("mis-kw3")?, Some(4))?;
    /// assert_eq!(report.step.order(), 3);
    /// let error = report.step.principal_error().expect("order 4 fails");
    /// assert!((error.total.two - 0.0809192513562).abs() < 1e-13);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Order`] if there are too many conditions.
    pub fn new(method: &InfinitesimalMethod, highest_order: Option<usize>) -> Result<Self, MultirateError> {
        if let Some(order) = highest_order {
            return Self::up_to(method, order);
        }
        let claims = method.claims();
        let mut order = claims.order.max(claims.embedded_order).map_or(2, |claimed| claimed.saturating_add(1));
        loop {
            let report = Self::up_to(method, order)?;
            let rows = std::iter::once(&report.step).chain(&report.embedded);
            let is_known = rows.map(RowVerdicts::order).all(|attained| attained < order);
            if is_known || order >= HIGHEST_TRIED {
                return Ok(report);
            }
            order += 1;
        }
    }

    fn up_to(method: &InfinitesimalMethod, order: usize) -> Result<Self, MultirateError> {
        let grammar = Grammar::partitioned(method.partitions().len());
        let conditions = grammar.counts(order)?.into_iter().fold(0, u128::saturating_add);
        if conditions > MOST_CONDITIONS {
            let stages = method.stages().len();
            return Err(OrderError::TooMuchWork { order, conditions, stages, most: MOST_CONDITIONS }.into());
        }
        let trees = Trees::new(&grammar, order)?;
        let weights = MultirateWeights::new(&trees, method.exact_rows(), method.stages().len());
        let allowances = Allowances::new(method, &trees);
        let mut checker = RowChecker { trees: &trees, weights, allowances };
        let step = checker.verdicts(RowKind::Step);
        let embedded = method.embedded().map(|_| checker.verdicts(RowKind::Embedded));
        Ok(Self { step, embedded })
    }
}

struct RowChecker<'a> {
    trees: &'a Trees,
    weights: MultirateWeights<'a, Exact>,
    allowances: Allowances<'a>,
}

impl RowChecker<'_> {
    fn verdicts(&mut self, row: RowKind) -> RowVerdicts {
        let mut orders = Vec::new();
        let mut principal_error = None;
        for order in 1..=self.trees.highest_order() {
            let mut summary = OrderSummary::new(order);
            let mut coefficients = Vec::new();
            for tree in self.trees.of_order(order) {
                let condition = self.condition(tree, row);
                let coefficient = condition.residual / self.trees.symmetry(tree) as f64;
                coefficients.push((rates(&condition.tree), coefficient));
                summary.add(condition, LISTED);
            }
            if summary.failed() > 0 && principal_error.is_none() {
                principal_error = Some(error_by_rate(order, &coefficients));
            }
            orders.push(summary);
        }
        RowVerdicts { orders, principal_error }
    }

    fn condition(&mut self, tree: TreeId, row: RowKind) -> Condition {
        let residual = self.weights.weight(tree, row) - Exact::ratio(1, self.trees.density(tree));
        let text = self.trees.tree(tree);
        if residual.is_zero() {
            return Condition::new(text, 0.0, 0.0, Verdict::Exact);
        }
        let residual = residual.to_f64();
        let (verdict, explained) = self.allowances.verdict(tree, row, residual);
        Condition::new(text, residual, explained, verdict)
    }
}

/// The rates of the nodes of a tree: fast, slow.
type Rates = [bool; 2];

fn rates(tree: &Tree) -> Rates {
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = tree.kind();
    tree.children().iter().map(rates).fold([color == 0, color > 0], |[fast, slow], [f, s]| [fast || f, slow || s])
}

fn error_by_rate(order: usize, coefficients: &[(Rates, f64)]) -> ErrorByRate {
    let norms = |belongs: &dyn Fn(Rates) -> bool| {
        Norms::of(coefficients.iter().filter(|(rates, _)| belongs(*rates)).map(|(_, coefficient)| *coefficient))
    };
    ErrorByRate {
        order,
        total: norms(&|_| true),
        fast: norms(&|rates| rates == [true, false]),
        slow: norms(&|rates| rates == [false, true]),
        coupling: norms(&|rates| rates == [true, true]),
    }
}
