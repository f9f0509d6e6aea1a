//! Exact data from which the statements of a certificate can be reconstructed without our code.

use dashu::rational::RBig;

use crate::certify::exact_polynomial::exact;
use crate::problem::curve::Curve;

/// Part of the spectrum on which a statement bounds |R|. L is the limit and also the scale of the spectrum.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementDomain {
    /// |R(iLy)|² ≤ 1 − ε(y/to)ⁿ for from ≤ y ≤ to, as a polynomial in t with y² = from² + t(to² − from²).
    ImaginaryAxis {
        /// Start of the piece, as a fraction of the limit.
        from: RBig,
        /// End of the piece, as a fraction of the limit.
        to: RBig,
        /// Reduction ε of the squared bound by damping.
        epsilon: RBig,
        /// Power n with which damping grows; 0 for constant damping.
        exponent: usize,
    },
    /// R(−Lx) ≤ level, or −R(−Lx) ≤ level, for from ≤ x ≤ 1, as a polynomial in t with x = from + t(1 − from).
    RealAxis {
        /// Whether the statement bounds R from above; otherwise it bounds −R.
        is_above: bool,
        /// Bound of the statement.
        level: RBig,
        /// Start of the piece, as a fraction of the limit.
        from: RBig,
    },
    /// |R(z)|² ≤ 1 on a piece of the spectrum's boundary, with z = Lλ(t) or z = λ(t).
    Curve {
        /// Curve λ(t).
        curve: BoundaryCurve,
        /// Whether the piece scales with the limit, z = Lλ.
        is_scaled: bool,
    },
}

/// Piece λ(t), 0 ≤ t ≤ 1, of the boundary of a spectrum in the closed upper half-plane, rational in t.
///
/// Points are pairs (real part, imaginary part).
#[derive(Clone, Debug, PartialEq)]
pub enum BoundaryCurve {
    /// Single eigenvalue.
    Point(RBig, RBig),
    /// Straight line between two points.
    Segment {
        /// λ(0).
        from: (RBig, RBig),
        /// λ(1).
        to: (RBig, RBig),
    },
    /// Arc center + radius · (1 + iτ)/(1 − iτ) with τ = t · `half_tangent`.
    Arc {
        /// Center of the circle.
        center: (RBig, RBig),
        /// Vector from the center to λ(0).
        radius: (RBig, RBig),
        /// Tangent of half the angle from λ(0) to λ(1).
        half_tangent: RBig,
    },
}

impl From<&Curve> for BoundaryCurve {
    fn from(curve: &Curve) -> Self {
        let place = |(x, y): (f64, f64)| (exact(x), exact(y));
        match *curve {
            Curve::Point((x, y)) => Self::Point(exact(x), exact(y)),
            Curve::Segment { from, to } => Self::Segment { from: place(from), to: place(to) },
            Curve::Arc { center, radius, half_tangent } => {
                Self::Arc { center: place(center), radius: place(radius), half_tangent: exact(half_tangent) }
            }
        }
    }
}
