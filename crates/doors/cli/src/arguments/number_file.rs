//! Files of numbers: eigenvalues, and matrices whose eigenvalues are computed.

use std::io;
use std::path::{Path, PathBuf};

use hemiola::polynomial::PolynomialError;
use hemiola::stability::real_eigenvalues;
use num_complex::Complex64;
use thiserror::Error;

use crate::arguments::input_file;
use crate::arguments::number::{self, NumberError};
use crate::failure::CommandError;
use crate::output::text::{cause, counted};

/// Layout of a file with a matrix.
const MATRIX: &str = "one row of numbers per line, separated by blanks or commas, without a header";
/// Layout of a file with eigenvalues.
const EIGENVALUES: &str = "complex numbers separated by blanks, commas or line breaks, or two columns with real and \
                           imaginary parts, without a header";

/// Reason why a file contains no spectrum.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    #[error(
        "--spectrum {text}: no such shape or file; expected disk, wedge:DEGREES, rectangle:WIDTH,HEIGHT, \
         rays:LEAST,GREATEST, intervals:LOW,HIGH,…, dg:DEGREE, dgsem:DEGREE, upwind:ORDER, an operator \
         such as waves-2d:dg=3, or a file of complex numbers"
    )]
    NoSpectrum { text: String },
    #[error("{file}: {}", cause(.problem))]
    Unreadable { file: PathBuf, problem: io::Error },
    #[error("{file}, line {line}: {problem}; expected {layout}")]
    NotANumber { file: PathBuf, line: usize, problem: NumberError, layout: &'static str },
    #[error("{file}: {problem}")]
    Eigenvalues { file: PathBuf, problem: PolynomialError },
    #[error(
        "{file}, line {line}: the row has {}; expected {expected}, the number of rows ({})",
        counted(*.found, "number"), MATRIX
    )]
    NotSquare { file: PathBuf, line: usize, found: usize, expected: usize },
    #[error("{file}: the eigenvalue iteration for the {size}×{size} matrix did not converge")]
    NoConvergence { file: PathBuf, size: usize },
}

impl CommandError for FileError {}

/// Reads complex numbers from a text file, separated by blanks, commas and line breaks; `#` begins a comment. If every
/// line contains two real numbers, they are real and imaginary parts.
pub(crate) fn eigenvalues(file: &Path) -> Result<Vec<Complex64>, FileError> {
    let lines = lines(file, number::complex, EIGENVALUES)?;
    let is_pair =
        |line: &Line<Complex64>| line.numbers.len() == 2 && line.numbers.iter().all(|number| number.im == 0.0);
    let has_unit = lines.iter().any(|line| line.has_imaginary_unit);
    if !has_unit && lines.iter().all(is_pair) {
        return Ok(lines.iter().map(|line| Complex64::new(line.numbers[0].re, line.numbers[1].re)).collect());
    }
    Ok(lines.into_iter().flat_map(|line| line.numbers).collect())
}

/// Returns the eigenvalues of the matrix in a text file.
pub(crate) fn matrix_eigenvalues(file: &Path) -> Result<Vec<Complex64>, FileError> {
    let rows = matrix(file)?;
    real_eigenvalues(&rows).map_err(|_| FileError::NoConvergence { file: file.to_owned(), size: rows.len() })
}

/// Reads a real square matrix from a text file: one row per line, numbers separated by blanks or commas.
pub(crate) fn matrix(file: &Path) -> Result<Vec<Vec<f64>>, FileError> {
    let lines = lines(file, number::real, MATRIX)?;
    let size = lines.len();
    if let Some(line) = lines.iter().find(|line| line.numbers.len() != size) {
        let found = line.numbers.len();
        return Err(FileError::NotSquare { file: file.to_owned(), line: line.number, found, expected: size });
    }
    Ok(lines.into_iter().map(|line| line.numbers).collect())
}

/// Line of numbers.
struct Line<T> {
    /// Line number, from 1.
    number: usize,
    numbers: Vec<T>,
    has_imaginary_unit: bool,
}

fn lines<T>(
    file: &Path,
    read: impl Fn(&str) -> Result<T, NumberError>,
    layout: &'static str,
) -> Result<Vec<Line<T>>, FileError> {
    let unreadable = |problem| FileError::Unreadable { file: file.to_owned(), problem };
    let text = input_file::text(file, input_file::LONGEST_TEXT).map_err(unreadable)?;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.split('#').next().unwrap_or_default();
        // Other programs write 1.0 + 2.0i.
        let joined = line.replace(" + ", "+").replace(" - ", "-");
        let words =
            joined.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|word| !word.is_empty());
        let numbers: Result<Vec<T>, NumberError> = words.map(&read).collect();
        let numbers = numbers.map_err(|problem| FileError::NotANumber {
            file: file.to_owned(),
            line: number,
            problem,
            layout,
        })?;
        if !numbers.is_empty() {
            lines.push(Line { number, numbers, has_imaginary_unit: line.contains(['i', 'j']) });
        }
    }
    Ok(lines)
}
