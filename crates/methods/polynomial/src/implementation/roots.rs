//! Roots of a polynomial to double precision, for coefficients of any condition.
//!
//! Aberth's simultaneous iteration (Aberth 1973; Ehrlich 1967) runs in doubles, but takes p/p′ from exact coefficients
//! in fixed point: only this ratio must be accurate. It starts near the interval of stability, where the roots of an
//! optimal polynomial lie, or without an interval from the Newton polygon of log |β_k| (Bini 1996, Numer. Algorithms
//! 13:179–200).

use std::f64::consts::{PI, TAU};

use dashu::base::BitTest;
use dashu::integer::IBig;
use dashu::rational::RBig;
use num_complex::Complex64;

use crate::implementation::interval::StabilityInterval;
use crate::implementation::monomial::{log2, scaled, truncation_bits};
use crate::problem::axis::Axis;

/// Largest number of sweeps from the interval. Ten suffice for an optimal polynomial; more mean that the roots lie
/// elsewhere.
const MOST_SWEEPS_BESIDE: usize = 40;

/// Real root, or the member of a conjugate pair with positive imaginary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Root {
    Real(f64),
    Pair(Complex64),
}

/// Computes the roots of Σ β_k zᵏ, β₀ ≠ 0; returns `None` if they cannot be separated.
pub(crate) fn roots(beta: &[RBig], interval: Option<StabilityInterval>) -> Option<Vec<Root>> {
    let degree = beta.len() - 1;
    let near = interval.and_then(|interval| roots_from(beta, &beside(interval, degree), MOST_SWEEPS_BESIDE));
    // Circles need about half as many sweeps as there are roots to reach a line; multiple roots converge only linearly
    // and never to full precision.
    near.or_else(|| roots_from(beta, &on_circles(&beta.iter().map(log2).collect::<Vec<_>>()), 50 + degree))
}

/// Computes the roots by iteration from starting values.
fn roots_from(beta: &[RBig], start: &[Complex64], most_sweeps: usize) -> Option<Vec<Root>> {
    // Scale by a power of two of the size of the largest root: the fixed-point coefficients are good for |x| ≤ 2.
    let exponent = start.iter().map(|z| z.norm()).fold(0.0, f64::max).log2().ceil() as i32;
    let scale = 2f64.powi(exponent);
    let coefficients = scaled(beta, &RBig::try_from(scale).ok()?);
    let mut x: Vec<Complex64> = start.iter().map(|z| z / scale).collect();
    iterate(&coefficients, &mut x, most_sweeps)?;
    for root in &mut x {
        *root *= scale;
    }
    conjugates(&x)
}

/// Returns the roots of the Chebyshev polynomial of an interval, rotated into the left half-plane by less than their
/// distance.
///
/// The points must not be symmetric about the real axis: a conjugate pair could not become two real roots, nor two real
/// roots a pair.
fn beside(StabilityInterval { axis, limit }: StabilityInterval, degree: usize) -> Vec<Complex64> {
    let turn = Complex64::cis(0.1 / degree as f64);
    let cosines = (0..degree).map(|j| ((j as f64 + 0.5) * PI / degree as f64).cos());
    cosines
        .map(|cosine| match axis {
            Axis::Real => turn * (0.5 * limit * (cosine - 1.0)),
            Axis::Imaginary => turn * Complex64::new(-0.5 * limit / degree as f64, limit * cosine),
        })
        .collect()
}

/// Returns points on circles whose radii are the slopes of the upper convex hull of (k, log₂ |β_k|), without symmetry.
fn on_circles(logs: &[f64]) -> Vec<Complex64> {
    let hull = upper_hull(logs);
    let mut points = Vec::with_capacity(logs.len());
    for edge in hull.windows(2) {
        let count = (edge[1] - edge[0]) as f64;
        let radius = ((logs[edge[0]] - logs[edge[1]]) / count).exp2();
        points.extend((0..edge[1] - edge[0]).map(|i| {
            Complex64::from_polar(radius, TAU * (i as f64 / count + edge[0] as f64 / logs.len() as f64) + 0.7)
        }));
    }
    points
}

