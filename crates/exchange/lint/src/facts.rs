//! Properties other than the order that a solver relies on.

use hemiola_order::OrderReport;
use hemiola_tableau::{Butcher, Exact, Method};

/// The structure of a method, as far as a solver depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureFacts {
    /// The id.
    pub id: String,
    /// The number of stages.
    pub stages: usize,
    /// The computed order, checked up to one above the claim (for claims beyond order seven, up to the claim).
    pub order: usize,
    /// The stage order.
    pub stage_order: usize,
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
        Self {
            id: method.id().to_owned(),
            stages: method.stages(),
            order: report.check.order(),
            stage_order: report.stage_order,
            first_same_as_last: parts.iter().all(Butcher::<Exact>::is_first_same_as_last),
            stiffly_accurate: parts.iter().all(Butcher::<Exact>::is_stiffly_accurate),
            explicit: parts.iter().all(Butcher::is_explicit),
        }
    }
}
