//! All output is written here: results to standard output and files, errors to standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use hemiola::tableau::{write_file, write_file_by};
use miette::MietteHandlerOpts;
use serde::Serialize;

use crate::failure::Failure;

/// Standard output, locked and buffered.
pub(crate) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::new(io::stdout().lock()) }
    }

    /// Writes text verbatim.
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

    /// Reports the files written, after an empty line.
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

    /// Writes a warning to standard error, after the results so far.
    pub(crate) fn warn(&mut self, text: &str) -> Result<(), Failure> {
        self.flush()?;
        // If standard error is closed, nobody is listening.
        let _ = writeln!(io::stderr().lock(), "warning: {text}");
        Ok(())
    }

    /// Writes an error with its hint to standard error, after the results so far.
    pub(crate) fn report(&mut self, failure: Failure) -> Result<(), Failure> {
        self.flush()?;
        report(failure);
        Ok(())
    }
}

/// Writes a file atomically.
pub(crate) fn write(file: &Path, contents: &[u8]) -> Result<(), Failure> {
    write_file(file, contents).map_err(|problem| Failure::Write { file: file.to_owned(), problem })
}

/// The same piece by piece.
pub(crate) fn write_by(file: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    write_file_by(file, contents).map_err(|problem| Failure::Write { file: file.to_owned(), problem })
}

/// Refuses a file name with another extension.
pub(crate) fn expect_ending(option: &'static str, file: Option<&Path>, ending: &'static str) -> Result<(), Failure> {
    match file.filter(|file| !file.to_string_lossy().ends_with(ending)) {
        Some(file) => Err(Failure::WrongEnding { option, file: file.to_owned(), expected: ending }),
        None => Ok(()),
    }
}

/// Writes a note to standard error, where it does not disturb programs that read the results.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an error with its hint to standard error, if that is open.
pub(crate) fn report(failure: Failure) {
    let _ = writeln!(io::stderr().lock(), "{:?}", miette::Report::new(failure));
}

/// Errors for people: wrapped on a terminal, unwrapped elsewhere, where programs search them. Messages already include
/// their causes.
pub(crate) fn install_error_style() {
    let is_terminal = io::stderr().is_terminal();
    // This fails if a style is already installed, which then remains in use.
    let _ = miette::set_hook(Box::new(move |_| {
        Box::new(MietteHandlerOpts::new().wrap_lines(is_terminal).break_words(false).without_cause_chain().build())
    }));
}
