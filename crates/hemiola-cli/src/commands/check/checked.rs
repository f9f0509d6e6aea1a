//! A method with what was found of it.

use hemiola::design::Certificate;
use hemiola::order::{CheckOptions, OrderReport, Problem, Stages};
use hemiola::tableau::Method;

use crate::output::new_method::labels;

/// A method with what was found of it.
pub(crate) struct Checked {
    pub(crate) method: Method,
    pub(crate) options: CheckOptions,
    /// The claim that is about the problems of the options.
    pub(crate) claimed_order: Option<usize>,
    /// Whether the highest order was asked for.
    pub(crate) is_order_asked: bool,
    pub(crate) must_be_exact: bool,
    pub(crate) report: OrderReport,
    /// The certificate, with whether it proves what it says.
    pub(crate) certificate: Option<(Certificate, bool)>,
    /// What was asked for: an id or a file.
    pub(crate) name: String,
}

impl Checked {
    /// Whether the conditions are those of separable problems, which say nothing of a partition by itself.
    pub(crate) fn is_separable(&self) -> bool {
        self.options.problem == Problem::Separable
    }

    /// The Newton iterations of a linearized method.
    pub(crate) fn iterations(&self) -> Option<usize> {
        match self.options.stages {
            Stages::Solved => None,
            Stages::Linearized { iterations } => Some(iterations),
        }
    }

    /// Whether all conditions of the method as it stands were checked: stage order and error norm are about them.
    pub(crate) fn is_general(&self) -> bool {
        !self.is_separable() && self.iterations().is_none()
    }

    /// The labels of the colors in trees: first letters where they differ, else the names.
    pub(crate) fn labels(&self) -> Vec<String> {
        labels(&self.method)
    }
}
