//! A workbench for the design and analysis of Runge–Kutta methods, above all partitioned methods that advance a
//! fast and a slow subsystem at two rates in one step.
//!
//! This crate is the facade: one dependency that re-exports the libraries under short names. The binary `hemiola`
//! (crate `hemiola-cli`) offers all of them on the command line.
//!
//! | module         | contents                                                                    |
//! |----------------|-----------------------------------------------------------------------------|
//! | [`number`]     | exact numbers and enclosures, exact signs of polynomials                     |
//! | [`tableau`]    | methods with coefficients as published, method files, the library of methods |
//! | [`order`]      | order conditions, with a verdict on each: exact, to precision, numerical, or failed |
//! | [`multirate`]  | multirate methods: files, verdicts on order conditions, stability, realizations as pairs |
//! | [`stability`]  | stability functions and matrices, limits, coupled profiles, regions and maps |
//! | [`polynomial`] | polynomials with the largest stable step on a given spectrum                 |
//! | [`design`]     | new dual-rate pairs with proofs; completed and polished methods              |
//! | [`integrate`]  | steppers that run methods on systems, adaptive steps, observed orders        |
//! | [`multibody`]  | machines of bodies, joints, loops and forces; vehicles                       |
//! | [`models`]     | vehicles and test problems with slow and fast variables                      |
//! | [`study`]      | studies of methods on models: simulations, convergence, largest stable steps |
//! | [`optimize`]   | optimal control and identification with exact derivatives of discrete steps      |
//! | [`export`]     | methods written to and read from programs and tables of other languages      |
//! | [`lint`]       | checks of the claims in a folder of method files                             |
//! | [`figure`]     | figures for print: panels, axes, curves, bands; SVG, PDF, PNG, TikZ, plotters |
//! | [`plot`]       | stability maps, polynomials and their limits, rooted trees, solutions        |
//! | [`report`]     | recomputed results of papers                                                 |
//! | [`atlas`]      | pages of methods: tableaus, verdicts, figures, code; an index, comparisons   |
//!
//! ```
//! use hemiola::order::{CheckOptions, OrderReport};
//!
//! let method = hemiola::tableau::library::method("shome-haug-jay-2-5")?;
//! let report = OrderReport::new(&method, CheckOptions { highest_order: 3, ..Default::default() }, &())?;
//! assert_eq!(report.check.order(), 2); // to the eight decimals that the paper prints
//! assert!(report.principal_error_norm().is_some_and(|norm| (norm - 0.4037).abs() < 1e-4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use hemiola_atlas as atlas;
pub use hemiola_design as design;
pub use hemiola_export as export;
pub use hemiola_figure as figure;
pub use hemiola_integrate as integrate;
pub use hemiola_lint as lint;
#[cfg(feature = "motion")]
pub use hemiola_models as models;
#[cfg(feature = "motion")]
pub use hemiola_multibody as multibody;
pub use hemiola_multirate as multirate;
pub use hemiola_number as number;
#[cfg(feature = "motion")]
pub use hemiola_optimize as optimize;
pub use hemiola_order as order;
pub use hemiola_plot as plot;
pub use hemiola_polynomial as polynomial;
#[cfg(feature = "motion")]
pub use hemiola_report as report;
pub use hemiola_stability as stability;
#[cfg(feature = "motion")]
pub use hemiola_study as study;
pub use hemiola_tableau as tableau;

/// The examples of documents that belong to no single crate: the READMEs of the facade, the command line and the repository, and
/// chapters of the book.
#[cfg(doctest)]
pub mod readme_doctests {
    #[doc = include_str!("../README.md")]
    pub struct Facade;
    #[doc = include_str!("../../cli/README.md")]
    pub struct CommandLine;
    #[doc = include_str!("../../../../README.md")]
    pub struct Repository;
    #[doc = include_str!("../../../../docs/book/src/order-conditions.md")]
    pub struct OrderConditions;
    #[doc = include_str!("../../../../docs/book/src/your-system.md")]
    pub struct YourSystem;
}
