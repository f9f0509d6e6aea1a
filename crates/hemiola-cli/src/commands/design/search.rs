//! A search that can be interrupted and resumed: its state is written every few seconds.

use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hemiola::design::{Checkpoint, Design, DesignError, DesignFile, Search, Start};
use hemiola::tableau::MethodError;

use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::writer::write;

use super::files::Files;
use super::made_for::Runs;
use super::progress::SearchProgress;

/// How often the state is written.
const INTERVAL: Duration = Duration::from_secs(5);

/// The result of a search, and whether it was interrupted.
pub(crate) fn run(
    file: &DesignFile,
    files: &Files,
    runs: Option<&Runs>,
    resume: bool,
    interrupt: &Interrupt,
) -> Result<(Design, bool), Failure> {
    let done = if resume { earlier(file, files)? } else { Vec::new() };
    let search = Search::new(&file.specification, done)?;
    let save = || save(file, files, &search);
    let watch = SearchProgress::new(interrupt);
    let last = Mutex::new(Instant::now());
    let each = |progress| {
        // Other threads need not wait while one checks the time.
        if let Ok(mut last) = last.try_lock()
            && last.elapsed() > INTERVAL
        {
            // A folder that is not writable is reported at the end.
            let _ = save();
            *last = Instant::now();
        }
        watch.see(progress)
    };
    let found = match runs {
        Some(runs) => search.run_for(runs, each),
        None => search.run(each),
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

/// The design is written with the state, so that `hemiola design NAME.design.json --resume` suffices to continue.
fn save(file: &DesignFile, files: &Files, search: &Search) -> Result<(), Failure> {
    files.write_design(file)?;
    let checkpoint = Checkpoint { design: file.clone(), done: search.done() };
    write(&files.search, checkpoint.to_json().as_bytes())
}

/// The state of an earlier search for the same design.
fn earlier(file: &DesignFile, files: &Files) -> Result<Vec<Start>, Failure> {
    if !files.search.exists() {
        return Ok(Vec::new());
    }
    let origin = files.search.display().to_string();
    let text = fs::read(&files.search).map_err(|source| MethodError::File { file: origin.clone(), source })?;
    let checkpoint = Checkpoint::from_json(&text, &origin)?;
    if checkpoint.design.specification != file.specification {
        return Err(Failure::OtherSearch { file: files.search.clone() });
    }
    Ok(checkpoint.done)
}
