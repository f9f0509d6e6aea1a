//! What counts as growth, and where a profile is attained.

/// How much growth in a step counts as instability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Growth {
    /// ρ(S) > 1 + 10⁻³: growth that a thousand steps show.
    #[default]
    Practical,
    /// ρ(S) > 1, but for 10⁻⁹: rounding moves eigenvalues, double ones by its root.
    Strict,
}

impl Growth {
    /// By how much ρ(S) may exceed one.
    #[must_use]
    pub fn margin(self) -> f64 {
        match self {
            Self::Practical => 1e-3,
            Self::Strict => 1e-9,
        }
    }
}

/// The smallest fraction of the decoupled step, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Infimum {
    /// The infimum of t*/t₀. It is above one, and at most two, where ρ stays below its bound beyond the decoupled limit.
    pub value: f64,
    /// κ of the minimizer.
    pub kappa: f64,
    /// The coupling number g of the minimizer.
    pub coupling: f64,
}
