//! Methods of a text in any format.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use hemiola_multirate::InfinitesimalMethod;
use hemiola_tableau::Method;

use super::arrays::draft::{Draft, DraftError, RunCondition};
use super::error::{ReadError, TextFault, TextPosition};
use super::expressions::dialect::Dialect;
use super::format::ImportFormat;
use super::multirate::{self, CouplingDraft};
use super::name::{self, UsedIds};
use super::positions::MethodPositions;
use super::programs::methods::{self, ProgramOptions};
use super::tables::own::{self, Header};
use super::tables::{butcher, grid, json, latex};

/// Longest accepted text; collections of hundreds of methods take a megabyte.
const LONGEST: usize = 8 << 20;

/// Result of reading a text.
#[derive(Debug)]
pub struct ImportedMethods {
    /// Format in which the text was read.
    pub format: ImportFormat,
    /// Methods, each with a distinct id.
    pub methods: Vec<Method>,
    /// Multirate infinitesimal methods, each with a distinct id. A text yields methods of one kind only.
    pub multirate: Vec<InfinitesimalMethod>,
    /// Positions of the numbers of each method in `methods` or `multirate`; multirate methods have the positions of
    /// their tables.
    pub positions: Vec<MethodPositions>,
    /// Errors of methods that could not be read.
    pub failures: Vec<ReadError>,
    /// Methods that the program uses only under a condition.
    pub warnings: Vec<ConditionalMethod>,
}

/// Method that a program uses only under a condition, with the position of the condition. Its `Display` output is a
/// sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConditionalMethod {
    /// Name of the file.
    pub file: String,
    /// Line of the condition.
    pub line: usize,
    /// Column of the condition.
    pub column: usize,
    /// Id of the method.
    pub id: String,
    /// Condition as written.
    pub condition: String,
}

impl Display for ConditionalMethod {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, id, condition } = self;
        write!(f, "{file}:{line}:{column}: `{id}` applies only under the condition `{condition}`")
    }
}

/// Options of the import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Format of the text, if known.
    pub format: Option<ImportFormat>,
    /// Whether 2/3 is a fraction even in languages where a quotient of integers drops the remainder (C, Python 2).
    /// Otherwise such a quotient is an error.
    pub assume_real_division: bool,
    /// Whether to keep contradictory arrays for a later check instead of rejecting them: differences of weights that do
    /// not sum to 0, and single abscissae that are not row sums.
    pub keep_contradictions: bool,
}

/// Reads the methods of a text. `file` names it in errors; its extension helps to detect the format if none is given.
///
/// Coefficients that are single numbers keep their text; others become exact expressions. Orders that the text states
/// become claims. Code that never runs is skipped. Values that a program decides at run time are unknown, but a branch
/// that holds a whole method is read with a warning. A difference of weights (`btilde`) is interpreted as b̂ − b. The
/// id of a method comes from its name or from the name of the file.
///
/// # Errors
/// [`ReadError`] with line, column, found text and expected text, if no method could be read.
///
/// ```
/// use hemiola_export::{ImportFormat, read};
/// let text = b"A = np.array([[0, 0], [Fraction(1, 2), 0]])\nb = np.array([0, 1])\n";
/// let reading = read(text, "midpoint.py", None)?;
/// assert_eq!(reading.format, ImportFormat::Numpy);
/// assert_eq!(reading.methods[0].id(), "midpoint");
/// assert_eq!(reading.methods[0].partitions()[0].a[1][0].text(), "1/2");
/// # Ok::<(), hemiola_export::ReadError>(())
/// ```
pub fn read(bytes: &[u8], file: &str, format: Option<ImportFormat>) -> Result<ImportedMethods, ReadError> {
    read_with(bytes, file, &ReadOptions { format, ..ReadOptions::default() })
}

