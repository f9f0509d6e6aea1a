//! `hemiola design`: new dual-rate pairs, each with its certificate, figure and report.

mod arguments;
mod balance;
mod comparison;
mod direct;
pub(crate) mod error;
mod family;
mod files;
mod findings;
mod front;
mod gain;
mod help;
pub(crate) mod job;
mod made_for;
pub(crate) mod origin;
mod page;
mod profile_table;
mod report;
pub(crate) mod search;
mod tuning;

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{ArgGroup, Args, Parser};
use hemiola::design::{DesignFile, FamilyFile, SearchShare};
use hemiola::tableau::library::Library;
use serde_json::{Value, json};

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::OptionError;
use crate::commands::design::arguments::DesignArgs;
use crate::commands::design::direct::design_file::CommandFile;
use crate::commands::design::direct::files::is_one_file;
use crate::commands::design::direct::implicit::ImplicitArgs;
use crate::commands::design::direct::mri::MriArgs;
use crate::commands::design::direct::ssp::SspArgs;
use crate::commands::design::direct::storage::StorageArgs;
use crate::commands::design::direct::{DirectDesign, DirectJob, DirectOutput};
use crate::commands::design::error::DesignJobError;
use crate::commands::design::family::{FamilyArgs, FamilyJob};
use crate::commands::design::job::Job;
use crate::commands::design::made_for::TrainingRuns;
use crate::commands::design::origin::OutputKind;
use crate::commands::design::tuning::TuningArgs;
use crate::failure::{CommandOutcome, Failure};
use crate::output::interrupt::Interrupt;
use crate::output::writer::Output;
use crate::ranks::Ranks;

/// Display order of options that do not describe the pair.
const LAST: usize = 50;

/// Design dual-rate pairs: few slow and many fast evaluations per step
#[derive(Args)]
#[command(group(ArgGroup::new("direct").args(["ssp", "storage", "implicit"])), after_help = help::TEXT)]
pub(crate) struct Design {
    /// Design files NAME.design.json or family files NAME.family.json
    ///
    /// They replace all options that describe the design. Each file gives NAME.json, by default in the same folder.
    #[arg(value_name = "NAME.design.json", conflicts_with_all = ["Size", "Polynomials", "Shape", "Small", "Made"])]
    files: Vec<PathBuf>,

    /// Field of the design file to replace (repeatable)
    ///
    /// For example objective.internal=0.01, structure.shared_abscissae=true or structure.bounds.fast.a[3][2]=1/3; --fields
    /// lists all fields. The value is JSON or a text without quotes. With design files, it changes each of them.
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = field_value, conflicts_with = "levels", display_order = LAST)]
    set: Vec<(String, String)>,

    /// List the fields of design files, for --set
    #[arg(long, conflicts_with = "files", display_order = LAST)]
    fields: bool,

    /// Method file to write [default: dual-rate-S_S-S_F.json]
    ///
    /// The file name becomes the id of the method. With design files, it may also be a folder.
    #[arg(long, value_name = "F.json", display_order = LAST)]
    output: Option<OutputFile>,

    /// Resume an interrupted search from NAME.search.json, if this file exists
    #[arg(long, display_order = LAST)]
    resume: bool,

    /// Overwrite files of another design
    ///
    /// Without this option, a new pair gets a number, NAME-2.json; other designs are refused.
    #[arg(long, display_order = LAST)]
    force: bool,

    /// Compute only the K-th of N shares of the starts
    ///
    /// The share is written to NAME.part-K-of-N.search.json for `hemiola merge`.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["tune", "pareto", "levels"], display_order = LAST)]
    part: Option<SearchShare>,

    /// Print JSON
    ///
    /// Several design files give an array.
    #[arg(long, display_order = LAST)]
    json: bool,

    #[command(flatten)]
    wishes: DesignArgs,

    #[command(flatten)]
    family: FamilyArgs,

    #[command(flatten)]
    ssp: SspArgs,

    #[command(flatten)]
    storage: StorageArgs,

    #[command(flatten)]
    implicit: ImplicitArgs,

    #[command(flatten)]
    mri: MriArgs,

    #[command(flatten)]
    outer: TuningArgs,

    /// Compute a Pareto front of at most N designs instead of one design
    ///
    /// The designs NAME-1.json, … are compromises between small errors and what else the objective weighs: small
    /// coefficients, internal stability, the coupled profile.
    #[arg(long, value_name = "N", conflicts_with_all = ["tune", "resume"], help_heading = "Objective")]
    pareto: Option<usize>,

    #[command(flatten)]
    figure: FigureArgs,
}

