//! Measures all methods on a problem and prints a table.

use std::cell::Cell;
use std::time::Instant;

use hemiola_integrate::System;
use hemiola_models::Model;

use crate::contenders::{Contender, Group, all};
use crate::problem::{Errors, Problem};

/// Number of runs. The fastest counts, since the others were disturbed.
const RUNS: usize = 5;
/// Largest total error, relative to that of the discretization in space.
const ALLOWED: f64 = 1.1;
/// Longest step for each evaluation that the search begins with, in crossings of a narrowest cell.
const LONGEST: f64 = 0.06;
/// Most steps of the search, relative to those that it begins with. Methods that need more are limited by their accuracy.
const MOST: f64 = 6.0;
/// Bytes of a number.
const BYTES: f64 = 8.0;

/// A method with its measurements.
struct Row {
    contender: Contender,
    steps: u64,
    /// Evaluations of each partition in a step.
    evaluations: Vec<f64>,
    errors: Errors,
    lost: f64,
    time: f64,
    /// The time of a family's steps in few registers.
    in_registers: Option<f64>,
    /// The share of evaluations in the time of a run.
    in_rates: f64,
}

impl Row {
    /// Returns the length of a step in crossings of a narrowest cell.
    fn crossings(&self, problem: &Problem) -> f64 {
        problem.end / problem.crossing / self.steps as f64
    }

    /// Returns the time of the faster form of the steps.
    fn fastest(&self) -> f64 {
        self.in_registers.map_or(self.time, |time| time.min(self.time))
    }

    /// Describes the steps: their length, and the evaluations in the widest and the narrowest cells.
    fn described(&self, problem: &Problem) -> String {
        let counts: Vec<String> = self.evaluations.iter().map(|count| format!("{count:.0}")).collect();
        let widest = counts.first().map_or("", String::as_str);
        let narrowest = counts.last().map_or("", String::as_str);
        let counted = if widest == narrowest { widest.to_owned() } else { format!("{widest} to {narrowest}") };
        format!("{:.2} crossings with {counted} evaluations", self.crossings(problem))
    }
}

/// Prints the table of a problem, and which family wins by how much.
pub(crate) fn print(problem: &Problem) {
    let mut rows: Vec<Row> =
        all(&problem.model, problem.widths).into_iter().filter_map(|contender| row(contender, problem)).collect();
    for _ in 0..RUNS {
        // All methods in turn: a disturbance of the machine affects all of them.
        for row in &mut rows {
            let start = Instant::now();
            problem.run(&mut row.contender.steps, row.steps);
            row.time = row.time.min(start.elapsed().as_secs_f64());
            if let Some(steps) = &mut row.contender.in_registers {
                let start = Instant::now();
                problem.run(steps, row.steps);
                let time = start.elapsed().as_secs_f64();
                row.in_registers = Some(row.in_registers.map_or(time, |least| least.min(time)));
            }
        }
    }
    for row in &mut rows {
        row.in_rates = share_of_rates(row, problem);
    }
    report(problem, &rows);
}

fn row(mut contender: Contender, problem: &Problem) -> Option<Row> {
    let allowed = ALLOWED * problem.space_error;
    let evaluations = problem.evaluations(&mut contender.steps);
    let most = evaluations.iter().fold(0.0, |most: f64, count| most.max(*count));
    let mut is_enough = |steps: f64| problem.errors(&problem.run(&mut contender.steps, steps as u64)).total <= allowed;
    // Steps a little longer than those of an optimal polynomial with as many evaluations, then shorter and shorter ones.
    let mut enough = (problem.end / problem.crossing / (LONGEST * most)).ceil();
    let mut ratio = 1.2;
    let most_steps = MOST * enough;
    while !is_enough(enough) {
        enough = (ratio * enough).ceil();
        if enough > most_steps {
            eprintln!("{}: no step is short enough", contender.name);
            return None;
        }
    }
    while ratio > 1.01 {
        ratio = f64::sqrt(ratio);
        let fewer = (enough / ratio).ceil();
        if fewer < enough && is_enough(fewer) {
            enough = fewer;
        }
    }
    let steps = enough as u64;
    let end = problem.run(&mut contender.steps, steps);
    let (errors, lost) = (problem.errors(&end), problem.lost(&end));
    if let Some(in_registers) = &mut contender.in_registers {
        let same = problem.run(in_registers, steps);
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let difference: Vec<f64> = same.iter().zip(&end).map(|(one, other)| one - other).collect();
        // Rounding of as many steps, amplified where the last digits of stages are.
        assert!(largest(&difference) < 1e-9 * largest(&end), "{}: {:e}", contender.name, largest(&difference));
    }
    eprintln!("{}: {steps} steps", contender.name);
    Some(Row { contender, steps, evaluations, errors, lost, time: f64::INFINITY, in_registers: None, in_rates: 0.0 })
}

