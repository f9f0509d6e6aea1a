//! Growth with an undamped fast part: α = 90°, bounded on all of the imaginary axis.
//!
//! Up to some Ω, samples with bounds of second derivatives ([`axis`]) enclose what is sought; beyond it R is almost
//! periodic up to O(1/y). [`bounds`] has the derivatives and the remainder, [`limit_growth`] and [`phases`] the limits, and
//! [`practical`] the limit for growth that a thousand steps show.

mod axis;
mod bounds;
mod limit_growth;
mod moduli;
mod phases;
mod practical;
mod torus;

use hemiola_number::Exact;
use num_complex::Complex64;
use num_traits::Zero;

use self::axis::supremum;
use self::bounds::UndampedBounds;
use self::limit_growth::LimitGrowth;
use self::phases::Phases;
use self::practical::{Far, PracticalLimit};
use super::additive::{AdditiveFlow, FixedFast};
use super::ball::ComplexBall;
use super::flow_number::FlowNumber;
use super::rows::FlowRows;
use super::search::maximum;
use super::sector::exceeds_one;
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;

/// Growth that rounding explains and that does not count as resonance.
const NONE: f64 = 1e-12;
/// Spacing of the first samples of y, and the largest number of samples.
const SPACING: f64 = 0.1;
const BUDGET: usize = 400_000;
/// Ends of the part of the axis that is sampled: the first, and the largest.
const FIRST_END: f64 = 1000.0;
const LARGEST_END: f64 = 30_000.0;
/// End of the samples for inexact fast parts, beyond which their limit for large y is used.
const INEXACT_END: f64 = 20_000.0;
/// Allowed difference of the bound from the largest growth, as a fraction of it.
const TOLERANCE: f64 = 1e-9;

/// Growth of a method for undamped oscillations z_F = iy of the fast part and z_S < 0.
///
/// |R(iy, z_S)| = 1 + g(y) |z_S| + O(z_S²), and g ≤ −c < 0 would be the effect of the damping z_S. Where g > 0 the limit
/// x(90°) is zero: the step is unstable for arbitrarily small z_S.
///
/// If starts or drifts make the fast part inexact, g is the limit of (|R(iy, z_S)| − 1)/|z_S| for z_S → 0: −∞ where
/// |R(iy, 0)| is below one, and ∞ where it is above one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resonance {
    /// The largest g(y) found: growth per step, divided by |z_S| for small z_S. It is ∞ if the fast part alone grows.
    pub growth: f64,
    /// A bound of g(y) for all y. It equals the growth up to rounding where that is the supremum; if the growth is almost
    /// periodic for large y, larger values may exist up to this bound.
    pub growth_bound: f64,
    /// The y ≥ 0 of the largest growth; for infinite growth, the y with the largest |R(iy, 0)| found.
    pub frequency: f64,
    /// The largest |R(iy, 0)| found; one if the fast part is exact.
    pub fast_modulus: f64,
    /// A bound of |R(iy, 0)| for all y.
    pub fast_bound: f64,
    /// Whether an enclosure proves that g is positive at this y, so that x(90°) = 0.
    pub is_proved: bool,
    /// The largest x such that |R(iy, z_S)| ≤ 1.001 for −x ≤ z_S ≤ 0 and all y that were examined: beyond it some |R| is
    /// larger. `None` if there is no exit up to 10⁶.
    pub practical_limit: Option<f64>,
    /// An x for which |R(iy, z_S)| ≤ 1.001 holds for −x ≤ z_S ≤ 0 and all y; `None` without a proof.
    pub practical_lower: Option<f64>,
}

