//! Optimal stability polynomials R(z) = Σ_{k≤p} zᵏ/k! + Σ_{k>p} β_k zᵏ.
//!
//! For given degree s and order p, [`optimal`] returns the polynomial with the largest L such that |R| ≤ 1 on
//! [0, iL] or on [−L, 0], with exact rational coefficients, in the cases in which a closed form is known.
//!
//! ```
//! use hemiola_polynomial::{Axis, optimal};
//! // Five stages of order two on the imaginary axis: 3/16, 1/32, 1/128 and the limit 4 (Kinnmark & Gray 1984a).
//! let polynomial = optimal(Axis::Imaginary, 5, 2).unwrap();
//! let texts: Vec<String> = polynomial.coefficients().iter().map(ToString::to_string).collect();
//! assert_eq!(texts, ["1", "1", "1/2", "3/16", "1/32", "1/128"]);
//! assert_eq!(polynomial.limit_text(20), "4");
//! ```

mod chebyshev;
mod closed_form;
mod error;
mod polynomial;

pub use closed_form::optimal;
pub use error::PolynomialError;
pub use polynomial::{Axis, StabilityPolynomial};
