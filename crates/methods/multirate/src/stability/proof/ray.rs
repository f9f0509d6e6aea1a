//! φ-functions on the ray that bounds a sector, from 0 to infinity, as enclosures over its parts.
//!
//! For Re z ≤ 0 the integral φ_k(z) = ∫₀¹ e^{z(1−τ)} τ^{k−1}/(k−1)! dτ gives |φ_k| ≤ 1/k!, |φ_k'| ≤ 1/(k+1)!
//! and |φ_k''| ≤ 2/(k+2)!, also for k = 0. Near zero they bound the variation over a part of the ray from values at its
//! midpoint. For large |z| the recurrence φ_k = (φ_{k−1} − 1/(k−1)!)/z is a product with w = 1/|z_F|, which is zero at
//! infinity.

use hemiola_number::Scalar;
use num_traits::{One, Zero};

use super::disk::Disk;
use super::jet::Jet;
use crate::stability::flow_number::FlowNumber;
use crate::stability::phi::phi;

/// Largest |z| whose exponential is computed rather than bounded.
const MOST_SIZE: f64 = 1e4;

/// The ray z_F = −|z_F| e^{−iα}.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    direction: Disk,
    /// A positive lower bound of cos α.
    damping: f64,
}

/// A part of the ray, in terms of t = |z_F| or of t = 1/|z_F|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) is_far: bool,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Segment {
    /// Returns the middle, and an upper bound of the distance to the ends.
    pub(super) fn middle(&self) -> [f64; 2] {
        middle([self.low, self.high])
    }

    pub(super) fn halves(&self) -> [Self; 2] {
        let [middle, _] = self.middle();
        [Self { high: middle, ..*self }, Self { low: middle, ..*self }]
    }
}

/// Returns the middle of an interval, and an upper bound of the distance to its ends.
pub(super) fn middle([low, high]: [f64; 2]) -> [f64; 2] {
    let middle = f64::midpoint(low, high);
    [middle, (high - middle).max(middle - low) * (1.0 + 4.0 * f64::EPSILON)]
}

impl Ray {
    /// Encloses the ray of a half-angle in degrees; `None` if it is not clearly in the left half-plane.
    pub(super) fn new(angle: f64) -> Option<Self> {
        // π = PI + 1.2246…e-16.
        let pi = Disk::point(std::f64::consts::PI).widened(1.3e-16);
        let turn = (pi * Disk::point(angle)).divided_by(&Disk::point(180.0))?;
        let direction = -(-(turn * Disk::imaginary_unit())).exponential();
        let [_, highest] = direction.real_range();
        (highest < -1e-6).then_some(Self { direction, damping: -highest })
    }

    /// Returns cos α.
    pub(super) fn damping(&self) -> f64 {
        self.damping
    }

    /// Computes φ₀ … φ_K of Δz_F at the middle of a part of the ray.
    pub(super) fn at_middle(&self, segment: &Segment, length: Disk, highest: usize) -> Vec<Disk> {
        let [t, _] = segment.middle();
        if !segment.is_far {
            return phi(&(length * self.direction * Disk::point(t)), highest);
        }
        let size = length.bound() / t;
        let exponential = if size <= MOST_SIZE {
            (length * self.direction).divided_by(&Disk::point(t)).map(|z| z.exponential())
        } else {
            None
        };
        let exponential = exponential.unwrap_or_else(|| Disk::around_zero(self.decay(length, 1.0 / t)));
        let jet = Jet::constant(exponential);
        let values = self.by_recurrence(jet, Jet::constant(Disk::point(t)), length, highest);
        values.into_iter().map(|jet| jet.value).collect()
    }

    /// Computes φ₀ … φ_K of Δz_F with their derivatives with respect to t, over a part of the ray.
    pub(super) fn over(&self, segment: &Segment, length: Disk, highest: usize) -> Vec<Jet> {
        let [t, half] = segment.middle();
        if segment.is_far {
            return self.over_far(segment, length, highest);
        }
        let factor = length * self.direction;
        let middle = phi(&(factor * Disk::point(t)), highest + 1);
        let spread = factor.bound() * half;
        // 1/k!
        let mut reciprocal = 1.0;
        (0..=highest)
            .map(|k| {
                reciprocal /= k.max(1) as f64;
                let slope = middle[k] - middle[k + 1] * Disk::ratio(k as i64, 1);
                let [first, second] = [reciprocal / (k + 1) as f64, 2.0 * reciprocal / ((k + 1) * (k + 2)) as f64];
                Jet {
                    value: middle[k].widened(spread * first),
                    along: slope.widened(spread * second) * factor,
                    slow: Disk::zero(),
                }
            })
            .collect()
    }

