//! Smaller sets of conditions that imply all others.
//!
//! `essential` provides the conditions that remain if partitions share abscissae or weights, `reduced` those that
//! remain under simplifying assumptions, and `independent` those whose gradients are linearly independent at a method.
//!
//! ```
//! use hemiola_order::condition_sets::reduced_trees;
//! // Under C(1), the row sums, and D(1) some of the four conditions of order four are left.
//! assert_eq!(reduced_trees(1, 4, 1, 1).unwrap().len(), 2);
//! ```

mod essential;
mod independent;
mod reduced;

pub use essential::{SharedCoefficients, essential_trees};
pub use independent::{free_coefficients, independent_conditions};
pub use reduced::reduced_trees;
