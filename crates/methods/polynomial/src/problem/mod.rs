//! Optimization problem: the polynomial of given degree and order that is stable on the largest possible multiple of a
//! set.
//!
//! `statement` defines the [`Problem`], `axis` and `spectrum` the sets ([`Spectrum`]). The boundary of a spectrum
//! consists of pieces (`piece`), each a `curve` with a bound on |R| along it. `sampling` chooses points on it, and
//! `constraint` computes by how much a polynomial exceeds its bound. `operators` computes the spectra of discretized
//! waves and flows.
//!
//! ```
//! use hemiola_polynomial::problem::{Problem, Spectrum};
//! let problem = Problem::new("wedge:60".parse()?, 8, 2).damping(0.05);
//! assert_eq!(problem.spectrum(), &Spectrum::Wedge { degrees: 60.0 });
//! # Ok::<(), hemiola_polynomial::PolynomialError>(())
//! ```

mod advection;
pub(crate) mod axis;
pub(crate) mod condition;
pub(crate) mod constraint;
pub(crate) mod curve;
mod operators;
pub(crate) mod piece;
pub(crate) mod sampling;
pub(crate) mod spectrum;
pub(crate) mod statement;

pub use axis::Axis;
pub use condition::LinearCondition;
pub use spectrum::Spectrum;
pub use statement::Problem;
