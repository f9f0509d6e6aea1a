//! Modulus |R| along a ray of the complex plane, from exact polynomials in the step size.

use std::sync::Arc;

use dashu::base::BitTest;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_number::signs::{PositiveInterval, first_positive, positive_intervals};
use hemiola_tableau::Exact;
use num_complex::Complex64;
use num_traits::Zero;

use crate::function::sensitivity::Sensitivity;

/// Number of interior points of an interval at which |R| − 1 is compared with the precision.
const PLACES: u32 = 7;
/// Multiples of the last exit at which they are compared on an unbounded interval.
const FAR: [u32; 4] = [2, 16, 1_000, 1_000_000];

/// Squared modulus |R(tu)|² = n(τ)/d(τ), τ = t/scale.
pub(crate) struct ModulusRay {
    n: Vec<RBig>,
    d: Vec<RBig>,
    /// Excess n − d, positive exactly where |R| > 1.
    excess: Vec<RBig>,
    scale: RBig,
    direction: Complex64,
    sensitivity: Option<Arc<Sensitivity>>,
}

impl ModulusRay {
    pub(crate) fn new(
        [n, d]: [Vec<Exact>; 2],
        scale: RBig,
        direction: Complex64,
        sensitivity: Option<Arc<Sensitivity>>,
    ) -> Self {
        let at = |p: &[Exact], k: usize| p.get(k).cloned().unwrap_or_else(Exact::zero);
        let excess: Vec<Exact> = (0..n.len().max(d.len())).map(|k| at(&n, k) - at(&d, k)).collect();
        Self { n: rationals(&n), d: rationals(&d), excess: rationals(&excess), scale, direction, sensitivity }
    }

    /// Finds the first exit of |R| ≤ 1 that the precision of the tableau does not excuse; returns `None` if there is
    /// none.
    ///
    /// Published coefficients are rounded, and optimal polynomials touch |R| = 1: taken as exact, a tableau of sixteen
    /// decimals is unstable by 10⁻¹⁶ at every such point. An interval with |R| > 1 is excused if |R| stays below a
    /// [bound](Sensitivity::excused) close to one and a change of the coefficients within their precision removes the
    /// interval. Nothing is excused if the coefficients are exact.
    pub(crate) fn first_exit(&self) -> Option<f64> {
        let Some(sensitivity) = &self.sensitivity else {
            return first_positive(&self.excess).map(|place| self.step(&place));
        };
        let too_far = first_positive(&self.excess_over(sensitivity.excused()));
        let intervals = positive_intervals(&self.excess, too_far.as_ref());
        let reaches = |interval: &PositiveInterval| interval.high.is_none() && too_far.is_some();
        let exit = intervals.iter().find(|interval| reaches(interval) || !self.explains(sensitivity, interval));
        let place = exit.map(|interval| &interval.low).or(too_far.as_ref())?;
        // If the precision also explains the stability before the first exit, the origin itself is the exit.
        let before = PositiveInterval { low: RBig::ZERO, high: Some(place.clone()) };
        Some(if self.explains(sensitivity, &before) { 0.0 } else { self.step(place) })
    }

    /// Computes |R| at t.
    pub(crate) fn modulus(&self, t: f64) -> f64 {
        let tau = self.tau(t);
        quotient(value(&self.n, &tau), value(&self.d, &tau)).sqrt()
    }

    /// Computes d|R|/dt = (n′d − nd′)/(2d²|R|) at t.
    pub(crate) fn slope(&self, t: f64) -> f64 {
        let tau = self.tau(t);
        let [n, d] = [&self.n, &self.d].map(|p| value(p, &tau));
        let [n_slope, d_slope] = [&self.n, &self.d].map(|p| value(&derivative(p), &tau));
        let slope = quotient(n_slope * &d - &n * d_slope, &d * &d * &self.scale);
        slope / (2.0 * quotient(n, d).sqrt())
    }

    /// Computes n − (1 + ε)²d, which is positive exactly where |R| > 1 + ε.
    fn excess_over(&self, epsilon: f64) -> Vec<RBig> {
        let more = RBig::try_from((1.0 + epsilon).powi(2) - 1.0).unwrap_or_default();
        let at = |p: &[RBig], k: usize| p.get(k).cloned().unwrap_or_default();
        self.excess.iter().enumerate().map(|(k, excess)| excess - &more * at(&self.d, k)).collect()
    }

