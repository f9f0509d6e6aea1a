//! Pieces of the boundary of a spectrum.

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::Real;

/// Piece of the boundary of a spectrum in the closed upper half-plane, λ(t) for 0 ≤ t ≤ 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Curve {
    /// Single eigenvalue.
    Point((f64, f64)),
    /// Straight line between two points.
    Segment { from: (f64, f64), to: (f64, f64) },
    /// Arc center + radius · (1 + iτ)²/(1 + τ²), τ = t·`half_tangent`, less than half a turn from the vector `radius`.
    ///
    /// It is rational in t and therefore defined in any precision.
    Arc { center: (f64, f64), radius: (f64, f64), half_tangent: f64 },
}

/// λ, dλ/dt and d²λ/dt².
pub(crate) type CurveJet<T> = [Complex<T>; 3];

impl Curve {
    pub(crate) fn at<T: Real>(&self, t: &T) -> CurveJet<T> {
        let zero = Complex::like(t, (0.0, 0.0));
        match *self {
            Self::Point(place) => [Complex::like(t, place), zero.clone(), zero],
            Self::Segment { from, to } => {
                let (from, to) = (Complex::like(t, from), Complex::like(t, to));
                let direction = to - from.clone();
                [from + direction.scale(t), direction, zero]
            }
            Self::Arc { center, radius, half_tangent } => {
                let (center, radius) = (Complex::like(t, center), Complex::like(t, radius));
                let factor = t.like(half_tangent);
                let one = Complex::like(t, (1.0, 0.0));
                // (1 + iτ)²/(1 + τ²) = (1 + iτ)/(1 − iτ) = −1 + 2/(1 − iτ), with derivatives 2i/(…)² and −4/(…)³.
                let inverse = one.over(&Complex::new(t.like(1.0), -(factor.clone() * t.clone())));
                let two = t.like(2.0);
                let turn = inverse.scale(&two) - one;
                let first = Complex::like(t, (0.0, 1.0)) * inverse.power(2).scale(&(two * factor.clone()));
                let second = inverse.power(3).scale(&(t.like(-4.0) * factor.clone() * factor));
                [center + radius.clone() * turn, radius.clone() * first, radius * second]
            }
        }
    }

    pub(crate) fn is_point(&self) -> bool {
        matches!(self, Self::Point(_))
    }

    /// Bounds the length from above, well enough to distribute samples.
    pub(crate) fn length(&self) -> f64 {
        match *self {
            Self::Point(_) => 0.0,
            Self::Segment { from, to } => (to.0 - from.0).hypot(to.1 - from.1),
            Self::Arc { radius, half_tangent, .. } => 2.0 * half_tangent.abs().atan() * radius.0.hypot(radius.1),
        }
    }

    /// Returns whether the piece begins at the origin and runs along the imaginary axis.
    pub(crate) fn leaves_the_origin_upwards(&self) -> bool {
        matches!(*self, Self::Segment { from: (0.0, 0.0), to: (0.0, _) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_circles_with_their_derivatives() {
        let arc = Curve::Arc { center: (-1.0, 0.5), radius: (0.6, 0.8), half_tangent: 0.7 };
        let step = 1e-5;
        for t in [0.1, 0.5, 0.9] {
            let [place, first, second] = arc.at(&t);
            let [before, after] = [t - step, t + step].map(|t| arc.at(&t));
            assert!(((place.re + 1.0).hypot(place.im - 0.5) - 1.0).abs() < 1e-15);
            assert!(((after[0].re - before[0].re) / (2.0 * step) - first.re).abs() < 1e-9);
            assert!(((after[0].im - before[0].im) / (2.0 * step) - first.im).abs() < 1e-9);
            assert!(((after[1].im - before[1].im) / (2.0 * step) - second.im).abs() < 1e-9);
            assert!(((after[1].re - before[1].re) / (2.0 * step) - second.re).abs() < 1e-9);
        }
        assert!((arc.length() - 2.0 * 0.7f64.atan()).abs() < 1e-15);
    }
}
