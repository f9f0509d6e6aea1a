//! Order conditions: check, diagnosis, completion, polishing.

use hemiola::atlas::wording;
use hemiola::design::{self, AbsenceProof, CompletionOutcome, CompletionRequests, PolishOptions};
use hemiola::number::parse_number;
use hemiola::order::diagnose::{Claim, first_failing};
use hemiola::order::{
    self, CheckOptions, DiagnoseOptions, Grammar, OrderCheck, OrderError, OrderReport, OrderSummary,
    PolynomialCoefficient, ProblemClass, StageSolution, Trees, Verdict,
};
use hemiola::tableau::Method;
use pyo3::prelude::*;

use crate::errors::{not_found, of_design, refused};
use crate::method::Core;
use crate::running::released;

/// Labels of tree colors without a method.
const LETTERS: [&str; 6] = ["s", "f", "3", "4", "5", "6"];
/// Largest order for counting trees; counts of higher orders would exceed 128 bits.
const MOST_COUNTED: usize = 40;

#[derive(IntoPyObject)]
struct Condition {
    tree: String,
    order: usize,
    value: f64,
    expected: f64,
    residual: f64,
}

#[derive(IntoPyObject)]
struct Summary {
    order: usize,
    conditions: u64,
    failed: u64,
    numerically: u64,
    max_residual: f64,
}

#[derive(IntoPyObject)]
struct Report {
    order: usize,
    order_as_stated: usize,
    exact_order: usize,
    order_checked_to: usize,
    order_capped: bool,
    claimed_order: Option<usize>,
    partition_orders: Vec<usize>,
    coupling_order: Option<usize>,
    separable_order: Option<usize>,
    linear_order: Option<usize>,
    non_autonomous_order: Option<usize>,
    embedded_order: Option<usize>,
    dense_order: Option<usize>,
    stage_order: usize,
    principal_error_norm: Option<f64>,
    principal_error_max: Option<f64>,
    symplectic: bool,
    symmetric: bool,
    arithmetic: &'static str,
    orders: Vec<Summary>,
    failures: Vec<Condition>,
}

/// Returns the labels of tree nodes, as on the pages of the atlas; none for a single partition.
fn labels(method: &Method) -> Vec<String> {
    if method.partitions().len() == 1 { vec![String::new()] } else { wording::labels(method) }
}

/// Returns the highest order whose conditions hold, the order as stated, and the exact order.
#[pyfunction]
fn order_of(py: Python<'_>, core: &Core) -> PyResult<[usize; 3]> {
    released(py, None, || {
        let options = by_claim(&core.method).map_err(refused)?;
        let check = OrderCheck::new(&core.method, options).map_err(refused)?;
        Ok([check.order(), check.order_as_stated(), check.exact_order()])
    })?
}

/// Returns the options of a check without a requested order. A claim that takes too long to check is ignored.
fn by_claim(method: &Method) -> Result<CheckOptions, OrderError> {
    CheckOptions::for_claim(method, method.claims().order).or_else(|_| CheckOptions::for_claim(method, None))
}

/// Returns the stage order.
#[pyfunction]
fn stage_order(py: Python<'_>, core: &Core) -> PyResult<usize> {
    released(py, None, || order::stage_order(&core.method))
}

/// Computes the 2-norm of the principal error for an order, and its largest modulus.
#[pyfunction]
fn principal_error(py: Python<'_>, core: &Core, order: usize) -> PyResult<[f64; 2]> {
    let error = released(py, None, || order::principal_error(&core.method.exact(), order).map_err(refused))??;
    Ok([error.total.two, error.total.infinity])
}

/// Returns the labels of tree colors.
pub(crate) fn colors(partitions: usize) -> PyResult<&'static [&'static str]> {
    match partitions {
        1 => Ok(&[""]),
        _ if partitions > 0 && partitions <= LETTERS.len() => Ok(&LETTERS[..partitions]),
        _ => Err(refused(format!("found {partitions} partitions; expected 1 to {}", LETTERS.len()))),
    }
}

/// Lists the rooted trees of an order with nodes of `partitions` colors: text, density γ, symmetry.
#[pyfunction]
fn trees(py: Python<'_>, order: usize, partitions: usize) -> PyResult<Vec<(String, u64, u64)>> {
    let labels = colors(partitions)?;
    released(py, None, || {
        let trees = Trees::new(&Grammar::partitioned(partitions), order).map_err(refused)?;
        let tree = |id| (trees.tree(id).text(labels), trees.density(id), trees.symmetry(id));
        Ok(trees.of_order(order).into_iter().map(tree).collect())
    })?
}

/// Counts the rooted trees of orders 1, 2, … with nodes of `partitions` colors.
#[pyfunction]
fn tree_counts(order: usize, partitions: usize) -> PyResult<Vec<u128>> {
    colors(partitions)?;
    if order > MOST_COUNTED {
        return Err(refused(format!("found order {order}; expected at most {MOST_COUNTED}")));
    }
    Grammar::partitioned(partitions).counts(order).map_err(refused)
}

