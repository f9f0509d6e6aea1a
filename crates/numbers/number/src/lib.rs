//! The numbers that Runge–Kutta coefficients consist of, and proofs about them.
//!
//! - [`Exact`]: rationals and nested square roots, with exact arithmetic and comparisons; [`parse_number`] reads
//!   `(2-sqrt(2))/2`.
//! - [`DoubleDouble`]: numbers with twice the digits of doubles.
//! - [`Interval`]: enclosures with rational ends.
//! - [`Scalar`]: the operations required by the algorithms of the other crates, implemented for doubles, exact
//!   numbers and dual numbers.
//! - [`parallel`]: loops on all processors.
//! - [`Progress`]: reports of long computations, which can also stop them.
//! - [`signs`]: exact signs of polynomials, proved by expansions on cells.
//! - [`vector`]: one source for all vector instruction sets, with one policy on fused multiplications.
//!
//! ```
//! use hemiola_number::parse_number;
//! let gamma = parse_number("(2-sqrt(2))/2")?;
//! assert_eq!((gamma.clone() * gamma.clone() - gamma.clone() * 2.into()).to_f64(), -0.5);
//! # Ok::<(), hemiola_number::NumberError>(())
//! ```

mod bound_text;
mod double_double;
mod exact;
mod expression;
mod interval;
pub mod parallel;
mod progress;
mod scalar;
pub mod signs;
#[allow(unsafe_code, reason = "functions compiled for vector instructions")]
pub mod vector;

pub use bound_text::bound_text;
pub use double_double::DoubleDouble;
pub use exact::Exact;
pub use expression::{ExpressionValue, MOST_ROOTS, NumberError, parse_expression, parse_number};
pub use interval::Interval;
pub use progress::{Counter, Progress, Update};
pub use scalar::{Divisible, Scalar, dot};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
