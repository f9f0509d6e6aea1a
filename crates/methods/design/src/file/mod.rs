//! Files of designs and unfinished searches.
//!
//! `design_file` defines the [`DesignFile`], which `read` and `write` convert from and to JSON. `checkpoint` stores
//! the finished starts of a search, and `outer_search` the state of an outer search. `field` replaces single fields by their paths. `front` creates files of
//! compromises. A [`SweepFile`] is a grid of designs.
//!
//! ```
//! use hemiola_design::file::DesignFile;
//! let text = br#"{ "format": "hemiola-design/1", "slow": 2, "fast": 5, "embedded": 1 }"#;
//! let file = DesignFile::from_json(text, "a-pair.design.json")?;
//! assert_eq!((file.specification.order, file.specification.embedded), (2, Some(1)));
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

pub(crate) mod checkpoint;
pub(crate) mod design_file;
mod field;
mod front;
mod outer_search;
pub(crate) mod read;
pub(crate) mod sweep_file;
#[cfg(test)]
mod tests;
pub(crate) mod write;

pub use checkpoint::Checkpoint;
pub use design_file::DesignFile;
pub use field::DesignField;
pub use sweep_file::{SweepFile, SweptDesign};
