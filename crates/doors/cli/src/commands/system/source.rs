//! Source of a system: a file with its Jacobian, or a model with its parameters, linearized at its initial state.

use std::path::PathBuf;

use clap::Args;
use hemiola::models::Model;
use hemiola::stability::BlockSystem;
use hemiola::study::stable_steps::{SteppedMethod, linearized};
use thiserror::Error;

use crate::arguments::model;
use crate::arguments::number::Counts;
use crate::arguments::number_file::{matrix, matrix_eigenvalues};
use crate::failure::{CommandError, Failure};
use crate::output::text::counted;

/// Reason why a system could not be read.
#[derive(Debug, Error)]
enum SystemError {
    #[error("{file}: the file contains no numbers; expected a square matrix, one row per line")]
    Empty { file: PathBuf },
    #[error("--slow-variables: no variable {variable}; the Jacobian has {}", counted(*.variables, "variable"))]
    NoVariable { variable: usize, variables: usize },
    #[error("{id} has {partitions} partitions; expected --slow-variables, such as --slow-variables 1..4,7")]
    NoPartitions { id: String, partitions: usize },
}

impl CommandError for SystemError {}

/// The options that select the system.
#[derive(Args)]
pub(crate) struct SystemArgs {
    #[command(flatten)]
    place: SystemSource,

    /// Slow variables, numbered from 1
    ///
    /// A number 3, a list 1,2,7 or a range 1..4. The other variables are fast.
    #[arg(long, alias = "slow", value_name = "I,…", conflicts_with = "model")]
    slow_variables: Option<Counts>,

    /// Jacobians of the slow and of the fast part alone, one file each
    ///
    /// Give them if the eigenvalues of a part alone differ from those of its diagonal block, as for a piece of a mesh.
    #[arg(
        long,
        alias = "alone",
        value_name = "FILE",
        num_args = 2,
        requires = "slow_variables",
        conflicts_with = "model"
    )]
    part_jacobians: Vec<PathBuf>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct SystemSource {
    /// File with the real square matrix J
    #[arg(long, value_name = "FILE")]
    jacobian: Option<PathBuf>,

    /// Model, linearized at its initial state
    ///
    /// Parameters that are not given have their default values.
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]")]
    model: Option<String>,
}

/// System with names of its variables.
pub(crate) struct NamedSystem {
    pub(crate) name: String,
    pub(crate) variables: Vec<String>,
    pub(crate) blocks: BlockSystem,
    /// Model, if there is one.
    pub(crate) model: Option<Model>,
}

impl SystemArgs {
    pub(crate) fn system(&self, methods: &[SteppedMethod]) -> Result<NamedSystem, Failure> {
        match (&self.place.jacobian, &self.place.model) {
            (Some(file), _) => {
                let rows = matrix(file)?;
                if rows.is_empty() {
                    return Err(SystemError::Empty { file: file.clone() }.into());
                }
                let partition = self.partition(rows.len(), methods)?;
                let variables = (1..=rows.len()).map(|variable| variable.to_string()).collect();
                let mut blocks = BlockSystem::new(&rows, partition)?;
                if !self.part_jacobians.is_empty() {
                    blocks = blocks.with_decoupled_eigenvalues(
                        self.part_jacobians.iter().map(|file| matrix_eigenvalues(file)).collect::<Result<_, _>>()?,
                    );
                }
                Ok(NamedSystem { name: file.display().to_string(), variables, blocks, model: None })
            }
            (None, text) => {
                let text = text.as_deref().unwrap_or_default();
                let model = model::read(text)?;
                let blocks = linearized(&model)?;
                let variables = model.variables.iter().map(|variable| variable.name.clone()).collect();
                Ok(NamedSystem { name: text.to_owned(), variables, blocks, model: Some(model) })
            }
        }
    }

    /// Returns the table of parameters of a model given as `NAME:?`.
    pub(crate) fn parameter_table(&self) -> Result<Option<String>, Failure> {
        let Some(text) = self.place.model.as_ref().filter(|text| text.ends_with(":?")) else { return Ok(None) };
        Ok(Some(model::parameter_table(model::parameters(text.trim_end_matches(":?"))?)))
    }

    /// Assigns 0 to slow variables and 1 to fast ones.
    fn partition(&self, variables: usize, methods: &[SteppedMethod]) -> Result<Vec<usize>, SystemError> {
        let Some(Counts(slow)) = &self.slow_variables else {
            return match methods.iter().find(|method| method.partitions() > 1) {
                Some(method) => {
                    let partitions = method.partitions();
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
