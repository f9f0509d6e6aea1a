//! Interface between functions and the solvers.

/// Function Rᵐ → Rᵏ with derivatives, usable as a trait object. Every [`Smooth`](crate::Smooth) function implements it
/// with exact derivatives.
///
/// Matrices are stored row by row. The linearization of f at z in a direction d is g(z, d) = f(z) + f′(z)d. The stages
/// of linearized methods consist of such terms; their derivatives need one more order of derivatives of f.
pub trait Differentiable: Send + Sync {
    /// Returns m, the number of arguments.
    fn inputs(&self) -> usize;

    /// Returns k, the number of values.
    fn outputs(&self) -> usize;

    /// Writes f(z), k numbers.
    fn value(&self, z: &[f64], out: &mut [f64]);

    /// Writes f′(z), k × m.
    fn jacobian(&self, z: &[f64], out: &mut [f64]);

    /// Writes f′(z) to `jacobian` and ∂(f′(z)d)/∂z to `bend`, k × m each.
    fn linearization(&self, z: &[f64], d: &[f64], jacobian: &mut [f64], bend: &mut [f64]);

    /// Writes the Hessian of wᵀf at z, m × m.
    fn curvature(&self, z: &[f64], w: &[f64], out: &mut [f64]);

    /// Writes the Hessians of wᵀf and of wᵀf′d in z, m × m each.
    fn linearization_curvature(&self, z: &[f64], d: &[f64], w: &[f64], curvature: &mut [f64], bend: &mut [f64]);
}
