//! Designs of a sweep in their folder: their states, and how they are computed.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use hemiola::design::findings::PairNumbers;
use hemiola::design::{DesignError, DesignFile, SweepFile};
use hemiola::tableau::Method;

use crate::arguments::input_file;
use crate::commands::design::error::DesignInterrupted;
use crate::commands::design::job::Job;
use crate::commands::design::search::{self, discard};
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::writer::write;
use crate::ranks::Ranks;

/// Report of a design, which is written last.
const REPORT: &str = "md";
/// All files of a design.
const ALL_FILES: [&str; 7] = ["json", "certificate.json", "svg", REPORT, "design.json", "none.txt", "search.json"];
/// Files of a completed design, beside the design file.
const RESULTS: [&str; 4] = ["json", "certificate.json", "svg", REPORT];

/// Sweep, the folder of its designs, and known results.
pub(crate) struct SweepFolder<'a> {
    pub(crate) sweep: &'a SweepFile,
    folder: &'a Path,
    numbers: Vec<OnceCell<PairNumbers>>,
}

/// State of a design.
pub(crate) enum DesignState {
    /// Files are missing or belong to another design.
    Open,
    /// All files exist.
    Done,
    /// No such design exists, for this reason.
    None(String),
}

/// Largest size of a stored reason why no design exists, including the design itself.
const LONGEST_REASON: u64 = 1 << 20;

impl<'a> SweepFolder<'a> {
    pub(crate) fn new(sweep: &'a SweepFile, folder: &'a Path) -> Self {
        Self { sweep, folder, numbers: vec![OnceCell::new(); sweep.designs.len()] }
    }

    fn file(&self, k: usize, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.sweep.designs[k].file.id))
    }

    /// Determines the state of a design from its files. A running search has a separate file, and the report is written last.
    pub(crate) fn state(&self, k: usize) -> DesignState {
        let design = &self.sweep.designs[k].file;
        if let Ok(text) = input_file::text(&self.file(k, "none.txt"), LONGEST_REASON) {
            let (of, why) = text.split_once('\n').unwrap_or_default();
            return if of == mark(design) { DesignState::None(why.trim().to_owned()) } else { DesignState::Open };
        }
        let is_there = |ending: &str| self.file(k, ending).exists();
        let is_same = || DesignFile::read(&self.file(k, "design.json")).is_ok_and(|there| there == *design);
        let is_done = RESULTS.into_iter().all(is_there) && !is_there("search.json") && is_same();
        if is_done { DesignState::Done } else { DesignState::Open }
    }

    /// Returns a file of another design, or of a table when the folder has no result of this sweep, under a name that the
    /// sweep writes.
    pub(crate) fn foreign_file(&self) -> Option<PathBuf> {
        let files =
            |k: usize| ALL_FILES.into_iter().map(move |ending| self.file(k, ending)).filter(|file| file.is_file());
        let all = 0..self.sweep.designs.len();
        let (own, other): (Vec<usize>, Vec<usize>) =
            all.filter(|&k| files(k).next().is_some()).partition(|&k| self.is_own(k));
        let of_design = other.first().and_then(|&k| files(k).next());
        let table = |ending: &str| self.folder.join(format!("{}.{ending}", self.sweep.id));
        let tables = || ["md", "svg"].map(table).into_iter().find(|file| own.is_empty() && file.is_file());
        of_design.or_else(tables)
    }

    /// Returns whether the files of a design state that they belong to it: its design file, the reason why it does not
    /// exist, or the state of its search.
    fn is_own(&self, k: usize) -> bool {
        let design = &self.sweep.designs[k].file;
        let states_it = || DesignFile::read(&self.file(k, "design.json")).is_ok_and(|there| there == *design);
        let is_none = || matches!(self.state(k), DesignState::None(_));
        states_it() || is_none() || self.is_under_way(k)
    }

    /// Returns the results of a completed design.
    pub(crate) fn numbers(&self, k: usize) -> Result<&PairNumbers, Failure> {
        if let Some(known) = self.numbers[k].get() {
            return Ok(known);
        }
        let pair = Method::read(&self.file(k, "json"))?;
        let found = PairNumbers::new(&pair, self.sweep.designs[k].file.specification.order)?;
        Ok(self.numbers[k].get_or_init(|| found))
    }

    /// Computes a design and resumes an unfinished search.
    pub(crate) fn make(&self, k: usize, workers: (&Interrupt, &Ranks)) -> Result<DesignState, Failure> {
        let design = &self.sweep.designs[k].file;
        // Results left by a different sweep are recomputed.
        for ending in ["none.txt", REPORT] {
            discard(&self.file(k, ending))?;
        }
        let job = Job::new(design.clone(), self.file(k, "json"), None, true, None)?;
        match job.run(None, self.is_under_way(k), workers) {
            Ok(_) => Ok(self.state(k)),
            Err(failure) => {
                if let Some(DesignInterrupted::Search { .. }) = failure.downcast_ref() {
                    return Ok(DesignState::Open);
                }
                let Some(none @ (DesignError::NotFound { .. } | DesignError::NoWeights { .. })) =
                    failure.downcast_ref()
                else {
                    return Err(failure);
                };
                write(&self.file(k, "none.txt"), format!("{}\n{none}\n", mark(design)).as_bytes())?;
                Ok(self.state(k))
            }
        }
    }

    /// Returns whether a stored search belongs to exactly this design.
    fn is_under_way(&self, k: usize) -> bool {
        let search = search::read(&self.file(k, "search.json"));
        search.is_ok_and(|checkpoint| checkpoint.design.specification == self.sweep.designs[k].file.specification)
    }
}

/// Formats a design in one line.
fn mark(design: &DesignFile) -> String {
    design.to_json().split_whitespace().collect::<Vec<_>>().join(" ")
}
