//! What of a scheme a map shows.

/// What of a scheme is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapQuantity {
    /// Where it is stable: |R| ≤ 1 or ρ(S) ≤ 1.
    #[default]
    Region,
    /// |R| or ρ(S), in bands of color.
    Modulus,
    /// The moduli of both eigenvalues of S, in bands of color.
    Eigenvalues,
    /// Where it grows faster than the solution, |R(z)| > |e^z| or ρ(S) > ρ(e^Z): the order star of Wanner, Hairer & Nørsett
    /// (1978).
    OrderStar,
    /// The growth against the solution's, |R(z)/e^z| or ρ(S)/ρ(e^Z), in bands of color.
    Growth,
    /// The local error |R(z) − e^z| or ‖S − e^Z‖, in bands of color.
    Error,
    /// Where each stage is stable: |R_i| ≤ 1 for the stability functions of the values Y_i of the stages, and of the step.
    Internal,
    /// Where the embedded method is stable, beside the method itself.
    Embedded,
}

impl MapQuantity {
    /// Whether boundaries of regions are shown, and not bands of color.
    pub(crate) fn has_boundaries(self) -> bool {
        matches!(self, Self::Region | Self::OrderStar | Self::Internal | Self::Embedded)
    }

    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Region => "Stability region",
            Self::Modulus => "Spectral radius",
            Self::Eigenvalues => "Eigenvalues of the stability matrix",
            Self::OrderStar => "Order star",
            Self::Growth => "Growth against the solution's",
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
