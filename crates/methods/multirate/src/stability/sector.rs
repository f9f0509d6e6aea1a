//! Slow steps that are stable for all fast eigenvalues in a sector.

use hemiola_number::{Exact, parallel};
use num_complex::Complex64;
use num_traits::Zero;

use super::additive::{AdditiveFlow, FixedFast};
use super::ball::ComplexBall;
use super::search::{Peak, highest_peak, root};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;

/// Tolerance of |R| ≤ 1, for rounding.
const STRICT: f64 = 1e-9;
/// Spacing of |z_F| where e^{z_F} oscillates, with more than a hundred samples in a period, and the exponent at which
/// its modulus counts as zero.
const SPACING: f64 = 0.05;
const NEGLIGIBLE: f64 = 40.0;
/// Largest sampled |z_F| with oscillations: their effect decreases as 1/|z_F|.
const MOST_OSCILLATIONS: f64 = 400.0;
/// Largest sampled |z_F| if starts or drifts change the fast part: close to the imaginary axis |R| is almost periodic.
const MOST_BEATS: f64 = 1000.0;
/// Ratio of neighboring samples beyond the uniform ones, and the largest sample; the limit at infinity follows.
const RATIO: f64 = 1.05;
const FARTHEST_FAST: f64 = 1e8;
/// Spacing of z_S, the value from which the spacing grows, and the largest value.
const SLOW_SPACING: f64 = 0.02;
const UNIFORM: f64 = 10.0;
/// Largest |z_S| of the search.
pub(crate) const FARTHEST_SLOW: f64 = 1e6;

/// The largest x such that |R(z_F, z_S)| ≤ 1 for all z_S in [−x, 0] and all z_F in a sector.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorLimit {
    /// Half-angle α of the sector around the negative real axis, in degrees.
    pub angle: f64,
    /// The limit x; `None` if no exit was found up to |z_S| = 10⁶.
    pub limit: Option<f64>,
    /// A point just beyond the limit where |R| exceeds one.
    pub witness: Option<SectorWitness>,
}

/// A point of the sector and of the slow axis with |R| > 1.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorWitness {
    /// z_F, or `None` for the limit at infinity.
    pub fast: Option<Complex64>,
    /// z_S, negative.
    pub slow: f64,
    /// |R| there.
    pub modulus: f64,
    /// Whether an enclosure with more than sixty digits proves |R| > 1, so that the limit is at most |z_S|.
    pub is_proved: bool,
}

/// Finds the limit of the slow partition `slow`, from 0, in the sector |arg(−z_F)| ≤ `angle` (degrees, below 90); the
/// values of other slow partitions are zero.
///
/// The limit is zero if |R| exceeds one without the slow term, which is possible only if the fast part is not solved
/// exactly. For a fixed z_S the function R is entire in z_F and has a limit at infinity in the sector. By the maximum
/// principle |R| is largest on the two bounding rays, which are conjugate. The search samples one of them for
/// 0 ≤ |z_F| ≤ ∞, refines each peak that may exceed one, and follows the largest to the first z_S at which it does.
/// Enclosures prove instability at a point beyond the limit; stability before the limit rests on the samples.
///
/// ```
/// use hemiola_multirate::{library, sector_limit};
/// let limit = sector_limit(&library::method("merk43")?, 0, 45.0)?.limit.expect("it is explicit");
/// assert!((2.75..2.80).contains(&limit));
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
///
/// # Errors
/// Returns [`MultirateError::Coupled`] for a method with coupled stages, [`MultirateError::Sector`] if the angle is not
/// in 0° ≤ α < 90° or there is no such partition.
pub fn sector_limit(method: &InfinitesimalMethod, slow: usize, angle: f64) -> Result<SectorLimit, MultirateError> {
    if !(0.0..90.0).contains(&angle) || slow + 1 >= method.partitions().len() {
        return Err(MultirateError::Sector { angle, partition: slow });
    }
    let search = SectorSearch::new(method, slow, angle.to_radians())?;
    let limit = search.limit();
    let witness = limit.map(|limit| search.witness(method, limit)).transpose()?;
    Ok(SectorLimit { angle, limit, witness })
}

