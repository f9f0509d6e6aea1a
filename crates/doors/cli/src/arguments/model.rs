//! Syntax of models on the command line: `NAME` or `NAME:KEY=VALUE,…`; a file `NAME.json` or `NAME.json:KEY=VALUE,…`
//! with a machine; or `FILE@I,…`, the linear system with the Jacobian in a file and the slow variables I, ….

use std::path::Path;

use hemiola::models::{self, Model, ModelError, Parameter, Value};
use hemiola::multibody::{Machine, MachineError, MachineFileError, Mechanism};
use thiserror::Error;

use crate::arguments::number::{self, Counts, NumberError};
use crate::arguments::number_file::{self, FileError};
use crate::failure::CommandError;
use crate::output::text;

/// Reason why a model could not be read.
#[derive(Debug, Error)]
pub(crate) enum ModelTextError {
    #[error("model {text}: expected KEY=VALUE, found `{part}`")]
    NotAssigned { text: String, part: String },
    #[error("model {text}: {problem}")]
    NotANumber { text: String, problem: NumberError },
    #[error("model {text}: {problem}")]
    Model { text: String, problem: ModelError },
    #[error(transparent)]
    Matrix(FileError),
    #[error("{text}: {problem}; expected slow variables as FILE@1,2,7 or FILE@1..4")]
    Slow { text: String, problem: NumberError },
    #[error(transparent)]
    File(Box<MachineFileError>),
    #[error("{file}: {problem}")]
    Machine { file: String, problem: Box<MachineError> },
    #[error("model {text}: no variable `{found}`; expected a number from 1 to {count} or one of: {expected}")]
    NoVariable { text: String, found: String, count: usize, expected: String },
}

impl CommandError for ModelTextError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::File(_) | Self::Machine { .. } => {
                "machines/schema.json describes the format; the same folder contains examples"
            }
            Self::Matrix(_) | Self::Slow { .. } => {
                "`hemiola example jacobian` writes a matrix; FILE@1..4 is its linear system with slow variables 1 to 4"
            }
            _ => {
                "`hemiola models` lists the models; `hemiola models NAME` lists the parameters and variables of one model"
            }
        };
        Some(hint.to_owned())
    }
}

/// Reads a model.
pub(crate) fn read(text: &str) -> Result<Model, ModelTextError> {
    if let Some((file, slow)) = linear_system(text) {
        let not_slow = |problem| ModelTextError::Slow { text: text.to_owned(), problem };
        let Counts(slow) = slow.parse().map_err(not_slow)?;
        let jacobian = number_file::matrix(Path::new(file)).map_err(ModelTextError::Matrix)?;
        return models::linear(&jacobian, &slow)
            .map_err(|problem| ModelTextError::Model { text: text.to_owned(), problem });
    }
    // The path of a file may contain a colon before its extension.
    let place = text.find(".json:").map(|dot| dot + 5).or_else(|| if is_file(text) { None } else { text.find(':') });
    let (name, assignments) = place.map_or((text, ""), |colon| (&text[..colon], &text[colon + 1..]));
    let mut changes = Vec::new();
    for part in assignments.split(',').filter(|part| !part.is_empty()) {
        let not_assigned = || ModelTextError::NotAssigned { text: text.to_owned(), part: part.to_owned() };
        let (key, value) = part.split_once('=').ok_or_else(not_assigned)?;
        let not_a_number = |problem| ModelTextError::NotANumber { text: text.to_owned(), problem };
        let (key, value) = (key.trim(), value.trim());
        let is_choice = || {
            is_file(name)
                || parameters(name)
                    .is_ok_and(|known| known.iter().any(|one| one.name == key && !one.words().is_empty()))
        };
        let value = match number::real(value) {
            Ok(number) => Value::Number(number),
            Err(_) if is_choice() => Value::Word(value),
            Err(problem) => return Err(not_a_number(problem)),
        };
        changes.push((key, value));
    }
    let refused = |problem| ModelTextError::Model { text: text.to_owned(), problem };
    if is_file(name) {
        return models::machine_with(mechanism(name)?, &changes).map_err(refused);
    }
    models::model_with(name, &changes).map_err(refused)
}