/// A model that measures the time of its evaluations.
struct Timed<'a> {
    model: &'a Model,
    seconds: Cell<f64>,
}

impl System for Timed<'_> {
    fn sizes(&self) -> &[usize] {
        self.model.sizes()
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        let start = Instant::now();
        self.model.rate(partition, t, y, rate);
        self.seconds.set(self.seconds.get() + start.elapsed().as_secs_f64());
    }
}

/// Measures the share of evaluations in the time of a run.
fn share_of_rates(row: &mut Row, problem: &Problem) -> f64 {
    let timed = Timed { model: &problem.model, seconds: Cell::new(0.0) };
    let start = Instant::now();
    problem.run_on(&timed, &mut row.contender.steps, row.steps);
    timed.seconds.get() / start.elapsed().as_secs_f64()
}

fn report(problem: &Problem, rows: &[Row]) {
    let sizes: Vec<f64> = problem.model.sizes().iter().map(|size| *size as f64).collect();
    let all: f64 = sizes.iter().sum();
    let weighted = |evaluations: &[f64]| evaluations.iter().zip(&sizes).map(|(count, size)| count * size).sum::<f64>();
    let best_of = |group: Group| {
        rows.iter().filter(|row| row.contender.group == group).min_by(|a, b| a.fastest().total_cmp(&b.fastest()))
    };
    let Some(published) = best_of(Group::Published) else { return };
    println!("Error of the discretization in space {:.2e}; {all:.0} variables.\n", problem.space_error);
    println!(
        "| method | steps | step | evaluations | traffic | time error | total error | lost | time | in registers | in rates | speed |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        let steps = row.steps as f64;
        // An evaluation reads the state and writes the rates.
        let traffic = steps * BYTES * (row.contender.traffic + 2.0 * weighted(&row.evaluations));
        println!(
            "| {} | {} | {:.2} | {:.1} | {:.2} GB | {:.2} | {:.2} | {:.0e} | {:.0} ms | {} | {:.0} % | {:.2} |",
            row.contender.name,
            row.steps,
            row.crossings(problem),
            steps * weighted(&row.evaluations) / all / (problem.end / problem.crossing),
            1e-9 * traffic,
            row.errors.time / problem.space_error,
            row.errors.total / problem.space_error,
            row.lost,
            1e3 * row.time,
            row.in_registers.map_or_else(|| "–".to_owned(), |time| format!("{:.0} ms", 1e3 * time)),
            100.0 * row.in_rates,
            published.fastest() / row.fastest()
        );
    }
    println!();
    verdict(problem, rows);
}

/// A cost of a method.
type Measure<'a> = &'a dyn Fn(&Row) -> f64;

/// Prints which family is best by evaluations and by time.
fn verdict(problem: &Problem, rows: &[Row]) {
    let sizes = problem.model.sizes();
    let evaluations = |row: &Row| {
        row.steps as f64 * row.evaluations.iter().zip(sizes).map(|(count, &size)| count * size as f64).sum::<f64>()
    };
    let by_time = Row::fastest;
    let measures: [(&str, Measure<'_>); 2] = [("evaluations", &evaluations), ("time", &by_time)];
    for (name, measure) in measures {
        let best = |groups: &[Group]| {
            let of_groups = rows.iter().filter(|row| groups.contains(&row.contender.group));
            of_groups.min_by(|a, b| measure(a).total_cmp(&measure(b)))
        };
        let (Some(family), Some(published)) = (best(&[Group::Family]), best(&[Group::Published])) else { continue };
        let single = best(&[Group::Published, Group::Own, Group::Polynomial]).unwrap_or(published);
        let gain = measure(published) / measure(family);
        let gain_over_all = measure(single) / measure(family);
        let verdict = if gain_over_all > 1.0 { "wins" } else { "loses" };
        println!(
            "By {name} the best family, `{}`, {verdict}: {gain_over_all:.2} × the best of all methods with one rate, `{}`, and {gain:.2} × the best \
             published one, `{}`. The family's steps are {}, those of the published one {}; errors in time are {:.2} and {:.2}.\n",
            family.contender.name,
            single.contender.name,
            published.contender.name,
            family.described(problem),
            published.described(problem),
            family.errors.time / problem.space_error,
            published.errors.time / problem.space_error,
        );
    }
}
