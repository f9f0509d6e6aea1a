//! Runge–Kutta coefficients as exact numbers.
//!
//! A [`Method`] holds one Butcher tableau for each partition of the unknowns, as published: every [`Coefficient`]
//! keeps its text and stands for an [`Exact`] number. A method converts to a [`Tableau`] of exact numbers,
//! doubles or any other [`Scalar`], which the other crates analyze. Methods are read from and written to JSON
//! files (`hemiola-method/1`); those of the repository's folder `tableaus/` are embedded in the [`library`].
//!
//! - [`Method`] holds the contents of a file, [`Tableau`] and [`Butcher`] the same coefficients as numbers of one
//!   type; [`Rounding`] bounds their errors.
//! - [`Scheme`] is a map of one time step: a method, or a scheme derived from a method.
//! - [`library`]: methods by id and by other names, embedded and in users' folders; [`json`]: reading of JSON
//!   with places in errors.
//! - [`low_storage`]: forms of explicit methods that need few registers.
//! - [`butcher_text()`] and [`butcher_latex`] format tableaus.
//!
//! ```
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let tableau = method.to_f64();
//! assert_eq!(tableau.stages(), 5);
//! assert_eq!(tableau.partitions[0].evaluated_stages().len(), 2);
//! ```

mod butcher_text;
mod coefficient;
mod coefficient_reader;
mod error;
mod format;
pub mod json;
mod json_text;
pub mod library;
pub mod low_storage;
mod method;
mod output_file;
mod printable;
mod rounding;
mod scheme;
mod tableau;
mod validate;

pub use butcher_text::{butcher_latex, butcher_text};
pub use coefficient::Coefficient;
pub use error::MethodError;
pub use format::FORMAT;
pub use hemiola_number::Exact;
pub use hemiola_number::Interval;
pub use hemiola_number::bound_text;
pub use hemiola_number::{Divisible, Scalar, dot};
pub use hemiola_number::{NumberError, parse_number};
pub use method::{Claims, Method, Partition, Precision, Source};
pub use output_file::{is_written_through, write_file, write_file_by};
pub use printable::{is_unprintable, printable, printable_lines};
pub use rounding::Rounding;
pub use scheme::{Jacobian, MOST_ITERATIONS, Scheme, SchemeError};
pub use tableau::{Butcher, Tableau, influential_stages};
pub use validate::{Validator, is_id};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
