//! Checks files individually and against each other.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use hemiola_multirate::{FORMAT, InfinitesimalMethod};
use hemiola_order::{CheckOptions, OrderReport, order_to_check};
use hemiola_tableau::json::read_bounded;
use hemiola_tableau::{Method, MethodError, Source};
use rayon::prelude::*;

use crate::duplicates::{RoundedTableau, StageMatch};
use crate::facts::StructureFacts;
use crate::finding::{LintFinding, Rule};
use crate::place::line_of;
use crate::{claims, coefficients, multirate, text_rules};

/// The highest order above which claims are not tested for being too low: the next order takes several times as
/// long as all before it.
const HIGHEST_BEYOND: usize = 7;
/// The order up to which a method without a claim is checked.
const DEFAULT_ORDER: usize = 4;

/// A file and its findings.
#[derive(Clone, Debug)]
pub struct LintReport {
    /// The file, as given.
    pub file: String,
    /// The findings, ordered by line.
    pub findings: Vec<LintFinding>,
    /// The structure of the method, if the file holds one and its order could be checked.
    pub facts: Option<StructureFacts>,
    method: Option<LintedMethod>,
    text: Vec<u8>,
}

/// The method of a file.
#[derive(Clone, Debug)]
enum LintedMethod {
    Ordinary(Box<Method>),
    Multirate(Box<InfinitesimalMethod>),
}

impl LintedMethod {
    fn id(&self) -> &str {
        match self {
            Self::Ordinary(method) => method.id(),
            Self::Multirate(method) => method.id(),
        }
    }

    fn claimed_order(&self) -> Option<usize> {
        match self {
            Self::Ordinary(method) => method.claims().order,
            Self::Multirate(method) => method.claims().order,
        }
    }

    fn source(&self) -> &Source {
        match self {
            Self::Ordinary(method) => method.source(),
            Self::Multirate(method) => method.source(),
        }
    }
}

/// Checks method files and compares them with each other.
///
/// Returns one entry per file, in the order given. The findings do not depend on the number of threads.
#[must_use]
pub fn lint(files: &[PathBuf]) -> Vec<LintReport> {
    let mut all: Vec<LintReport> = files.par_iter().map(|file| LintReport::new(file)).collect();
    // Each method is a task of its own, highest orders first: one may take a thousand times as long as another.
    let mut tasks: Vec<&mut LintReport> = all.iter_mut().collect();
    tasks.sort_by_key(|linted| Reverse(linted.method.as_ref().and_then(LintedMethod::claimed_order)));
    tasks.into_par_iter().with_max_len(1).for_each(LintReport::examine);
    compare(&mut all);
    for linted in &mut all {
        let text = &linted.text;
        linted
            .findings
            .iter_mut()
            .for_each(|finding| finding.line = finding.line.or_else(|| line_of(text, &finding.path)));
        linted.findings.sort_by_key(|finding| (finding.line, finding.rule));
        linted.text = Vec::new();
    }
    all
}

impl LintReport {
    fn new(path: &Path) -> Self {
        let file = path.display().to_string();
        let mut linted = Self { file, findings: Vec::new(), facts: None, method: None, text: Vec::new() };
        match linted.read(path) {
            Ok(method) => linted.method = Some(method),
            Err(error) => {
                let finding = unreadable(&linted.file, &error);
                linted.findings.push(finding);
            }
        }
        linted
    }

    fn read(&mut self, path: &Path) -> Result<LintedMethod, MethodError> {
        self.text = read_bounded(path)?;
        if self.text.windows(FORMAT.len()).any(|window| window == FORMAT.as_bytes()) {
            return Ok(LintedMethod::Multirate(Box::new(InfinitesimalMethod::from_json(&self.text, &self.file)?)));
        }
        Ok(LintedMethod::Ordinary(Box::new(Method::from_json(&self.text, &self.file)?)))
    }

    fn examine(&mut self) {
        let method = match &self.method {
            None => return,
            Some(LintedMethod::Ordinary(method)) => method,
            Some(LintedMethod::Multirate(method)) => {
                self.findings.extend(multirate::findings(method));
                self.findings.extend(text_rules::publication(&self.file, method.id(), method.source()));
                return;
            }
        };
        let claim = method.claims().order;
        let beyond = claim.map_or(Ok(DEFAULT_ORDER), |claim| order_to_check(method, claim));
        let checked_to = beyond.map(|beyond| match claim {
            Some(claim) if claim > HIGHEST_BEYOND => beyond.min(claim),
            _ => beyond,
        });
        let report = checked_to.and_then(|order| {
            let options = CheckOptions { highest_order: order.max(1), ..Default::default() };
            Ok((OrderReport::new(method, options, &())?, order))
        });
        match report {
            Ok((report, checked_to)) => {
                self.findings.extend(claims::findings(method, &report, checked_to));
                self.findings.extend(coefficients::findings(method, &report));
                self.facts = Some(StructureFacts::new(method, &report));
            }
            Err(error) => self.findings.push(LintFinding::new(Rule::Unchecked, "claims.order", error.to_string())),
        }
        self.findings.extend(text_rules::findings(&self.file, method, self.facts.as_ref()));
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
}

impl<'a> MethodShape<'a> {
    fn new(method: &'a LintedMethod) -> Self {
        match method {
            LintedMethod::Ordinary(method) => Self::Ordinary(RoundedTableau::new(method)),
            LintedMethod::Multirate(method) => Self::Multirate(method),
        }
    }

    fn matches(&self, other: &Self) -> Option<StageMatch> {
        match (self, other) {
            (Self::Ordinary(mine), Self::Ordinary(other)) => mine.match_stages(other),
            (Self::Multirate(mine), Self::Multirate(other)) => {
                multirate::is_same_step(mine, other).then_some(StageMatch { in_sequence: true })
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
    let shapes: Vec<Option<MethodShape>> =
        all.iter().map(|linted| linted.method.as_ref().map(MethodShape::new)).collect();
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
