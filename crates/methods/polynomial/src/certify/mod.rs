//! Proofs that a polynomial is stable up to its limit and that no polynomial is stable beyond.
//!
//! `certificate` defines the result ([`Certificate`]), and `about` the data of each statement. `claims` builds the
//! polynomials that must be nonpositive, and `proof` decides their signs in exact arithmetic (`exact_polynomial`).
//! `duality` proves that no larger limit exists: an [`UpperBound`] holds by a linear functional. `json` writes
//! certificates to files.
//!
//! ```
//! use hemiola_polynomial::certify::Optimality;
//! use hemiola_polynomial::{Axis, optimal};
//! let certificate = optimal(Axis::Imaginary, 5, 2)?.certificate().expect("a proof");
//! assert_eq!(certificate.optimality, Optimality::Theorem("van der Houwen 1977"));
//! # Ok::<(), hemiola_polynomial::PolynomialError>(())
//! ```

mod about;
mod certificate;
mod claims;
mod duality;
mod exact_polynomial;
mod json;
mod proof;
mod upper_bound;

pub use about::{BoundaryCurve, StatementDomain};
pub use certificate::{Certificate, Optimality, Proof, Statement};
pub use upper_bound::UpperBound;