    /// Returns whether a change of the coefficients within their precision explains |R| − 1 everywhere on an interval.
    fn explains(&self, sensitivity: &Sensitivity, interval: &PositiveInterval) -> bool {
        let low = &interval.low;
        let places: Vec<RBig> = match &interval.high {
            Some(high) => {
                let part = (high - low) / RBig::from(PLACES + 1);
                (1..=PLACES).map(|k| low + &part * RBig::from(k)).collect()
            }
            None if low.is_zero() => FAR.iter().map(|&far| RBig::from(far) / &self.scale).collect(),
            None => FAR.iter().map(|&far| low * RBig::from(far)).collect(),
        };
        places.iter().all(|tau| {
            // ||R|² − 1|/(|R| + 1).
            let square = quotient(value(&self.excess, tau), value(&self.d, tau));
            let excess = square.abs() / (1.0 + (1.0 + square).max(0.0).sqrt());
            let t = (tau * &self.scale).to_f64().value();
            sensitivity.explains(excess, self.direction * t)
        })
    }

    fn tau(&self, t: f64) -> RBig {
        RBig::try_from(t).unwrap_or(RBig::ZERO) / &self.scale
    }

    /// Converts τ to t.
    fn step(&self, tau: &RBig) -> f64 {
        (tau * &self.scale).to_f64().value()
    }
}

/// Returns rational numbers unchanged, and lower bounds of the others that are close enough for all arguments up to
/// 2⁶⁴.
fn rationals(p: &[Exact]) -> Vec<RBig> {
    let rational = |(k, value): (usize, &Exact)| {
        value.as_rational().cloned().unwrap_or_else(|| value.enclose(1024 + 64 * k).low().clone())
    };
    p.iter().enumerate().map(rational).collect()
}

fn derivative(p: &[RBig]) -> Vec<RBig> {
    p.iter().enumerate().skip(1).map(|(k, c)| c * RBig::from(k)).collect()
}

fn quotient(x: RBig, y: RBig) -> f64 {
    (x / y).to_f64().value()
}

/// Evaluates p(τ) in fixed point with increasing precision.
///
/// The result has at least thirty correct bits, unless it vanishes to sixteen thousand bits.
fn value(p: &[RBig], tau: &RBig) -> RBig {
    const FIRST_BITS: usize = 128;
    const LAST_BITS: usize = 1 << 14;
    let mut bits = FIRST_BITS;
    loop {
        let (value, unit) = fixed_point(p, tau, bits);
        // Each rounding error is less than one unit.
        if value.bit_len() > 30 + p.len().bit_len() || bits > LAST_BITS {
            return RBig::from(value) * unit;
        }
        bits *= 2;
    }
}

/// Evaluates p(τ) in units of a power of two, with terms of `bits` bits, by Horner's scheme in τ/2ᵉ ≤ 1.
fn fixed_point(p: &[RBig], tau: &RBig, bits: usize) -> (IBig, RBig) {
    let length = |x: &RBig| x.numerator().bit_len() as isize - x.denominator().bit_len() as isize + 1;
    let e = if tau.is_zero() { 0 } else { length(tau) };
    let sizes = p.iter().zip(0isize..).filter(|(c, _)| !c.is_zero()).map(|(c, k)| length(c) + k * e);
    let shift = bits as isize - sizes.max().unwrap_or(0);
    let fixed = |x: &RBig, shift: isize| {
        let (n, d) = (x.numerator(), IBig::from(x.denominator().clone()));
        if shift < 0 { n / (d << shift.unsigned_abs()) } else { (n << shift.unsigned_abs()) / d }
    };
    let argument = fixed(tau, bits as isize - e);
    let terms = p.iter().zip(0isize..).map(|(c, k)| fixed(c, shift + k * e));
    let terms: Vec<IBig> = terms.collect();
    let value = terms.iter().rev().fold(IBig::ZERO, |value, term| ((value * &argument) >> bits) + term);
    let unit = UBig::ONE << shift.unsigned_abs();
    let unit = if shift < 0 { RBig::from(unit) } else { RBig::from_parts(IBig::ONE, unit) };
    (value, unit)
}
