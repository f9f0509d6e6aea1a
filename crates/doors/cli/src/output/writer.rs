//! All output is written here: results to standard output and files, errors to standard error.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use hemiola::tableau::{Method, is_unprintable, printable_lines, write_file_by};
use miette::{Diagnostic, MietteHandlerOpts};
use serde::Serialize;
use thiserror::Error;

use crate::arguments::output_file::{OutputFile, is_stdout, is_stream};
use crate::failure::{Failure, hinted};
use crate::output::text::cause;

/// Reason why results cannot be written.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum WriteError {
    #[error("cannot write to standard output: {0}")]
    StandardOutput(#[from] io::Error),
    // The full message would contain the name of the temporary file, which replaces the target when it is complete.
    #[error("{file}: cannot write: {}", cause(.problem))]
    #[diagnostic(help("the folder must exist and be writable"))]
    File { file: PathBuf, problem: io::Error },
    #[error("{file} already exists")]
    #[diagnostic(help("`--force` overwrites it"))]
    Exists { file: PathBuf },
    #[error("{option} {file}: expected a file name that ends in {expected}")]
    Ending { option: &'static str, file: PathBuf, expected: &'static str },
}

hinted!(WriteError);

impl WriteError {
    /// Returns whether the reader of the output has closed the pipe: `hemiola list | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::StandardOutput(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Destination of printed results, locked and buffered.
pub(crate) struct Output {
    page: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// Prints to standard output.
    pub(crate) fn new() -> Self {
        Self { page: BufWriter::new(Box::new(io::stdout().lock())) }
    }

    /// Prints to standard error, because standard output contains a file.
    pub(crate) fn beside_file() -> Self {
        Self { page: BufWriter::new(Box::new(io::stderr())) }
    }

    /// Writes text with terminal control characters escaped.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.put(&printable_lines(text))
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes a figure with the control sequences of its colors; it contains no other control characters.
    #[cfg(feature = "plotters")]
    pub(crate) fn picture(&mut self, text: &str) -> Result<(), Failure> {
        self.put(text)
    }

    /// Writes a value as JSON. Numbers that are not finite become `null`.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(|error| WriteError::StandardOutput(error.into()))?;
        self.put(&escaped_json(&text))?;
        self.text("\n")
    }

    /// Writes a method file.
    pub(crate) fn method(&mut self, method: &Method) -> Result<(), Failure> {
        self.file(&method.to_json())
    }

    /// Writes the text of a JSON file.
    pub(crate) fn file(&mut self, text: &str) -> Result<(), Failure> {
        self.put(&escaped_json(text))
    }

    /// Reports the files written, after an empty line.
    pub(crate) fn wrote(&mut self, files: &[&Option<OutputFile>]) -> Result<(), Failure> {
        let files: Vec<&OutputFile> = files.iter().copied().flatten().collect();
        if !files.is_empty() {
            self.line("")?;
        }
        files.iter().try_for_each(|file| self.line(&format!("wrote {file}")))
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.page.flush().map_err(WriteError::from)?)
    }

    fn put(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.page.write_all(text.as_bytes()).map_err(WriteError::from)?)
    }

    /// Writes a warning to standard error, after the results so far.
    pub(crate) fn warn(&mut self, text: &str) -> Result<(), Failure> {
        self.flush()?;
        // A closed standard error is ignored.
        note(&format!("warning: {text}"));
        Ok(())
    }

    /// Writes an error with its hint to standard error, after the results so far.
    pub(crate) fn report(&mut self, failure: impl Into<Failure>) -> Result<(), Failure> {
        self.flush()?;
        report(failure.into());
        Ok(())
    }
}

/// Writes a file, or to standard output if the name denotes it.
pub(crate) fn write(file: &Path, contents: &[u8]) -> Result<(), Failure> {
    write_by(file, |out| out.write_all(contents))
}

/// Writes a file piece by piece.
pub(crate) fn write_by(file: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_stdout(file) {
        let mut stdout = BufWriter::new(io::stdout().lock());
        return Ok(contents(&mut stdout).and_then(|()| stdout.flush()).map_err(WriteError::from)?);
    }
    Ok(write_file_by(file, contents).map_err(|problem| WriteError::File { file: file.to_owned(), problem })?)
}

/// Returns the extension that determines the format of a file; a stream without one has the default format.
pub(crate) fn ending<'a>(file: &'a Path, default: &'a str) -> Option<&'a str> {
    match file.extension() {
        Some(ending) => ending.to_str(),
        None => is_stream(file).then_some(default),
    }
}

/// Rejects a file name with a different extension; a stream may have any.
pub(crate) fn expect_ending(option: &'static str, file: Option<&Path>, ending: &'static str) -> Result<(), Failure> {
    match file.filter(|file| !file.to_string_lossy().ends_with(ending) && !is_stream(file)) {
        Some(file) => Err(WriteError::Ending { option, file: file.to_owned(), expected: ending }.into()),
        None => Ok(()),
    }
}

/// Writes a note to standard error, where it does not disturb programs that read the results.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable_lines(text));
}

/// Writes an error with its hint to standard error, if standard error is open.
pub(crate) fn report(failure: Failure) {
    let _ = writeln!(io::stderr().lock(), "{:?}", miette::Report::new(PrintableError(failure)));
}

/// Error whose texts from files and arguments are made printable before colors are added.
#[derive(Debug)]
struct PrintableError(Failure);

impl fmt::Display for PrintableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable_lines(&self.0.to_string()))
    }
}

impl std::error::Error for PrintableError {}

impl Diagnostic for PrintableError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.0.hint()?;
        Some(Box::new(printable_lines(&help).into_owned()))
    }
}

/// Escapes JSON so that all of its strings are printable; serde escapes only the first 32 characters.
fn escaped_json(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_unprintable(c) && c != '\n';
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    // All of these are in the first plane of Unicode and occur only in strings.
    let letter = |c: char| if is_escaped(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    text.chars().map(letter).collect::<String>().into()
}

/// Installs the format of errors: wrapped on a terminal, unwrapped elsewhere, where programs search them. Messages
/// already include their causes.
pub(crate) fn install_error_style() {
    let is_terminal = io::stderr().is_terminal();
    // If a style is already installed, this fails, and that style remains in use.
    let _ = miette::set_hook(Box::new(move |_| {
        Box::new(MietteHandlerOpts::new().wrap_lines(is_terminal).break_words(false).without_cause_chain().build())
    }));
}
