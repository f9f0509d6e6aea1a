//! Who does the work of a search: the threads of this machine, or others.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use hemiola_number::parallel;
use serde::{Deserialize, Serialize};

use crate::optimize::descent::Minimum;
use crate::specification::definition::Specification;

/// What a search has to do; its result depends on the specification and on the task alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Task {
    /// The start of this number is brought to the conditions, and down far enough to be ranked.
    Start(usize),
    /// Unknowns that satisfy the conditions are followed into their basin.
    Descent {
        /// The number of the choice of slow stages.
        choice: usize,
        /// The unknowns.
        x: Vec<f64>,
        /// The most steps.
        steps: usize,
        /// The part of the objective that a step has to gain.
        gain: f64,
    },
}

/// What tasks belong to: a [`Search`](super::Search), which can do them itself.
pub trait Work: Sync {
    /// What is designed.
    fn specification(&self) -> &Specification;

    /// Does a task. `None` where a start does not lead to the conditions, or nothing is better than where a descent begins; also for what is
    /// no task of this work.
    fn perform(&self, task: &Task) -> Option<Minimum>;
}

/// Hears the number of each task that is done and its result, possibly from several threads; once it breaks, what is not begun is left out.
pub type Done<'a> = dyn Fn(usize, Option<Minimum>) -> ControlFlow<()> + Sync + 'a;

/// Does the tasks of searches.
///
/// ```
/// use hemiola_design::search::{Crew, Done, Task, Work};
/// use hemiola_design::{Search, Specification};
/// use std::ops::ControlFlow;
/// /// Works from the last task to the first.
/// struct Backwards;
/// impl Crew for Backwards {
///     fn perform(&self, work: &dyn Work, tasks: &[Task], done: &Done<'_>) {
///         let _ = tasks.iter().enumerate().rev().try_for_each(|(k, task)| done(k, work.perform(task)));
///     }
/// }
/// let specification = Specification { starts: 8, ..Specification::new(1, 3, None)? };
/// let go_on = |_| ControlFlow::Continue(());
/// let alone = Search::new(&specification, Vec::new())?.run(go_on)?;
/// let search = Search::new(&specification, Vec::new())?.with_crew(&Backwards);
/// assert_eq!(search.run(go_on)?.method, alone.method);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
pub trait Crew: Sync {
    /// Has tasks done by [`Work::perform`], anywhere and in any order.
    fn perform(&self, work: &dyn Work, tasks: &[Task], done: &Done<'_>);
}

/// The threads of this machine.
pub(crate) struct Threads;

impl Crew for Threads {
    fn perform(&self, work: &dyn Work, tasks: &[Task], done: &Done<'_>) {
        let stopped = AtomicBool::new(false);
        parallel::for_each(tasks.len(), &|k| {
            if !stopped.load(Relaxed) && done(k, work.perform(&tasks[k])).is_break() {
                stopped.store(true, Relaxed);
            }
        });
    }
}
