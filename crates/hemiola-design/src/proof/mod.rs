//! Proofs about a design: a pair that satisfies all conditions exactly lies near the written decimals.
//!
//! A `certificate` states the result. Its equations are simplifying assumptions (`assumption`) and those conditions
//! from which, with them, all others follow (`relations`); `independent_equations` selects them. `krawczyk` proves that
//! they have a solution nearby, in the `free_coefficients` of the tableau; `independence` proves ranks, and `trees` has
//! the weights of trees in any number type. `json` is the file format of certificates.
//!
//! ```
//! use hemiola_design::proof::{Certificate, Status};
//! let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let certificate = Certificate::new(&published, 2, &[]).unwrap();
//! assert!(matches!(certificate.status, Status::Enclosed { contraction, .. } if contraction < 0.5));
//! ```

pub(crate) mod assumption;
pub(crate) mod certificate;
pub(crate) mod free_coefficients;
pub(crate) mod independence;
pub(crate) mod independent_equations;
mod json;
pub(crate) mod krawczyk;
pub(crate) mod relations;
pub(crate) mod trees;

pub use assumption::{Assumption, Vector};
pub use certificate::{Certificate, Status};
pub use json::CertificateError;