/// Reads the methods of a text with options; see [`read`].
///
/// # Errors
/// As for [`read`].
///
/// ```
/// use hemiola_export::{ReadOptions, read_with};
/// let text = b"double A[2][2] = {{0, 0}, {2/3, 0}}, b[2] = {0.25, 0.75};";
/// let options = ReadOptions::default();
/// let error = read_with(text, "ralston.c", &options).unwrap_err().to_string();
/// assert!(error.starts_with("ralston.c:1:28: found `2/3`, a division of integers"));
/// let options = ReadOptions { assume_real_division: true, ..options };
/// assert_eq!(read_with(text, "ralston.c", &options)?.methods[0].partitions()[0].a[1][0].text(), "2/3");
/// # Ok::<(), hemiola_export::ReadError>(())
/// ```
pub fn read_with(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<ImportedMethods, ReadError> {
    if bytes.len() > LONGEST {
        return Err(ReadError::TooLarge { file: file.to_owned(), bytes: bytes.len(), limit: LONGEST });
    }
    let text = text(bytes, file)?;
    let format = match options.format {
        Some(format) => format,
        None => {
            foreign(file).map_or(Ok(()), Err)?;
            ImportFormat::guess(&text, file)
        }
    };
    let header = own::header(&text, comment_mark(format));
    let mut reading = ImportedMethods::new(format);
    let couplings = couplings(&text, format, &header, options).map_err(|fault| fault.in_file(file, None))?;
    if let Some(drafts) = couplings {
        read_couplings(&drafts, &header, file, &mut reading);
        return reading.unless_empty(file);
    }
    let mut drafts =
        drafts(&text, format, &header, options).map_err(|fault| with_layout(fault, format).in_file(file, None))?;
    if let ([draft], Some(_)) = (&mut drafts[..], &header.id) {
        header.complete(draft);
    }
    let mut used = UsedIds::default();
    for draft in &mut drafts {
        draft.is_literal = options.keep_contradictions;
        match method(draft, &header, file, format, &mut used) {
            Ok(method) => {
                reading.warnings.extend(conditional(&draft.conditions, file, method.id()));
                reading.methods.push(method);
                reading.positions.push(MethodPositions::new(draft));
            }
            Err(error) => reading.failures.push(error),
        }
    }
    reading.unless_empty(file)
}

impl ImportedMethods {
    /// Returns a result without methods.
    pub(super) fn new(format: ImportFormat) -> Self {
        let (methods, multirate, positions) = (Vec::new(), Vec::new(), Vec::new());
        Self { format, methods, multirate, positions, failures: Vec::new(), warnings: Vec::new() }
    }

    /// Fails unless some method could be read.
    fn unless_empty(mut self, file: &str) -> Result<Self, ReadError> {
        if !(self.methods.is_empty() && self.multirate.is_empty()) {
            return Ok(self);
        }
        let (format, expected) = (self.format.name(), self.format.contents());
        let nothing = || ReadError::NoMethod { file: file.to_owned(), format, expected };
        Err(if self.failures.is_empty() { nothing() } else { self.failures.swap_remove(0) })
    }
}

/// Returns the coupling tables of a text; `None` if it is one with Butcher tables.
fn couplings(
    text: &str,
    format: ImportFormat,
    header: &Header,
    options: &ReadOptions,
) -> Result<Option<Vec<CouplingDraft>>, TextFault> {
    if format == ImportFormat::Json {
        return Ok(multirate::object_draft(&json::object(text)?).map(|draft| vec![draft]));
    }
    let program =
        program(text, format, header, options).filter(|program| multirate::has_couplings(text, program.dialect));
    program.map(|program| multirate::drafts(text, program)).transpose()
}

/// Builds the methods of coupling tables.
fn read_couplings(drafts: &[CouplingDraft], header: &Header, file: &str, reading: &mut ImportedMethods) {
    let unnamed = Header::default();
    let header = if drafts.len() == 1 { header } else { &unnamed };
    let mut used = UsedIds::default();
    for draft in drafts {
        match multirate::method(draft, header, file, &note(file, reading.format), &mut used) {
            Ok(method) => {
                reading.warnings.extend(conditional(&draft.conditions, file, method.id()));
                reading.multirate.push(method);
                reading.positions.push(MethodPositions::of_table(draft.place));
            }
            Err(error) => reading.failures.push(error),
        }
    }
}

/// Returns the note on the origin of a method.
fn note(file: &str, format: ImportFormat) -> String {
    let origin = Path::new(file).file_name().and_then(|name| name.to_str()).filter(|name| *name != "-");
    format!("Read from {} ({}).", origin.unwrap_or("the standard input"), format.name())
}

/// Builds the warning about a method in a branch.
fn conditional(conditions: &[RunCondition], file: &str, id: &str) -> Option<ConditionalMethod> {
    let TextPosition { line, column } = conditions.first()?.place;
    let texts: Vec<&str> = conditions.iter().map(|condition| condition.text.as_str()).collect();
    Some(ConditionalMethod { file: file.to_owned(), line, column, id: id.to_owned(), condition: texts.join(" and ") })
}

/// Returns the error for a file in an unsupported language, which would otherwise be misread.
fn foreign(file: &str) -> Option<ReadError> {
    let ending = Path::new(file).extension()?.to_str()?.to_lowercase();
    let language = match ending.as_str() {
        "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" => "Fortran",
        "rs" => "Rust",
        "go" => "Go",
        "java" => "Java",
        "js" | "mjs" | "ts" => "JavaScript",
        _ => return None,
    };
    Some(ReadError::Language { file: file.to_owned(), language })
}

/// Decodes the text, without a byte order mark and with line ends `\n`.
pub(super) fn text(bytes: &[u8], file: &str) -> Result<String, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        ReadError::NotText { file: file.to_owned(), line, column }
    })?;
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n"))
}

