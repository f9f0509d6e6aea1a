//! Checks files individually and against each other.

use std::cmp::Reverse;
use std::path::PathBuf;

use hemiola_export::MethodPositions;
use hemiola_multirate::{InfinitesimalMethod, MicroStepMethod};
use hemiola_order::{CheckOptions, OrderReport};
use hemiola_tableau::json::read_bounded;
use hemiola_tableau::{MethodError, printable};
use rayon::prelude::*;

use crate::facts::StructureFacts;
use crate::file::{FileContents, LintFile};
use crate::finding::{LintFinding, Rule};
use crate::method::LintedMethod;
use crate::place::position_of;
use crate::rules::duplicates::{RoundedTableau, StageMatch};
use crate::rules::{claims, coefficients, micro_steps, misprint, multirate, text};
use crate::tables::{self, SourceTable};

/// The highest order above which claims are not tested for being too low: the next order takes several times as
/// long as all before it.
const HIGHEST_BEYOND: usize = 7;
/// The order up to which tables of programs are checked, which takes seconds. Order 14 takes about a minute per table.
const HIGHEST_OF_PROGRAMS: usize = 10;

/// A method file or a table of a program, and its findings.
#[derive(Clone, Debug)]
pub struct LintReport {
    /// The file, as given.
    pub file: String,
    /// The findings, ordered by line.
    pub findings: Vec<LintFinding>,
    /// The structure of the method, if the file holds one and its order could be checked.
    pub facts: Option<StructureFacts>,
    method: Option<LintedMethod>,
    /// Positions of the numbers of a table of a program.
    positions: Option<MethodPositions>,
    text: Vec<u8>,
}

/// Checks method files and compares them with each other.
///
/// Returns one entry per file, in the order given. The findings do not depend on the number of threads.
#[must_use]
pub fn lint(files: &[PathBuf]) -> Vec<LintReport> {
    lint_files(&files.iter().cloned().map(LintFile::from).collect::<Vec<_>>())
}

/// Checks method files and the tables of programs; method files are compared with each other.
///
/// Returns one entry per method file and one per table, in the order given; a program with tables that cannot be read
/// has one more entry. The findings do not depend on the number of threads.
///
/// ```
/// use hemiola_lint::{FileContents, LintFile, lint_files};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("rk.py");
/// std::fs::write(&path, "A = [[0, 0, 0], [1/3, 0, 0], [0, 2/3, 0]]\nb = [1/4, 1/4, 3/4]\norder = 3\n")?;
/// let contents = FileContents::Tables(hemiola_export::ReadOptions::default());
/// let finding = &lint_files(&[LintFile { path, contents }])[0].findings[0];
/// assert!(finding.message.contains("b2 = 1/4 is probably wrong"), "{}", finding.message);
/// assert_eq!((finding.line, finding.column), (Some(2), Some(11)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lint_files(files: &[LintFile]) -> Vec<LintReport> {
    let read: Vec<Vec<LintReport>> = files.par_iter().map(LintReport::read).collect();
    let mut all: Vec<LintReport> = read.into_iter().flatten().collect();
    // Each method is a task of its own, highest orders first: one may take a thousand times as long as another.
    let mut tasks: Vec<&mut LintReport> = all.iter_mut().collect();
    tasks.sort_by_key(|linted| Reverse(linted.method.as_ref().and_then(LintedMethod::claimed_order)));
    tasks.into_par_iter().with_max_len(1).for_each(LintReport::examine);
    compare(&mut all);
    for linted in &mut all {
        linted.place();
    }
    all
}

impl LintReport {
    fn new(file: &str) -> Self {
        let (findings, text) = (Vec::new(), Vec::new());
        Self { file: file.to_owned(), findings, facts: None, method: None, positions: None, text }
    }

