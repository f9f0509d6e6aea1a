//! A report of all properties of a method.

use hemiola_number::{Counter, Progress};
use hemiola_tableau::Method;

use crate::engine::weights::StageSolution;
use crate::error::OrderError;
use crate::properties::coupling_order::coupling_order;
use crate::properties::dense_output::{DenseOutput, dense_output};
use crate::properties::embedded_error::{EmbeddedError, embedded_error};
use crate::properties::error_constants::{PrincipalError, principal_error};
use crate::properties::linear_order::linear_order_from;
use crate::properties::row_sums::has_row_sum_abscissae;
use crate::properties::simplifying_assumptions::{self, MethodAssumptions};
use crate::properties::symmetry::{self, Symmetry};
use crate::properties::symplecticity::{self, Symplecticity};
use crate::trees::grammar::Grammar;
use crate::verdict::check::{CheckOptions, OrderCheck, ProblemClass};
use crate::verdict::condition::OrderSummary;
use crate::verdict::condition_checker::{CheckExtent, PHASE};
use crate::verdict::equations::EquationJudge;

/// All properties of a method's order: the requested check and further properties.
#[derive(Clone, Debug)]
pub struct OrderReport {
    /// The requested check of conditions.
    pub check: OrderCheck,
    /// The order of each partition alone.
    pub partition_orders: Vec<usize>,
    /// The order of the conditions that involve at least two partitions; `None` for a single partition, or if the
    /// problem is not general.
    pub coupling_order: Option<usize>,
    /// The order for separable systems; `None` for a single partition.
    pub separable_order: Option<usize>,
    /// The order for separable systems that holds exactly.
    pub separable_exact_order: Option<usize>,
    /// The order for linear problems; `None` for linearized stages, or if the problem is not general.
    pub linear_order: Option<usize>,
    /// The order for problems y' = f(t, y), if the abscissae differ from the row sums.
    pub non_autonomous_order: Option<usize>,
    /// The exact order for such problems.
    pub non_autonomous_exact_order: Option<usize>,
    /// The order of the embedded weights, if there are any.
    pub embedded_order: Option<usize>,
    /// The exact order of the embedded weights.
    pub embedded_exact_order: Option<usize>,
    /// The constants of the embedded weights, if their order is below the highest one checked.
    pub embedded_error: Option<EmbeddedError>,
    /// The properties of the dense output, if there is one.
    pub dense_output: Option<DenseOutput>,
    /// The stage order.
    pub stage_order: usize,
    /// The simplifying assumptions B, C and D.
    pub assumptions: MethodAssumptions,
    /// The norms of the principal error, by the partitions that the conditions involve; `None` if no order was checked
    /// that fails, because the principal error may then belong to a higher one.
    pub principal_error: Option<PrincipalError>,
    /// Whether the method is symplectic.
    pub symplecticity: Symplecticity,
    /// Whether the method is symmetric.
    pub symmetry: Symmetry,
    /// The arithmetic that decided the verdicts.
    pub arithmetic: &'static str,
}

