//! Growth with an undamped fast part: α = 90°.

use hemiola_number::Exact;
use num_complex::Complex64;
use num_traits::Zero;

use super::additive::{AdditiveFlow, FixedFast};
use super::ball::ComplexBall;
use super::flow_number::FlowNumber;
use super::search::highest_peak;
use super::sector::{MOST_BEATS, SectorSearch, exceeds_one};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;

/// Growth that becomes visible in a thousand steps, as in the practical coupled profile.
const PRACTICAL: f64 = 1e-3;
/// Spacing of the samples z_F = iy.
const SPACING: f64 = 0.05;
/// Growth that rounding explains and that does not count as resonance.
const NONE: f64 = 1e-12;

/// Growth of a method for undamped oscillations z_F = iy of the fast part and z_S < 0.
///
/// |R(iy, z_S)| = 1 + g(y) |z_S| + O(z_S²), and g ≤ −c < 0 would be the effect of the damping z_S. Where g > 0 the limit
/// x(90°) is zero: the step is unstable for arbitrarily small z_S.
///
/// If starts or drifts make the fast part inexact, g is the limit of (|R(iy, z_S)| − 1)/|z_S| for z_S → 0: −∞ where
/// |R(iy, 0)| is below one, and ∞ where it is above one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resonance {
    /// The largest g(y): growth per step, divided by |z_S| for small z_S. It is ∞ if the fast part alone grows.
    pub growth: f64,
    /// The y ≥ 0 of the largest growth; for infinite growth, the y with the largest |R(iy, 0)| found.
    pub frequency: f64,
    /// The largest |R(iy, 0)| found; one if the fast part is exact.
    pub fast_modulus: f64,
    /// Whether an enclosure proves that g is positive at this y, so that x(90°) = 0.
    pub is_proved: bool,
    /// The largest x such that |R(iy, z_S)| ≤ 1.001 for −x ≤ z_S ≤ 0 and all y; `None` if there is no exit up to 10⁶.
    pub practical_limit: Option<f64>,
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
        let flow = AdditiveFlow::<Complex64>::new(method)?;
        let practical_limit = SectorSearch::new(method, slow, std::f64::consts::FRAC_PI_2, PRACTICAL)?.limit();
        if !method.exact_rows().iter().take(method.stages().len()).all(InfinitesimalStage::is_simple) {
            let (growth, frequency, fast_modulus) = inexact_growth(&flow, slow);
            let is_proved =
                growth.is_infinite() && exceeds_one(method, slow, Some(Complex64::new(0.0, frequency)), 0.0)?;
            return Ok(Self { growth, frequency, fast_modulus, is_proved, practical_limit });
        }
        let growth = |y: f64| growth(&flow.at_fast(&Complex64::new(0.0, y)), slow);
        let places = places();
        let samples: Vec<f64> = places.iter().map(|y| growth(*y)).collect();
        let peak = highest_peak(&places, &samples, f64::NEG_INFINITY, growth);
        let is_proved = peak.value > NONE && is_growing(method, slow, peak.at)?;
        Ok(Self { growth: peak.value, frequency: peak.at, fast_modulus: 1.0, is_proved, practical_limit })
    }
}

/// Returns the sampled y.
fn places() -> Vec<f64> {
    (0..=(MOST_BEATS / SPACING) as usize).map(|k| SPACING * k as f64).collect()
}

/// Computes the largest growth, its y and the largest |R| of the fast part alone for methods with starts or drifts. The
/// growth is infinite if the fast part alone grows; otherwise it is the maximum over the samples with |R| = 1.
fn inexact_growth(flow: &AdditiveFlow<Complex64>, slow: usize) -> (f64, f64, f64) {
    let fixed = |y: f64| flow.at_fast(&Complex64::new(0.0, y));
    let modulus = |y: f64| fixed(y).linear_part(slow).0.norm();
    let places = places();
    let samples: Vec<f64> = places.iter().map(|y| modulus(*y)).collect();
    let peak = highest_peak(&places, &samples, 1.0, modulus);
    if peak.value > 1.0 + NONE {
        return (f64::INFINITY, peak.at, peak.value);
    }
    let neutral = places.iter().zip(&samples).filter(|(_, modulus)| **modulus >= 1.0 - NONE);
    let growths = neutral.map(|(y, _)| (growth(&fixed(*y), slow), *y));
    let (most, at) = growths.fold((f64::NEG_INFINITY, 0.0), |best, found| if found.0 > best.0 { found } else { best });
    (most, at, 1.0)
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
