//! Certificates of designed pairs as files, NAME.certificate.json next to NAME.json.

use std::path::{Path, PathBuf};

use hemiola::design::proof::CertificateClaims;
use hemiola::design::{Certificate, CertificateError, MriCertificate};
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::input_file;
use crate::failure::{Failure, hinted};
use crate::output::writer::write;

/// File that contains no certificate.
#[derive(Debug, Error, Diagnostic)]
#[error("{file}: {problem}")]
#[diagnostic(help("`hemiola design` writes the certificate next to the method, as NAME.certificate.json"))]
struct CertificateFileError {
    file: PathBuf,
    problem: String,
}

hinted!(CertificateFileError);

/// Largest file that is read; a certificate of order 6 with thirteen stages has about 10⁵ characters.
const LARGEST_FILE: u64 = 4_000_000;

/// Reads a certificate.
pub(crate) fn read(file: &Path) -> Result<Certificate, Failure> {
    Ok(parsed(file, Certificate::from_json)?)
}

/// Reads the claims of a certificate, also of older formats.
pub(crate) fn read_claims(file: &Path) -> Result<CertificateClaims, Failure> {
    Ok(parsed(file, CertificateClaims::from_json)?)
}

/// Writes a certificate in the format of `hemiola design`.
pub(crate) fn write_certificate(file: &Path, certificate: &Certificate) -> Result<(), Failure> {
    write(file, format!("{:#}\n", certificate.to_json()).as_bytes())
}

/// Reads a certificate of a multirate method.
pub(crate) fn read_multirate(file: &Path) -> Result<MriCertificate, Failure> {
    Ok(parsed(file, MriCertificate::from_json)?)
}

fn parsed<T>(file: &Path, parse: impl FnOnce(&str) -> Result<T, CertificateError>) -> Result<T, CertificateFileError> {
    let broken = |problem: &str| CertificateFileError { file: file.to_owned(), problem: problem.to_owned() };
    let unreadable = |error: std::io::Error| broken(&error.kind().to_string());
    let text = input_file::text(file, LARGEST_FILE).map_err(unreadable)?;
    parse(&text).map_err(|problem| broken(&problem.to_string()))
}
