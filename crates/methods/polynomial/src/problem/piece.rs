//! Piece of a spectrum's boundary with the bound on |R| along it.

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::Real;
use crate::problem::curve::Curve;

/// Squared bound b² along a piece.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bound {
    /// b² = 1 − ε tⁿ (undamped for ε = 0, constant for n = 0).
    Power { epsilon: f64, exponent: usize },
    /// b = 1 − η(1 − e^{Re z}).
    Blend { eta: f64 },
}

/// Piece of the spectrum with its bound. Scaled pieces are hλ(t); the others are fixed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoundaryPiece {
    pub(crate) curve: Curve,
    pub(crate) is_scaled: bool,
    pub(crate) bound: Bound,
}

impl BoundaryPiece {
    /// Computes z and its derivatives with respect to t, tt, h and ht.
    pub(crate) fn place<T: Real>(&self, h: &T, t: &T) -> [Complex<T>; 5] {
        let [place, first, second] = self.curve.at(t);
        if self.is_scaled {
            [place.scale(h), first.scale(h), second.scale(h), place, first]
        } else {
            let zero = Complex::like(h, (0.0, 0.0));
            [place, first, second, zero.clone(), zero]
        }
    }

    pub(crate) fn z(&self, h: f64, t: f64) -> Complex<f64> {
        let [place, ..] = self.curve.at(&t);
        if self.is_scaled { place.scale(&h) } else { place }
    }
}

impl Bound {
    /// Computes b² and its derivatives with respect to t, tt, h, ht and hh.
    pub(crate) fn at<T: Real>(&self, t: &T, [z, z_t, z_tt, z_h, z_ht]: &[Complex<T>; 5]) -> [T; 6] {
        let zero = t.like(0.0);
        match *self {
            Self::Power { epsilon, exponent } => {
                let epsilon = t.like(epsilon);
                let power = |n: usize, factor: usize| match exponent.checked_sub(n) {
                    Some(rest) => -(epsilon.clone() * t.power(rest) * t.like(factor as f64)),
                    None => zero.clone(),
                };
                let value = t.like(1.0) + power(0, 1);
                let first = power(1, exponent);
                let second = power(2, exponent * exponent.saturating_sub(1));
                [value, first, second, zero.clone(), zero.clone(), zero]
            }
            Self::Blend { eta } => {
                let (one, eta, two) = (t.like(1.0), t.like(eta), t.like(2.0));
                // b′ = b″ = ηeˣ as functions of x = Re z.
                let slope = eta.clone() * z.re.exp();
                let b = one - eta + slope.clone();
                let value = b.square();
                let first = two.clone() * b.clone() * slope.clone();
                let second = two * (slope.square() + b * slope);
                let (x_t, x_h) = (z_t.re.clone(), z_h.re.clone());
                [
                    value,
                    first.clone() * x_t.clone(),
                    second.clone() * x_t.square() + first.clone() * z_tt.re.clone(),
                    first.clone() * x_h.clone(),
                    second.clone() * x_h.clone() * x_t + first * z_ht.re.clone(),
                    second * x_h.square(),
                ]
            }
        }
    }
}
