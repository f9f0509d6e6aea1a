//! Proofs that a polynomial is stable up to its limit, and that none is beyond.
//!
//! `certificate` says what is proved ([`Certificate`]), `about` what each statement is made from. `claims` are the polynomials that
//! must not be positive, `proof` decides their signs in exact arithmetic (`exact_polynomial`). That nothing larger is stable is
//! proved by `duality`: an [`UpperBound`] holds by a linear functional. `json` is the certificate's file.
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

pub use about::{About, BoundaryCurve};
pub use certificate::{Certificate, Optimality, Proof, Statement};
pub use upper_bound::UpperBound;
