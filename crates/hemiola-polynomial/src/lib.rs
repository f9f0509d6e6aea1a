//! Optimal stability polynomials R(z) = Σ_{k≤p} zᵏ/k! + Σ_{k>p} β_k zᵏ.
//!
//! A [`Problem`] asks for the polynomial of given degree s and order p that is stable on a [`Spectrum`], scaled as far as
//! possible; its [`Optimum`] is right to rounding in microseconds to milliseconds, and becomes a [`StabilityPolynomial`]
//! with any number of digits.
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
//! A polynomial of many stages may be useless in doubles: [`realisations`] tells by how much three forms of the method
//! amplify perturbations of their stages, and [`monomial_digits_lost`] what rounding the coefficients costs.

mod about;
mod alternation;
mod base;
mod basis;
mod bound;
mod certificate;
mod chebyshev;
mod closed_form;
mod complex;
mod conic;
mod constraint;
mod continuation;
mod cosine;
mod curve;
mod error;
mod least_squares;
mod maxima;
mod optimality;
mod optimum;
mod polynomial;
mod problem;
mod real;
mod realisation;
mod remez;
mod sampling;
mod search;
mod spectrum;
mod stable;

pub use about::{About, BoundaryCurve};
pub use bound::UpperBound;
pub use certificate::{Certificate, Optimality, Proof, Statement};
pub use error::PolynomialError;
pub use optimum::{ContactPoint, Optimum};
pub use polynomial::{Axis, StabilityPolynomial};
pub use problem::{Problem, optimal};
pub use realisation::{Interval, Realisation, Scheme, Term, monomial_digits_lost, realisations};
pub use spectrum::Spectrum;
pub use stable::StableForm;
