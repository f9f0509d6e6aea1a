//! Steps in languages that compute with whole vectors.

use super::layout::joined;
use super::program::{Evaluation, Part, Sum};
use super::step::Writer;

/// The marks of such a language.
pub(super) struct Vectors {
    /// Columns before a statement.
    pub(super) indent: usize,
    /// Before the right-hand side of an assignment: `@. ` of Julia.
    pub(super) broadcast: &'static str,
    /// At the end of a statement.
    pub(super) end: &'static str,
    /// At the end of a line that goes on.
    pub(super) mark: &'static str,
    /// Whether derivatives are computed by subroutines.
    pub(super) calls: bool,
}

impl Writer for Vectors {
    fn assign(&self, _: &Part, target: &str, start: Option<&str>, sum: &Sum) -> String {
        let before = start.map_or(String::new(), |start| format!("{start} + "));
        let first = format!("{}{target} = {}{before}h * (", " ".repeat(self.indent), self.broadcast);
        let products = sum.products(|coefficient, derivative| format!("{coefficient} * {derivative}"));
        joined(&first, &products, " + ", &format!("){}", self.end), self.indent + 4, self.mark)
    }

    fn evaluate(&self, part: &Part, evaluation: &Evaluation, states: &[String]) -> String {
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