/// |R| over a ray of z_F and the negative axis of z_S.
struct SectorSearch {
    flow: AdditiveFlow<Complex64>,
    slow: usize,
    angle: f64,
    level: f64,
    /// The samples of |z_F|, and R there; the last one is infinity.
    radii: Vec<f64>,
    fixed: Vec<FixedFast<Complex64>>,
}

impl SectorSearch {
    fn new(method: &InfinitesimalMethod, slow: usize, angle: f64) -> Result<Self, MultirateError> {
        let flow = AdditiveFlow::new(method)?;
        let is_exact = method.exact_rows().iter().take(method.stages().len()).all(InfinitesimalStage::is_simple);
        let most = if is_exact { MOST_OSCILLATIONS } else { MOST_BEATS };
        let mut search = Self { flow, slow, angle, level: 1.0 + STRICT, radii: radii(angle, most), fixed: Vec::new() };
        search.fixed = parallel::map(search.radii.len(), |k| search.at_radius(search.radii[k]));
        Ok(search)
    }

    /// Returns z_F on the ray, just inside the sector.
    fn fast(&self, radius: f64) -> Complex64 {
        // A difference avoids negative zero.
        Complex64::new(0.0 - radius * self.angle.cos(), radius * self.angle.sin() * (1.0 - 4.0 * f64::EPSILON))
    }

    fn at_radius(&self, radius: f64) -> FixedFast<Complex64> {
        if radius.is_finite() { self.flow.at_fast(&self.fast(radius)) } else { self.flow.far_left() }
    }

    fn modulus(&self, fixed: &FixedFast<Complex64>, x: f64) -> f64 {
        let mut slow = vec![Complex64::zero(); self.flow.slow_partitions()];
        slow[self.slow] = Complex64::from(-x);
        let modulus = fixed.value(&slow).map_or(f64::INFINITY, |value| value.norm_sqr().sqrt());
        if modulus.is_nan() { f64::INFINITY } else { modulus }
    }

    /// Finds the largest |R| over the ray at z_S = −x, to rounding where it may exceed the level.
    fn peak(&self, x: f64) -> Peak {
        let values: Vec<f64> = self.fixed.iter().map(|fixed| self.modulus(fixed, x)).collect();
        // There are no values between the last finite radius and infinity.
        let end = self.radii.len() - 1;
        let refined = highest_peak(&self.radii[..end], &values[..end], self.level, |radius| {
            self.modulus(&self.at_radius(radius), x)
        });
        if values[end] > refined.value { Peak { at: f64::INFINITY, value: values[end] } } else { refined }
    }

    /// Finds the first x at which the peak exceeds the level.
    fn limit(&self) -> Option<f64> {
        let excess = |x: f64| self.peak(x).value - self.level;
        if excess(0.0) > 0.0 {
            return Some(0.0);
        }
        let steps = slow_steps();
        // Search in blocks, so that it ends soon for methods with an early exit.
        const BLOCK: usize = 32;
        let mut start = 0;
        while start + 1 < steps.len() {
            let end = (start + BLOCK).min(steps.len() - 1);
            let block = &steps[start..=end];
            let values =
                parallel::map(block.len(), |k| if block[k] == 0.0 { -f64::MIN_POSITIVE } else { excess(block[k]) });
            if let Some([low, high]) = first_exit(block, &values, &excess) {
                return Some(self.exit(low, high));
            }
            // Blocks overlap by one step, so that a peak at the end of a block is found.
            start = if end == steps.len() - 1 { end } else { end - 1 };
        }
        None
    }