impl Resonance {
    /// Finds the resonance of the slow partition `slow`, from 0.
    ///
    /// ```
    /// use hemiola_multirate::{Resonance, library};
    /// let resonance = Resonance::new(&library::method("mri-gark-erk33a")?, 0)?;
    /// assert!(resonance.is_proved && resonance.growth > 0.01);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a method with coupled stages, [`MultirateError::Sector`] if there is no
    /// such partition.
    pub fn new(method: &InfinitesimalMethod, slow: usize) -> Result<Self, MultirateError> {
        if slow + 1 >= method.partitions().len() {
            return Err(MultirateError::Sector { angle: 90.0, partition: slow });
        }
        let undamped = Undamped::new(method, slow)?;
        if undamped.bounds.is_exact() { undamped.exact() } else { undamped.inexact() }
    }
}

/// A method with one of its slow partitions.
struct Undamped<'a> {
    method: &'a InfinitesimalMethod,
    slow: usize,
    flow: AdditiveFlow<Complex64>,
    rows: FlowRows<Complex64>,
    bounds: UndampedBounds,
}

impl<'a> Undamped<'a> {
    fn new(method: &'a InfinitesimalMethod, slow: usize) -> Result<Self, MultirateError> {
        let rows = FlowRows::new(method)?;
        let bounds = UndampedBounds::new(&rows, slow);
        Ok(Self { method, slow, flow: AdditiveFlow::new(method)?, rows, bounds })
    }

    fn fixed(&self, y: f64) -> FixedFast<Complex64> {
        self.flow.at_fast(&Complex64::new(0.0, y))
    }

    /// Finds the growth of a method with an exact fast part.
    fn exact(&self) -> Result<Resonance, MultirateError> {
        let function = |y: f64| growth(&self.fixed(y), self.slow);
        let limit = LimitGrowth::new(self.method, self.slow);
        let (moduli, remainder) = (self.bounds.growth(), self.bounds.growth_remainder());
        let far = self.far_growth(&limit);
        let rounding = |y: f64| self.bounds.rounding(y, moduli.value);
        let search =
            |end: f64, tolerance: f64| supremum(end, SPACING, moduli.second, tolerance, BUDGET, rounding, function);
        let coarse = search(FIRST_END, f64::INFINITY);
        let (mut peak, mut at) = (coarse.value, coarse.at);
        if !limit.is_zero() && limit.period().is_none() {
            for y in limit.candidates(FIRST_END) {
                let found = maximum(&function, y - 1.0, y + 1.0);
                if found.value > peak {
                    (peak, at) = (found.value, found.at);
                }
            }
        }
        // Beyond the end growth is at most that of the limit and the remainder.
        let needed = if peak > far { remainder / (peak - far) } else { LARGEST_END };
        let end = needed.clamp(FIRST_END, LARGEST_END);
        let near = search(end, TOLERANCE * peak.abs().max(NONE));
        if near.value > peak {
            (peak, at) = (near.value, near.at);
        }
        // Samples that are halves of intervals lie beside the peak.
        let polished = maximum(&function, (at - SPACING).max(0.0), at + SPACING);
        if polished.value >= peak {
            (peak, at) = (polished.value, polished.at);
        }
        let bound = near.bound.max(far + remainder / end).max(peak);
        let is_proved = peak > NONE && is_growing(self.method, self.slow, at)?;
        let period = limit.period().filter(|_| !limit.is_zero());
        let kind = period.map_or(Far::Exact(bound), Far::Periodic);
        let practical = PracticalLimit::new(&self.flow, &self.bounds, self.slow, &[at], kind);
        Ok(Resonance {
            growth: peak,
            growth_bound: bound,
            frequency: at,
            fast_modulus: 1.0,
            fast_bound: 1.0,
            is_proved,
            practical_limit: practical.limit,
            practical_lower: practical.lower,
        })
    }

    /// Bounds the growth in the limit for large y.
    fn far_growth(&self, limit: &LimitGrowth) -> f64 {
        let Some(period) = limit.period() else { return limit.bound() };
        let rounding = |y: f64| self.bounds.rounding(y, limit.bound().abs());
        let scale = limit.bound().abs();
        supremum(period, SPACING, limit.curvature(), TOLERANCE * scale, BUDGET, rounding, |y| limit.at(y)).bound
    }

