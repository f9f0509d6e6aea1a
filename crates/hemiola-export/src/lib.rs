//! Runge–Kutta methods in other languages and formats, both directions.
//!
//! [`write`] puts a method into the language of a user's own code: a step where it is explicit, tables otherwise.
//!
//! ```
//! use hemiola_export::{Language, write};
//! let method = hemiola_tableau::library::method("gauss-2")?;
//! assert!(write(&method, Language::Python).contains("a = np.array"));
//! # Ok::<(), hemiola_tableau::MethodError>(())
//! ```

#![forbid(unsafe_code)]

pub mod describe;
mod write;

pub use write::{Language, write};