/// Returns the comment mark that begins the headers of our own exports.
fn comment_mark(format: ImportFormat) -> &'static str {
    match format {
        ImportFormat::Latex | ImportFormat::Matlab | ImportFormat::RkOpt => "%",
        ImportFormat::C | ImportFormat::Sundials | ImportFormat::Petsc => "//",
        _ => "#",
    }
}

/// Returns the options for reading a program; `None` if the text is a table.
fn program(text: &str, format: ImportFormat, header: &Header, options: &ReadOptions) -> Option<ProgramOptions> {
    let dialect = match format {
        ImportFormat::Csv | ImportFormat::Text | ImportFormat::Latex | ImportFormat::Json => return None,
        // RK-Opt writes text tables from MATLAB programs.
        ImportFormat::RkOpt if !text.contains('[') => return None,
        ImportFormat::Numpy | ImportFormat::NodePy => Dialect::Python,
        ImportFormat::Matlab | ImportFormat::RkOpt => Dialect::Matlab,
        ImportFormat::Julia => Dialect::Julia,
        ImportFormat::C | ImportFormat::Sundials | ImportFormat::Petsc => Dialect::C,
    };
    let is_ours = header.id.is_some();
    Some(ProgramOptions { dialect, is_ours, has_real_division: options.assume_real_division })
}

fn drafts(text: &str, format: ImportFormat, header: &Header, options: &ReadOptions) -> Result<Vec<Draft>, TextFault> {
    if let Some(program) = program(text, format, header, options) {
        return methods::read(text, program);
    }
    Ok(match format {
        ImportFormat::Csv if own::is_ours(text) => vec![own::csv(text)?],
        ImportFormat::Csv => grid::read(text, grid::separator(text))?,
        ImportFormat::Latex => latex::read(text, header)?,
        ImportFormat::Json => json::draft(&mut json::object(text)?)?.into_iter().collect(),
        _ => grid::read(text, grid::Separator::Blanks)?,
    })
}

/// Adds the accepted layouts to the fault of a table: the cause may be a ragged row or a row of headings.
fn with_layout(fault: TextFault, format: ImportFormat) -> TextFault {
    if !matches!(format, ImportFormat::Csv | ImportFormat::Text) || fault.expected.contains(butcher::EXPECTED) {
        return fault;
    }
    let expected =
        format!("{}; tables are {}, or have rows below the labels A, b and c", fault.expected, butcher::EXPECTED);
    TextFault { expected: format!("{expected}, without a row of headings"), ..fault }
}

pub(super) fn method(
    draft: &Draft,
    header: &Header,
    file: &str,
    format: ImportFormat,
    used: &mut UsedIds,
) -> Result<Method, ReadError> {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "-");
    let of_file = header.name.as_deref().or(stem).unwrap_or("method");
    let given = if draft.name.is_empty() { of_file } else { name::bare(&draft.name) };
    let id = header.id.clone().unwrap_or_else(|| name::slug(given));
    let name = header.name.clone().unwrap_or_else(|| given.to_owned());
    let note = note(file, format);
    let concerned = (!draft.name.is_empty()).then(|| draft.name.clone());
    let method = draft.method(&used.unused(&id), &name, &note).map_err(|problem| match problem {
        DraftError::Fault(fault) => with_layout(fault, format).in_file(file, concerned),
        DraftError::Method(problem) => {
            let TextPosition { line, column } = draft.place;
            ReadError::Method { file: file.to_owned(), line, column, problem: Box::new(problem) }
        }
    })?;
    used.insert(method.id());
    Ok(method)
}
