//! Certificates of designed pairs as files, NAME.certificate.json beside NAME.json, and as text.

use std::path::Path;

use hemiola::design::{Certificate, Status};
use hemiola::tableau::bound_text;

use crate::failure::Failure;

/// The largest file that is read; a certificate of order 8 has about 10⁵ characters.
const LARGEST_FILE: u64 = 4_000_000;

/// What is proved, in words.
pub(crate) fn words(certificate: &Certificate) -> String {
    let order = certificate.order;
    match certificate.status {
        Status::Exact => format!("all conditions up to order {order} hold exactly"),
        Status::Enclosed { radius, .. } => {
            let conditions = certificate.conditions.len();
            let assumed = match certificate.assumptions.len() {
                0 => String::new(),
                1 => " and 1 simplifying assumption".to_owned(),
                more => format!(" and {more} simplifying assumptions"),
            };
            // Prescriptions for the slow polynomial or the structure are not part of the proof.
            let what = if certificate.polynomial.is_empty() { "" } else { " and the fast polynomial" };
            format!(
                "an exact solution of all order conditions{what} lies within {}; the conditions follow from \
                 {conditions}{assumed}",
                bound_text(radius, 1)
            )
        }
        Status::Verified { decimals } => format!("verified to {decimals} decimals, not proved"),
    }
}

/// Reads a certificate.
pub(crate) fn read(file: &Path) -> Result<Certificate, Failure> {
    let broken = |problem: &str| Failure::Certificate { file: file.to_owned(), problem: problem.to_owned() };
    let unreadable = |error: std::io::Error| broken(&error.kind().to_string());
    if std::fs::metadata(file).map_err(unreadable)?.len() > LARGEST_FILE {
        return Err(broken("the file is larger than 4 MB"));
    }
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    Certificate::from_json(&text).map_err(|problem| broken(&problem.to_string()))
}
