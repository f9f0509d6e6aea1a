//! The atlas: a page for each Runge–Kutta method with all that is known of it, an index, and comparisons of pairs, as static HTML.
//!
//! [`atlas`] makes a [`Site`], the files of which the command line writes. Pages have no server, no host but their own and need no
//! script: tables, MathML, figures as SVG.
//!
//! - `facts`: what is computed of a method; `partition` ([`PartitionReport`]): the stability of a partition by itself.
//! - [`words`]: the same in words, as the command line prints it.
//! - `html/`: the frame of a page, numbers, MathML; all text is escaped by `maud`.
//! - `method/`: a method's page, a file for each section. `index`, `comparison/`, `front`: the other pages.
//! - `site`: the files, and the check that no link is broken.
//!
//! ```
//! use hemiola_atlas::{Entry, atlas};
//! let entry = Entry { method: hemiola_tableau::library::method("rk4")?, certificate: None };
//! let site = atlas(&[entry], &|| ())?;
//! let page = std::str::from_utf8(&site.files["methods/rk4.html"])?;
//! assert!(page.contains("<data value=\"2.8284271247461903\">2.828427125</data>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod comparison;
mod error;
mod facts;
mod front;
mod html;
mod index;
mod method;
mod partition;
mod site;
pub mod words;

pub use build::{Entry, atlas, tasks};
pub use error::{AtlasError, MethodProblem};
pub use partition::{PartitionReport, RayReport};
pub use site::Site;

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
