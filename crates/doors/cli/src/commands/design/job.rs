//! A single design, from its file to its method.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hemiola::design::{Checkpoint, DesignFile, SearchShare, Start, TuningLimits};
use hemiola::tableau::is_id;
use serde_json::{Value, json};

use crate::arguments::figure::FigureArgs;
use crate::arguments::usage::OptionError;
use crate::failure::Failure;
use crate::output::file_lock::FileLock;
use crate::output::interrupt::Interrupt;
use crate::output::text::counted;
use crate::output::writer::{Output, WriteError, write};
use crate::ranks::Ranks;

use super::files::DesignFiles;
use super::findings::DesignResults;
use super::front::Front;
use super::gain::Gain;
use super::made_for::TrainingRuns;
use super::origin::{OutputKind, free_file};
use super::search::{self, PartResult};
use super::{page, tuning};

/// Design with its output files.
pub(crate) struct Job {
    design: DesignFile,
    files: DesignFiles,
    /// Requested method file, if it contains another design.
    taken: Option<PathBuf>,
    /// Lock that is held while the job exists.
    claim: Option<FileLock>,
}

/// Finished job.
pub(crate) struct FinishedJob<'a> {
    findings: DesignResults,
    files: &'a DesignFiles,
    /// Gain of a preceding outer search.
    gain: Option<Gain>,
    time: Duration,
    interrupted: bool,
}

impl Job {
    /// Prepares a job. The name of the method file must be a valid id, and its folder must exist. A design of different origin is not
    /// overwritten; `making` identifies the design to be written. A resumed search uses the same file.
    pub(crate) fn new(
        design: DesignFile,
        asked: PathBuf,
        making: Option<OutputKind>,
        resume: bool,
        part: Option<SearchShare>,
    ) -> Result<Self, Failure> {
        let job = Self::at(design, asked)?;
        let making = making.filter(|_| !(resume && job.files.has_search()));
        let Some(making) = making else { return job.claimed(part) };
        let place = job.files.method;
        loop {
            let file = free_file(&place, &job.design.specification, making);
            let claimed = Self::at(job.design.clone(), file)?.claimed(part)?;
            // Another process may have finished a design between the inspection of the folder and the lock.
            if free_file(&place, &job.design.specification, making) == claimed.files.method {
                let taken = (claimed.files.method != place).then_some(place);
                return Ok(Self { taken, ..claimed });
            }
        }
    }

    /// Locks the files of the job against other processes.
    fn claimed(mut self, part: Option<SearchShare>) -> Result<Self, Failure> {
        self.claim = None;
        let file = part.map_or_else(|| self.files.method.clone(), |part| self.files.part(part));
        self.claim = Some(FileLock::new(&file)?);
        Ok(self)
    }

