//! Replacement for `runs.rs` in builds without models: `--for` is an error, so no value of these types exists.

use hemiola::design::{Measure, TargetSystems};
use hemiola::tableau::{Method, Tableau};
use serde_json::Value;

use crate::arguments::usage::OptionError;
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;

pub(crate) enum TrainingRuns {}

pub(crate) enum RunComparison {}

impl TrainingRuns {
    pub(crate) fn check(made_for: &TargetSystems) -> Result<(), Failure> {
        Err(OptionError::NoModels { subject: format!("--for {}", made_for.training.join(" ")) }.into())
    }

    pub(crate) fn new(made_for: &TargetSystems, _: &Interrupt) -> Result<Self, Failure> {
        Err(OptionError::NoModels { subject: format!("--for {}", made_for.training.join(" ")) }.into())
    }

    pub(crate) fn compared(&self, _: &Method) -> Result<RunComparison, Failure> {
        match *self {}
    }
}

impl Measure for TrainingRuns {
    fn deviations(&self, _: &Tableau<f64>, _: f64) -> Option<Vec<f64>> {
        match *self {}
    }

    fn growth(&self, _: &Tableau<f64>, _: f64) -> Option<Vec<f64>> {
        match *self {}
    }

    fn step_range(&self) -> [f64; 2] {
        match *self {}
    }
}

impl RunComparison {
    pub(crate) fn header(&self) -> [String; 7] {
        match *self {}
    }

    pub(crate) fn rows(&self) -> Vec<[String; 7]> {
        match *self {}
    }

    pub(crate) fn page(&self) -> String {
        match *self {}
    }

    pub(crate) fn to_json(&self) -> Value {
        match *self {}
    }
}
