//! Proofs that a pair which satisfies all conditions exactly lies near the written decimals.
//!
//! A `certificate` states the result and can be checked. Its equations are simplifying assumptions (`assumption`) and
//! conditions that together with them imply all others (`relations`). `independent_equations` selects them, and
//! `further_weights` does the same for embedded weights and dense output. `krawczyk` proves that they have a solution
//! nearby, in the `free_coefficients` of the `table`; a `solution` is an approximation of it. `independence` proves
//! ranks, and `trees` computes elementary weights in any number type.
//!
//! ```
//! use hemiola_design::proof::{Certificate, ProofStatus};
//! let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let certificate = Certificate::new(&published, 2, &[]).unwrap();
//! assert!(matches!(certificate.status, ProofStatus::Enclosed { contraction, .. } if contraction < 0.5));
//! ```

pub(crate) mod assumption;
pub(crate) mod certificate;
pub(crate) mod free_coefficients;
mod further_weights;
pub(crate) mod gap;
pub(crate) mod independence;
pub(crate) mod independent_equations;
pub(crate) mod krawczyk;
pub(crate) mod relations;
mod solution;
mod spanning;
mod table;
pub(crate) mod trees;

pub use assumption::{Assumption, Vector};
pub use certificate::{Certificate, CertificateClaims, CertificateError, CertificateRefusal, ProofStatus};
pub use further_weights::{FurtherProof, FurtherWeights};
pub use gap::ProofGap;
pub use solution::SolutionOffsets;
