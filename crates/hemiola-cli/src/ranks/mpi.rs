//! The ranks of an MPI job.

use std::collections::VecDeque;
use std::env;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hemiola::design::search::{Crew, Done, Task, Work};
use hemiola::design::{Checkpoint, DesignFile, Search};
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::request::scope;
use mpi::topology::{Communicator, SimpleCommunicator};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::hand_out::{AHEAD, Order, Report, Workers, hand_out};

/// How long a rank sleeps between looking for messages, a part of the time that it has waited: a waiting MPI call would keep a core busy, and so
/// would looking far more often than messages come. The longest is short beside a batch.
const SHORTEST_WAIT: Duration = Duration::from_micros(100);
const LONGEST_WAIT: Duration = Duration::from_millis(1);
const WAITED: u32 = 8;

/// The longest report, in bytes, that does not wait until rank 0 receives it.
const LARGEST_BUFFERED: usize = 1 << 20;

/// What launchers tell their processes: Open MPI's, MPICH's and Intel's, those of PMIx such as Slurm's.
const LAUNCHERS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

/// The processes of this job.
pub(crate) struct Ranks {
    /// MPI ends when it is dropped. `None` if that has begun elsewhere or is not there.
    universe: Option<Universe>,
    /// The search of which the workers know.
    search: Mutex<String>,
}

impl Ranks {
    /// Joins the job that this process belongs to, or none.
    pub(crate) fn join() -> Self {
        let is_launched = LAUNCHERS.iter().any(|variable| env::var_os(variable).is_some());
        let mut universe = if is_launched { mpi::initialize() } else { None };
        if let Some(universe) = &mut universe {
            // A worker has no more reports under way than batches before it; each comes with some bytes of MPI's own.
            universe.set_buffer_size((AHEAD + 1) * 2 * LARGEST_BUFFERED);
        }
        Self { universe, search: Mutex::new(String::new()) }
    }

    /// The number of processes.
    pub(crate) fn count(&self) -> usize {
        self.universe.as_ref().map_or(1, |universe| usize::try_from(universe.world().size()).unwrap_or(1))
    }

    fn is_first(&self) -> bool {
        self.universe.as_ref().is_none_or(|universe| universe.world().rank() == 0)
    }

    /// Works for rank 0 until that ends, in every other rank; whether this is one of them.
    pub(crate) fn work(&self) -> bool {
        if self.is_first() {
            return false;
        }
        // One rank a core is the custom, and ranks are not bound to it everywhere.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
        known(alone);
        let mut inbox = Inbox::default();
        let mut order = inbox.order();
        while let Order::Search(text) = order {
            let checkpoint = known(Checkpoint::from_json(text.as_bytes(), "rank 0"));
            order = inbox.serve(&known(Search::new(&checkpoint.design.specification, Vec::new())));
        }
        true
    }

    /// The search with its tasks done by all other ranks, if there are any.
    pub(crate) fn share<'a>(&'a self, search: Search<'a>) -> Search<'a> {
        if self.count() > 1 { search.with_crew(self) } else { search }
    }
}

impl Drop for Ranks {
    /// Whatever rank 0 ended by, the others end.
    fn drop(&mut self) {
        if self.is_first() {
            (0..Workers::count(self)).for_each(|worker| self.send(worker, &Order::End));
        }
    }
}

impl Crew for Ranks {
    fn perform(&self, work: &dyn Work, tasks: &[Task], done: &Done<'_>) {
        let design = DesignFile::new(work.specification().clone());
        let text = Checkpoint { design, done: Vec::new() }.to_json();
        let mut known = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != text {
            (0..self.count() - 1).for_each(|worker| self.send(worker, &Order::Search(text.clone())));
            *known = text;
        }
        hand_out(self, tasks, done);
    }
}

/// Worker k is rank k + 1.
impl Workers for Ranks {
    fn count(&self) -> usize {
        Self::count(self) - 1
    }

    fn send(&self, worker: usize, order: &Order) {
        let rank = i32::try_from(worker + 1).unwrap_or(i32::MAX);
        SimpleCommunicator::world().process_at_rank(rank).send(&encoded(order)[..]);
    }

    fn next(&self) -> (usize, Report) {
        let (rank, report) = awaited(|| received(&SimpleCommunicator::world().any_process()));
        (rank - 1, report)
    }
}

/// The orders that a worker has received.
#[derive(Default)]
struct Inbox(VecDeque<Order>);

impl Inbox {
    /// Does tasks of a search, one after the other, until there is another order.
    fn serve(&mut self, work: &dyn Work) -> Order {
        loop {
            let order = self.order();
            let Order::Tasks(tasks) = order else { return order };
            let begin = Instant::now();
            let results = tasks.iter().map(|(number, task)| (*number, work.perform(task))).collect();
            self.report(&Report { results, seconds: begin.elapsed().as_secs_f64() });
        }
    }

    /// The next order, waiting for it.
    fn order(&mut self) -> Order {
        awaited(|| {
            self.look();
            self.0.pop_front()
        })
    }

    fn look(&mut self) {
        self.0.extend(received(&SimpleCommunicator::world().process_at_rank(0)).map(|(_, order)| order));
    }

    /// Rank 0 may be busy: where the buffer has room the next tasks begin meanwhile. Otherwise orders are received while the report waits, as rank 0
    /// may wait for that before it receives it.
    fn report(&mut self, report: &Report) {
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

/// What comes, looking for it now and then.
fn awaited<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep((begin.elapsed() / WAITED).clamp(SHORTEST_WAIT, LONGEST_WAIT));
    }
}

/// A message of this source, if one is there, and its rank.
fn received<T: DeserializeOwned>(source: &impl Source) -> Option<(usize, T)> {
    let (bytes, status) = source.immediate_matched_probe()?.matched_receive_vec::<u8>();
    Some((known(usize::try_from(status.source_rank())), known(postcard::from_bytes(&bytes))))
}

/// All ranks run one program on one input: what rank 0 could read and the others cannot ends the job.
fn known<T, E>(value: Result<T, E>) -> T {
    value.unwrap_or_else(|_| SimpleCommunicator::world().abort(2))
}