    /// Reads the methods of a file.
    fn read(file: &LintFile) -> Vec<Self> {
        let name = file.path.display().to_string();
        let mut whole = Self::new(&name);
        match (read_bounded(&file.path), file.contents) {
            (Err(error), FileContents::Program(_)) => {
                let finding = unreadable(&name, &error);
                whole.findings.push(LintFinding { rule: Rule::Unread, ..finding });
            }
            (Err(error), _) => whole.findings.push(unreadable(&name, &error)),
            (Ok(text), FileContents::Method) => {
                match LintedMethod::read(&text, &name) {
                    Ok(method) => whole.method = Some(method),
                    Err(error) => whole.findings.push(unreadable(&name, &error)),
                }
                whole.text = text;
            }
            (Ok(text), FileContents::Tables(options)) => {
                return whole.tables(tables::read(&name, &text, &options, true));
            }
            (Ok(text), FileContents::Program(options)) => {
                return whole.tables(tables::read(&name, &text, &options, false));
            }
        }
        vec![whole]
    }

    /// Returns an entry for each table, and one for the tables that cannot be read.
    fn tables(mut self, (tables, unread): (Vec<SourceTable>, Vec<LintFinding>)) -> Vec<Self> {
        let of = |SourceTable { method, positions }| Self {
            method: Some(method),
            positions: Some(positions),
            ..Self::new(&self.file)
        };
        let mut all: Vec<Self> = tables.into_iter().map(of).collect();
        if !unread.is_empty() {
            self.findings = unread;
            all.push(self);
        }
        all
    }

    /// Returns whether the entry is a table of a program.
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.positions.is_some()
    }

    /// Returns the method of a method file. Tables of programs repeat each other on purpose.
    fn whole_file(&self) -> Option<&LintedMethod> {
        self.method.as_ref().filter(|_| self.positions.is_none())
    }

    fn examine(&mut self) {
        let method = match &self.method {
            None => return,
            Some(LintedMethod::Ordinary(method)) => method,
            Some(LintedMethod::Multirate(method)) => {
                self.findings.extend(multirate::findings(method));
                if self.positions.is_some() {
                    self.findings.retain(|finding| finding.rule != Rule::NoClaim);
                } else {
                    self.findings.extend(text::publication(&self.file, method.id(), method.source()));
                }
                return;
            }
            Some(LintedMethod::MicroSteps(method)) => {
                self.findings.extend(micro_steps::findings(method));
                self.findings.extend(text::publication(&self.file, method.id(), method.source()));
                return;
            }
        };
        let claim = method.claims().order;
        let highest = if self.positions.is_some() { HIGHEST_OF_PROGRAMS } else { usize::MAX };
        let options = CheckOptions::for_claim(method, claim.map(|claim| claim.min(highest)));
        let options = options.map(|options| match claim {
            Some(claim) if claim > HIGHEST_BEYOND => {
                CheckOptions { highest_order: options.highest_order.min(claim).min(highest), goes_on: false, ..options }
            }
            _ => options,
        });
        match options.and_then(|options| Ok((OrderReport::new(method, options, &())?, options.goes_on))) {
            Ok((report, goes_on)) => {
                let is_source = self.positions.is_some();
                self.findings.extend(claims::findings(method, &report, goes_on));
                if is_source {
                    self.findings.retain(|finding| finding.rule != Rule::NoClaim);
                    self.findings.extend(claims::inconsistent(method, &report));
                    misprint::locate(method, &mut self.findings);
                }
                self.findings.extend(coefficients::findings(method, &report, is_source));
                coefficients::near_library(method, &report, &mut self.findings);
                self.facts = Some(StructureFacts::new(method, &report));
            }
            Err(error) => self.findings.push(LintFinding::new(Rule::Unchecked, "claims.order", error.to_string())),
        }
        if self.positions.is_none() {
            self.findings.extend(text::findings(&self.file, method, self.facts.as_ref()));
        }
    }

    /// Adds the positions of the findings and the names of tables of programs, and sorts the findings.
    fn place(&mut self) {
        for finding in &mut self.findings {
            let position = match (&self.positions, finding.line) {
                (_, Some(_)) => continue,
                (Some(positions), None) => Some(positions.of(&finding.path)),
                (None, None) => position_of(&self.text, &finding.path),
            };
            (finding.line, finding.column) = position.unzip();
            if let (Some(_), Some(method)) = (&self.positions, &self.method) {
                finding.message = format!("{}: {}", printable(method.name()), finding.message);
            }
        }
        self.findings.sort_by_key(|finding| (finding.line, finding.rule));
        self.text = Vec::new();
    }
}

