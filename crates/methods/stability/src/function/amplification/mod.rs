//! Amplification of errors within a step.
//!
//! - `internal`: perturbations of the stages of a tableau.
//! - `form`: rounding errors of the registers of a low-storage form.

mod form;
mod internal;

pub use form::{form_amplification, form_amplification_on_axes, register_terms};
pub use internal::{internal_amplification, spectral_amplification};
