//! Measurements in a CSV file: a header `t,NAME,…` with the names of variables, then one line for each time.

use std::path::{Path, PathBuf};

use hemiola::models::Model;
use hemiola::optimize::identification::Measurements;
use thiserror::Error;

use crate::arguments::input_file;
use crate::failure::CommandError;
use crate::output::text::cause;

impl CommandError for MeasurementError {}

/// Reason why measurements could not be read.
#[derive(Debug, Error)]
pub(crate) enum MeasurementError {
    #[error("{file}: {}", cause(.problem))]
    File { file: PathBuf, problem: std::io::Error },
    #[error("{file}: no header; expected `t` and the names of variables, joined by commas")]
    NoHeader { file: PathBuf },
    #[error("{file}: column {column} is `{found}`; expected {expected}")]
    Column { file: PathBuf, column: usize, found: String, expected: String },
    #[error("{file}, line {line}: {found} fields; expected {expected}, as in the header")]
    Fields { file: PathBuf, line: usize, found: usize, expected: usize },
    #[error("{file}, line {line}, column {column}: `{found}`; expected a finite number")]
    Number { file: PathBuf, line: usize, column: usize, found: String },
}

/// Reads measurements of a model's variables, without standard deviations.
pub(crate) fn read(file: &Path, model: &Model) -> Result<Measurements, MeasurementError> {
    let here = || file.to_owned();
    let text = input_file::text(file, input_file::LONGEST_TEXT)
        .map_err(|problem| MeasurementError::File { file: here(), problem })?;
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(k, line)| (k + 1, line.trim_start_matches('\u{feff}').trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (_, header) = lines.next().ok_or_else(|| MeasurementError::NoHeader { file: here() })?;
    let names = fields(header);
    let column = |column: usize, expected: String| MeasurementError::Column {
        file: here(),
        column,
        found: names.get(column - 1).cloned().unwrap_or_default(),
        expected,
    };
    if names.first().map(String::as_str) != Some("t") {
        return Err(column(1, "t, the time".to_owned()));
    }
    let known = || model.variables.iter().map(|variable| variable.name.clone()).collect::<Vec<_>>().join(", ");
    let place = |(k, name): (usize, &String)| {
        let found = model.variables.iter().position(|variable| variable.name == *name);
        found.ok_or_else(|| column(k + 2, format!("one of: {}", known())))
    };
    let states = names[1..].iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?;
    if states.is_empty() {
        return Err(column(2, format!("one of: {}", known())));
    }
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (line, text) in lines {
        let fields = fields(text);
        if fields.len() != names.len() {
            return Err(MeasurementError::Fields { file: here(), line, found: fields.len(), expected: names.len() });
        }
        let number = |(k, found): (usize, &String)| {
            let value = found.parse::<f64>().ok().filter(|value| value.is_finite());
            let bad = || MeasurementError::Number { file: here(), line, column: k + 1, found: found.clone() };
            value.ok_or_else(bad)
        };
        let mut row = fields.iter().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
        times.push(row.remove(0));
        values.push(row);
    }
    Ok(Measurements { times, states, values, deviations: Vec::new() })
}

/// Splits a line into fields and removes the quotes of names with commas.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => all.push(std::mem::take(&mut field).trim().to_owned()),
            _ => field.push(letter),
        }
    }
    all.push(field.trim().to_owned());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_quoted() {
        assert_eq!(fields("t, x ,\"a, b\",3"), ["t", "x", "a, b", "3"]);
        assert_eq!(fields(""), [""]);
    }
}
