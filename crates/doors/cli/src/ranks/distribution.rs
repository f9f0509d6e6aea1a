//! Distribution of tasks to remote workers, in batches that are long compared with a message and short compared with the whole search.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use hemiola::design::search::{Minimum, SearchTask, TaskCallback};
use serde::{Deserialize, Serialize};

/// Target duration of a batch in s: a thousand times that of a message.
const BATCH: f64 = 0.02;
/// Largest number of tasks in a batch. It fits into a message that is sent without waiting for its receiver (4096 bytes
/// in Open MPI), since a busy worker does not receive.
const MOST: usize = 256;
/// Number of batches of short tasks queued at a worker, so that it starts the next batch while it sends its report.
pub(super) const AHEAD: usize = 2;
/// Duration in s above which tasks are long. Long tasks exceed the wait for the next one, so they are not queued at a busy worker while
/// another is idle.
const LONG: f64 = 0.1;

/// Message to a worker.
#[derive(Serialize, Deserialize)]
pub(super) enum WorkerMessage {
    /// Search to which the following tasks belong, as the text of a checkpoint without finished starts.
    Search(String),
    /// Tasks with their numbers.
    Tasks(Vec<(usize, SearchTask)>),
    /// End of the job.
    End,
}

/// Results of a batch, and its duration in s.
#[derive(Serialize, Deserialize)]
pub(super) struct BatchReport {
    pub(super) results: Vec<(usize, Option<Minimum>)>,
    pub(super) seconds: f64,
}

/// Workers that execute batches.
pub(super) trait Workers {
    fn count(&self) -> usize;
    fn send(&self, worker: usize, order: &WorkerMessage);
    /// Waits for a report and returns it with the number of its worker.
    fn next(&self) -> (usize, BatchReport);
}

/// Distributes all tasks. When `done` breaks, it sends no more tasks and waits for the running ones.
pub(super) fn distribute(workers: &dyn Workers, tasks: &[SearchTask], done: &TaskCallback) {
    let mut queue = TaskQueue { tasks, next: 0, workers: workers.count(), pace: TaskTiming::default() };
    let mut before: Vec<usize> = vec![0; workers.count()];
    let mut idle: VecDeque<usize> = (0..workers.count()).collect();
    loop {
        while let Some(worker) = idle.pop_front() {
            while before[worker] < queue.pace.ahead() {
                let Some(batch) = queue.batch() else { break };
                workers.send(worker, &WorkerMessage::Tasks(batch));
                before[worker] += 1;
            }
        }
        if before.iter().all(|batches| *batches == 0) {
            return;
        }
        let (worker, BatchReport { results, seconds }) = workers.next();
        queue.pace.see(results.len(), seconds);
        for (number, result) in results {
            if let ControlFlow::Break(()) = done(number, result) {
                queue.next = tasks.len();
            }
        }
        before[worker] -= 1;
        idle.push_back(worker);
    }
}

/// Tasks that are not yet distributed.
struct TaskQueue<'a> {
    tasks: &'a [SearchTask],
    next: usize,
    workers: usize,
    pace: TaskTiming,
}

impl TaskQueue<'_> {
    /// Returns the next batch. Its size is limited so that the remaining tasks keep all workers busy to the end.
    fn batch(&mut self) -> Option<Vec<(usize, SearchTask)>> {
        let left = self.tasks.len() - self.next;
        let most = left.div_ceil(2 * AHEAD * self.workers);
        let count = self.pace.in_batch().min(most);
        let batch: Vec<_> = (self.next..self.next + count).map(|k| (k, self.tasks[k].clone())).collect();
        self.next += count;
        (!batch.is_empty()).then_some(batch)
    }
}

/// Measured duration of tasks.
#[derive(Default)]
struct TaskTiming {
    tasks: usize,
    seconds: f64,
}

impl TaskTiming {
    fn see(&mut self, tasks: usize, seconds: f64) {
        self.tasks += tasks;
        self.seconds += seconds;
    }

    /// Returns the number of tasks in a batch; one until a duration is known.
    fn in_batch(&self) -> usize {
        if self.tasks == 0 { 1 } else { ((BATCH * self.tasks as f64 / self.seconds.max(1e-9)) as usize).clamp(1, MOST) }
    }

