//! Options of designs for models and linear systems.

use clap::Args;
use hemiola::design::TargetSystems;

use super::values::linear_system;
use crate::arguments::number;

/// Systems for which a pair is designed.
#[derive(Args)]
#[command(next_help_heading = "Made for a system")]
pub(super) struct Made {
    /// Model whose measured errors the free coefficients minimize (repeatable)
    ///
    /// Parameters that are not given have their default values. With --levels, the free coefficients instead lengthen
    /// the coupled steps on the model.
    #[arg(long = "for", value_name = "NAME[:KEY=VALUE,…]")]
    pub(super) training: Vec<String>,

    /// File with the Jacobian of a linear system, and its slow variables from 1 (repeatable)
    ///
    /// The system is used like a model of --for. It starts from the state in which all variables are one.
    #[arg(long, value_name = "FILE@I,…", hide = true, value_parser = linear_system)]
    pub(super) for_jacobians: Vec<String>,

    /// Model or linear system FILE@I,… for comparison of the finished pair (repeatable)
    ///
    /// The search does not use it.
    #[arg(long, alias = "hold-out", value_name = "NAME[:KEY=VALUE,…]", requires = "error")]
    validation: Vec<String>,

    /// Wanted error at the end of a run
    ///
    /// The error is relative to the largest modulus of each variable.
    #[arg(long, value_name = "E", value_parser = number::positive)]
    pub(super) error: Option<f64>,

    /// Variables whose errors count, by name or number from 1 [default: the slow variables]
    #[arg(long, value_name = "NAME|I,…", value_delimiter = ',', requires = "error", hide = true)]
    variables: Vec<String>,

    /// Duration of a run [default: that of the model]
    #[arg(long, alias = "to", value_name = "T", value_parser = number::positive, requires = "error", hide = true)]
    end: Option<f64>,

    /// Smallest allowed imaginary stability limit of the fast polynomial
    ///
    /// The minimization of the measured errors may change the polynomial.
    #[arg(long, value_name = "L", value_parser = number::positive, requires = "error", hide = true)]
    fast_limit: Option<f64>,

    /// Keep the fast polynomial with which the search begins
    #[arg(long, requires = "error", conflicts_with = "fast_limit", hide = true)]
    keep_polynomial: bool,

    /// Number of minima of the objective to try [default: 4]
    #[arg(long, value_name = "N", requires = "error", hide = true)]
    candidates: Option<usize>,

    /// Largest number of iterations of the measured descent [default: 100]
    #[arg(long, value_name = "N", requires = "error", hide = true)]
    rounds: Option<usize>,
}

impl Made {
    /// Returns the models and the linear systems from files.
    pub(super) fn systems(&self) -> Vec<String> {
        self.training.iter().chain(&self.for_jacobians).cloned().collect()
    }

    pub(super) fn made_for(&self) -> Option<TargetSystems> {
        let error = self.error?;
        let training = self.systems();
        let default = TargetSystems::default();
        Some(TargetSystems {
            training,
            held_out: self.validation.clone(),
            variables: self.variables.iter().map(|name| name.trim().to_owned()).collect(),
            end: self.end,
            error,
            fast_limit: self.fast_limit,
            keep_polynomial: self.keep_polynomial,
            candidates: self.candidates.unwrap_or(default.candidates),
            rounds: self.rounds.unwrap_or(default.rounds),
        })
    }
}
