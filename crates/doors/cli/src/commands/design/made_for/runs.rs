//! Pairs designed for models: the runs that measure their errors, and the evaluations that they need.

use hemiola::design::{Measure, TargetSystems};
use hemiola::integrate::System;
use hemiola::models::Model;
use hemiola::number::Counter;
use hemiola::study::training::{RunCost, SingleRateBest, Training, TrainingRun};
use hemiola::tableau::{Method, Tableau};
use serde_json::{Value, json};

use crate::arguments::model;
use crate::commands::design::error::{DesignInterrupted, DesignJobError};
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text::{self, Column};

/// Cost of a slow evaluation in units of fast evaluations, for the column of costs.
const COST: f64 = 20.0;

/// Runs of a design, with the reference solutions of their errors.
pub(crate) struct TrainingRuns {
    training: Training,
    held_out: Vec<TrainingRun>,
    error: f64,
}

/// Comparison of a pair with the best single-partition method on every run.
pub(crate) struct RunComparison {
    error: f64,
    rows: Vec<RunRow>,
}

struct RunRow {
    name: String,
    held_out: bool,
    need: Option<RunCost>,
    rival: Option<SingleRateBest>,
}

impl TrainingRuns {
    /// Checks that all models can be read, have slow and fast variables, and contain the variables whose errors are measured.
    pub(crate) fn check(made_for: &TargetSystems) -> Result<(), Failure> {
        let check = |text: &String| model_and_variables(made_for, text).map(drop);
        made_for.training.iter().chain(&made_for.held_out).try_for_each(check)
    }

    /// Computes the reference solutions.
    pub(crate) fn new(made_for: &TargetSystems, interrupt: &Interrupt) -> Result<Self, Failure> {
        let all = made_for.training.len() + made_for.held_out.len();
        let monitor = Monitor::stopped_by(interrupt);
        let counter = Counter::new(&monitor, "reference solutions", Some(all));
        let run = |text: &String| -> Result<TrainingRun, Failure> {
            let (model, variables) = model_and_variables(made_for, text)?;
            let end = made_for.end.unwrap_or(model.duration);
            let run = TrainingRun::new(model, text, end, variables, &counter)?;
            // The next run checks again whether to continue.
            let _ = counter.advance(1);
            Ok(run)
        };
        let runs = |texts: &[String]| texts.iter().map(run).collect::<Result<Vec<_>, Failure>>();
        let (training, held_out) = (runs(&made_for.training), runs(&made_for.held_out));
        monitor.finish();
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Early.into());
        }
        let (training, error) = (training?, made_for.error);
        // The search would shorten the steps until its runs take hours.
        if let Some(run) = training.iter().find(|run| run.uncertainty() > error) {
            let (model, uncertainty) = (run.name.clone(), run.uncertainty());
            return Err(DesignJobError::Unmeasurable { model, error, uncertainty }.into());
        }
        Ok(Self { training: Training::new(training, error), held_out: held_out?, error })
    }

    /// Computes the evaluations that a pair and the best single-partition method need on every run.
    pub(crate) fn compared(&self, method: &Method) -> Result<RunComparison, Failure> {
        let all =
            self.training.runs().iter().map(|run| (run, false)).chain(self.held_out.iter().map(|run| (run, true)));
        let row = |(run, held_out): (&TrainingRun, bool)| -> Result<RunRow, Failure> {
            let (need, rival) = (run.cost(method, self.error)?, run.best_single_rate(self.error)?);
            Ok(RunRow { name: run.name.clone(), held_out, need, rival })
        };
        Ok(RunComparison { error: self.error, rows: all.map(row).collect::<Result<_, _>>()? })
    }
}

