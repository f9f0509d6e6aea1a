//! Errors of multirate methods.

use hemiola_order::OrderError;
use hemiola_stability::StabilityError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// Errors of reading, checking or expanding a multirate method.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MultirateError {
    /// The file could not be read, or it contradicts itself.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The order conditions could not be evaluated.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A coupled stage needs a fast and a slow solution at the same time.
    #[error(
        "{id}: stage {stage} is implicit in partition `{partition}` and lasts {interval} of the step; expected an interval of 0, \
         so that the implicit stage can be solved separately from the fast system"
    )]
    Coupled {
        /// The id of the method.
        id: String,
        /// The number of the stage, from 1.
        stage: usize,
        /// The slow partition with a coefficient for the stage itself.
        partition: String,
        /// The length of the stage.
        interval: String,
    },
    /// The inner method has several partitions.
    #[error("the inner method `{id}` has {partitions} partitions; expected one")]
    InnerPartitions {
        /// The id of the inner method.
        id: String,
        /// The number of its partitions.
        partitions: usize,
    },
    /// A stability computation failed.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// The sector angle is out of range, or the slow partition does not exist.
    #[error("found the angle {angle}° for slow partition {}; expected 0° ≤ α < 90° and a partition of the method", partition + 1)]
    Sector {
        /// The half-angle in degrees.
        angle: f64,
        /// The slow partition, from 0.
        partition: usize,
    },
    /// The number of micro-steps is too small for the method.
    #[error("{id}: found M = {ratio}; expected M ≥ {least}")]
    LeastRatio {
        /// The id of the method.
        id: String,
        /// The number of micro-steps.
        ratio: usize,
        /// The smallest possible number.
        least: usize,
    },
    /// Zeros of a condition may lie beyond the largest number of micro-steps examined.
    #[error(
        "a condition of order {order} may hold for some M beyond a million; expected coefficients of moderate size"
    )]
    Undecided {
        /// The order of the condition.
        order: usize,
    },
    /// There are no substeps, or too many.
    #[error(
        "found {substeps} substeps, which make {stages} stages; expected 1 substep or more and at most {most} stages"
    )]
    Substeps {
        /// The number of substeps in each interval.
        substeps: usize,
        /// The number of stages of the expanded method.
        stages: usize,
        /// The maximum number of stages.
        most: usize,
    },
}