    fn ahead(&self) -> usize {
        if self.tasks == 0 || self.seconds > LONG * self.tasks as f64 { 1 } else { AHEAD }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Simulated workers: threads that take a given time for each task and report its number.
    struct Simulated {
        orders: Vec<Sender<Vec<(usize, SearchTask)>>>,
        reports: Mutex<Receiver<(usize, BatchReport)>>,
        sent: AtomicUsize,
    }

    impl Simulated {
        fn new(count: usize, seconds: fn(usize, usize) -> f64) -> Self {
            let (report, reports) = channel();
            let worker = |worker: usize| {
                let (order, orders) = channel::<Vec<(usize, SearchTask)>>();
                let report = report.clone();
                thread::spawn(move || {
                    for batch in orders {
                        let numbers = || batch.iter().map(|(number, _)| *number);
                        let seconds: f64 = numbers().map(|number| seconds(worker, number)).sum();
                        thread::sleep(Duration::from_secs_f64(seconds));
                        let minimum = |k: usize| Minimum { x: Vec::new(), merit: k as f64, converged: false };
                        let results = numbers().map(|k| (k, (k % 3 > 0).then(|| minimum(k)))).collect();
                        let _ = report.send((worker, BatchReport { results, seconds }));
                    }
                });
                order
            };
            Self { orders: (0..count).map(worker).collect(), reports: Mutex::new(reports), sent: AtomicUsize::new(0) }
        }
    }

    impl Workers for Simulated {
        fn count(&self) -> usize {
            self.orders.len()
        }

        fn send(&self, worker: usize, order: &WorkerMessage) {
            self.sent.fetch_add(1, Relaxed);
            if let WorkerMessage::Tasks(batch) = order {
                self.orders[worker].send(batch.clone()).unwrap();
            }
        }

        fn next(&self) -> (usize, BatchReport) {
            self.reports.lock().unwrap().recv().unwrap()
        }
    }

    /// Counts the executions of each task and the messages to the workers.
    fn times_done(workers: &Simulated, tasks: usize, until: usize) -> (Vec<usize>, usize) {
        let found: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
        let seen = AtomicUsize::new(0);
        let tasks: Vec<SearchTask> = (0..tasks).map(SearchTask::Start).collect();
        distribute(workers, &tasks, &|k, minimum| {
            assert_eq!(minimum.map(|minimum| minimum.merit), (k % 3 > 0).then_some(k as f64));
            found[k].fetch_add(1, Relaxed);
            if seen.fetch_add(1, Relaxed) + 1 >= until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (found.into_iter().map(AtomicUsize::into_inner).collect(), workers.sent.load(Relaxed))
    }

    #[test]
    fn each_task_is_done_once() {
        for (workers, tasks) in [(1, 0), (1, 7), (3, 2), (5, 1000), (64, 100)] {
            let (found, _) = times_done(&Simulated::new(workers, |_, k| 1e-6 * (k % 7) as f64), tasks, usize::MAX);
            assert_eq!(found, vec![1; tasks], "{workers} workers");
        }
    }

    #[test]
    fn short_tasks_share_a_message() {
        let (found, sent) = times_done(&Simulated::new(2, |_, _| 1e-5), 20_000, usize::MAX);
        assert_eq!(found, vec![1; 20_000]);
        // The first and the last batches are shorter.
        assert!((20_000 / MOST..200).contains(&sent), "{sent}");
    }

    #[test]
    fn slow_workers_get_less() {
        // One worker takes a hundred times as long as the other three.
        let simulated = Simulated::new(4, |worker, _| if worker == 0 { 0.1 } else { 0.001 });
        let begin = std::time::Instant::now();
        let (found, sent) = times_done(&simulated, 300, usize::MAX);
        assert_eq!(found, vec![1; 300]);
        assert!(sent > 20, "{sent}");
        // With equal shares the slow worker would take 7.5 s.
        assert!(begin.elapsed().as_secs_f64() < 5.0);
    }

    #[test]
    fn what_is_under_way_is_waited_for() {
        let (found, _) = times_done(&Simulated::new(4, |_, _| 0.002), 1000, 10);
        let done: usize = found.iter().sum();
        assert!((10..200).contains(&done), "{done}");
        assert!(found.iter().all(|times| *times <= 1));
    }
}