    /// Finds the end of stability between an x at which the ray is stable and one at which it is not: at the peak of the
    /// ray |R| is followed to the level, and so on at the peak that remains there.
    fn exit(&self, low: f64, high: f64) -> f64 {
        const MOST: usize = 100;
        let mut high = high;
        for _ in 0..MOST {
            let peak = self.peak(high);
            if peak.value <= self.level {
                break;
            }
            let fixed = self.at_radius(peak.at);
            let end = root(|x| self.modulus(&fixed, x) - self.level, low, high);
            if end >= high {
                break;
            }
            high = end;
        }
        high
    }

    /// Proves |R| > 1 just beyond a limit by enclosures.
    fn witness(&self, method: &InfinitesimalMethod, limit: f64) -> Result<SectorWitness, MultirateError> {
        // The slope of |R| in z_S is of the order of one, so the excess at this point is far above the tolerance.
        const BEYOND: f64 = 1e-6;
        let slow = limit * (1.0 + BEYOND) + BEYOND;
        let peak = self.peak(slow);
        let fast = peak.at.is_finite().then(|| self.fast(peak.at));
        let is_proved = exceeds_one(method, self.slow, fast, -slow)?;
        Ok(SectorWitness { fast, slow: -slow, modulus: peak.value, is_proved })
    }
}

/// Returns whether an enclosure proves |R| > 1.
pub(super) fn exceeds_one(
    method: &InfinitesimalMethod,
    slow: usize,
    fast: Option<Complex64>,
    z: f64,
) -> Result<bool, MultirateError> {
    let number = |re: f64, im: f64| Some(ComplexBall::new(&Exact::from_f64(re)?, &Exact::from_f64(im)?));
    let flow = AdditiveFlow::<ComplexBall>::new(method)?;
    let mut values = vec![ComplexBall::zero(); flow.slow_partitions()];
    let Some(z) = number(z, 0.0) else { return Ok(false) };
    values[slow] = z;
    let value = match fast {
        Some(fast) => number(fast.re, fast.im).and_then(|fast| flow.at(&fast, &values)),
        None => flow.at_infinity(&values),
    };
    Ok(value.is_some_and(|value| value.exceeds_one()))
}

/// Returns an interval with the first exit between samples, where `values` are excesses.
fn first_exit(steps: &[f64], values: &[f64], excess: &dyn Fn(f64) -> f64) -> Option<[f64; 2]> {
    for k in 1..steps.len() {
        if values[k] > 0.0 {
            return Some([steps[k - 1], steps[k]]);
        }
        if k + 1 < steps.len() {
            let hidden = highest_peak(&steps[k - 1..=k + 1], &values[k - 1..=k + 1], 0.0, excess);
            if hidden.value > 0.0 && hidden.at > steps[k - 1] {
                return Some([steps[k - 1], hidden.at]);
            }
        }
    }
    None
}

/// Returns the samples of |z_F|: uniform up to `most` where e^{z_F} oscillates, geometric beyond, and infinity.
fn radii(angle: f64, most: f64) -> Vec<f64> {
    let uniform = (NEGLIGIBLE / angle.cos()).min(most);
    let count = (uniform / SPACING).ceil() as usize;
    let mut radii: Vec<f64> = (0..=count).map(|k| SPACING * k as f64).collect();
    let mut radius = SPACING * count as f64;
    while radius < FARTHEST_FAST {
        radius *= RATIO;
        radii.push(radius);
    }
    radii.push(f64::INFINITY);
    radii
}

/// Returns the samples of |z_S| from 0.
fn slow_steps() -> Vec<f64> {
    let count = (UNIFORM / SLOW_SPACING).round() as usize;
    let mut steps: Vec<f64> = (0..=count).map(|k| SLOW_SPACING * k as f64).collect();
    let mut step = UNIFORM;
    while step < FARTHEST_SLOW {
        step *= RATIO;
        steps.push(step);
    }
    steps
}
