//! Definitions of growth, and the minimizer of a profile.

/// Amount of growth per step that counts as instability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Growth {
    /// ρ(S) > 1 + 10⁻³: growth that becomes visible in a thousand steps.
    #[default]
    Practical,
    /// ρ(S) > 1, with a tolerance of 10⁻⁹: rounding moves eigenvalues, double ones by its square root.
    Strict,
}

impl Growth {
    /// Returns the amount by which ρ(S) may exceed one.
    #[must_use]
    pub fn margin(self) -> f64 {
        match self {
            Self::Practical => 1e-3,
            Self::Strict => 1e-9,
        }
    }
}

/// Smallest fraction of the decoupled step, and its minimizer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Infimum {
    /// Infimum of t*/t₀. It is between one and two if ρ remains below its bound beyond the decoupled limit.
    pub value: f64,
    /// κ of the minimizer.
    pub kappa: f64,
    /// Coupling number g of the minimizer.
    pub coupling: f64,
}
