//! Certificates of designed pairs as files, NAME.certificate.json beside NAME.json.

use std::path::Path;

use hemiola::design::proof::CertificateClaims;
use hemiola::design::{Certificate, CertificateError};

use crate::arguments::bounded;
use crate::failure::Failure;
use crate::output::writer::write;

/// Largest file that is read; a certificate of order 6 with thirteen stages has about 10⁵ characters.
const LARGEST_FILE: u64 = 4_000_000;

/// Reads a certificate.
pub(crate) fn read(file: &Path) -> Result<Certificate, Failure> {
    parsed(file, Certificate::from_json)
}

/// Reads the claims of a certificate, also of older formats.
pub(crate) fn read_claims(file: &Path) -> Result<CertificateClaims, Failure> {
    parsed(file, CertificateClaims::from_json)
}

/// Writes a certificate in the format of `hemiola design`.
pub(crate) fn write_certificate(file: &Path, certificate: &Certificate) -> Result<(), Failure> {
    write(file, format!("{:#}\n", certificate.to_json()).as_bytes())
}

fn parsed<T>(file: &Path, parse: impl FnOnce(&str) -> Result<T, CertificateError>) -> Result<T, Failure> {
    let broken = |problem: &str| Failure::Certificate { file: file.to_owned(), problem: problem.to_owned() };
    let unreadable = |error: std::io::Error| broken(&error.kind().to_string());
    let text = bounded::text(file, LARGEST_FILE).map_err(unreadable)?;
    parse(&text).map_err(|problem| broken(&problem.to_string()))
}