impl OrderReport {
    /// Checks a method with these options and computes its other properties.
    ///
    /// `progress` counts the conditions, including those of properties with a separate check.
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is out of range, there are too many trees, or `progress` stops the check.
    ///
    /// ```
    /// use hemiola_order::{CheckOptions, OrderReport};
    /// let verlet = hemiola_tableau::library::method("stormer-verlet").unwrap();
    /// let report = OrderReport::new(&verlet, CheckOptions { highest_order: 3, ..Default::default() }, &()).unwrap();
    /// assert_eq!(report.partition_orders, [2, 2]);
    /// assert_eq!((report.coupling_order, report.separable_order), (Some(2), Some(2)));
    /// ```
    pub fn new(method: &Method, options: CheckOptions, progress: &dyn Progress) -> Result<Self, OrderError> {
        let counter = &Counter::new(progress, PHASE, total(conditions(method, options)));
        let check = OrderCheck::counted(method, options, CheckExtent::All, counter)?;
        let order = check.order();
        let alone = checks_alone(method, options, &check, counter)?;
        let judge = EquationJudge::new(method, options.tolerance);
        let is_general = options.problem == ProblemClass::General;
        let separable = separable(method, options, counter)?;
        let embedded = embedded(method, options, counter)?;
        let embedded_error = embedded.as_ref().map(|check| error_estimate(method, check)).transpose()?.flatten();
        let with_time = non_autonomous(method, options, counter)?;
        let assumptions = simplifying_assumptions::of_judge(&judge);
        let principal_error = if check.is_capped() { None } else { Some(principal_error(&method.exact(), order)?) };
        // If the conditions hold individually but not together, they do not establish the linear order either.
        let is_refuted = check.orders().get(order).is_some_and(OrderSummary::fails_together);
        let highest_linear = match options.goes_on {
            _ if is_refuted => order,
            true => usize::MAX,
            false => options.highest_order,
        };
        let reached = CheckOptions { highest_order: check.highest_order(), ..options };
        Ok(Self {
            partition_orders: alone.iter().map(OrderCheck::order).collect(),
            coupling_order: (is_general && alone.len() > 1).then(|| coupling_order(&check, &alone)),
            separable_order: separable.as_ref().map(OrderCheck::order),
            separable_exact_order: separable.as_ref().map(OrderCheck::exact_order),
            linear_order: (is_general && options.stages == StageSolution::Solved)
                .then(|| linear_order_from(&judge, order, highest_linear)),
            non_autonomous_order: with_time.as_ref().map(OrderCheck::order),
            non_autonomous_exact_order: with_time.as_ref().map(OrderCheck::exact_order),
            embedded_order: embedded.as_ref().map(OrderCheck::order),
            embedded_exact_order: embedded.as_ref().map(OrderCheck::exact_order),
            embedded_error,
            dense_output: dense_output(method, reached)?,
            stage_order: assumptions.coupled.stage_order(),
            assumptions,
            principal_error,
            symplecticity: symplecticity::of_judge(&judge),
            symmetry: symmetry::of_judge(&judge),
            arithmetic: arithmetic(method),
            check,
        })
    }
}

impl OrderReport {
    /// Returns the 2-norm of the principal error coefficients of all trees; `None` if no order was checked that fails.
    #[must_use]
    pub fn principal_error_norm(&self) -> Option<f64> {
        self.principal_error.as_ref().map(|error| error.total.two)
    }
}

/// Returns the number of conditions that a report counts; zero for linearized stages.
fn conditions(method: &Method, options: CheckOptions) -> u128 {
    if options.stages != StageSolution::Solved {
        return 0;
    }
    let problem = options.problem;
    let partitions = method.partitions().len();
    let is_general = problem == ProblemClass::General;
    let mut all = vec![of_problem(problem, method, options), of_embedded(method, options)];
    if partitions > 1 || !is_general {
        all.extend((0..partitions).map(|_| count(&Grammar::partitioned(1), options.highest_order)));
    }
    if partitions > 1 {
        all.push(of_separable(method, options));
    }
    if is_general {
        all.push(of_non_autonomous(method, options));
    }
    all.into_iter().fold(0, u128::saturating_add)
}

/// Returns a number of conditions as the total of a [`Counter`].
pub(crate) fn total(conditions: u128) -> Option<usize> {
    Some(usize::try_from(conditions).unwrap_or(usize::MAX))
}

/// Counts the conditions up to an order; saturates for orders that the check itself rejects.
fn count(grammar: &Grammar, order: usize) -> u128 {
    grammar.total(order).unwrap_or(u128::MAX)
}

/// Returns the number of conditions that the check of a class of problems counts.
pub(crate) fn of_problem(problem: ProblemClass, method: &Method, options: CheckOptions) -> u128 {
    count(&problem.grammar(method), options.highest_order)
}

