//! The steps of a design that a command defines: files, search, report.

use std::path::PathBuf;

use hemiola::design::DesignError;
use hemiola::number::Progress;
use serde_json::{Value, json};

use crate::commands::design::direct::files::{DirectOutput, MethodFiles};
use crate::commands::design::error::DesignInterrupted;
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;

/// A design that options define completely.
pub(crate) trait DirectDesign: Sized + 'static {
    /// The finished design.
    type Found;
    /// The option that selects this kind of design.
    const OPTION: &'static str;

    /// Returns the id of the method without `--output`.
    fn id(&self) -> String;

    /// Returns the command that reproduces the method.
    fn text(&self) -> String;

    /// Searches for the method with an id.
    fn search(&self, id: &str, progress: &dyn Progress) -> Result<Self::Found, DesignError>;

    /// Writes method, proof and figure, and returns their paths.
    fn write(found: &Self::Found, files: &MethodFiles) -> Result<Vec<PathBuf>, Failure>;

    /// Renders the page, without the names of the files.
    fn page(&self, found: &Self::Found) -> String;

    /// Renders the fields of the JSON report, without command and files.
    fn to_json(&self, found: &Self::Found) -> Value;

    /// Prepares the files of the design.
    fn job(self, output: DirectOutput<'_>) -> Result<Box<dyn DirectJob>, Failure> {
        let files = MethodFiles::new(output, &self.id(), &self.text())?;
        Ok(Box::new(PreparedDesign { design: self, files }))
    }
}

/// A design whose files are prepared.
pub(crate) trait DirectJob {
    /// Designs the method and writes its files. Returns the page and the JSON of the results.
    fn run(&self) -> Result<(String, Value), Failure>;
}

struct PreparedDesign<D> {
    design: D,
    files: MethodFiles,
}

impl<D: DirectDesign> DirectJob for PreparedDesign<D> {
    fn run(&self) -> Result<(String, Value), Failure> {
        let Self { design, files } = self;
        let interrupt = Interrupt::listen();
        let monitor = Monitor::stopped_by(&interrupt);
        let found = design.search(files.id(), &monitor);
        monitor.finish();
        // An interrupted search may give a different method than its command.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Direct { option: D::OPTION }.into());
        }
        let found = found?;
        let mut written = D::write(&found, files)?;
        written.extend(files.write_design(&design.text())?);
        let written: Vec<String> = written.iter().map(|file| file.display().to_string()).collect();
        let wrote: String = written.iter().map(|file| format!("wrote {file}\n")).collect();
        let mut report = design.to_json(&found);
        report["command"] = design.text().into();
        report["files"] = json!(written);
        Ok((design.page(&found) + &wrote, report))
    }
}
