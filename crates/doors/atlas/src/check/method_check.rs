//! Methods with the results of their checks.

use crate::wording;
use hemiola_design::{Certificate, CertificateRefusal};
use hemiola_order::{CheckOptions, OrderReport, ProblemClass, StageSolution};
use hemiola_tableau::Method;

/// Method with the results of its check: all results, or only those that decide claims
/// ([`ClaimOrders`](super::ClaimOrders)).
pub struct MethodCheck<R = OrderReport> {
    /// The method.
    pub method: Method,
    /// Order, class of problems and tolerance of the check.
    pub options: CheckOptions,
    /// Claimed order for the class of problems that the options select.
    pub claimed_order: Option<usize>,
    /// Whether the highest order was given explicitly.
    pub is_order_asked: bool,
    /// Whether claims hold only if they hold exactly.
    pub must_be_exact: bool,
    /// The results.
    pub report: R,
    /// Certificate, and the reason why it does not hold for this method, if so.
    pub certificate: Option<(Certificate, Option<CertificateRefusal>)>,
    /// Argument: an id or a file.
    pub name: String,
}

impl<R> MethodCheck<R> {
    /// Returns whether the conditions are those of separable problems, which do not include conditions of a single
    /// partition.
    pub fn is_separable(&self) -> bool {
        self.options.problem == ProblemClass::Separable
    }

    /// Returns the Newton iterations of a linearized method.
    pub fn iterations(&self) -> Option<usize> {
        match self.options.stages {
            StageSolution::Solved => None,
            StageSolution::Linearized { iterations } => Some(iterations),
        }
    }

    /// Returns whether all conditions of the method as given were checked; stage order and error norm refer to them.
    pub fn is_general(&self) -> bool {
        !self.is_separable() && self.iterations().is_none()
    }

    /// Returns the labels of the colors in trees: the first letters of the partitions' names if these differ, otherwise
    /// the full names.
    pub fn labels(&self) -> Vec<String> {
        wording::labels(&self.method)
    }

    /// Describes the certificate: what it proves, or why it does not hold.
    pub fn certificate_text(&self) -> Option<String> {
        let (certificate, refusal) = self.certificate.as_ref()?;
        let proved = || wording::certificate(certificate);
        Some(refusal.as_ref().map_or_else(proved, |refusal| format!("does not hold: {refusal}")))
    }
}
