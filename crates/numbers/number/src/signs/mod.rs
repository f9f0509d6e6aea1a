//! Exact signs of polynomials with rational coefficients, given with the constant term first.
//!
//! An interval is covered with cells. On each cell, an expansion with an error bound proves that the polynomial
//! has one sign or is monotone. Optimal stability polynomials touch zero, or nearly so, at many points: roots of
//! even multiplicity are divided out beforehand, and near misses lie at the centers of cells on which a parabola
//! decides.
//!
//! ```
//! use dashu::rational::RBig;
//! use hemiola_number::signs::first_positive;
//! // (x − 1)²(x − 3) touches zero at 1 and becomes positive at 3.
//! let p = [-3, 7, -5, 1].map(RBig::from);
//! assert_eq!(first_positive(&p).map(|t| t.to_f64().value()), Some(3.0));
//! ```

mod cell;
mod cells;
mod divisor;
mod expansion;
mod integer;
mod intervals;
mod polynomial;
mod rise;
mod root;
mod subdivision;

pub use cell::ProofCell;
pub use cells::{is_cell_negative, negative_cells};
pub use intervals::{PositiveInterval, positive_intervals};
pub use polynomial::IntegerPolynomial;
pub use rise::{first_positive, last_rise};
