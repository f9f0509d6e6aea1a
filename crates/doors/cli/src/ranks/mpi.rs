//! Ranks of an MPI job.

use std::collections::VecDeque;
use std::env;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hemiola::design::search::{SearchTask, TaskCallback, TaskExecutor, TaskOwner};
use hemiola::design::{Checkpoint, DesignFile, Search};
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::request::scope;
use mpi::topology::{Communicator, SimpleCommunicator};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::distribution::{AHEAD, BatchReport, WorkerMessage, Workers, distribute};

/// Bounds of the time for which a rank sleeps between two checks for messages, a fraction of its waiting time. A
/// waiting MPI call would keep a core busy, as would checks that are much more frequent than messages. The upper bound
/// is short compared with a batch.
const SHORTEST_WAIT: Duration = Duration::from_micros(100);
const LONGEST_WAIT: Duration = Duration::from_millis(1);
const WAITED: u32 = 8;

/// Size in bytes of the longest report that is sent without waiting for rank 0.
const LARGEST_BUFFERED: usize = 1 << 20;

/// Variables set by launchers: Open MPI's, MPICH's and Intel's, those of PMIx such as Slurm's.
const LAUNCHERS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

/// Processes of this job.
pub(crate) struct Ranks {
    /// MPI environment, which ends when it is dropped; `None` if MPI was initialized elsewhere or is absent.
    universe: Option<Universe>,
    /// Search that was last sent to the workers.
    search: Mutex<String>,
}

impl Ranks {
    /// Joins the job to which this process belongs, if there is one.
    pub(crate) fn join() -> Self {
        let is_launched = LAUNCHERS.iter().any(|variable| env::var_os(variable).is_some());
        let mut universe = if is_launched { mpi::initialize() } else { None };
        if let Some(universe) = &mut universe {
            // A worker has at most as many reports in transit as queued batches; MPI adds some bytes to each.
            universe.set_buffer_size((AHEAD + 1) * 2 * LARGEST_BUFFERED);
        }
        Self { universe, search: Mutex::new(String::new()) }
    }

    /// Returns the number of processes.
    pub(crate) fn count(&self) -> usize {
        self.universe.as_ref().map_or(1, |universe| usize::try_from(universe.world().size()).unwrap_or(1))
    }

    fn is_first(&self) -> bool {
        self.universe.as_ref().is_none_or(|universe| universe.world().rank() == 0)
    }

    /// Executes tasks for rank 0 until rank 0 ends, if this is another rank. Returns whether this is another rank.
    pub(crate) fn work(&self) -> bool {
        if self.is_first() {
            return false;
        }
        // Jobs usually have one rank per core, and ranks are not bound to cores everywhere.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
        known(alone);
        let mut inbox = Inbox::default();
        let mut order = inbox.order();
        while let WorkerMessage::Search(text) = order {
            let checkpoint = known(Checkpoint::from_json(text.as_bytes(), "rank 0"));
            order = inbox.serve(&known(Search::new(&checkpoint.design.specification, Vec::new())));
        }
        true
    }

    /// Distributes the tasks of the search to all other ranks, if there are any.
    pub(crate) fn share<'a>(&'a self, search: Search<'a>) -> Search<'a> {
        if self.count() > 1 { search.with_executor(self) } else { search }
    }
}

impl Drop for Ranks {
    /// Ends the other ranks, however rank 0 ends.
    fn drop(&mut self) {
        if self.is_first() {
            (0..Workers::count(self)).for_each(|worker| self.send(worker, &WorkerMessage::End));
        }
    }
}

impl TaskExecutor for Ranks {
    fn perform(&self, work: &dyn TaskOwner, tasks: &[SearchTask], done: &TaskCallback<'_>) {
        let design = DesignFile::new(work.specification().clone());
        let text = Checkpoint { design, done: Vec::new() }.to_json();
        let mut known = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != text {
            (0..self.count() - 1).for_each(|worker| self.send(worker, &WorkerMessage::Search(text.clone())));
            *known = text;
        }
        distribute(self, tasks, done);
    }
}

/// Worker k is rank k + 1.
impl Workers for Ranks {
    fn count(&self) -> usize {
        Self::count(self) - 1
    }

    fn send(&self, worker: usize, order: &WorkerMessage) {
        let rank = i32::try_from(worker + 1).unwrap_or(i32::MAX);
        SimpleCommunicator::world().process_at_rank(rank).send(&encoded(order)[..]);
    }

    fn next(&self) -> (usize, BatchReport) {
        let (rank, report) = awaited(|| received(&SimpleCommunicator::world().any_process()));
        (rank - 1, report)
    }
}

/// Orders that a worker has received.
#[derive(Default)]
struct Inbox(VecDeque<WorkerMessage>);

impl Inbox {
    /// Executes tasks of a search one after another until a different order arrives.
    fn serve(&mut self, work: &dyn TaskOwner) -> WorkerMessage {
        loop {
            let order = self.order();
            let WorkerMessage::Tasks(tasks) = order else { return order };
            let begin = Instant::now();
            let results = tasks.iter().map(|(number, task)| (*number, work.perform(task))).collect();
            self.report(&BatchReport { results, seconds: begin.elapsed().as_secs_f64() });
        }
    }

    /// Waits for the next order.
    fn order(&mut self) -> WorkerMessage {
        awaited(|| {
            self.look();
            self.0.pop_front()
        })
    }

    fn look(&mut self) {
        self.0.extend(received(&SimpleCommunicator::world().process_at_rank(0)).map(|(_, order)| order));
    }

    /// Sends a report to rank 0, which may be busy. If the buffer has room, the next tasks begin meanwhile. Otherwise
    /// orders are received while the report waits, since rank 0 may need their receipt before it receives the report.
    fn report(&mut self, report: &BatchReport) {
        let (world, bytes) = (SimpleCommunicator::world(), encoded(report));
        let first = world.process_at_rank(0);
        if bytes.len() <= LARGEST_BUFFERED {
            return first.buffered_send(&bytes[..]);
        }
        scope(|scope| {
            let mut sending = Some(first.immediate_send(scope, &bytes[..]));
            while let Some(request) = sending.take() {
                self.look();
                sending = request.test().err();
                thread::sleep(SHORTEST_WAIT);
            }
        });
    }
}

fn encoded(message: &impl Serialize) -> Vec<u8> {
    known(postcard::to_stdvec(message))
}

/// Waits for a result, with periodic checks.
fn awaited<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep((begin.elapsed() / WAITED).clamp(SHORTEST_WAIT, LONGEST_WAIT));
    }
}

/// Receives a message from this source, if there is one, with the rank of its sender.
fn received<T: DeserializeOwned>(source: &impl Source) -> Option<(usize, T)> {
    let (bytes, status) = source.immediate_matched_probe()?.matched_receive_vec::<u8>();
    Some((known(usize::try_from(status.source_rank())), known(postcard::from_bytes(&bytes))))
}

/// Ends the job on an error. All ranks run one program on one input: an error in one rank only is not recoverable.
fn known<T, E>(value: Result<T, E>) -> T {
    value.unwrap_or_else(|_| SimpleCommunicator::world().abort(2))
}