    fn over_far(&self, segment: &Segment, length: Disk, highest: usize) -> Vec<Jet> {
        let [t, half] = segment.middle();
        let nearest = 1.0 / segment.high;
        let farthest = if segment.low > 0.0 { 1.0 / segment.low } else { f64::INFINITY };
        // d/dw e^{Δu/w} has the modulus Δ s² e^{−Δ s cos α} at s = 1/w, largest at s = 2/(Δ cos α).
        let steepest = (2.0 / (length.least() * self.damping)).clamp(nearest, farthest);
        let slope = length.bound() * steepest * steepest * self.decay(length, steepest) * (1.0 + 1e-9);
        let exponential = Jet {
            value: Disk::around_zero(self.decay(length, nearest)),
            along: Disk::around_zero(slope),
            slow: Disk::zero(),
        };
        let w = Jet { value: Disk::point(t).widened(half), along: Disk::one(), slow: Disk::zero() };
        self.by_recurrence(exponential, w, length, highest)
    }

    /// Bounds |e^{Δz_F}| at |z_F| = s.
    fn decay(&self, length: Disk, s: f64) -> f64 {
        // Smaller exponentials have no effect.
        const MOST: f64 = 600.0;
        let exponent = (length.least().max(0.0) * self.damping * s * (1.0 - 1e-12)).min(MOST);
        Disk::point(-exponent).exponential().bound()
    }

    /// Computes φ_k = (φ_{k−1} − 1/(k−1)!) w/(Δu) from φ₀.
    fn by_recurrence(&self, exponential: Jet, w: Jet, length: Disk, highest: usize) -> Vec<Jet> {
        let reciprocal = Disk::one().divided_by(&(length * self.direction));
        let factor = w * Jet::constant(reciprocal.unwrap_or_else(|| Disk::around_zero(f64::INFINITY)));
        let mut values = vec![exponential];
        // 1/(k − 1)!
        let mut subtracted = Jet::one();
        for k in 1..=highest {
            values.push((values[k - 1] - subtracted) * factor);
            subtracted = subtracted * Jet::ratio(1, k as u64);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;

    use super::*;

    /// Returns whether a disk contains a number, up to the rounding of the number.
    fn contains(disk: &Disk, value: Complex64) -> bool {
        let shifted = *disk - Disk::point(value.re) - Disk::imaginary_unit() * Disk::point(value.im);
        shifted.least() <= 1e-13 * (1.0 + value.norm())
    }

    /// Values at points of a part lie in its enclosures, and difference quotients lie in those of the derivatives.
    #[test]
    fn parts_of_the_ray_contain_their_points() {
        for angle in [0.0f64, 45.0, 80.0] {
            let ray = Ray::new(angle).unwrap();
            let direction = -Complex64::from_polar(1.0, -angle.to_radians());
            assert!(contains(&ray.direction, direction));
            for segment in [
                Segment { is_far: false, low: 0.0, high: 0.25 },
                Segment { is_far: false, low: 7.0, high: 7.5 },
                Segment { is_far: true, low: 0.0, high: 0.05 },
                Segment { is_far: true, low: 0.02, high: 0.021 },
            ] {
                let length = Disk::ratio(1, 3);
                let (middle, over) = (ray.at_middle(&segment, length, 4), ray.over(&segment, length, 4));
                let z = |t: f64| direction * if segment.is_far { 1.0 / t } else { t } / 3.0;
                let [center, _] = segment.middle();
                for k in 0..=4 {
                    assert!(contains(&middle[k], phi(&z(center), 4)[k]), "{segment:?} {k}");
                }
                for part in 1..=20 {
                    let t = segment.low + (segment.high - segment.low) * f64::from(part) / 20.0;
                    let step = 1e-6 * t;
                    let [before, at] = [t - step, t].map(|t| phi(&z(t), 4));
                    for k in 0..=4 {
                        assert!(contains(&over[k].value, at[k]), "{angle} {segment:?} {t} {k}");
                        let slope = (at[k] - before[k]) / step;
                        let slack = over[k].along.widened(1e-3 * (1.0 + slope.norm()));
                        assert!(contains(&slack, slope), "{angle} {segment:?} {t} {k}: {slope} {slack:?}");
                    }
                }
            }
        }
    }
}
