//! Summary of the proof of a limit.

use hemiola_export::describe::counted;
use hemiola_polynomial::{Certificate, Optimality, Proof, Statement};
use serde::Serialize;

/// Summary of a certificate, whose existence means that the polynomial is proved stable up to the limit.
#[derive(Serialize)]
pub struct CertificateSummary {
    /// Number of cells in the proof; 0 if R touches its bound exactly.
    pub cells: usize,
    /// Limit that no polynomial of this degree and order reaches, proved by duality.
    pub upper_limit: Option<String>,
    /// Source of the theorem that proves optimality.
    pub theorem: Option<&'static str>,
    /// Whether the optimality conditions hold at the contact points, to rounding.
    pub stationary: bool,
}

impl CertificateSummary {
    /// Summarizes a certificate of a limit with this many digits.
    #[must_use]
    pub fn new(certificate: &Certificate, digits: usize) -> Self {
        let cells = |statement: &Statement| match &statement.proof {
            Proof::Cells(cells) => cells.len(),
            Proof::NoChangeOfSign => 0,
        };
        let (upper_limit, theorem) = match &certificate.optimality {
            Optimality::Theorem(source) => (None, Some(*source)),
            // Enough digits to distinguish the bound from the limit.
            Optimality::Bounded(bound) => (Some(bound.limit_text(digits + 14)), None),
            Optimality::Multipliers | Optimality::Unproved => (None, None),
        };
        let stationary = !matches!(certificate.optimality, Optimality::Unproved);
        Self { cells: certificate.stability.iter().map(cells).sum(), upper_limit, theorem, stationary }
    }

    /// Formats the summary in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let stable = match self.cells {
            0 => "stability proved exactly".to_owned(),
            cells => format!("stability proved exactly, on {}", counted(cells, "cell")),
        };
        match (&self.upper_limit, self.theorem) {
            (Some(limit), _) => format!("{stable}; no limit reaches {limit}, proved by duality"),
            (None, Some(source)) => format!("{stable}; optimal by {source}"),
            (None, None) if self.stationary => {
                format!("{stable}; optimal by the conditions at the contact points, to rounding")
            }
            (None, None) => format!("{stable}; optimality is not proved"),
        }
    }
}
