//! `hemiola expand`: a multirate method with steps of an inner method or with M micro-steps, as an ordinary method.

use clap::Args;
use hemiola::multirate::RealizationNameError;
use hemiola::tableau::library::Library;

use crate::arguments::multirate::{at_ratio, realization};
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::OptionError;
use crate::failure::{CommandOutcome, Failure};
use crate::output::writer::{Output, expect_ending, write};

/// Expand a multirate method with an inner method to an ordinary partitioned method
#[derive(Args)]
#[command(after_help = "\
The inner method takes M equal steps in each interval of the multirate method, and integrates the slow forcing as well. \
The order is the smaller one of both, unless the inner method integrates the forcing too roughly. A method with \
micro-steps is expanded as NAME@M=N. Other commands take the same text wherever they expect METHOD.

Examples:
  hemiola expand mri-gark-erk33a:inner=kutta-3,substeps=4 --output pair.json
  hemiola expand merk43:inner=rk4,substeps=2 --id mine > mine.json
  hemiola expand multirate-midpoint@M=4 --output pair.json
  hemiola check mri-gark-erk45a:inner=rk4,substeps=1")]
pub(crate) struct Expand {
    /// Multirate method, by id or file, with its inner method and the number of substeps; or NAME@M=N
    #[arg(value_name = "NAME:inner=METHOD,substeps=M")]
    method: String,

    /// New id for the method
    #[arg(long, value_name = "NEW")]
    id: Option<String>,

    /// Method file to write [default: standard output]
    #[arg(long, value_name = "F.json")]
    output: Option<OutputFile>,
}

impl Expand {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        expect_ending("--output", self.output.as_deref(), ".json")?;
        let found = match realization(&self.method, library)? {
            None => at_ratio(&self.method, library)?,
            found => found,
        };
        let method = found.ok_or_else(|| RealizationNameError { found: self.method.clone() })?;
        let method = match &self.id {
            Some(id) => method.with_id(id).map_err(|_| OptionError::NotAnId { option: "--id", found: id.clone() })?,
            None => method,
        };
        match &self.output {
            Some(file) => write(file, method.to_json().as_bytes())?,
            None => output.method(&method)?,
        }
        Ok(CommandOutcome::Done)
    }
}
