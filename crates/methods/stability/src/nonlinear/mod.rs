//! Nonlinear stability and reducibility.
//!
//! The stability form is the identity ‖yₙ₊₁‖² = ‖yₙ‖² + 2h Σ bᵢ⟨f(Yᵢ), Yᵢ⟩ − h² fᵀMf with a matrix M of the coefficients.
//!
//! - `algebraic`: algebraic stability, of one partition and of all together; `b_stability`: B- and AN-stability.
//! - `contractivity`: radii of circle contractivity, of one partition and of several.
//! - `reducibility`: stages without influence on the step, and stages that are always equal.
//! - `stability_form`: the matrix M; `definiteness`: exact definiteness of symmetric matrices.

mod algebraic;
mod b_stability;
mod contractivity;
mod definiteness;
mod reducibility;
mod stability_form;

pub use algebraic::{AlgebraicStability, algebraic_stability, joint_algebraic_stability};
pub use b_stability::{is_an_stable, is_b_stable};
pub use contractivity::{contractivity_radius, joint_contractivity_radius};
pub use reducibility::{Reducibility, reducibility};