/// Reads a model with two partitions and the variables whose errors are measured.
fn model_and_variables(made_for: &TargetSystems, text: &str) -> Result<(Model, Vec<usize>), Failure> {
    let model = model::read(text)?;
    let slow = model.sizes().first().copied().unwrap_or_default();
    if model.sizes().len() != 2 {
        return Err(DesignJobError::NotDualRate { model: text.to_owned(), found: model.sizes().len() }.into());
    }
    let variables = if made_for.variables.is_empty() {
        (0..slow).collect()
    } else {
        model::variables(&model, &made_for.variables.join(","))?
    };
    Ok((model, variables))
}

impl Measure for TrainingRuns {
    fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        self.training.deviations(tableau, step)
    }

    fn growth(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        self.training.growth(tableau, step)
    }

    fn step_range(&self) -> [f64; 2] {
        self.training.step_range()
    }
}

impl RunRow {
    /// Returns the slow evaluations relative to the rival's.
    fn ratio(&self) -> Option<f64> {
        self.need
            .as_ref()
            .zip(self.rival.as_ref())
            .map(|(need, rival)| need.evaluations[0] as f64 / rival.need.evaluations[0] as f64)
    }
}

fn cost(evaluations: &[u64]) -> f64 {
    COST * evaluations[0] as f64 + evaluations.get(1).copied().unwrap_or_default() as f64
}

impl RunComparison {
    /// Returns the median ratio of the held-out runs; `None` without any, or if one did not reach the error.
    fn median(&self) -> Option<f64> {
        let ratios = self.rows.iter().filter(|row| row.held_out).map(RunRow::ratio);
        let mut ratios = ratios.collect::<Option<Vec<f64>>>().filter(|ratios| !ratios.is_empty())?;
        ratios.sort_by(f64::total_cmp);
        let n = ratios.len();
        Some((ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
    }

    /// Returns the column headings of the table.
    pub(crate) fn header(&self) -> [String; 7] {
        let slow = format!("slow evaluations for {}", self.error);
        ["run", "", &slow, "best single-rate method", "its evaluations", "ratio", "ratio of costs"].map(str::to_owned)
    }

    pub(crate) fn rows(&self) -> Vec<[String; 7]> {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        let count =
            |need: Option<&RunCost>| need.map_or_else(|| "–".to_owned(), |need| need.evaluations[0].to_string());
        let row = |row: &RunRow| {
            let (need, rival) = (row.need.as_ref(), row.rival.as_ref());
            let costs = need.zip(rival).map(|(a, b)| cost(&a.evaluations) / cost(&b.need.evaluations));
            [
                row.name.clone(),
                (if row.held_out { "held out" } else { "training" }).to_owned(),
                count(need),
                rival.map_or_else(|| "–".to_owned(), |rival| rival.id.clone()),
                count(rival.map(|rival| &rival.need)),
                number(row.ratio()),
                number(costs),
            ]
        };
        self.rows.iter().map(row).collect()
    }

    pub(crate) fn page(&self) -> String {
        let header = self.header();
        let [left, right] = [Column::Left, Column::Right];
        let columns: Vec<(&str, Column)> =
            header.iter().map(String::as_str).zip([left, left, right, left, right, right, right]).collect();
        let median = self.median();
        let median =
            median.map_or_else(String::new, |median| format!("median ratio of the runs held out: {median:.3}\n"));
        format!("\n{}{median}", text::table(&columns, self.rows().into_iter().map(Vec::from)))
    }

    pub(crate) fn to_json(&self) -> Value {
        let need = |need: &RunCost| json!({ "steps": need.steps, "evaluations": need.evaluations });
        let row = |row: &RunRow| {
            let rival = row.rival.as_ref().map(
                |rival| json!({ "id": rival.id, "steps": rival.need.steps, "evaluations": rival.need.evaluations }),
            );
            json!({ "run": row.name, "held_out": row.held_out, "need": row.need.as_ref().map(need), "best_single_rate": rival,
                    "ratio": row.ratio() })
        };
        json!({ "error": self.error, "runs": self.rows.iter().map(row).collect::<Vec<_>>(), "held_out_median": self.median() })
    }
}
