//! An atlas of Runge–Kutta methods as static HTML: a page for each method, an index, and comparisons of pairs.
//!
//! [`atlas`] builds a [`Site`], whose files the command line writes. The pages need neither a server nor a script
//! nor another host: they consist of tables, MathML and SVG figures.
//!
//! - `facts`: computed properties of a method; `partition` ([`PartitionReport`]): the stability of a partition by
//!   itself; `monotonicity`: strong stability preservation and nonlinear stability.
//! - [`wording`]: these properties as text, as the command line prints them.
//! - [`check`]: verdicts on the claims of a method, its failing conditions, and the results as JSON and LaTeX.
//! - [`diagnosis`]: suggested corrections of a table.
//! - [`polynomial`]: the results for an optimal stability polynomial.
//! - `html/`: the frame of a page, numbers, MathML; all text is escaped by `maud`.
//! - `method/`: the page of a method, with a file for each section. `multirate/`: the pages of multirate methods. `index`,
//!   `comparison/`, `front`: the other pages.
//! - `site`: the files and the link check.
//!
//! ```
//! use hemiola_atlas::{AtlasEntry, SiteParts, atlas};
//! let entry = AtlasEntry { method: hemiola_tableau::library::method("rk4")?, certificate: None };
//! let site = atlas(&[entry], &[], SiteParts::default(), &())?;
//! let page = std::str::from_utf8(&site.files["methods/rk4.html"])?;
//! assert!(page.contains("<data value=\"2.8284271247461903\">2.828427125</data>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
pub mod check;
mod comparison;
pub mod diagnosis;
mod error;
mod facts;
mod front;
mod html;
mod index;
mod method;
mod monotonicity;
mod multirate;
mod partition;
pub mod polynomial;
mod site;
pub mod wording;

pub use build::{AtlasEntry, WriteFile, atlas, atlas_by};
pub use error::{AtlasError, MethodProblem};
pub use monotonicity::{NonlinearReport, RegionReport, StorageReport};
pub use partition::{PartitionReport, RayReport};
pub use site::{Site, SiteParts};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
