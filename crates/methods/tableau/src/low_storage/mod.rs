//! Low-storage forms of explicit methods: Williamson's 2N, van der Houwen's 2R, 3R, …, and Ketcheson's 2S, 2S* and 3S*.
//!
//! [`storage_form`] decides whether a partition alone belongs to a class and returns the coefficients of the form.
//! [`storage_forms`] lists all classes to which it belongs. A [`StorageForm`] computes the tableau of its coefficients.
//!
//! - `class`: the classes and their names; `form`: coefficients as published.
//! - `family`: all tableaus of a class, by free parameters; `guess`: the parameters of a tableau, from its rows.
//! - `table`: a published form as the tableau of a method file.
//! - `fit`: parameters that agree with rounded coefficients; `verdict`: the classes of a method, and how exactly it
//!   belongs to them.
//!
//! ```
//! use hemiola_tableau::library::method;
//! use hemiola_tableau::low_storage::{StorageClass, storage_form};
//! let form = storage_form(&method("williamson-3")?, 0, StorageClass::TwoN).ok_or("2N")?;
//! assert_eq!(form.form.vectors()[0].1[1].to_string(), "-5/9");
//! assert!(storage_form(&method("rk4")?, 0, StorageClass::TwoN).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod class;
mod error;
mod family;
mod fit;
mod form;
mod guess;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

pub use class::{MOST_REGISTERS, StorageClass};
pub use error::StorageError;
pub use family::{LowerRows, StorageFamily};
pub use form::StorageForm;
pub use table::FormTable;
pub use verdict::{Agreement, FoundForm, storage_form, storage_forms};
