//! What the statements of a certificate are about, in exact numbers: enough to make them again without our code.

use dashu::rational::RBig;

use crate::certify::exact_polynomial::exact;
use crate::problem::curve::Curve;

/// Where a statement asserts the bound on |R|. L is the limit and also the scale of the spectrum.
#[derive(Clone, Debug, PartialEq)]
pub enum About {
    /// |R(iLy)|² ≤ 1 − ε(y/to)ⁿ for from ≤ y ≤ to, as a polynomial in t: y² = from² + t(to² − from²).
    ImaginaryAxis {
        /// Where the piece begins, as a fraction of the limit.
        from: RBig,
        /// Where it ends.
        to: RBig,
        /// The reduction of the squared bound by damping.
        epsilon: RBig,
        /// The power n with which damping grows; 0 if it is constant.
        exponent: usize,
    },
    /// R(−Lx) ≤ level, or −R(−Lx) ≤ level, for from ≤ x ≤ 1, as a polynomial in t: x = from + t(1 − from).
    RealAxis {
        /// Whether R itself is bounded from above, rather than −R.
        is_above: bool,
        /// The bound.
        level: RBig,
        /// Where the piece begins, as a fraction of the limit.
        from: RBig,
    },
    /// |R(z)|² ≤ 1 on a piece of the spectrum's boundary, with z = Lλ(t) or z = λ(t).
    Curve {
        /// λ(t).
        curve: BoundaryCurve,
        /// Whether the piece grows with the limit, z = Lλ.
        is_scaled: bool,
    },
}

/// A piece of the boundary of a spectrum in the closed upper half-plane, λ(t) for 0 ≤ t ≤ 1, rational in t. Places are
/// (real part, imaginary part).
#[derive(Clone, Debug, PartialEq)]
pub enum BoundaryCurve {
    /// One eigenvalue.
    Point(RBig, RBig),
    /// The straight line between two places.
    Segment {
        /// λ(0).
        from: (RBig, RBig),
        /// λ(1).
        to: (RBig, RBig),
    },
    /// center + radius · (1 + iτ)/(1 − iτ) with τ = t · `half_tangent`.
    Arc {
        /// The center of the circle.
        center: (RBig, RBig),
        /// The vector from the center to λ(0).
        radius: (RBig, RBig),
        /// The tangent of half the angle from λ(0) to λ(1).
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
