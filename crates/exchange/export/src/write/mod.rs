//! Export of methods as programs and tables of other languages.
//!
//! `program` contains the operations of a step and `step` their order; `languages/` writes them in each language.
//! `tables` writes the coefficients as arrays. `header`, `layout`, `literal`, `names` and `vectors` are shared by the
//! languages. `decimals` writes Butcher tableaus that fit a page, `trixi` the coefficient files of Trixi.jl,
//! `multirate/` coupling tables of multirate methods, and `low_storage/` steps in the registers of low-storage forms.
//!
//! ```
//! use hemiola_export::write::{Language, write};
//! let euler = hemiola_tableau::library::method("explicit-euler")?;
//! assert!(write(&euler, Language::Python)?.contains("def "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decimals;
mod error;
mod header;
mod language;
mod languages;
mod layout;
mod literal;
mod low_storage;
mod multirate;
mod names;
mod program;
mod step;
mod tables;
mod trixi;
mod vectors;

pub use decimals::latex_decimals;
pub use error::WriteError;
pub use language::{Language, write};
pub use low_storage::write_low_storage;
pub use multirate::{micro_steps_latex, multirate_latex, write_multirate};
pub use trixi::{TrixiFiles, trixi_files};
