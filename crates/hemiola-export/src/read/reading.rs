//! The methods of a text in any format.

use std::path::Path;

use hemiola_tableau::Method;

use super::arrays::draft::{Draft, Problem};
use super::error::{Fault, Place, ReadError};
use super::expressions::dialect::Dialect;
use super::format::Format;
use super::name;
use super::programs::methods;
use super::tables::own::{self, Header};
use super::tables::{grid, latex};

/// The longest text that is read: collections of hundreds of methods take a megabyte.
const LONGEST: usize = 8 << 20;

/// What was read from a text.
#[derive(Debug)]
pub struct Reading {
    /// How the text was read.
    pub format: Format,
    /// The methods, each with an id of its own.
    pub methods: Vec<Method>,
    /// Why others could not be read.
    pub failures: Vec<ReadError>,
}

/// The methods of a text; `file` names it in errors, and its ending helps to tell the format where none is given.
///
/// Coefficients stay as they are written where they are numbers, and are exact expressions elsewhere. Orders that the text states
/// become claims. A difference of weights (`btilde`) is taken as b̂ − b. The id of a method comes from its name, or from the file's.
///
/// # Errors
/// [`ReadError`] with line and column, what was found there and what was expected, where not a single method could be read.
///
/// ```
/// use hemiola_export::{Format, read};
/// let text = b"A = np.array([[0, 0], [Fraction(1, 2), 0]])\nb = np.array([0, 1])\n";
/// let reading = read(text, "midpoint.py", None)?;
/// assert_eq!(reading.format, Format::Numpy);
/// assert_eq!(reading.methods[0].id(), "midpoint");
/// assert_eq!(reading.methods[0].partitions()[0].a[1][0].text(), "1/2");
/// # Ok::<(), hemiola_export::ReadError>(())
/// ```
pub fn read(bytes: &[u8], file: &str, format: Option<Format>) -> Result<Reading, ReadError> {
    if bytes.len() > LONGEST {
        return Err(ReadError::TooLarge { file: file.to_owned(), bytes: bytes.len(), limit: LONGEST });
    }
    let text = text(bytes, file)?;
    let format = format.unwrap_or_else(|| Format::guess(&text, file));
    let header = own::header(&text, comment_mark(format));
    let mut drafts = drafts(&text, format, &header).map_err(|fault| fault.in_file(file, None))?;
    if let ([draft], Some(_)) = (&mut drafts[..], &header.id) {
        header.complete(draft);
    }
    let mut reading = Reading { format, methods: Vec::new(), failures: Vec::new() };
    for draft in &drafts {
        match method(draft, &header, file, &reading) {
            Ok(method) => reading.methods.push(method),
            Err(error) => reading.failures.push(error),
        }
    }
    if reading.methods.is_empty() {
        let nothing =
            || ReadError::NoMethod { file: file.to_owned(), format: format.name(), expected: format.contents() };
        return Err(if reading.failures.is_empty() { nothing() } else { reading.failures.swap_remove(0) });
    }
    Ok(reading)
}

/// The text without a byte order mark, with ends of lines as `\n`.
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

/// What our own exports begin their headers with.
fn comment_mark(format: Format) -> &'static str {
    match format {
        Format::Latex | Format::Matlab | Format::RkOpt => "%",
        Format::C | Format::Sundials | Format::Petsc => "//",
        _ => "#",
    }
}

fn drafts(text: &str, format: Format, header: &Header) -> Result<Vec<Draft>, Fault> {
    Ok(match format {
        Format::Csv if own::is_ours(text) => vec![own::csv(text)?],
        Format::Csv => grid::read(text, grid::separator(text))?,
        Format::Text => grid::read(text, grid::Separator::Blanks)?,
        // RK-Opt writes tables of text from programs of MATLAB.
        Format::RkOpt if !text.contains('[') => grid::read(text, grid::Separator::Blanks)?,
        Format::Latex => latex::read(text, header)?,
        Format::Numpy | Format::NodePy => methods::read(text, Dialect::Python, header.id.is_some()),
        Format::Matlab | Format::RkOpt => methods::read(text, Dialect::Matlab, header.id.is_some()),
        Format::Julia => methods::read(text, Dialect::Julia, header.id.is_some()),
        Format::C | Format::Sundials | Format::Petsc => methods::read(text, Dialect::C, header.id.is_some()),
    })
}

pub(super) fn method(draft: &Draft, header: &Header, file: &str, earlier: &Reading) -> Result<Method, ReadError> {
    let used: Vec<String> = earlier.methods.iter().map(|method| method.id().to_owned()).collect();
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "-");
    let of_file = header.name.as_deref().or(stem).unwrap_or("method");
    let given = if draft.name.is_empty() { of_file } else { name::bare(&draft.name) };
    let id = header.id.clone().unwrap_or_else(|| name::slug(given));
    let name = header.name.clone().unwrap_or_else(|| given.to_owned());
    let origin = Path::new(file).file_name().and_then(|name| name.to_str()).filter(|name| *name != "-");
    let note = format!("Read from {} ({}).", origin.unwrap_or("the standard input"), earlier.format.name());
    let concerned = (!draft.name.is_empty()).then(|| draft.name.clone());
    draft.method(&name::unused(id, &used), &name, &note).map_err(|problem| match problem {
        Problem::Fault(fault) => fault.in_file(file, concerned),
        Problem::Method(problem) => {
            let Place { line, column } = draft.place;
            ReadError::Method { file: file.to_owned(), line, column, problem: Box::new(problem) }
        }
    })
}
