//! Bounds on amplification, abscissae and coefficients as excesses, for Gauss–Newton steps.

use num_complex::Complex64;

use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::{FAST, SLOW};
use crate::terms::internal_stability::amplification;

/// Number of points on the axis at which the amplification is bounded.
const POINTS: usize = 32;
/// Weight of excesses of abscissae and coefficients, which are compared with errors of .01 to 1.
const WEIGHT: f64 = 10.0;
/// Distance from the bounds of abscissae and coefficients at which their excesses begin.
const MARGIN: f64 = 2e-4;

/// Bounds that a pair should satisfy.
#[derive(Clone, Debug)]
pub(crate) struct SoftBounds {
    /// Points of the axis up to the limit of the fast polynomial.
    points: Vec<Complex64>,
    /// The largest internal amplification.
    amplification: f64,
    /// The largest modulus of a coefficient.
    coefficient: f64,
}

/// An excess, and how to compute its derivatives.
enum Bound {
    /// |Q_j(z)| at a point.
    Amplification { point: usize, stage: usize },
    /// ±c of a stage of a partition.
    Abscissa { partition: usize, stage: usize, sign: f64 },
    /// ±a of an entry.
    Entry { at: usize, sign: f64 },
}

impl SoftBounds {
    pub(crate) fn new(direction: Complex64, limit: f64, amplification: f64, coefficient: f64) -> Self {
        let angle = |k: usize| std::f64::consts::PI * (k as f64 + 0.5) / POINTS as f64;
        let points = (0..POINTS).map(|k| direction * (limit * (1.0 - angle(k).cos()) / 2.0)).collect();
        Self { points, amplification, coefficient }
    }

    /// Returns the sum of the squared excesses.
    pub(crate) fn square(&self, at: &PairCoefficients) -> f64 {
        let mut sum = 0.0;
        self.visit(at, |excess, _| sum += excess * excess);
        sum
    }

    /// Calls `row` with each positive excess and its derivatives with respect to all coefficients.
    pub(crate) fn gradients(&self, at: &PairCoefficients, mut row: impl FnMut(f64, &PairCoefficients)) {
        let mut gradient = PairCoefficients::zero(at.stages);
        let mut found = Vec::new();
        self.visit(at, |excess, bound| found.push((excess, bound)));
        for (excess, bound) in found {
            gradient.entries.fill(0.0);
            match bound {
                Bound::Entry { at, sign } => gradient.entries[at] = WEIGHT * sign,
                Bound::Abscissa { partition, stage, sign } => {
                    let offset = gradient.row_offset(partition, stage);
                    gradient.entries[offset..offset + stage].fill(WEIGHT * sign);
                }
                Bound::Amplification { point, stage } => self.add_amplification(at, point, stage, &mut gradient),
            }
            row(excess, &gradient);
        }
    }

    fn visit(&self, at: &PairCoefficients, mut see: impl FnMut(f64, Bound)) {
        for (point, &z) in self.points.iter().enumerate() {
            for (stage, q) in amplification(at, z).iter().enumerate() {
                let excess = q.norm() / self.amplification - 1.0;
                if excess > 0.0 || excess.is_nan() {
                    see(excess, Bound::Amplification { point, stage });
                }
            }
        }
        for partition in [SLOW, FAST] {
            // The slow abscissae of stages before the first slow one vanish.
            for stage in 1..at.stages {
                let c: f64 = at.row(partition, stage)[..stage].iter().sum();
                let least = if partition == FAST { MARGIN } else { 0.0 };
                for (excess, sign) in [(c - 1.0 + MARGIN, 1.0), (least - c, -1.0)] {
                    if excess > 0.0 {
                        see(WEIGHT * excess, Bound::Abscissa { partition, stage, sign });
                    }
                }
            }
            for row in 1..=at.stages {
                let offset = at.row_offset(partition, row);
                for (j, a) in at.row(partition, row)[..row].iter().enumerate() {
                    let excess = a.abs() - self.coefficient + MARGIN;
                    if excess > 0.0 {
                        see(WEIGHT * excess, Bound::Entry { at: offset + j, sign: a.signum() });
                    }
                }
            }
        }
    }

    /// Adds the derivatives of |Q_j(z)| over its bound: dQ_j = (Q dA + z db) (I − zA)⁻¹ e_j.
    fn add_amplification(&self, at: &PairCoefficients, point: usize, stage: usize, gradient: &mut PairCoefficients) {
        let (z, n) = (self.points[point], at.stages);
        let q = amplification(at, z);
        let mut column = vec![Complex64::ZERO; n];
        column[stage] = Complex64::ONE;
        for i in stage + 1..n {
            column[i] = z * (stage..i).map(|k| column[k] * at.row(FAST, i)[k]).sum::<Complex64>();
        }
        let unit = q[stage].conj() / (q[stage].norm().max(1e-30) * self.amplification) * z;
        for i in 0..=n {
            let factor = if i == n { unit } else { unit * q[i] };
            let offset = gradient.row_offset(FAST, i);
            for j in stage..i {
                gradient.entries[offset + j] = (factor * column[j]).re;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_agree_with_differences() {
        let mut at = PairCoefficients::zero(5);
        for part in [SLOW, FAST] {
            for i in 0..=5 {
                let offset = at.row_offset(part, i);
                (0..i).for_each(|j| at.entries[offset + j] = 0.6 * ((1 + part + 2 * i + 5 * j) as f64).sin());
            }
        }
        let bounds = SoftBounds::new(Complex64::I, 4.0, 0.5, 0.55);
        let mut sum = PairCoefficients::zero(5);
        let mut kinds = 0;
        bounds.gradients(&at, |excess, gradient| {
            kinds += 1;
            sum.entries.iter_mut().zip(&gradient.entries).for_each(|(sum, slope)| *sum += 2.0 * excess * slope);
        });
        assert!(kinds > 20);
        for part in [SLOW, FAST] {
            for i in 1..=5 {
                for j in 0..i {
                    let moved = |step: f64| {
                        let mut at = at.clone();
                        let offset = at.row_offset(part, i) + j;
                        at.entries[offset] += step;
                        bounds.square(&at)
                    };
                    let difference: f64 = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                    let slope: f64 = sum.row(part, i)[j];
                    assert!((slope - difference).abs() < 1e-4 * (1.0 + slope.abs()), "{slope} {difference}");
                }
            }
        }
    }
}
