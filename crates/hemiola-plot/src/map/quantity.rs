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
}

impl MapQuantity {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Region => "Stability region",
            Self::Modulus => "Spectral radius",
            Self::Eigenvalues => "Eigenvalues of the stability matrix",
            Self::OrderStar => "Order star",
            Self::Growth => "Growth against the solution's",
            Self::Error => "Local error",
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
        }
    }
}
