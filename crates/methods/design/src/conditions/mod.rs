//! Equations of a design: order conditions, coupling conditions and coefficients of stability polynomials.
//!
//! `forests` evaluates the elementary weights of many trees at once, with derivatives. `elementary_weights` sets up
//! equations for them, and `equations` all equations of a specification. `residual` reports how well a method
//! satisfies them ([`residuals`]).
//!
//! ```
//! use hemiola_design::Specification;
//! use hemiola_design::conditions::{Equation, residuals};
//! // Two of the six trees up to order two have nodes of both colors.
//! let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let residuals = residuals(&Specification::new(2, 5, None)?, &published)?;
//! let coupling = residuals.iter().filter(|residual| matches!(residual.equation, Equation::Coupling(_)));
//! assert_eq!(coupling.count(), 2);
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

pub(crate) mod elementary_weights;
pub(crate) mod equations;
pub(crate) mod forests;
pub(crate) mod residual;

pub use residual::{Equation, Residual, residuals};