/// Splits FILE@I,… into the file, which need not exist, and the slow variables.
fn linear_system(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once('@').filter(|(file, slow)| Path::new(file).is_file() || slow.parse::<Counts>().is_ok())
}

/// Checks that a text has the form FILE@I,….
pub(crate) fn expect_linear_system(text: &str) -> Result<String, &'static str> {
    let expected = "expected the file and its slow variables, such as jacobian.csv@1,2,7 or jacobian.csv@1..4";
    linear_system(text).map(|_| text.to_owned()).ok_or(expected)
}

fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "json")
}

/// Reads the machine in a file.
fn mechanism(file: &str) -> Result<Mechanism, ModelTextError> {
    let machine = Machine::read(Path::new(file)).map_err(|problem| ModelTextError::File(Box::new(problem)))?;
    let refused = |problem| ModelTextError::Machine { file: file.to_owned(), problem: Box::new(problem) };
    machine.build().map_err(refused)
}

/// Returns the default parameters of a model.
pub(crate) fn parameters(name: &str) -> Result<&'static [Parameter], ModelTextError> {
    models::parameters(name).map_err(|problem| ModelTextError::Model { text: name.to_owned(), problem })
}

/// Formats parameters as a table.
pub(crate) fn parameter_table(parameters: &[Parameter]) -> String {
    let rows = parameters.iter().map(|parameter| {
        let [name, unit, meaning, source] =
            [parameter.name, parameter.unit, parameter.meaning, parameter.source].map(str::to_owned);
        let value = match parameter.setting() {
            Value::Number(number) => text::number(number),
            Value::Word(word) => word.to_owned(),
        };
        let words = parameter.words();
        let meaning = if words.is_empty() { meaning } else { format!("{meaning}; one of: {}", words.join(", ")) };
        vec![name, value, unit, meaning, source]
    });
    let columns = text::columns("<Parameter|>Value|<Unit|<Meaning|<Source");
    text::table(&columns, rows)
}

/// Reads variables by names or by numbers from 1, joined by commas.
pub(crate) fn variables(model: &Model, text: &str) -> Result<Vec<usize>, ModelTextError> {
    let none = |found: &str| ModelTextError::NoVariable {
        text: model.name.to_owned(),
        found: found.to_owned(),
        count: model.variables.len(),
        expected: model.variables.iter().map(|variable| variable.name.clone()).collect::<Vec<_>>().join(", "),
    };
    let index = |part: &str| {
        let by_number = part.parse::<usize>().ok().filter(|number| (1..=model.variables.len()).contains(number));
        let by_name = || model.variables.iter().position(|variable| variable.name == part);
        by_number.map(|number| number - 1).or_else(by_name).ok_or_else(|| none(part))
    };
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let variables = parts.map(index).collect::<Result<Vec<_>, _>>()?;
    // An empty list leaves no error to measure and nothing to draw.
    if variables.is_empty() { Err(none(text)) } else { Ok(variables) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_words_and_numbers_are_numbers() {
        assert_eq!(read("planar-vehicle:speed=10, rings=absolute").unwrap().variables[14].name, "front ring x");
        assert_eq!(read("planar-vehicle").unwrap().variables[14].name, "front ring x from hub");
        let complaint = |text: &str| read(text).unwrap_err().to_string();
        assert!(complaint("planar-vehicle:rings=both").contains("rings is both; expected one of: relative, absolute"));
        assert!(complaint("planar-vehicle:rings=0").contains("rings is 0; expected one of: relative, absolute"));
        assert!(complaint("planar-vehicle:speed=fast").contains("`fast` is not a number"));
    }

    #[test]
    fn variables_are_names_or_numbers_and_at_least_one() {
        let orbit = read("kepler").unwrap();
        assert_eq!(variables(&orbit, "y speed, 1").unwrap(), [3, 0]);
        for fault in ["", " , ", "0", "5", "z"] {
            assert!(matches!(variables(&orbit, fault), Err(ModelTextError::NoVariable { .. })), "{fault}");
        }
    }
}
