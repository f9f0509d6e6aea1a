//! Results for an optimal stability polynomial, as text and as JSON.

mod certificate;
mod results;

pub use certificate::CertificateSummary;
pub use results::{ContactJson, DigitRequest, ImplementationForm, PolynomialReport, PolynomialResults, axis, basis};
