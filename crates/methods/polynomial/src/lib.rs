//! Optimal stability polynomials R(z) = Σ_{k≤p} zᵏ/k! + Σ_{k>p} β_k zᵏ.
//!
//! A [`Problem`] specifies a degree s, an order p and a [`Spectrum`]; its solution is the polynomial that is stable on
//! the largest multiple of the spectrum. This [`Optimum`] is correct to rounding, takes microseconds to milliseconds,
//! and converts to a [`StabilityPolynomial`] with any number of digits.
//!
//! ```
//! use hemiola_polynomial::{Axis, Problem, Spectrum, optimal};
//! // Five stages of order two on the imaginary axis: 3/16, 1/32, 1/128 and the limit 4 (Kinnmark & Gray 1984a).
//! let polynomial = optimal(Axis::Imaginary, 5, 2)?;
//! let texts: Vec<String> = polynomial.coefficients().iter().map(ToString::to_string).collect();
//! assert_eq!(texts, ["1", "1", "1/2", "3/16", "1/32", "1/128"]);
//! // Order three has no closed form.
//! let optimum = Problem::new(Spectrum::Axis(Axis::Imaginary), 5, 3).solve()?;
//! assert_eq!(optimum.polynomial(30)?.limit_text(30), "3.91328248637815313020252257103");
//! # Ok::<(), hemiola_polynomial::PolynomialError>(())
//! ```
//!
//! A polynomial of many stages may be useless in doubles: [`implementations`] computes by how much three forms of the
//! method amplify perturbations of their stages, and [`monomial_digits_lost`] computes the digits lost by rounding the
//! coefficients.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | problem statement: a degree, an order, a [`Spectrum`] and damping |
//! | [`result`] | the [`Optimum`] in doubles, the [`StabilityPolynomial`] with any number of digits |
//! | [`certify`] | proofs of stability and of optimality ([`Certificate`]) |
//! | [`implementation`] | methods with a given stability polynomial, and their amplification of rounding errors |
//!
//! Internally, `optimal` solves a problem with the solvers in `solve`, which use the bases of `basis` and the numbers
//! of `arithmetic`. Every public name is also available at the root of the crate.

mod arithmetic;
mod basis;
pub mod certify;
mod error;
pub mod implementation;
mod optimal;
pub mod problem;
pub mod result;
mod solve;

pub use certify::{BoundaryCurve, Certificate, Optimality, Proof, Statement, StatementDomain, UpperBound};
pub use error::PolynomialError;
pub use implementation::{Implementation, StabilityInterval, StageForm, Term, implementations, monomial_digits_lost};
pub use optimal::optimal;
pub use problem::{Axis, LinearCondition, Problem, Spectrum};
pub use result::{ContactPoint, Optimum, StabilityPolynomial, StableForm};
pub use solve::fixed_scale::FixedScalePolynomial;

/// Runs the example of the README with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
