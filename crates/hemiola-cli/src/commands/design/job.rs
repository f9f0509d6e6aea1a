//! One design from its file to its method.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hemiola::design::{DesignFile, Tuning};
use hemiola::tableau::is_id;
use serde_json::Value;

use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::writer::Output;

use super::files::Files;
use super::findings::Findings;
use super::front::Front;
use super::gain::Gain;
use super::origin::{Making, free_file};
use super::{page, search, tuning};

/// What is to be designed and where it goes.
pub(crate) struct Job {
    design: DesignFile,
    files: Files,
    /// The method file that was asked for, where another design is in its place.
    taken: Option<PathBuf>,
}

/// A job that is done.
pub(crate) struct Done<'a> {
    findings: Findings,
    files: &'a Files,
    /// What an outer search before it has gained.
    gain: Option<Gain>,
    time: Duration,
    interrupted: bool,
}

impl Job {
    /// The method file's name is to serve as the id, and its folder is to exist. What is being made must not take the place of a
    /// design of another origin, where `making` says what that is; a search that goes on has its place.
    pub(crate) fn new(
        design: DesignFile,
        asked: PathBuf,
        making: Option<Making>,
        resume: bool,
    ) -> Result<Self, Failure> {
        let job = Self::at(design, asked)?;
        let making = making.filter(|_| !(resume && job.files.has_search()));
        let Some(making) = making else { return Ok(job) };
        let file = free_file(&job.files.method, &job.design.specification, making);
        if file == job.files.method {
            return Ok(job);
        }
        let taken = Some(job.files.method);
        Ok(Self { taken, ..Self::at(job.design, file)? })
    }

    fn at(mut design: DesignFile, file: PathBuf) -> Result<Self, Failure> {
        if file.extension().is_none_or(|ending| ending != "json") {
            return Err(Failure::WrongEnding { option: "--output", file, expected: ".json" });
        }
        let stem = file.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_id(stem));
        let Some(stem) = stem else { return Err(Failure::NoId { file }) };
        stem.clone_into(&mut design.id);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::NoFolder { option: "--output", folder: folder.to_owned() });
        }
        Ok(Self { design, files: Files::beside(&file), taken: None })
    }

    /// The method of another origin whose place was asked for.
    pub(crate) fn kept(&self) -> Option<&Path> {
        self.taken.as_deref()
    }

    /// Says where the method goes, if not where it was asked to go.
    pub(crate) fn say_where(&self, output: &mut Output) -> Result<(), Failure> {
        let Some(taken) = &self.taken else { return Ok(()) };
        let (taken, file) = (taken.display(), self.files.method.display());
        output.warn(&format!("{taken} stems from another design and is kept: this one is {file} (--force overwrites)"))
    }

    pub(crate) fn id(&self) -> &str {
        &self.design.id
    }

    /// The method file that was asked for.
    pub(crate) fn method(&self) -> &Path {
        self.taken.as_ref().unwrap_or(&self.files.method)
    }

    pub(crate) fn run(&self, tuning: Option<Tuning>, resume: bool, interrupt: &Interrupt) -> Result<Done<'_>, Failure> {
        let start = Instant::now();
        let tuned =
            tuning.map(|tuning| tuning::run(&self.design, &self.files, tuning, resume, interrupt)).transpose()?;
        let design = tuned.as_ref().unwrap_or(&self.design);
        let (mut found, interrupted) = search::run(design, &self.files, resume, interrupt)?;
        design.sign(&mut found)?;
        let findings = Findings::new(design, found)?;
        self.files.write(&findings)?;
        let both = tuned.as_ref().map(|tuned| [&self.design.specification, &tuned.specification]);
        let gain = both.map(|both| Gain::new(both, &findings.design, interrupt)).transpose()?;
        Ok(Done { findings, files: &self.files, gain, time: start.elapsed(), interrupted })
    }

    /// So many compromises in the place of one design.
    pub(crate) fn front(&self, points: usize, interrupt: &Interrupt) -> Result<Front<'_>, Failure> {
        Front::new(&self.design, &self.files, points, interrupt)
    }
}

impl Done<'_> {
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
        if self.interrupted { format!("{page}`hemiola design {design} --resume` goes on\n") } else { page }
    }
}