/// Returns the indices of the vertices of the upper convex hull; −∞ is never a vertex.
fn upper_hull(logs: &[f64]) -> Vec<usize> {
    let mut hull: Vec<usize> = Vec::new();
    for k in (0..logs.len()).filter(|&k| logs[k].is_finite()) {
        while let [.., a, b] = hull[..] {
            let below = (logs[b] - logs[a]) * (k - a) as f64 <= (logs[k] - logs[a]) * (b - a) as f64;
            if !below {
                break;
            }
            hull.pop();
        }
        hull.push(k);
    }
    hull
}

/// Sweeps over the roots that still move; returns `None` if a root becomes non-finite or the sweeps run out.
fn iterate(coefficients: &[IBig], x: &mut [Complex64], most_sweeps: usize) -> Option<()> {
    let mut moving = vec![true; x.len()];
    for _ in 0..most_sweeps {
        for i in 0..x.len() {
            if moving[i] {
                let (newton, radius) = newton(coefficients, x[i]);
                x[i] -= newton / (1.0 - newton * repulsion(x, i));
                // The test uses the Newton correction: Aberth's also vanishes between the members of a cluster.
                moving[i] = radius > 2.0 * f64::EPSILON * x[i].norm();
            }
        }
        if !x.iter().all(|root| root.is_finite()) {
            return None;
        }
        if !moving.contains(&true) {
            return Some(());
        }
    }
    None
}

/// Computes Σ 1/(x_i − x_j); N / (1 − N Σ) is Newton's correction for the polynomial divided by the other x − x_j.
fn repulsion(x: &[Complex64], i: usize) -> Complex64 {
    (0..x.len()).filter(|&j| j != i).map(|j| (x[i] - x[j]).inv()).sum()
}

/// Computes p(x)/p′(x) by Horner's scheme, and its modulus including truncation; a root lies within s times this
/// radius.
fn newton(coefficients: &[IBig], x: Complex64) -> (Complex64, f64) {
    let x = WordComplex::new(x);
    let (mut value, mut slope) = (FixedComplex::default(), FixedComplex::default());
    for coefficient in coefficients.iter().rev() {
        slope = x.times(&slope);
        slope.re += &value.re;
        slope.im += &value.im;
        value = x.times(&value);
        value.re += coefficient;
    }
    // Divide both by the same power of two, into the range of doubles.
    let shift = value.bits().max(slope.bits()).saturating_sub(500);
    let (value, slope) = (value.to_complex(shift), slope.to_complex(shift));
    let truncation = (truncation_bits(coefficients.len() - 1) as f64 - shift as f64).exp2();
    (value / slope, (value.norm() + truncation) / slope.norm())
}

/// Complex number in fixed point.
#[derive(Default)]
struct FixedComplex {
    re: IBig,
    im: IBig,
}

impl FixedComplex {
    fn bits(&self) -> usize {
        self.re.bit_len().max(self.im.bit_len())
    }

    fn to_complex(&self, shift: usize) -> Complex64 {
        Complex64::new((&self.re >> shift).to_f64().value(), (&self.im >> shift).to_f64().value())
    }
}

/// Complex double x as (re + i·im) 2^−shift, with 60 bits in the larger part: it fits one word, so that products are
/// cheap.
struct WordComplex {
    re: i64,
    im: i64,
    shift: usize,
}

impl WordComplex {
    fn new(x: Complex64) -> Self {
        let shift = (60.0 - x.norm().log2().ceil()).clamp(0.0, 1000.0);
        let power = shift.exp2();
        Self { re: (x.re * power) as i64, im: (x.im * power) as i64, shift: shift as usize }
    }

