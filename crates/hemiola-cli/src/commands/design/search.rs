//! A search that can be interrupted and resumed: its state is written every few seconds.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hemiola::design::{Checkpoint, Design, DesignError, DesignFile, Part, Progress, Search, Start};
use hemiola::tableau::MethodError;

use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::writer::write;

use super::files::Files;
use super::made_for::Runs;
use super::progress::SearchProgress;

/// How often the state is written.
const INTERVAL: Duration = Duration::from_secs(5);

/// What a share of a search has done.
pub(crate) struct PartDone {
    pub(crate) starts: usize,
    pub(crate) solved: usize,
    pub(crate) is_complete: bool,
}

/// Tries the starts of a share, and leaves them in its file.
pub(crate) fn run_part(
    file: &DesignFile,
    place: &Path,
    part: Part,
    resume: bool,
    interrupt: &Interrupt,
) -> Result<PartDone, Failure> {
    let done = if resume { earlier(file, place)? } else { Vec::new() };
    let search = Search::new(&file.specification, done)?;
    let save = || save(file, place, &search);
    let watch = SearchProgress::new(interrupt);
    let is_complete = search.run_part(part, saving(&save, &watch));
    watch.finish();
    save()?;
    let done = search.done();
    let solved = done.iter().filter(|start| start.solution.is_some()).count();
    Ok(PartDone { starts: done.len(), solved, is_complete })
}

/// Progress that is shown, and saved every few seconds.
fn saving<'a>(
    save: &'a (dyn Fn() -> Result<(), Failure> + Sync),
    watch: &'a SearchProgress,
) -> impl Fn(Progress) -> ControlFlow<()> + Sync + 'a {
    let last = Mutex::new(Instant::now());
    move |progress| {
        // Other threads need not wait while one checks the time.
        if let Ok(mut last) = last.try_lock()
            && last.elapsed() > INTERVAL
        {
            // A folder that is not writable is reported at the end.
            let _ = save();
            *last = Instant::now();
        }
        watch.see(progress)
    }
}

/// The result of a search, and whether it was interrupted.
pub(crate) fn run(
    file: &DesignFile,
    files: &Files,
    runs: Option<&Runs>,
    resume: bool,
    interrupt: &Interrupt,
) -> Result<(Design, bool), Failure> {
    let done = if resume { earlier(file, &files.search)? } else { Vec::new() };
    let search = Search::new(&file.specification, done)?;
    // The design is written with the state, so that `hemiola design NAME.design.json --resume` suffices to continue.
    let save = || files.write_design(file).and_then(|()| save(file, &files.search, &search));
    let watch = SearchProgress::new(interrupt);
    let found = match runs {
        Some(runs) => search.run_for(runs, saving(&save, &watch)),
        None => search.run(saving(&save, &watch)),
    };
    watch.finish();
    let interrupted = interrupt.is_requested();
    if interrupted {
        save()?;
    } else if files.search.exists() {
        fs::remove_file(&files.search).map_err(|problem| Failure::Write { file: files.search.clone(), problem })?;
    }
    match found {
        Err(DesignError::NotFound { .. }) if interrupted => {
            Err(Failure::InterruptedDesign { design: files.design.clone() })
        }
        found => Ok((found?, interrupted)),
    }
}

fn save(file: &DesignFile, place: &Path, search: &Search) -> Result<(), Failure> {
    let checkpoint = Checkpoint { design: file.clone(), done: search.done() };
    write(place, checkpoint.to_json().as_bytes())
}

/// The state of an earlier search for the same design.
fn earlier(file: &DesignFile, place: &Path) -> Result<Vec<Start>, Failure> {
    if !place.exists() {
        return Ok(Vec::new());
    }
    let checkpoint = read(place)?;
    if checkpoint.design.specification != file.specification {
        return Err(Failure::OtherSearch { file: place.to_owned() });
    }
    Ok(checkpoint.done)
}

/// The state in a file.
pub(crate) fn read(place: &Path) -> Result<Checkpoint, Failure> {
    let origin = place.display().to_string();
    let text = fs::read(place).map_err(|source| MethodError::File { file: origin.clone(), source })?;
    Ok(Checkpoint::from_json(&text, &origin)?)
}
