//! Files that a design writes.

use std::path::{Path, PathBuf};

use hemiola::design::{Design, DesignFile, SearchShare};
use hemiola::figure::Figure;
use hemiola::plot::stability_figure;

use crate::arguments::figure::FigureArgs;
use crate::arguments::methods;
use crate::failure::Failure;
use crate::output::certificate::write_certificate;
use crate::output::writer::write;

use super::findings::DesignResults;
use super::report;

/// Method file NAME.json and its accompanying files.
pub(crate) struct DesignFiles {
    pub(crate) method: PathBuf,
    pub(crate) design: PathBuf,
    certificate: PathBuf,
    figure: PathBuf,
    /// Appearance of the figure.
    pub(crate) look: FigureArgs,
    report: PathBuf,
    /// Checkpoint of a running or interrupted search.
    pub(crate) search: PathBuf,
    /// Checkpoint of an outer search.
    pub(crate) tuning: PathBuf,
}

impl DesignFiles {
    pub(crate) fn beside(method: &Path) -> Self {
        Self {
            method: method.to_owned(),
            design: method.with_extension("design.json"),
            certificate: method.with_extension("certificate.json"),
            figure: method.with_extension("svg"),
            look: FigureArgs::default(),
            report: method.with_extension("md"),
            search: method.with_extension("search.json"),
            tuning: method.with_extension("tuning"),
        }
    }

    /// Returns the file for the starts of one share of the search.
    pub(crate) fn part(&self, part: SearchShare) -> PathBuf {
        self.method.with_extension(format!("part-{}-of-{}.search.json", part.number(), part.of()))
    }

    /// Returns the method file of one compromise.
    pub(crate) fn point(front: &Path, number: usize) -> PathBuf {
        let name = front.file_stem().unwrap_or_default().to_string_lossy();
        front.with_file_name(format!("{name}-{number}.json"))
    }

    /// Returns whether an interrupted search can be resumed.
    pub(crate) fn has_search(&self) -> bool {
        self.search.exists() || self.tuning.exists()
    }

    pub(crate) fn write(&self, findings: &DesignResults) -> Result<(), Failure> {
        let figure = stability_figure(&findings.design.method)?;
        self.write_pair(&findings.file, &findings.design)?;
        let names = methods::labels(std::slice::from_ref(&findings.design.method));
        self.write_report(figure, &names, &report::report(findings, &self.figure_name()))
    }

    /// Writes the method, its design and its certificate.
    pub(crate) fn write_pair(&self, file: &DesignFile, design: &Design) -> Result<(), Failure> {
        self.write_design(file)?;
        write(&self.method, design.method.to_json().as_bytes())?;
        write_certificate(&self.certificate, &design.certificate)
    }

    /// Writes the figure of methods with these ids and names, and the report.
    pub(crate) fn write_report(&self, figure: Figure, names: &[(String, String)], report: &str) -> Result<(), Failure> {
        self.look.write("--output", &self.figure, figure, names)?;
        write(&self.report, report.as_bytes())
    }

    /// Returns the name by which the report refers to the figure.
    pub(crate) fn figure_name(&self) -> String {
        self.figure.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Writes the design file. A file with the same content in the user's own formatting is left unchanged.
    pub(crate) fn write_design(&self, file: &DesignFile) -> Result<(), Failure> {
        let is_there = DesignFile::read(&self.design).is_ok_and(|there| there == *file);
        if is_there { Ok(()) } else { write(&self.design, file.to_json().as_bytes()) }
    }

    pub(crate) fn pair(&self) -> [&Path; 3] {
        [&self.method, &self.design, &self.certificate]
    }

    /// Returns the files of a front other than its pairs.
    pub(crate) fn front(&self) -> [&Path; 3] {
        [&self.design, &self.figure, &self.report]
    }

    pub(crate) fn all(&self) -> [&Path; 5] {
        [&self.method, &self.design, &self.certificate, &self.figure, &self.report]
    }
}
