//! The one place that writes: results to the standard output and to files, errors to the standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use hemiola::tableau::write_file;
use miette::MietteHandlerOpts;
use serde::Serialize;

use crate::failure::Failure;

/// The standard output, locked and buffered.
pub(crate) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::new(io::stdout().lock()) }
    }

    /// Writes a text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.stdout.write_all(text.as_bytes())?)
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes a value as JSON. Numbers that are not finite become `null`.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.stdout, value).map_err(io::Error::from)?;
        self.text("\n")
    }

    /// Says which files were written, after an empty line.
    pub(crate) fn wrote(&mut self, files: &[&Option<PathBuf>]) -> Result<(), Failure> {
        let files: Vec<&PathBuf> = files.iter().copied().flatten().collect();
        if !files.is_empty() {
            self.line("")?;
        }
        files.iter().try_for_each(|file| self.line(&format!("wrote {}", file.display())))
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.stdout.flush()?)
    }

    /// Writes a warning to the standard error, after the results so far.
    pub(crate) fn warn(&mut self, text: &str) -> Result<(), Failure> {
        self.flush()?;
        // Where the standard error is closed, nobody listens.
        let _ = writeln!(io::stderr().lock(), "warning: {text}");
        Ok(())
    }

    /// Writes an error with its hint to the standard error, after the results so far.
    pub(crate) fn report(&mut self, failure: Failure) -> Result<(), Failure> {
        self.flush()?;
        report(failure);
        Ok(())
    }
}

/// Writes a file whole or not at all.
pub(crate) fn write(file: &Path, contents: &[u8]) -> Result<(), Failure> {
    write_file(file, contents).map_err(|problem| Failure::Write { file: file.to_owned(), problem })
}

/// Refuses a file name without this ending.
pub(crate) fn expect_ending(option: &'static str, file: Option<&Path>, ending: &'static str) -> Result<(), Failure> {
    match file.filter(|file| !file.to_string_lossy().ends_with(ending)) {
        Some(file) => Err(Failure::WrongEnding { option, file: file.to_owned(), expected: ending }),
        None => Ok(()),
    }
}

/// Writes a line to the standard error: what a user should know, but a program that reads the results should not.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an error with its hint to the standard error. Where that is closed, nobody listens.
pub(crate) fn report(failure: Failure) {
    let _ = writeln!(io::stderr().lock(), "{:?}", miette::Report::new(failure));
}

/// Errors for people: wrapped on a terminal, left whole elsewhere, where programs search them. Causes are part of the
/// messages already.
pub(crate) fn install_error_style() {
    let is_terminal = io::stderr().is_terminal();
    // It fails where a style is installed already, and then that one serves.
    let _ = miette::set_hook(Box::new(move |_| {
        Box::new(MietteHandlerOpts::new().wrap_lines(is_terminal).break_words(false).without_cause_chain().build())
    }));
}
