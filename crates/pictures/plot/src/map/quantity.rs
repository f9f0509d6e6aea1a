//! Quantities of a map.

/// Quantity shown by a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapQuantity {
    /// Stability region: |R| ≤ 1 or ρ(S) ≤ 1.
    #[default]
    Region,
    /// Moduli |R| or ρ(S), in color bands.
    Modulus,
    /// Moduli of both eigenvalues of S, in color bands.
    Eigenvalues,
    /// Order star of Wanner, Hairer & Nørsett (1978): the set on which the numerical solution grows faster than the
    /// exact one, |R(z)| > |e^z| or ρ(S) > ρ(e^Z).
    OrderStar,
    /// Growth relative to the exact solution, |R(z)/e^z| or ρ(S)/ρ(e^Z), in color bands.
    Growth,
    /// Local error |R(z) − e^z| or ‖S − e^Z‖, in color bands.
    Error,
    /// Stability regions of the stages, |R_i| ≤ 1 for the stability functions of the stage values Y_i, and of the step.
    Internal,
    /// Stability region of the embedded method beside that of the method.
    Embedded,
}

impl MapQuantity {
    /// Returns whether the map shows boundaries of regions, and not color bands.
    pub(crate) fn has_boundaries(self) -> bool {
        matches!(self, Self::Region | Self::OrderStar | Self::Internal | Self::Embedded)
    }

    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Region => "Stability region",
            Self::Modulus => "Spectral radius",
            Self::Eigenvalues => "Eigenvalues of the stability matrix",
            Self::OrderStar => "Order star",
            Self::Growth => "Relative growth",
            Self::Error => "Local error",
            Self::Internal => "Stability regions of the stages",
            Self::Embedded => "Stability region, with that of the embedded method,",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Modulus => "modulus",
            Self::Eigenvalues => "eigenvalues",
            Self::OrderStar => "order-star",
            Self::Growth => "growth",
            Self::Error => "error",
            Self::Internal => "internal",
            Self::Embedded => "embedded",
        }
    }
}
