//! Order of operations in an explicit step, independent of the language.

use super::program::{Evaluation, LinearCombination, ProgramPartition, StepProgram};

/// Syntax of sums and calls in a language.
pub(super) trait StepWriter {
    /// Writes `target = start + h Σ`, or `h Σ` without a start, for all components of a partition.
    fn assign(&self, part: &ProgramPartition, target: &str, start: Option<&str>, sum: &LinearCombination) -> String;

    /// Writes the evaluation of a derivative at these states.
    fn evaluate(&self, part: &ProgramPartition, evaluation: &Evaluation, states: &[String]) -> String;
}

/// Writes all stages, then the result `ynew` and, if available, the error `err` of every partition.
pub(super) fn body(program: &StepProgram, writer: &impl StepWriter) -> String {
    let mut text = String::new();
    for stage in &program.stages {
        for (part, sum) in program.parts.iter().zip(&stage.states).filter(|(_, sum)| !sum.0.is_empty()) {
            text += &writer.assign(part, &part.name("u"), Some(&part.name("y")), sum);
        }
        let states = program.arguments(stage);
        for evaluation in &stage.evaluations {
            text += &writer.evaluate(&program.parts[evaluation.partition], evaluation, &states);
        }
    }
    for (part, sum) in program.parts.iter().zip(&program.result) {
        text += &writer.assign(part, &part.name("ynew"), Some(&part.name("y")), sum);
    }
    for (part, sum) in program.parts.iter().zip(program.error.iter().flatten()) {
        text += &writer.assign(part, &part.name("err"), None, sum);
    }
    text
}

/// Returns the names of all results: those of `ynew`, then those of `err`.
pub(super) fn results(program: &StepProgram) -> Vec<String> {
    let errors = program.error.as_ref().map(|_| program.names("err")).unwrap_or_default();
    [program.names("ynew"), errors].concat()
}

/// Describes a step in words: its equations and results.
pub(super) fn summary(program: &StepProgram) -> Vec<String> {
    let states = program.names("y").join(", ");
    let equation = |part: &ProgramPartition| format!("{}' = {}(t, {states})", part.name("y"), part.name("f"));
    let equations: Vec<String> = program.parts.iter().map(equation).collect();
    let mut lines = match &equations[..] {
        [equation] => vec![format!("One step of size h from t for {equation}.")],
        _ => [vec!["One step of size h from t for".to_owned()], equations].concat(),
    };
    lines.extend(outcome(program, &program.names("ynew"), &program.names("err")));
    lines
}

/// Describes the names of the result and the error.
pub(super) fn outcome(program: &StepProgram, results: &[String], errors: &[String]) -> Vec<String> {
    let result = format!("The solution at t + h is {}.", results.join(", "));
    let error = || format!("The difference from the embedded method, an error estimate, is {}.", errors.join(", "));
    [Some(result), program.error.as_ref().map(|_| error())].into_iter().flatten().collect()
}
