//! `hemiola models`: the models that can be simulated.

use clap::Args;
use hemiola::integrate::System;
use hemiola::models;
use hemiola::tableau::library::Library;
use serde::Serialize;

use crate::arguments::model;
use crate::failure::{CommandOutcome, Failure};
use crate::output::text;
use crate::output::writer::Output;

/// List the models, or the parameters and variables of one
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola models
  hemiola models planar-vehicle
  hemiola models planar-vehicle:rings=absolute
  hemiola models quarter-car:wheel-mass=15 --json")]
pub(crate) struct Models {
    /// Model; parameters that are not given have their default values
    #[arg(value_name = "NAME[:KEY=VALUE,…]")]
    model: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    name: &'static str,
    title: &'static str,
    sizes: Vec<usize>,
    duration: f64,
    parameters: Vec<ParameterReport>,
    variables: Vec<VariableReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<OutputReport>,
}

/// Output quantity computed from a state.
#[derive(Serialize)]
struct OutputReport {
    name: String,
    unit: &'static str,
    initial: f64,
}

#[derive(Serialize)]
struct ParameterReport {
    name: &'static str,
    value: Setting,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    choices: &'static [&'static str],
    unit: &'static str,
    meaning: &'static str,
    source: &'static str,
}

/// Number, or the word of a choice.
#[derive(Serialize)]
#[serde(untagged)]
enum Setting {
    Number(f64),
    Word(&'static str),
}

impl From<models::Value<'static>> for Setting {
    fn from(value: models::Value<'static>) -> Self {
        match value {
            models::Value::Number(number) => Self::Number(number),
            models::Value::Word(word) => Self::Word(word),
        }
    }
}

#[derive(Serialize)]
struct VariableReport {
    name: String,
    unit: &'static str,
    partition: usize,
    initial: f64,
}

impl Models {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let names = match &self.model {
            Some(text) => vec![text.clone()],
            None => models::names().map(str::to_owned).collect(),
        };
        let all = names.iter().map(|name| model::read(name)).collect::<Result<Vec<_>, _>>()?;
        if self.json {
            output.json(&all.iter().map(report).collect::<Vec<_>>())?;
        } else if let (Some(_), [model]) = (&self.model, &all[..]) {
            output.text(&page(model))?;
        } else {
            output.text(&table(&all))?;
        }
        Ok(CommandOutcome::Done)
    }
}

fn table(all: &[models::Model]) -> String {
    let columns = text::columns("<Model|>Slow|>Fast|>Duration|<Description");
    let size = |model: &models::Model, r: usize| model.sizes().get(r).map_or("–".to_owned(), usize::to_string);
    let row = |model: &models::Model| {
        let duration = text::number(model.duration);
        vec![model.name.to_owned(), size(model, 0), size(model, 1), duration, model.title.to_owned()]
    };
    text::table(&columns, all.iter().map(row))
}

fn page(model: &models::Model) -> String {
    let entries =
        [("model", model.name.to_owned()), ("is", model.title.to_owned()), ("lasts", text::number(model.duration))];
    let partition = model.partition();
    let variables = model.variables.iter().enumerate().map(|(i, variable)| {
        let part = if model.sizes().len() < 2 { "" } else { ["slow", "fast"][partition[i].min(1)] };
        let initial = text::number(model.initial[i]);
        vec![(i + 1).to_string(), variable.name.clone(), variable.unit.to_owned(), part.to_owned(), initial]
    });
    let names = text::columns(">|<Variable|<Unit|<Partition|>Initially");
    let parameters = model::parameter_table(&model.parameters);
    let page = format!("{}\n{parameters}\n{}", text::entries(&entries), text::table(&names, variables));
    let outputs = outputs(model);
    if outputs.is_empty() {
        return page;
    }
    let names = text::columns("<What follows from them|<Unit|>Initially");
    let row = |output: OutputReport| vec![output.name, output.unit.to_owned(), text::number(output.initial)];
    format!("{page}\n{}", text::table(&names, outputs.into_iter().map(row)))
}

fn outputs(model: &models::Model) -> Vec<OutputReport> {
    let values = model.output_values(0.0, &model.initial);
    let outputs = model.outputs().into_iter().zip(values);
    outputs.map(|(output, initial)| OutputReport { name: output.name(), unit: output.unit, initial }).collect()
}

fn report(model: &models::Model) -> Report {
    let parameters = model.parameters.iter().map(|parameter| ParameterReport {
        name: parameter.name,
        value: Setting::from(parameter.setting()),
        choices: parameter.words(),
        unit: parameter.unit,
        meaning: parameter.meaning,
        source: parameter.source,
    });
    let places = model.partition().into_iter().zip(&model.initial);
    let variables = model.variables.iter().zip(places).map(|(variable, (partition, &initial))| VariableReport {
        name: variable.name.clone(),
        unit: variable.unit,
        partition,
        initial,
    });
    Report {
        name: model.name,
        title: model.title,
        sizes: model.sizes().to_vec(),
        duration: model.duration,
        parameters: parameters.collect(),
        variables: variables.collect(),
        outputs: outputs(model),
    }
}
