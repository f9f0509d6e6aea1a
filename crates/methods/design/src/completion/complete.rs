//! Options and procedure of the completion of a method.

use hemiola_order::{CheckOptions, OrderCheck, dense_output, principal_error};
use hemiola_tableau::{Exact, Method};

use crate::completion::embedded::differ;
use crate::completion::extra_stage::with_extra_stage;
use crate::completion::finding::{CompletionOutcome, PolynomialClass};
use crate::completion::method::completed;
use crate::completion::proof::EnclosedTableaus;
use crate::completion::task::{PartitionTask, Polynomials, TaskOutcome};
use crate::error::DesignError;
use crate::pair::first_same_as_last::available;
use crate::weights::dense_output::by_stage;

/// The highest order supported: higher orders have too many conditions for exact elimination.
const HIGHEST_ORDER: usize = 12;

/// Additions requested for a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionRequests {
    /// The order of embedded weights b̂.
    pub embedded: Option<usize>,
    /// The order of a dense output.
    pub dense: Option<usize>,
    /// Whether to append the first stage of the next step as a last stage, so that the weights may use it.
    pub extra_stage: bool,
}

/// A completed method and the result of each request.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The completed method; `None` if a request could not be satisfied.
    pub method: Option<Method>,
    /// The order of the given method, at most 12.
    pub order: usize,
    /// Whether the method satisfies its conditions exactly; all results are then exact.
    pub is_exact: bool,
    /// The result for the embedded weights.
    pub embedded: Option<CompletionOutcome>,
    /// The result for the dense output.
    pub dense: Option<CompletionOutcome>,
}

/// Completes a method with embedded weights, a dense output or both.
///
/// Partitions that share their weights b share the embedded ones, if such weights exist; otherwise each has its own.
/// Only stages at which a partition is already evaluated get nonzero weights. With first same as last, these include
/// the last stage.
///
/// ```
/// use hemiola_design::{CompletionRequests, complete};
/// // Three stages of order three have no other weights of order two (Hairer, Nørsett & Wanner 1993, §II.4), with f(y₁) they have.
/// let kutta = hemiola_tableau::library::method("kutta-3").unwrap();
/// let wishes = CompletionRequests { embedded: Some(2), ..CompletionRequests::default() };
/// assert_eq!(complete(&kutta, wishes).unwrap().method.unwrap().claims().embedded_order, Some(2));
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let wishes = CompletionRequests { embedded: Some(3), ..CompletionRequests::default() };
/// assert!(complete(&rk4, wishes).unwrap().method.is_none());
/// let found = complete(&rk4, CompletionRequests { extra_stage: true, ..wishes }).unwrap().method.unwrap();
/// assert_eq!((found.stages(), found.claims().embedded_order), (5, Some(3)));
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if an order is out of range, or if an extra stage cannot be the first of the next
/// step.
pub fn complete(method: &Method, wishes: CompletionRequests) -> Result<Completion, DesignError> {
    let wished = wishes.embedded.max(wishes.dense).unwrap_or(1);
    let order = attained(method, method.claims().order.unwrap_or(wished).max(wished))?;
    validate(wishes, order.order)?;
    let longer = if wishes.extra_stage { with_extra_stage(method)? } else { method.clone() };
    let work = CompletionProblem::new(&longer, order)?;
    let mut embedded = wishes.embedded.map(|wanted| work.embedded(wanted)).transpose()?;
    let mut dense = wishes.dense.map(|wanted| work.dense(wanted)).transpose()?;
    let write = |embedded: Option<&_>, dense: Option<&_>| {
        completed(&longer, embedded, dense, wishes.extra_stage, order.is_exact)
    };
    let is_found = [embedded.as_ref().map(|found| &found.0), dense.as_ref().map(|found| &found.0)]
        .into_iter()
        .flatten()
        .all(CompletionOutcome::is_found);
    let mut method = None;
    if is_found {
        let found = write(embedded.as_ref(), dense.as_ref())?;
        let outcomes = (embedded.as_mut().map(|found| &mut found.0), dense.as_mut().map(|found| &mut found.0));
        if confirm(&found, outcomes.0, outcomes.1)? {
            // The claims state the verified orders.
            method = Some(write(embedded.as_ref(), dense.as_ref())?);
        }
    }
    Ok(Completion {
        method,
        order: order.order,
        is_exact: order.is_exact,
        embedded: embedded.map(|(outcome, _)| outcome),
        dense: dense.map(|(outcome, _)| outcome),
    })
}

