//! Search that can be interrupted and resumed: its state is written every half second.

use std::fs;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hemiola::design::{Checkpoint, Design, DesignError, DesignFile, Search, SearchShare, Start};
use hemiola::number::{Progress, Update};
use hemiola::tableau::MethodError;

use crate::arguments::input_file;
use crate::commands::design::error::{DesignInterrupted, DesignJobError};
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::writer::{WriteError, write};
use crate::ranks::Ranks;

use super::files::DesignFiles;
use super::made_for::TrainingRuns;

/// Interval between writes of the state, which limits the work lost in a crash to less than a second.
const INTERVAL: Duration = Duration::from_millis(500);
/// Reciprocal of the largest fraction of the time spent on writing.
const SHARE: u32 = 20;

/// Result of a share of a search.
pub(crate) struct PartResult {
    pub(crate) starts: usize,
    pub(crate) solved: usize,
    pub(crate) is_complete: bool,
}

/// Tries the starts of a share and stores them in its file.
pub(crate) fn run_part(
    file: &DesignFile,
    place: &Path,
    part: SearchShare,
    resume: bool,
    (interrupt, ranks): (&Interrupt, &Ranks),
) -> Result<PartResult, Failure> {
    let done = if resume { earlier(file, place)? } else { Vec::new() };
    let search = ranks.share(Search::new(&file.specification, done)?);
    let save = || save(file, place, &search);
    let monitor = Monitor::stopped_by(interrupt);
    let saver = PeriodicSaver::new(&save, &monitor);
    let is_complete = search.run_part(part, &saver);
    saver.finish()?;
    save()?;
    let done = search.done();
    let solved = done.iter().filter(|start| start.solution.is_some()).count();
    Ok(PartResult { starts: done.len(), solved, is_complete })
}

/// Saves the state of a search periodically.
struct PeriodicSaver<'a> {
    save: &'a (dyn Fn() -> Result<(), Failure> + Sync),
    /// Time of the next save.
    next: Mutex<Instant>,
    /// Error of a failed save, which ends the search.
    failure: Mutex<Option<Failure>>,
    monitor: &'a Monitor,
}

impl<'a> PeriodicSaver<'a> {
    fn new(save: &'a (dyn Fn() -> Result<(), Failure> + Sync), monitor: &'a Monitor) -> Self {
        Self { save, next: Mutex::new(Instant::now() + INTERVAL), failure: Mutex::new(None), monitor }
    }

    fn finish(self) -> Result<(), Failure> {
        self.failure.into_inner().ok().flatten().map_or(Ok(()), Err)
    }
}

impl Progress for PeriodicSaver<'_> {
    fn report(&self, update: Update<'_>) -> ControlFlow<()> {
        // Other threads need not wait while one checks the time.
        if let Ok(mut next) = self.next.try_lock()
            && Instant::now() > *next
        {
            let begin = Instant::now();
            if let Err(failure) = (self.save)() {
                if let Ok(mut kept) = self.failure.lock() {
                    *kept = Some(failure);
                }
                return ControlFlow::Break(());
            }
            *next = Instant::now() + INTERVAL.max(SHARE * begin.elapsed());
        }
        self.monitor.report(update)
    }
}

/// Runs a search. Returns its result and whether it was interrupted. The state stays on disk until it is
/// [removed](discard).
pub(crate) fn run(
    file: &DesignFile,
    files: &DesignFiles,
    runs: Option<&TrainingRuns>,
    resume: bool,
    (interrupt, ranks): (&Interrupt, &Ranks),
) -> Result<(Design, bool), Failure> {
    let done = if resume { earlier(file, &files.search)? } else { Vec::new() };
    let search = ranks.share(Search::new(&file.specification, done)?);
    // The design is written with the state, so that `hemiola design NAME.design.json --resume` suffices to continue.
    let save = || files.write_design(file).and_then(|()| save(file, &files.search, &search));
    let monitor = Monitor::stopped_by(interrupt);
    let saver = PeriodicSaver::new(&save, &monitor);
    let found = match runs {
        Some(runs) => search.run_for(runs, &saver),
        None => search.run(&saver),
    };
    saver.finish()?;
    let interrupted = interrupt.is_requested();
    if interrupted {
        save()?;
    } else if found.is_err() {
        discard(&files.search)?;
    }
    match found {
        Err(DesignError::NotFound { .. }) if interrupted => {
            Err(DesignInterrupted::Search { design: files.design.clone() }.into())
        }
        found => Ok((found?, interrupted)),
    }
}

/// Removes the state of a search that has ended.
pub(crate) fn discard(place: &Path) -> Result<(), Failure> {
    match fs::remove_file(place) {
        Err(problem) if problem.kind() != ErrorKind::NotFound => {
            Err(WriteError::File { file: place.to_owned(), problem }.into())
        }
        _ => Ok(()),
    }
}

fn save(file: &DesignFile, place: &Path, search: &Search) -> Result<(), Failure> {
    let checkpoint = Checkpoint { design: file.clone(), done: search.done() };
    write(place, checkpoint.to_json().as_bytes())
}

/// Reads the state of an earlier search for the same design.
fn earlier(file: &DesignFile, place: &Path) -> Result<Vec<Start>, Failure> {
    if !place.exists() {
        return Ok(Vec::new());
    }
    let checkpoint = read(place)?;
    if checkpoint.design.specification != file.specification {
        return Err(DesignJobError::OtherSearch { file: place.to_owned() }.into());
    }
    Ok(checkpoint.done)
}

/// Reads the state in a file.
pub(crate) fn read(place: &Path) -> Result<Checkpoint, Failure> {
    let origin = place.display().to_string();
    let text = input_file::bytes(place, input_file::LONGEST_SEARCH)
        .map_err(|source| MethodError::File { file: origin.clone(), source })?;
    Ok(Checkpoint::from_json(&text, &origin)?)
}