/// Returns the number of conditions that [`non_autonomous`] counts.
pub(crate) fn of_non_autonomous(method: &Method, options: CheckOptions) -> u128 {
    if has_row_sum_abscissae(method) { 0 } else { of_problem(ProblemClass::NonAutonomous, method, options) }
}

/// Returns the number of conditions that [`separable`] counts.
pub(crate) fn of_separable(method: &Method, options: CheckOptions) -> u128 {
    count(&Grammar::separable(method.partitions().len()), separable_options(method, options).highest_order)
}

/// Returns the number of conditions that [`embedded`] counts.
pub(crate) fn of_embedded(method: &Method, options: CheckOptions) -> u128 {
    method.embedded().map_or(0, |_| of_problem(options.problem, method, options))
}

/// Checks the individual partitions. A single partition has no separable problem, because the edges of its trees
/// join equal colors.
fn checks_alone(
    method: &Method,
    options: CheckOptions,
    check: &OrderCheck,
    counter: &Counter<'_>,
) -> Result<Vec<OrderCheck>, OrderError> {
    if method.partitions().len() == 1 && options.problem == ProblemClass::General {
        return Ok(vec![check.clone()]);
    }
    let options = CheckOptions { problem: ProblemClass::General, ..options };
    let alone = (0..method.partitions().len()).filter_map(|partition| method.partition_alone(partition));
    alone.map(|method| OrderCheck::counted(&method, options, CheckExtent::All, counter)).collect()
}

/// Checks the conditions of separable problems; `None` for a single partition.
pub(crate) fn separable(
    method: &Method,
    options: CheckOptions,
    counter: &Counter<'_>,
) -> Result<Option<OrderCheck>, OrderError> {
    if method.partitions().len() == 1 {
        return Ok(None);
    }
    OrderCheck::counted(method, separable_options(method, options), CheckExtent::UntilFailure, counter).map(Some)
}

/// Returns the options for separable problems. The claimed separable order may exceed the general one, but no
/// quadrature has an order above 2s.
fn separable_options(method: &Method, options: CheckOptions) -> CheckOptions {
    let claimed = method.claims().separable_order.map_or(0, |claim| claim.min(2 * method.stages()) + 1);
    CheckOptions { highest_order: claimed.max(options.highest_order), problem: ProblemClass::Separable, ..options }
}

/// Checks the conditions of problems y' = f(t, y); `None` if the abscissae are the row sums.
pub(crate) fn non_autonomous(
    method: &Method,
    options: CheckOptions,
    counter: &Counter<'_>,
) -> Result<Option<OrderCheck>, OrderError> {
    if options.problem != ProblemClass::General || has_row_sum_abscissae(method) {
        return Ok(None);
    }
    let options = CheckOptions { problem: ProblemClass::NonAutonomous, ..options };
    OrderCheck::counted(method, options, CheckExtent::UntilFailure, counter).map(Some)
}

/// Checks the embedded weights; `None` if there are none.
pub(crate) fn embedded(
    method: &Method,
    options: CheckOptions,
    counter: &Counter<'_>,
) -> Result<Option<OrderCheck>, OrderError> {
    method
        .embedded()
        .map(|embedded| OrderCheck::counted(&embedded, options, CheckExtent::UntilFailure, counter))
        .transpose()
}

/// Computes the constants of the checked embedded weights. Returns `None` at the highest order that was checked,
/// because the principal error may then belong to a higher order.
fn error_estimate(method: &Method, check: &OrderCheck) -> Result<Option<EmbeddedError>, OrderError> {
    if check.is_capped() { Ok(None) } else { embedded_error(method, check.order()) }
}

fn arithmetic(method: &Method) -> &'static str {
    let coefficients =
        method.partitions().iter().flat_map(|partition| partition.a.iter().flatten().chain(&partition.b));
    let is_rational = coefficients.into_iter().all(|coefficient| coefficient.value().as_rational().is_some());
    if is_rational { "exact rationals" } else { "exact numbers with square roots" }
}