/// Sets the orders to those that order checks of the completed method verify, and returns whether they are at least
/// those of the conditions. An unconfirmed result becomes [`CompletionOutcome::Undecided`].
fn confirm(
    found: &Method,
    embedded: Option<&mut CompletionOutcome>,
    dense: Option<&mut CompletionOutcome>,
) -> Result<bool, DesignError> {
    let mut is_confirmed = true;
    let mut set = |outcome: &mut CompletionOutcome, verified: usize| {
        let CompletionOutcome::Found { order, conditions, .. } = outcome else { return };
        *order = verified;
        if verified < *conditions {
            let partition = found.partitions()[0].name.clone();
            *outcome = CompletionOutcome::Undecided { order: *conditions, partition };
            is_confirmed = false;
        }
    };
    if let (Some(outcome), Some(weights)) = (embedded, found.embedded()) {
        let CompletionOutcome::Found { conditions, .. } = *outcome else { return Ok(false) };
        set(outcome, attained(&weights, conditions)?.order);
    }
    if let Some(outcome) = dense {
        let options = CheckOptions { highest_order: HIGHEST_ORDER, ..CheckOptions::default() };
        set(outcome, dense_output(found, options)?.map_or(0, |dense| dense.order));
    }
    Ok(is_confirmed)
}

/// The order of a method.
#[derive(Clone, Copy)]
struct AttainedOrder {
    order: usize,
    is_exact: bool,
}

/// Returns the order of a method, at most twelve; the first check goes up to the order `least`.
///
/// The order may exceed the claimed and requested orders. If it were underestimated, the principal error would appear
/// to vanish, and the method's own weights would be selected as the best embedded weights.
fn attained(method: &Method, least: usize) -> Result<AttainedOrder, DesignError> {
    let mut highest_order = least.min(HIGHEST_ORDER);
    loop {
        let check = OrderCheck::new(method, CheckOptions { highest_order, ..CheckOptions::default() })?;
        if check.order() < highest_order || highest_order >= HIGHEST_ORDER {
            return Ok(AttainedOrder { order: check.order(), is_exact: check.exact_order() == check.order() });
        }
        highest_order += 1;
    }
}

fn validate(wishes: CompletionRequests, order: usize) -> Result<(), DesignError> {
    let out_of_range =
        |name, found: usize, expected| Err(DesignError::OutOfRange { name, found: found.to_string(), expected });
    if let Some(wanted) = wishes.embedded.filter(|wanted| !(1..=HIGHEST_ORDER).contains(wanted)) {
        return out_of_range("the embedded order", wanted, "an order from 1 to 12");
    }
    if let Some(wanted) = wishes.dense.filter(|wanted| !(1..=order.min(HIGHEST_ORDER)).contains(wanted)) {
        return out_of_range("the order of the dense output", wanted, "an order from 1 to that of the method");
    }
    Ok(())
}

/// The work on one method.
struct CompletionProblem<'a> {
    method: &'a Method,
    tables: EnclosedTableaus,
    order: AttainedOrder,
    size: f64,
}

impl<'a> CompletionProblem<'a> {
    fn new(method: &'a Method, order: AttainedOrder) -> Result<Self, DesignError> {
        let tables = EnclosedTableaus::new(method);
        let norm = principal_error(&tables.exact, order.order)?.total.two;
        let size = norm / (method.partitions().len() as f64).sqrt();
        Ok(Self { method, tables, order, size })
    }