    fn at(mut design: DesignFile, file: PathBuf) -> Result<Self, Failure> {
        if file.extension().is_none_or(|ending| ending != "json") {
            return Err(WriteError::Ending { option: "--output", file, expected: ".json" }.into());
        }
        let stem = file.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_id(stem));
        let Some(stem) = stem else { return Err(OptionError::NoId { file }.into()) };
        stem.clone_into(&mut design.id);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_owned() }.into());
        }
        Ok(Self { design, files: DesignFiles::beside(&file), taken: None, claim: None })
    }

    /// Sets the appearance of figures.
    pub(crate) fn drawn(mut self, look: FigureArgs) -> Self {
        self.files.look = look;
        self
    }

    /// Returns the requested file, if it contains a method of different origin.
    pub(crate) fn kept(&self) -> Option<&Path> {
        self.taken.as_deref()
    }

    /// Warns if the method is not written to the requested file.
    pub(crate) fn say_where(&self, output: &mut Output) -> Result<(), Failure> {
        let Some(taken) = &self.taken else { return Ok(()) };
        let (taken, file) = (taken.display(), self.files.method.display());
        output.warn(&format!(
            "{taken} belongs to another design and is kept; this design is written to {file} (--force overwrites)"
        ))
    }

    pub(crate) fn run(
        &self,
        tuning: Option<TuningLimits>,
        resume: bool,
        (interrupt, ranks): (&Interrupt, &Ranks),
    ) -> Result<FinishedJob<'_>, Failure> {
        let start = Instant::now();
        let tuned =
            tuning.map(|tuning| tuning::run(&self.design, &self.files, tuning, resume, interrupt)).transpose()?;
        let design = tuned.as_ref().unwrap_or(&self.design);
        let runs = design
            .specification
            .made_for
            .as_ref()
            .map(|made_for| TrainingRuns::new(made_for, interrupt))
            .transpose()?;
        let (mut found, interrupted) = search::run(design, &self.files, runs.as_ref(), resume, (interrupt, ranks))?;
        design.sign(&mut found)?;
        let mut findings = DesignResults::new(design, found)?;
        findings.compared = runs.as_ref().map(|runs| runs.compared(&findings.design.method)).transpose()?;
        self.files.write(&findings)?;
        if !interrupted {
            search::discard(&self.files.search)?;
        }
        let both = tuned.as_ref().map(|tuned| [&self.design.specification, &tuned.specification]);
        let gain = both.map(|both| Gain::new(both, &findings, interrupt)).transpose()?;
        Ok(FinishedJob { findings, files: &self.files, gain, time: start.elapsed(), interrupted })
    }

    /// Tries the starts of a share of the search and stores them for `hemiola merge`.
    pub(crate) fn part(
        &self,
        part: SearchShare,
        resume: bool,
        workers: (&Interrupt, &Ranks),
    ) -> Result<PartReport, Failure> {
        let file = self.files.part(part);
        let done = search::run_part(&self.design, &file, part, resume, workers)?;
        Ok(PartReport { part, file, done })
    }

    /// Continues from starts tried in other processes.
    pub(crate) fn merged(&self, done: Vec<Start>, workers: (&Interrupt, &Ranks)) -> Result<FinishedJob<'_>, Failure> {
        let checkpoint = Checkpoint { design: self.design.clone(), done };
        write(&self.files.search, checkpoint.to_json().as_bytes())?;
        self.run(None, true, workers)
    }

    /// Computes a front with this many compromises instead of one design.
    pub(crate) fn front(&self, points: usize, interrupt: &Interrupt) -> Result<Front<'_>, Failure> {
        Front::new(&self.design, &self.files, points, interrupt)
    }
}

/// Result of a share of a search.
pub(crate) struct PartReport {
    part: SearchShare,
    file: PathBuf,
    done: PartResult,
}

impl PartReport {
    pub(crate) fn is_complete(&self) -> bool {
        self.done.is_complete
    }

    pub(crate) fn to_json(&self) -> Value {
        let PartResult { starts, solved, is_complete } = self.done;
        let (part, of, file) = (self.part.number(), self.part.of(), self.file.display().to_string());
        json!({ "part": part, "of": of, "starts": starts, "solved": solved, "complete": is_complete, "file": file })
    }

    pub(crate) fn page(&self) -> String {
        let PartResult { starts, solved, is_complete } = self.done;
        let hint = if is_complete { "" } else { "interrupted; repeat the command with --resume to continue\n" };
        format!(
            "part {}: {}, {solved} of them solved\nwrote {}\n{hint}",
            self.part,
            counted(starts, "start"),
            self.file.display()
        )
    }
}

impl FinishedJob<'_> {
    pub(crate) fn to_json(&self) -> Value {
        let mut answer = self.findings.to_json(&self.files.all(), self.interrupted);
        if let Some(gain) = &self.gain {
            answer["tuning"] = gain.to_json();
        }
        answer
    }

    pub(crate) fn page(&self) -> String {
        let gain = self.gain.as_ref().map(Gain::page).unwrap_or_default();
        let page = page::page(&self.findings, &gain, self.time, self.interrupted, &self.files.all());
        let design = self.files.design.display();
        if self.interrupted { format!("{page}resume with `hemiola design {design} --resume`\n") } else { page }
    }
}
