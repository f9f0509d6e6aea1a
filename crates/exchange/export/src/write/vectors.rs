//! Steps in languages with vector arithmetic.

use super::layout::joined;
use super::program::{Evaluation, LinearCombination, ProgramPartition};
use super::step::StepWriter;

/// Syntax of a language with vector arithmetic.
pub(super) struct VectorSyntax {
    /// Columns before a statement.
    pub(super) indent: usize,
    /// Prefix of the right-hand side of an assignment: `@. ` in Julia.
    pub(super) broadcast: &'static str,
    /// Suffix of a statement.
    pub(super) end: &'static str,
    /// Suffix of a line that continues.
    pub(super) mark: &'static str,
    /// Whether derivatives are computed by subroutines.
    pub(super) calls: bool,
}

impl StepWriter for VectorSyntax {
    fn assign(&self, _: &ProgramPartition, target: &str, start: Option<&str>, sum: &LinearCombination) -> String {
        let before = start.map_or(String::new(), |start| format!("{start} + "));
        let first = format!("{}{target} = {}{before}h * (", " ".repeat(self.indent), self.broadcast);
        let products = sum.products(|coefficient, derivative| format!("{coefficient} * {derivative}"));
        joined(&first, &products, " + ", &format!("){}", self.end), self.indent + 4, self.mark)
    }

    fn evaluate(&self, part: &ProgramPartition, evaluation: &Evaluation, states: &[String]) -> String {
        let mut arguments = vec![evaluation.time.text(str::to_owned)];
        arguments.extend_from_slice(states);
        let indent = " ".repeat(self.indent);
        let (function, derivative) = (part.name("f"), &evaluation.derivative);
        let first = if self.calls {
            arguments.push(derivative.clone());
            format!("{indent}call {function}(")
        } else {
            format!("{indent}{derivative} = {function}(")
        };
        joined(&first, &arguments, ", ", &format!("){}", self.end), self.indent + 4, self.mark)
    }
}