    fn times(&self, z: &FixedComplex) -> FixedComplex {
        FixedComplex {
            re: (&z.re * self.re - &z.im * self.im) >> self.shift,
            im: (&z.re * self.im + &z.im * self.re) >> self.shift,
        }
    }
}

/// Classifies the roots as real roots and conjugate pairs; returns `None` if the nonreal roots do not come in pairs.
///
/// A root is real if the root nearest to its conjugate is itself.
fn conjugates(x: &[Complex64]) -> Option<Vec<Root>> {
    let nearest = |z: Complex64| (0..x.len()).min_by(|&i, &j| (x[i] - z).norm_sqr().total_cmp(&(x[j] - z).norm_sqr()));
    let mut result = Vec::new();
    for (i, root) in x.iter().enumerate() {
        let partner = nearest(root.conj())?;
        if partner == i {
            result.push(Root::Real(root.re));
        } else if root.im > 0.0 && x[partner].im < 0.0 {
            result.push(Root::Pair(*root));
        }
    }
    let degree: usize = result.iter().map(|root| if matches!(root, Root::Real(_)) { 1 } else { 2 }).sum();
    (degree == x.len()).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimal;

    fn real(roots: &[Root]) -> Vec<f64> {
        let mut values: Vec<f64> =
            roots.iter().filter_map(|root| if let Root::Real(r) = root { Some(*r) } else { None }).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    fn polynomial(coefficients: &[i32]) -> Vec<RBig> {
        coefficients.iter().map(|&k| RBig::from(k)).collect()
    }

    #[test]
    fn chebyshevs_are_known() {
        for (s, with_interval) in [(1, true), (2, false), (50, true), (50, false), (200, true)] {
            let beta = optimal(Axis::Real, s, 1).unwrap();
            let interval = with_interval.then(|| StabilityInterval { axis: Axis::Real, limit: beta.limit() });
            let found = real(&roots(beta.coefficients(), interval).unwrap());
            assert_eq!(found.len(), s);
            for (i, root) in found.iter().rev().enumerate() {
                // s²(cos θ − 1) without cancellation.
                let half = (i as f64 + 0.5) * PI / (2 * s) as f64;
                let expected = -2.0 * (s as f64 * half.sin()).powi(2);
                assert!((root / expected - 1.0).abs() < 1e-14, "root {i} of {s}: {root}, expected {expected}");
            }
        }
    }

    #[test]
    fn pairs_on_the_imaginary_axis_and_off_it() {
        // (1 + z)(1 + z²) and (1 + z/2)(1 + z + z²/2), the second times four.
        for (coefficients, r, pair) in
            [([1, 1, 1, 1], -1.0, Complex64::I), ([4, 6, 4, 1], -2.0, Complex64::new(-1.0, 1.0))]
        {
            let found = roots(&polynomial(&coefficients), None).unwrap();
            assert_eq!(found.len(), 2);
            for root in found {
                match root {
                    Root::Real(value) => assert!((value - r).abs() < 1e-15),
                    Root::Pair(value) => assert!((value - pair).norm() < 1e-15),
                }
            }
        }
    }

    #[test]
    fn a_wrong_interval_does_no_harm() {
        let exponential: Vec<RBig> = (0u64..=30)
            .map(|k| RBig::from_parts(1.into(), (1..=k).map(dashu::integer::UBig::from).product()))
            .collect();
        let interval = StabilityInterval { axis: Axis::Real, limit: 1e6 };
        let found = roots(&exponential, Some(interval)).unwrap();
        assert_eq!(found.len(), 15);
        assert!(real(&found).is_empty());
    }

    #[test]
    fn multiple_roots_are_refused() {
        assert_eq!(roots(&polynomial(&[1, 4, 6, 4, 1]), None), None);
        assert_eq!(roots(&polynomial(&[1, 6, 15, 20, 15, 6, 1]), None), None);
    }
}
