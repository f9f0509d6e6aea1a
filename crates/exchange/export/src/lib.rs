//! Runge–Kutta methods in other languages and formats: export and import.
//!
//! [`write()`] writes a method in a programming language: explicit methods as a complete step, others as tables.
//! [`read()`] imports methods from tables and from the source code of other packages, with their coefficients exactly
//! as written.
//!
//! - [`mod@read`]: tables, LaTeX, and programs in Python, Julia, MATLAB and C.
//! - [`mod@write`]: programs and tables in ten languages, and the files of Trixi.jl.
//! - [`describe`]: descriptions of methods in words.
//!
//! ```
//! use hemiola_export::{Language, read, write};
//! let method = hemiola_tableau::library::method("gauss-2")?;
//! let table = write(&method, Language::Csv)?;
//! let back = &read(table.as_bytes(), "gauss-2.csv", None)?.methods[0];
//! assert_eq!(back.exact(), method.exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod describe;
pub mod read;
pub mod write;

pub use read::{
    ConditionalMethod, ImportFormat, ImportedMethods, MethodPositions, ReadError, ReadOptions, read, read_pieces,
    read_with,
};
pub use write::{
    Language, TrixiFiles, WriteError, latex_decimals, micro_steps_latex, multirate_latex, trixi_files, write,
    write_low_storage, write_multirate,
};

/// Example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