#[pyfunction]
fn check(
    py: Python<'_>,
    core: &Core,
    highest: Option<usize>,
    problem: &str,
    linearized: Option<usize>,
    tolerance: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Report> {
    let problem = match problem {
        "general" => ProblemClass::General,
        "separable" => ProblemClass::Separable,
        "non-autonomous" => ProblemClass::NonAutonomous,
        other => {
            return Err(refused(format!("found problem {other:?}; expected general, separable or non-autonomous")));
        }
    };
    let stages = linearized.map_or(StageSolution::Solved, |iterations| StageSolution::Linearized { iterations });
    let range = match highest {
        Some(highest_order) => CheckOptions { highest_order, ..CheckOptions::default() },
        None => by_claim(&core.method).map_err(refused)?,
    };
    let options = CheckOptions { problem, stages, tolerance, ..range };
    let report = released(py, threads, || OrderReport::new(&core.method, options, &()).map_err(refused))??;
    Ok(reported(&core.method, &report))
}

fn reported(method: &Method, report: &OrderReport) -> Report {
    let labels = labels(method);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let holds = |verdict: Verdict| verdict != Verdict::Fails;
    let summary = |summary: &OrderSummary| Summary {
        order: summary.order,
        conditions: summary.conditions,
        failed: summary.failed(),
        numerically: summary.numerically,
        max_residual: summary.max_residual,
    };
    Report {
        order: report.check.order(),
        order_as_stated: report.check.order_as_stated(),
        exact_order: report.check.exact_order(),
        order_checked_to: report.check.highest_order(),
        order_capped: report.check.is_capped(),
        claimed_order: method.claims().order,
        partition_orders: report.partition_orders.clone(),
        coupling_order: report.coupling_order,
        separable_order: report.separable_order,
        linear_order: report.linear_order,
        non_autonomous_order: report.non_autonomous_order,
        embedded_order: report.embedded_order,
        dense_order: report.dense_output.as_ref().map(|dense| dense.order),
        stage_order: report.stage_order,
        principal_error_norm: report.principal_error_norm(),
        principal_error_max: report.principal_error.as_ref().map(|error| error.total.infinity),
        symplectic: holds(report.symplecticity.within) && report.symplecticity.conjugate.is_none_or(holds),
        symmetric: holds(report.symmetry.general),
        arithmetic: report.arithmetic,
        orders: report.check.orders().iter().map(summary).collect(),
        failures: (report.check.failures())
            .map(|condition| Condition {
                tree: condition.tree.text(&labels),
                order: condition.tree.order(),
                value: condition.value,
                expected: 1.0 / condition.tree.density() as f64,
                residual: condition.residual,
            })
            .collect(),
    }
}

#[derive(IntoPyObject)]
struct Change {
    partition: String,
    place: String,
    old: String,
    new: String,
    solved: bool,
}

#[derive(IntoPyObject)]
struct Suggestion {
    slip: String,
    changes: Vec<Change>,
    order: usize,
    max_residual: f64,
    log_accidental_fits: f64,
    plausible: bool,
    method: Core,
}

#[derive(IntoPyObject)]
struct Diagnosis {
    claim: String,
    order: usize,
    conditions: u64,
    failed: u64,
    sound: bool,
    holds_numerically: bool,
    tried: usize,
    suggestions: Vec<Suggestion>,
}

/// Searches for a misprint that explains the first failing claim (name, order); `polynomials` are (partition, power,
/// coefficient).
#[pyfunction]
fn diagnose(
    py: Python<'_>,
    core: &Core,
    claims: Vec<(String, usize)>,
    given: Vec<usize>,
    polynomials: Vec<(usize, usize, String)>,
    threads: Option<usize>,
) -> PyResult<Diagnosis> {
    let known = |(partition, power, text): (usize, usize, String)| {
        let value = parse_number(&text).map_err(|problem| refused(format!("{text}: {problem}")))?;
        Ok(PolynomialCoefficient { partition, power, value })
    };
    let polynomials = polynomials.into_iter().map(known).collect::<PyResult<Vec<_>>>()?;
    let options = |(name, order): (String, usize)| {
        let claim = Claim::ALL.into_iter().find(|claim| claim.to_string() == name);
        let claim = claim.ok_or_else(|| refused(format!("found a claim about the {name:?}")))?;
        Ok(DiagnoseOptions { order, claim, given: given.clone(), polynomials: polynomials.clone() })
    };
    let claims = claims.into_iter().map(options).collect::<PyResult<Vec<_>>>()?;
    let first = claims.first().cloned().unwrap_or_default();
    let diagnosed = || -> Result<_, OrderError> {
        let options = first_failing(&core.method, &claims)?.unwrap_or(&first);
        Ok((options.claim, order::diagnose(&core.method, options, &())?))
    };
    let (claim, found) = released(py, threads, || diagnosed().map_err(refused))??;
    let names: Vec<String> = core.method.partitions().iter().map(|partition| partition.name.clone()).collect();
    let change = |change: &order::CoefficientChange| Change {
        partition: names[change.cell.partition].clone(),
        place: change.entry(),
        old: change.old.text().to_owned(),
        new: change.new.text().to_owned(),
        solved: change.solved,
    };
    let suggestion = |suggestion: order::Suggestion| Suggestion {
        slip: suggestion.slip.to_string(),
        changes: suggestion.changes.iter().map(change).collect(),
        order: suggestion.order,
        max_residual: suggestion.max_residual,
        log_accidental_fits: suggestion.log_accidental_fits,
        plausible: suggestion.is_plausible(),
        method: Core::new(suggestion.method),
    };
    Ok(Diagnosis {
        claim: claim.to_string(),
        order: found.order,
        conditions: found.conditions,
        failed: found.failed,
        sound: found.is_sound,
        holds_numerically: found.holds_numerically,
        tried: found.tried,
        suggestions: found.suggestions.into_iter().map(suggestion).collect(),
    })
}

/// Completes a method with embedded weights, dense output or both; the error explains why none exist.
#[pyfunction]
fn complete(
    py: Python<'_>,
    core: &Core,
    embedded: Option<usize>,
    dense: Option<usize>,
    extra_stage: bool,
) -> PyResult<Core> {
    let wishes = CompletionRequests { embedded, dense, extra_stage };
    let found = released(py, None, || design::complete(&core.method, wishes).map_err(of_design))??;
    if let Some(method) = found.method {
        return Ok(Core::new(method));
    }
    let findings = [("embedded weights", found.embedded), ("dense output", found.dense)];
    let labels = labels(&core.method);
    let reasons = findings.iter().filter_map(|(what, finding)| reason(what, finding.as_ref()?, &labels));
    Err(not_found(format!("{}: {}", core.method.id(), reasons.collect::<Vec<_>>().join("; "))))
}

/// Explains why something was not found; returns `None` if it was found.
pub(crate) fn reason(what: &str, finding: &CompletionOutcome, labels: &[String]) -> Option<String> {
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let why = |proof: &AbsenceProof| {
        match proof {
        AbsenceProof::Contradiction { terms, .. } => {
            let trees: Vec<String> = terms.iter().map(|(tree, _)| tree.text(&labels)).collect();
            format!("the conditions of {} contradict each other", trees.join(", "))
        }
        AbsenceProof::OnlyOwn { .. } => "the conditions leave the method's own weights only".to_owned(),
        AbsenceProof::WithinPrecision { contradiction: true, .. } => {
            "the conditions contradict each other for every table within the precision of the coefficients".to_owned()
        }
        AbsenceProof::WithinPrecision { .. } => {
            "the conditions leave the method's own weights only, for every table within the precision of the coefficients"
                .to_owned()
        }
    }
    };
    match finding {
        CompletionOutcome::Found { .. } => None,
        CompletionOutcome::Impossible { order, partition, proof, .. } => {
            Some(format!("no {what} of order {order} for the partition {partition}: {}", why(proof)))
        }
        CompletionOutcome::Undecided { order, partition } => Some(format!(
            "the precision of the coefficients does not decide whether the partition {partition} has {what} of order {order}"
        )),
    }
}

#[derive(IntoPyObject)]
struct Polished {
    method: Core,
    unknowns: usize,
    dimension: usize,
    moved: f64,
    farthest: String,
    explained: bool,
    /// Proved distance of an exact solution.
    radius: Option<f64>,
    certificate: Option<String>,
}

#[pyfunction]
fn polish(py: Python<'_>, core: &Core, order: usize, decimals: usize, nearest: bool) -> PyResult<Polished> {
    let options = PolishOptions { order, decimals, nearest };
    let found = released(py, None, || design::polish(&core.method, options))?;
    let found = found.map_err(|problem| {
        let message = format!("{}: {problem}", core.method.id());
        if problem.is_about_input() { refused(message) } else { not_found(message) }
    })?;
    Ok(Polished {
        unknowns: found.unknowns,
        dimension: found.dimension,
        moved: found.moved,
        farthest: found.farthest,
        explained: found.is_explained,
        radius: found.proof.map(|proof| proof.radius),
        certificate: found.certificate.map(|certificate| certificate.to_json().to_string()),
        method: Core::new(found.method),
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(order_of, module)?)?;
    module.add_function(wrap_pyfunction!(stage_order, module)?)?;
    module.add_function(wrap_pyfunction!(principal_error, module)?)?;
    module.add_function(wrap_pyfunction!(trees, module)?)?;
    module.add_function(wrap_pyfunction!(tree_counts, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose, module)?)?;
    module.add_function(wrap_pyfunction!(complete, module)?)?;
    module.add_function(wrap_pyfunction!(polish, module)?)
}
