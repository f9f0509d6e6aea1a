//! Where a system comes from: a file with its Jacobian, or a model with its parameters.

use std::path::PathBuf;

use clap::Args;
use hemiola::models::{self, ModelError};
use hemiola::stability::BlockSystem;
use hemiola::tableau::Method;
use thiserror::Error;

use crate::failure::Failure;
use crate::number::{self, Counts, NumberError};
use crate::polynomial::matrix;
use crate::text::{self, Column, counted};

/// Why there is no such system.
#[derive(Debug, Error)]
pub(crate) enum SystemError {
    #[error("{file}: there are no numbers in it; expected a square matrix, a row on each line")]
    Empty { file: PathBuf },
    #[error("--slow: there is no variable {variable}; the Jacobian has {}", counted(*.variables, "variable"))]
    NoVariable { variable: usize, variables: usize },
    #[error("{id} has {partitions} partitions; expected --slow with the slow variables, such as --slow 1..4,7")]
    NoPartitions { id: String, partitions: usize },
    #[error("--model {text}: `{part}` is not of the form key=value")]
    NotAssigned { text: String, part: String },
    #[error("--model {text}: {problem}")]
    NotANumber { text: String, problem: NumberError },
    #[error("--model {text}: {problem}")]
    Model { text: String, problem: ModelError },
}

/// The options that say which system.
#[derive(Args)]
pub(super) struct Source {
    #[command(flatten)]
    place: Place,

    /// The slow variables, numbered from 1: 3, a list 1,2,7 or a range 1..4; the others are fast
    #[arg(long, value_name = "I,…", conflicts_with = "model")]
    slow: Option<Counts>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Place {
    /// A file with the real square matrix J
    #[arg(long, value_name = "FILE")]
    jacobian: Option<PathBuf>,

    /// A model, with parameters that differ from its usual ones
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]")]
    model: Option<String>,
}

/// A system with names.
pub(super) struct NamedSystem {
    pub(super) name: String,
    pub(super) variables: Vec<String>,
    pub(super) blocks: BlockSystem,
}

impl Source {
    pub(super) fn system(&self, methods: &[Method]) -> Result<NamedSystem, Failure> {
        match (&self.place.jacobian, &self.place.model) {
            (Some(file), _) => {
                let rows = matrix(file)?;
                if rows.is_empty() {
                    return Err(SystemError::Empty { file: file.clone() }.into());
                }
                let partition = self.partition(rows.len(), methods)?;
                let variables = (1..=rows.len()).map(|variable| variable.to_string()).collect();
                Ok(NamedSystem {
                    name: file.display().to_string(),
                    variables,
                    blocks: BlockSystem::new(&rows, partition)?,
                })
            }
            (None, text) => Ok(named(text.as_deref().unwrap_or_default())?),
        }
    }

    /// The parameters of a model that is asked for as `NAME:?`.
    pub(super) fn parameter_table(&self) -> Result<Option<String>, Failure> {
        let Some(text) = self.place.model.as_ref().filter(|text| text.ends_with(":?")) else { return Ok(None) };
        let parameters = models::parameters(text.trim_end_matches(":?"))
            .map_err(|problem| SystemError::Model { text: text.clone(), problem })?;
        let rows = parameters.iter().map(|parameter| {
            let [name, unit, meaning, source] =
                [parameter.name, parameter.unit, parameter.meaning, parameter.source].map(str::to_owned);
            vec![name, text::number(parameter.value), unit, meaning, source]
        });
        let [left, right] = [Column::Left, Column::Right];
        let columns = [("Parameter", left), ("Value", right), ("Unit", left), ("Meaning", left), ("Source", left)];
        Ok(Some(text::table(&columns, rows)))
    }

    /// 0 for slow variables, 1 for fast ones.
    fn partition(&self, variables: usize, methods: &[Method]) -> Result<Vec<usize>, SystemError> {
        let Some(Counts(slow)) = &self.slow else {
            return match methods.iter().find(|method| method.partitions().len() > 1) {
                Some(method) => {
                    let partitions = method.partitions().len();
                    Err(SystemError::NoPartitions { id: method.id().to_owned(), partitions })
                }
                None => Ok(vec![0; variables]),
            };
        };
        if let Some(&variable) = slow.iter().find(|variable| **variable > variables) {
            return Err(SystemError::NoVariable { variable, variables });
        }
        Ok((1..=variables).map(|variable| usize::from(!slow.contains(&variable))).collect())
    }
}

/// A model from `NAME` or `NAME:KEY=VALUE,…`.
fn named(text: &str) -> Result<NamedSystem, Failure> {
    let (name, assignments) = text.split_once(':').unwrap_or((text, ""));
    let mut changes = Vec::new();
    for part in assignments.split(',').filter(|part| !part.is_empty()) {
        let assigned = part.split_once('=');
        let not_assigned = || SystemError::NotAssigned { text: text.to_owned(), part: part.to_owned() };
        let (key, value) = assigned.ok_or_else(not_assigned)?;
        let not_a_number = |problem| SystemError::NotANumber { text: text.to_owned(), problem };
        changes.push((key.trim(), number::real(value.trim()).map_err(not_a_number)?));
    }
    let model =
        models::model(name, &changes).map_err(|problem| SystemError::Model { text: text.to_owned(), problem })?;
    let variables = model.variables.iter().map(|variable| (*variable).to_owned()).collect();
    Ok(NamedSystem { name: text.to_owned(), variables, blocks: BlockSystem::new(&model.jacobian, model.partition)? })
}
