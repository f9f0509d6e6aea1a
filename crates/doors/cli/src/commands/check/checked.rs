//! Checked methods.

use hemiola::atlas::words;
use hemiola::design::{Certificate, CertificateRefusal};
use hemiola::order::{CheckOptions, OrderReport, Problem, StageSolution};
use hemiola::tableau::Method;

/// Method with the results of its check: all of them, or only those that decide claims
/// ([`Orders`](super::orders::ClaimOrders)).
pub(crate) struct MethodCheck<R = OrderReport> {
    pub(crate) method: Method,
    pub(crate) options: CheckOptions,
    /// Claimed order for the class of problems that the options select.
    pub(crate) claimed_order: Option<usize>,
    /// Whether the highest order was given explicitly.
    pub(crate) is_order_asked: bool,
    pub(crate) must_be_exact: bool,
    pub(crate) report: R,
    /// Certificate, and the reason why it does not hold for this method, if so.
    pub(crate) certificate: Option<(Certificate, Option<CertificateRefusal>)>,
    /// Argument: an id or a file.
    pub(crate) name: String,
}

impl<R> MethodCheck<R> {
    /// Returns whether the conditions are those of separable problems, which do not include conditions of a single
    /// partition.
    pub(crate) fn is_separable(&self) -> bool {
        self.options.problem == Problem::Separable
    }

    /// Returns the Newton iterations of a linearized method.
    pub(crate) fn iterations(&self) -> Option<usize> {
        match self.options.stages {
            StageSolution::Solved => None,
            StageSolution::Linearized { iterations } => Some(iterations),
        }
    }

    /// Returns whether all conditions of the method as given were checked; stage order and error norm refer to them.
    pub(crate) fn is_general(&self) -> bool {
        !self.is_separable() && self.iterations().is_none()
    }

    /// Returns the labels of the colors in trees: the first letters of the partitions' names if these differ, otherwise
    /// the full names.
    pub(crate) fn labels(&self) -> Vec<String> {
        words::labels(&self.method)
    }

    /// Describes the certificate: what it proves, or why it does not hold.
    pub(crate) fn certificate_text(&self) -> Option<String> {
        let (certificate, refusal) = self.certificate.as_ref()?;
        let proved = || words::certificate(certificate);
        Some(refusal.as_ref().map_or_else(proved, |refusal| format!("does not hold: {refusal}")))
    }
}
