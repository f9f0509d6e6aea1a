//! Properties other than the order that a solver relies on.

use hemiola_order::{OrderReport, WeakStageOrder, weak_stage_order};
use hemiola_tableau::{Butcher, Exact, Method, influential_stages};

/// The structure of a method, as far as a solver depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureFacts {
    /// The id.
    pub id: String,
    /// The number of stages.
    pub stages: usize,
    /// The computed order, up to the first order that fails (for claims beyond order seven, up to the claim).
    pub order: usize,
    /// The stage order.
    pub stage_order: usize,
    /// The weak stage order, the lowest of all partitions; `None` if all are explicit.
    pub weak_stage_order: Option<WeakStageOrder>,
    /// Whether a stage has no influence on the step, through any partition (Dahlquist & Jeltsch 1979).
    pub dj_reducible: bool,
    /// Whether the last evaluation of a step serves as the first of the next one, in every partition.
    pub first_same_as_last: bool,
    /// Whether the last stage is the step's result, in every partition.
    pub stiffly_accurate: bool,
    /// Whether all partitions are explicit.
    pub explicit: bool,
}

impl StructureFacts {
    pub(crate) fn new(method: &Method, report: &OrderReport) -> Self {
        let parts = method.exact().partitions;
        let is_explicit = parts.iter().all(Butcher::is_explicit);
        let weak_stage_orders = (0..parts.len()).filter_map(|partition| weak_stage_order(method, partition));
        Self {
            id: method.id().to_owned(),
            stages: method.stages(),
            order: report.check.order(),
            stage_order: report.stage_order,
            weak_stage_order: if is_explicit { None } else { weak_stage_orders.min() },
            dj_reducible: influential_stages(&parts).len() < method.stages(),
            first_same_as_last: parts.iter().all(Butcher::<Exact>::is_first_same_as_last),
            stiffly_accurate: parts.iter().all(Butcher::<Exact>::is_stiffly_accurate),
            explicit: is_explicit,
        }
    }
}