    fn task(&self, partition: usize, stages: Vec<usize>) -> PartitionTask<'_> {
        let AttainedOrder { order, is_exact } = self.order;
        PartitionTask { tables: &self.tables, partition, stages, is_exact, order, size: self.size }
    }

    fn available(&self, partition: usize) -> Vec<usize> {
        available(&self.tables.exact, partition)
    }

    /// Extends weights at some stages by zeros to weights at all stages.
    fn spread(&self, stages: &[usize], x: Vec<Exact>) -> Vec<Exact> {
        let mut all = vec![Exact::from(0); self.method.stages()];
        stages.iter().zip(x).for_each(|(&stage, x)| all[stage] = x);
        all
    }

    /// Returns whether all partitions have the same weights.
    fn shares(&self) -> bool {
        let parts = &self.tables.exact.partitions;
        parts.iter().all(|part| part.b == parts[0].b)
    }

    /// Finds embedded weights for each partition: shared ones if possible, otherwise each by itself.
    fn embedded(&self, wanted: usize) -> Result<(CompletionOutcome, Vec<Vec<Exact>>), DesignError> {
        let count = self.method.partitions().len();
        let all: Vec<Vec<usize>> = (0..count).map(|partition| self.available(partition)).collect();
        if self.shares() && count > 1 {
            let common = |stage: &usize| all.iter().all(|stages| stages.contains(stage));
            let stages: Vec<usize> = all[0].iter().copied().filter(common).collect();
            if let TaskOutcome::Found { value, free, .. } = self.task(0, stages.clone()).weights(wanted)? {
                let weights = self.spread(&stages, value);
                if differ(&weights, &self.tables.exact.partitions[0].b) {
                    return Ok((found_of(wanted, free, true, None), vec![weights; count]));
                }
            }
        }
        let (mut found, mut parameters) = (Vec::new(), 0);
        for (partition, stages) in all.into_iter().enumerate() {
            let name = self.method.partitions()[partition].name.clone();
            match self.task(partition, stages.clone()).weights(wanted)? {
                TaskOutcome::Found { value, free, .. } => {
                    found.push(self.spread(&stages, value));
                    parameters += free;
                }
                // All weights of order q have order q + 1, so search with the conditions of that order.
                TaskOutcome::Higher if wanted < HIGHEST_ORDER => return self.embedded(wanted + 1),
                other => return Ok((absent(other, wanted, name, stages), Vec::new())),
            }
        }
        let shared = count > 1 && found.iter().all(|weights| *weights == found[0]);
        Ok((found_of(wanted, parameters, shared, None), found))
    }

    fn dense(&self, wanted: usize) -> Result<(CompletionOutcome, Vec<Polynomials>), DesignError> {
        let (mut found, mut parameters, mut classes) = (Vec::new(), 0, Vec::new());
        for partition in 0..self.method.partitions().len() {
            let stages = self.available(partition);
            let name = self.method.partitions()[partition].name.clone();
            match self.task(partition, stages.clone()).polynomials(wanted)? {
                TaskOutcome::Found { value, free, class } => {
                    classes.extend(class);
                    found.push(value.into_iter().map(|d| self.spread(&stages, d)).collect::<Vec<_>>());
                    parameters += free;
                }
                other => return Ok((absent(other, wanted, name, stages), Vec::new())),
            }
        }
        let shared = found.len() > 1 && found.iter().all(|powers| *powers == found[0]);
        let is_smooth = classes.iter().any(|class| class.is_smooth);
        let class = classes.first().map(|first| PolynomialClass { is_smooth, ..*first });
        Ok((found_of(wanted, parameters, shared, class), by_stage(found)))
    }
}

/// Returns the outcome of a search with conditions of an order, before its order is verified.
fn found_of(wanted: usize, free: usize, shared: bool, class: Option<PolynomialClass>) -> CompletionOutcome {
    CompletionOutcome::Found { order: wanted, conditions: wanted, free, shared, class }
}

fn absent<T>(part: TaskOutcome<T>, order: usize, partition: String, stages: Vec<usize>) -> CompletionOutcome {
    match part {
        TaskOutcome::Impossible(proof) => CompletionOutcome::Impossible { order, partition, stages, proof },
        _ => CompletionOutcome::Undecided { order, partition },
    }
}