/// Turns a reading error into a finding; file name and path are reported separately from the message.
fn unreadable(file: &str, error: &MethodError) -> LintFinding {
    let message = error.to_string();
    let message = message.strip_prefix(file).map_or(message.as_str(), |rest| rest.trim_start_matches([':', ' ']));
    let path = match error {
        MethodError::Json { path, .. } | MethodError::Number { path, .. } | MethodError::Invalid { path, .. } => path,
        _ => "",
    };
    let is_place = path.chars().all(|letter| !letter.is_whitespace());
    let finding = LintFinding::new(Rule::Unreadable, if is_place { path } else { "" }, message);
    // Text that is not JSON has no path, but the parser reports the line.
    let said = message.rsplit("at line ").next().filter(|_| message.contains("at line "));
    let line = said.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    LintFinding { line, ..finding }
}

/// The coefficients of a method, as they are compared.
enum MethodShape<'a> {
    Ordinary(RoundedTableau),
    Multirate(&'a InfinitesimalMethod),
    MicroSteps(&'a MicroStepMethod),
}

impl<'a> MethodShape<'a> {
    fn new(method: &'a LintedMethod) -> Self {
        match method {
            LintedMethod::Ordinary(method) => Self::Ordinary(RoundedTableau::new(method)),
            LintedMethod::Multirate(method) => Self::Multirate(method),
            LintedMethod::MicroSteps(method) => Self::MicroSteps(method),
        }
    }

    fn matches(&self, other: &Self) -> Option<StageMatch> {
        match (self, other) {
            (Self::Ordinary(mine), Self::Ordinary(other)) => mine.match_stages(other),
            (Self::Multirate(mine), Self::Multirate(other)) => {
                multirate::is_same_step(mine, other).then_some(StageMatch { in_sequence: true })
            }
            (Self::MicroSteps(mine), Self::MicroSteps(other)) => {
                mine.is_same_step(other).then_some(StageMatch { in_sequence: true })
            }
            _ => None,
        }
    }
}

/// Reports ids and coefficients that two files share.
///
/// The finding belongs to the later file and names the first one. If the note of either file names the other's id,
/// the duplicate is known and not reported.
fn compare(all: &mut [LintReport]) {
    let shapes: Vec<Option<MethodShape>> = all.iter().map(|linted| linted.whole_file().map(MethodShape::new)).collect();
    let files: Vec<(&str, Option<&str>)> =
        all.iter().map(|linted| (linted.file.as_str(), linted.method.as_ref().map(LintedMethod::id))).collect();
    let of = |later: usize| -> Vec<LintFinding> {
        let (mut found, mut is_alike) = (Vec::new(), false);
        for earlier in 0..later {
            let (Some(mine), Some(other)) = (&shapes[later], &shapes[earlier]) else { continue };
            let (file, id) = files[earlier];
            if id == files[later].1 {
                let message = format!("the id {:?} is already used by {file}", id.unwrap_or_default());
                found.push(LintFinding::new(Rule::DuplicateId, "id", message));
            }
            if is_alike {
                continue;
            }
            let Some(alike) = mine.matches(other) else { continue };
            is_alike = true;
            if !names_as_duplicate(&all[later], &all[earlier]) && !names_as_duplicate(&all[earlier], &all[later]) {
                let sequence = if alike.in_sequence { "" } else { ", with the stages in a different order" };
                let message = format!("the coefficients equal those of {file} up to their precision{sequence}");
                found.push(LintFinding::new(Rule::Duplicate, "partitions", message));
            }
        }
        found
    };
    let found: Vec<Vec<LintFinding>> = (0..files.len()).into_par_iter().map(of).collect();
    all.iter_mut().zip(found).for_each(|(linted, found)| linted.findings.extend(found));
}

/// Returns whether the note of one method contains the other's id as a word.
fn names_as_duplicate(one: &LintReport, other: &LintReport) -> bool {
    let (Some(one), Some(other)) = (&one.method, &other.method) else { return false };
    let note = one.source().note.as_deref().unwrap_or_default();
    note.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|word| word == other.id())
}
