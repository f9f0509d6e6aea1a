//! The designs of a sweep in their folder: which are done, and how one is made.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola::design::findings::PairNumbers;
use hemiola::design::{DesignError, DesignFile, SweepFile};
use hemiola::tableau::Method;

use crate::commands::design::job::Job;
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::writer::write;

/// A sweep and where its designs are.
pub(crate) struct Grid<'a> {
    pub(crate) sweep: &'a SweepFile,
    pub(crate) folder: &'a Path,
}

/// How far a design is.
pub(crate) enum State {
    /// Its files are not all there, or belong to another design.
    Open,
    /// Its method is there.
    Done(Box<PairNumbers>),
    /// There is none, and why.
    None(String),
}

impl Grid<'_> {
    fn file(&self, k: usize, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.sweep.designs[k].file.id))
    }

    /// What the files of a design say. The method and its certificate are written after the design, and a search that is under
    /// way has its own file.
    pub(crate) fn state(&self, k: usize) -> Result<State, Failure> {
        let design = &self.sweep.designs[k].file;
        let none = self.file(k, "none.txt");
        if none.exists() {
            let text = fs::read_to_string(&none).unwrap_or_default();
            let (of, why) = text.split_once('\n').unwrap_or_default();
            return Ok(if of == mark(design) { State::None(why.trim().to_owned()) } else { State::Open });
        }
        let is_same = || DesignFile::read(&self.file(k, "design.json")).is_ok_and(|there| there == *design);
        let [method, certificate, search] =
            ["json", "certificate.json", "search.json"].map(|ending| self.file(k, ending));
        if search.exists() || !certificate.exists() || !method.exists() || !is_same() {
            return Ok(State::Open);
        }
        let pair = Method::read(&method)?;
        Ok(State::Done(Box::new(PairNumbers::new(&pair, design.specification.order)?)))
    }

    /// Makes a design, going on with a search that was under way.
    pub(crate) fn make(&self, k: usize, interrupt: &Interrupt) -> Result<State, Failure> {
        let design = &self.sweep.designs[k].file;
        // What is there of another sweep is made anew.
        let old = ["none.txt", "certificate.json"].map(|ending| self.file(k, ending));
        for old in old.iter().filter(|file| file.exists()) {
            fs::remove_file(old).map_err(|problem| Failure::Write { file: old.clone(), problem })?;
        }
        let job = Job::new(design.clone(), self.file(k, "json"), None, true)?;
        match job.run(None, self.is_under_way(k), interrupt) {
            Ok(_) => self.state(k),
            Err(Failure::InterruptedDesign { .. }) => Ok(State::Open),
            Err(Failure::Design(none @ (DesignError::NotFound { .. } | DesignError::NoWeights { .. }))) => {
                write(&self.file(k, "none.txt"), format!("{}\n{none}\n", mark(design)).as_bytes())?;
                self.state(k)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Whether there is the state of a search for this very design.
    fn is_under_way(&self, k: usize) -> bool {
        let search = crate::commands::design::search::read(&self.file(k, "search.json"));
        search.is_ok_and(|checkpoint| checkpoint.design.specification == self.sweep.designs[k].file.specification)
    }
}

/// A design in one line.
fn mark(design: &DesignFile) -> String {
    design.to_json().split_whitespace().collect::<Vec<_>>().join(" ")
}
