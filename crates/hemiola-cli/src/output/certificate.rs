//! Certificates of designed pairs as files, NAME.certificate.json beside NAME.json.

use std::path::Path;

use hemiola::design::Certificate;

use crate::arguments::bounded;
use crate::failure::Failure;

/// The largest file that is read; a certificate of order 8 has about 10⁵ characters.
const LARGEST_FILE: u64 = 4_000_000;

/// Reads a certificate.
pub(crate) fn read(file: &Path) -> Result<Certificate, Failure> {
    let broken = |problem: &str| Failure::Certificate { file: file.to_owned(), problem: problem.to_owned() };
    let unreadable = |error: std::io::Error| broken(&error.kind().to_string());
    let text = bounded::text(file, LARGEST_FILE).map_err(unreadable)?;
    Certificate::from_json(&text).map_err(|problem| broken(&problem.to_string()))
}