    /// Finds the growth of a method whose fast part is not exact.
    fn inexact(&self) -> Result<Resonance, MultirateError> {
        let square = |y: f64| self.fixed(y).linear_part(self.slow).0.norm_sqr();
        let phases = Phases::new(&self.rows);
        let far = phases.supremum();
        let moduli = self.bounds.along_frequency(0.0, false);
        let rounding = |y: f64| self.bounds.rounding(y, moduli.value * moduli.value);
        let search =
            |end: f64, tolerance: f64| supremum(end, SPACING, moduli.of_square(), tolerance, BUDGET, rounding, square);
        let near = search(FIRST_END, NONE);
        let (mut peak, mut at) = (near.value, near.at);
        if far.value > peak + TOLERANCE {
            for y in phases.candidates(FIRST_END) {
                let found = maximum(&square, y - 1.0, y + 1.0);
                if found.value > peak {
                    (peak, at) = (found.value, found.at);
                }
            }
        }
        let modulus = peak.sqrt();
        // What is between decides only if it exceeds the limit for large y.
        let middle = search(INEXACT_END, (far.value - near.value).max(NONE));
        let far_bound = far.bound.sqrt() + self.bounds.far_distance(0.0, INEXACT_END.recip(), false);
        let fast_bound = middle.bound.sqrt().max(far_bound).max(modulus);
        let grows = modulus > 1.0 + NONE;
        let (growth, at) = if grows { (f64::INFINITY, at) } else { self.neutral_growth() };
        let is_proved = grows && exceeds_one(self.method, self.slow, Some(Complex64::new(0.0, at)), 0.0)?;
        let kind = Far::Inexact(far.bound.sqrt());
        let practical = PracticalLimit::new(&self.flow, &self.bounds, self.slow, &[at], kind);
        Ok(Resonance {
            growth,
            // Where |R| is below one, damping by the fast part prevails for small z_S. It is one at y = 0.
            growth_bound: if at == 0.0 { growth } else { f64::INFINITY },
            frequency: at,
            fast_modulus: if grows { modulus } else { 1.0 },
            fast_bound,
            is_proved,
            practical_limit: practical.limit,
            practical_lower: practical.lower,
        })
    }

    /// Finds the largest growth among samples of y at which |R(iy, 0)| is one.
    fn neutral_growth(&self) -> (f64, f64) {
        let count = (FIRST_END / SPACING) as usize;
        let samples = (0..=count).map(|k| SPACING * k as f64).map(|y| (y, self.fixed(y)));
        let neutral = samples.filter(|(_, fixed)| fixed.linear_part(self.slow).0.norm() >= 1.0 - NONE);
        let growths = neutral.map(|(y, fixed)| (growth(&fixed, self.slow), y));
        growths.fold((f64::NEG_INFINITY, 0.0), |best, found| if found.0 > best.0 { found } else { best })
    }
}

/// Computes d|R|/d|z_S| at z_S = 0, where |R| = 1.
fn growth(fixed: &FixedFast<Complex64>, slow: usize) -> f64 {
    let (value, slope) = fixed.linear_part(slow);
    -(value.conj() * slope).re
}

/// Returns whether an enclosure proves that the growth at z_F = iy is positive.
fn is_growing(method: &InfinitesimalMethod, slow: usize, y: f64) -> Result<bool, MultirateError> {
    let Some(y) = Exact::from_f64(y) else { return Ok(false) };
    let flow = AdditiveFlow::<ComplexBall>::new(method)?;
    let fixed = flow.at_fast(&ComplexBall::new(&Exact::zero(), &y));
    let (value, slope) = fixed.linear_part(slow);
    // conj(R) = 1/R on the unit circle.
    let ratio = slope.divided_by(&value);
    Ok(ratio.is_some_and(|ratio| ratio.is_left()))
}
