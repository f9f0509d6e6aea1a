//! A method with the results of its check.

use hemiola::atlas::words;
use hemiola::design::{Certificate, Refusal};
use hemiola::order::{CheckOptions, OrderReport, Problem, Stages};
use hemiola::tableau::Method;

/// A method with the results of its check: all of them, or those alone that decide claims ([`Orders`](super::orders::Orders)).
pub(crate) struct Checked<R = OrderReport> {
    pub(crate) method: Method,
    pub(crate) options: CheckOptions,
    /// The claim about the class of problems that the options select.
    pub(crate) claimed_order: Option<usize>,
    /// Whether the highest order was given explicitly.
    pub(crate) is_order_asked: bool,
    pub(crate) must_be_exact: bool,
    pub(crate) report: R,
    /// The certificate, and why it does not hold for this method, if it does not.
    pub(crate) certificate: Option<(Certificate, Option<Refusal>)>,
    /// The argument: an id or a file.
    pub(crate) name: String,
}

impl<R> Checked<R> {
    /// Whether the conditions are those of separable problems, which do not involve a single partition alone.
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

    /// Whether all conditions of the method as given were checked; stage order and error norm refer to them.
    pub(crate) fn is_general(&self) -> bool {
        !self.is_separable() && self.iterations().is_none()
    }

    /// Labels of the colors in trees: the first letters of the partitions' names if these differ, else the full names.
    pub(crate) fn labels(&self) -> Vec<String> {
        words::labels(&self.method)
    }

    /// What is said of the certificate: what it proves, or why it does not hold.
    pub(crate) fn certificate_text(&self) -> Option<String> {
        let (certificate, refusal) = self.certificate.as_ref()?;
        let proved = || words::certificate(certificate);
        Some(refusal.as_ref().map_or_else(proved, |refusal| format!("does not hold: {refusal}")))
    }
}
