//! Execution of the tasks of a search, on the threads of this machine or elsewhere.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use hemiola_number::parallel;
use serde::{Deserialize, Serialize};

use crate::optimize::descent::Minimum;
use crate::specification::definition::Specification;

/// A task of a search. Its result depends only on the specification and the task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SearchTask {
    /// Restores the start with this number to the conditions, and descends until it can be ranked.
    Start(usize),
    /// Descends to a minimum from unknowns that satisfy the conditions.
    Descent {
        /// The index of the choice of slow stages.
        choice: usize,
        /// The unknowns.
        x: Vec<f64>,
        /// The largest number of steps.
        steps: usize,
        /// The relative decrease of the objective below which the descent ends.
        gain: f64,
    },
}

/// The owner of tasks: a [`Search`](super::Search), which can also perform them.
pub trait TaskOwner: Sync {
    /// Returns the specification of the design.
    fn specification(&self) -> &Specification;

    /// Performs a task.
    ///
    /// Returns `None` if a start does not lead to the conditions, a descent finds nothing better than its starting
    /// point, or the task does not belong to this search.
    fn perform(&self, task: &SearchTask) -> Option<Minimum>;
}

/// Receives the index and the result of each finished task, possibly from several threads. If it breaks, tasks not yet
/// begun are skipped.
pub type TaskCallback<'a> = dyn Fn(usize, Option<Minimum>) -> ControlFlow<()> + Sync + 'a;

/// Executes the tasks of searches.
///
/// ```
/// use hemiola_design::search::{TaskExecutor, TaskCallback, SearchTask, TaskOwner};
/// use hemiola_design::{Search, Specification};
/// use std::ops::ControlFlow;
/// /// Works from the last task to the first.
/// struct Backwards;
/// impl TaskExecutor for Backwards {
///     fn perform(&self, work: &dyn TaskOwner, tasks: &[SearchTask], done: &TaskCallback<'_>) {
///         let _ = tasks.iter().enumerate().rev().try_for_each(|(k, task)| done(k, work.perform(task)));
///     }
/// }
/// let specification = Specification { starts: 8, ..Specification::new(1, 3, None)? };
/// let alone = Search::new(&specification, Vec::new())?.run(&())?;
/// let search = Search::new(&specification, Vec::new())?.with_executor(&Backwards);
/// assert_eq!(search.run(&())?.method, alone.method);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
pub trait TaskExecutor: Sync {
    /// Executes tasks by [`TaskOwner::perform`], anywhere and in any order.
    fn perform(&self, work: &dyn TaskOwner, tasks: &[SearchTask], done: &TaskCallback<'_>);
}

/// The threads of this machine.
pub(crate) struct LocalThreads;

impl TaskExecutor for LocalThreads {
    fn perform(&self, work: &dyn TaskOwner, tasks: &[SearchTask], done: &TaskCallback<'_>) {
        let stopped = AtomicBool::new(false);
        parallel::for_each(tasks.len(), &|k| {
            if !stopped.load(Relaxed) && done(k, work.perform(&tasks[k])).is_break() {
                stopped.store(true, Relaxed);
            }
        });
    }
}