/// Reads the options of a command in a design file.
#[derive(Parser)]
#[command(name = "hemiola design", no_binary_name = true)]
struct Words {
    #[command(flatten)]
    design: Design,
}

/// A design file that contains a command, with the options of this command.
struct StatedCommand {
    path: PathBuf,
    design: Design,
}

/// Reported result of one job.
struct JobReport {
    page: String,
    json: Value,
    /// Whether a share of a search has tried all of its starts.
    is_complete: bool,
}

impl Design {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let ranks = Ranks::join();
        if ranks.work() {
            return Ok(CommandOutcome::Done);
        }
        if self.fields {
            output.text(&page::fields())?;
            return Ok(CommandOutcome::Done);
        }
        self.figure.check("--output", None)?;
        self.check_outputs()?;
        let families = self.families()?;
        let commands = self.commands()?;
        self.check_ranks(ranks.count(), (!families.is_empty(), !commands.is_empty()))?;
        let output_of_options =
            DirectOutput { method: self.output.as_deref(), design: None, force: self.force, look: self.figure.clone() };
        if let Some(job) = self.direct(library, output_of_options)? {
            let (page, json) = job.run()?;
            if self.json {
                output.json(&json)?;
            } else {
                output.text(&page)?;
            }
            return Ok(CommandOutcome::Done);
        }
        let jobs = self.jobs(&commands)?;
        let commands =
            commands.iter().map(|command| self.command_job(command, library)).collect::<Result<Vec<_>, _>>()?;
        let interrupt = Interrupt::listen();
        let mut reports = Vec::new();
        let mut is_complete = true;
        let direct = commands.iter().map(|command| command.run());
        for found in direct.chain(families.iter().map(|family| family.run(&interrupt))) {
            let (page, json) = found?;
            if !self.json {
                let gap = if reports.is_empty() { "" } else { "\n" };
                output.text(&format!("{gap}{page}"))?;
                output.flush()?;
            }
            reports.push(json);
        }
        for job in &jobs {
            if !self.json {
                job.say_where(output)?;
            }
            let answer = self.answer(job, (&interrupt, &ranks))?;
            if !self.json {
                let gap = if reports.is_empty() { "" } else { "\n" };
                output.text(&format!("{gap}{}", answer.page))?;
                output.flush()?;
            }
            reports.push(answer.json);
            is_complete &= answer.is_complete;
            if interrupt.is_requested() {
                break;
            }
        }
        if self.json {
            match &reports[..] {
                [one] if self.files.len() <= 1 => output.json(one)?,
                all => output.json(&all)?,
            }
        }
        Ok(if reports.len() < commands.len() + families.len() + jobs.len() || !is_complete {
            CommandOutcome::Interrupted
        } else {
            CommandOutcome::Done
        })
    }

    /// Prepares a design that options define completely, if one is requested.
    fn direct(&self, library: &Library, output: DirectOutput<'_>) -> Result<Option<Box<dyn DirectJob>>, Failure> {
        // Multirate designs come first, because this call rejects their options in all other designs.
        if let Some(wanted) = self.wishes.mri(&self.mri, &self.implicit)? {
            let options = [
                ("--ssp", self.ssp.is_asked_for()),
                ("--set", !self.set.is_empty()),
                ("--resume", self.resume),
                ("--part", self.part.is_some()),
                ("--pareto", self.pareto.is_some()),
                ("--tune", self.outer.tuning().is_some()),
                ("an option of figures", self.figure != FigureArgs::default()),
            ];
            if let Some((option, _)) = options.into_iter().find(|(_, is_given)| *is_given) {
                return Err(OptionError::Contradiction { option, with: "a number of fast evaluations" }.into());
            }
            return wanted.job(output).map(Some);
        }
        let (shared, stages) = (self.wishes.shared(), self.ssp.stages());
        if let Some(wanted) = self.ssp.specification(&shared)? {
            return wanted.job(output).map(Some);
        }
        if let Some(wanted) = self.storage.specification(&shared, stages, &self.family)? {
            return wanted.job(output).map(Some);
        }
        let wanted = self.implicit.specification(stages, &shared, library)?;
        wanted.map(|wanted| wanted.job(output)).transpose()
    }

    fn answer(&self, job: &Job, workers: (&Interrupt, &Ranks)) -> Result<JobReport, Failure> {
        if let Some(part) = self.part {
            let report = job.part(part, self.resume, workers)?;
            return Ok(JobReport { page: report.page(), json: report.to_json(), is_complete: report.is_complete() });
        }
        let mut answer = if let Some(points) = self.pareto {
            let front = job.front(points, workers.0)?;
            JobReport { page: front.page(), json: front.to_json(), is_complete: true }
        } else {
            let done = job.run(self.outer.tuning(), self.resume, workers)?;
            JobReport { page: done.page(), json: done.to_json(), is_complete: true }
        };
        if let Some(kept) = job.kept() {
            answer.json["kept"] = json!(kept.display().to_string());
        }
        Ok(answer)
    }

    /// Rejects options whose searches are sequential and cannot be divided among ranks.
    fn check_ranks(&self, found: usize, (has_families, has_commands): (bool, bool)) -> Result<(), Failure> {
        let options = [
            ("--pareto", self.pareto.is_some()),
            ("--tune", self.outer.tuning().is_some()),
            ("--levels", has_families),
            ("--ssp", self.ssp.is_asked_for()),
            ("--storage", self.storage.is_asked_for()),
            ("--implicit", self.implicit.is_asked_for()),
            ("--fast exact", self.wishes.is_exact()),
            ("a design file with a command", has_commands),
        ];
        let undivided = options.into_iter().find(|(_, is_given)| *is_given && found > 1);
        undivided.map_or(Ok(()), |(option, _)| Err(DesignJobError::ManyRanks { found, option }.into()))
    }

    /// Rejects design files whose methods would overwrite each other or a design.
    fn check_outputs(&self) -> Result<(), Failure> {
        let mut methods: Vec<PathBuf> = Vec::new();
        for path in &self.files {
            let method = self.method_file(path);
            if is_one_file(&method, path) {
                return Err(DesignJobError::OverDesign { file: method }.into());
            }
            if methods.contains(&method) {
                return Err(DesignJobError::SameMethod { id: id_of(path).to_owned() }.into());
            }
            methods.push(method);
        }
        Ok(())
    }

    /// Reads the design files that contain commands.
    fn commands(&self) -> Result<Vec<StatedCommand>, Failure> {
        let mut commands = Vec::new();
        for path in &self.files {
            let Some(file) = CommandFile::read(path)? else { continue };
            let options = [
                ("--set", !self.set.is_empty()),
                ("--resume", self.resume),
                ("--part", self.part.is_some()),
                ("--pareto", self.pareto.is_some()),
                ("--tune", self.outer.tuning().is_some()),
            ];
            if let Some((option, _)) = options.into_iter().find(|(_, is_given)| *is_given) {
                return Err(DesignJobError::NoFields { option, file: path.clone() }.into());
            }
            let invalid = |problem: String| DesignJobError::Command { file: path.clone(), problem };
            let Words { design } = Words::try_parse_from(file.options(path)?).map_err(|problem| {
                let text = problem.to_string();
                let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
                match problem.kind() {
                    ErrorKind::DisplayHelp => invalid("--help describes no design".to_owned()),
                    _ => invalid(lines.join(" ").trim_start_matches("error: ").to_owned()),
                }
            })?;
            let surplus = [
                ("--output", design.output.is_some()),
                ("--force", design.force),
                ("--json", design.json),
                ("an option of figures", design.figure != FigureArgs::default()),
            ];
            if let Some((option, _)) = surplus.into_iter().find(|(_, is_given)| *is_given) {
                let problem = format!("the command has {option}; expected only options that describe the design");
                return Err(invalid(problem).into());
            }
            commands.push(StatedCommand { path: path.clone(), design });
        }
        Ok(commands)
    }

    /// Prepares the design of a command.
    fn command_job(&self, command: &StatedCommand, library: &Library) -> Result<Box<dyn DirectJob>, Failure> {
        let StatedCommand { path, design } = command;
        let method = self.method_file(path);
        let (method, look) = (Some(method.as_path()), self.figure.clone());
        let output = DirectOutput { method, design: Some(path), force: self.force, look };
        let job = design.direct(library, output)?;
        Ok(job.ok_or_else(|| DesignJobError::NotDirect { file: path.clone() })?)
    }

    /// Builds the jobs. All are checked before the first search, which may take minutes.
    fn jobs(&self, commands: &[StatedCommand]) -> Result<Vec<Job>, Failure> {
        if self.family.is_asked_for() {
            return Ok(Vec::new());
        }
        if self.files.is_empty() {
            // Fields describe a design completely, as a design file does.
            let prefers = self.set.is_empty() && self.pareto.is_none() && self.outer.tuning().is_none();
            let mut file = self.with_fields(DesignFile::new(self.wishes.specification(prefers)?))?;
            let is_set = self.set.iter().any(|(path, _)| path == "starts");
            if let Some(starts) = self.wishes.starts().filter(|_| !is_set) {
                file.specification.starts = starts;
                file.specification.validate()?;
            }
            let method = self.output.as_deref().map_or_else(|| format!("{}.json", file.id).into(), Path::to_path_buf);
            return Ok(vec![self.job(file, method)?]);
        }
        let mut jobs: Vec<Job> = Vec::new();
        let is_command = |path: &PathBuf| commands.iter().any(|command| command.path == *path);
        for path in self.files.iter().filter(|path| !FamilyFile::is_name_of_one(path) && !is_command(path)) {
            let file = self.with_fields(DesignFile::read(path)?)?;
            jobs.push(self.job(file, self.method_file(path))?);
        }
        Ok(jobs)
    }

    /// Replaces the fields given by `--set`.
    fn with_fields(&self, file: DesignFile) -> Result<DesignFile, Failure> {
        let valid = file.specification.validate();
        if self.set.is_empty() {
            return Ok(valid.map(|()| file)?);
        }
        let mut open = file;
        if self.files.is_empty() {
            // The fields decide whether the starts race.
            open.specification.effort = self.wishes.effort();
        }
        // Fields may complete the other options. If the options are invalid without them, the options are at fault, not --set.
        match (valid, open.with_fields(&self.set)) {
            (Err(problem), Err(_)) => Err(problem.into()),
            (_, completed) => Ok(completed?),
        }
    }

    /// Builds the families. All are checked before the first search.
    fn families(&self) -> Result<Vec<FamilyJob>, Failure> {
        if let Some(file) = self.wishes.family(&self.family)? {
            let method = self.output.as_deref().map_or_else(|| format!("{}.json", file.id).into(), Path::to_path_buf);
            return Ok(vec![FamilyJob::new(file, method, self.force, self.figure.clone())?]);
        }
        let mut families = Vec::new();
        for path in self.files.iter().filter(|path| FamilyFile::is_name_of_one(path)) {
            let file = FamilyFile::read(path)?;
            families.push(FamilyJob::new(file, self.method_file(path), true, self.figure.clone())?);
        }
        Ok(families)
    }

    /// Builds a job that overwrites a design of different origin only with `--force`.
    fn job(&self, file: DesignFile, method: PathBuf) -> Result<Job, Failure> {
        let making = match (self.pareto, self.outer.tuning()) {
            (Some(points), _) => OutputKind::Front(points),
            (None, Some(_)) => OutputKind::Tuned,
            (None, None) => OutputKind::Method,
        };
        // A share writes no method.
        let making = (!self.force && self.part.is_none()).then_some(making);
        // This check precedes the job, which names and locks its files.
        if let Some(systems) = &file.specification.made_for {
            TrainingRuns::check(systems)?;
        }
        let job = Job::new(file, method, making, self.resume, self.part)?;
        Ok(job.drawn(self.figure.clone()))
    }

    /// Returns the method file of a design file.
    fn method_file(&self, design: &Path) -> PathBuf {
        let name = format!("{}.json", id_of(design));
        match &self.output {
            None => design.with_file_name(name),
            Some(file) if self.files.len() == 1 && !file.is_dir() => file.to_path_buf(),
            Some(folder) => folder.join(name),
        }
    }
}

/// Returns the id of a design file's method, which is the name of the file.
fn id_of(design: &Path) -> &str {
    let name = design.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [".design.json", ".family.json", ".json"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Reads PATH=VALUE. The path may contain no equals sign, the value may.
fn field_value(text: &str) -> Result<(String, String), &'static str> {
    let (path, value) = text.split_once('=').ok_or("expected PATH=VALUE; `hemiola design --fields` lists the paths")?;
    Ok((path.trim().to_owned(), value.trim().to_owned()))
}
