//! Polynomial S(t) of explicit pairs along X = t x, Y = t y at one coupling number.

use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_tableau::Tableau;

use crate::lanes::{LANES, RealLanes};
use crate::map::scan::Slice;
use crate::map::scan::ray::RayCoefficients;
use crate::map::scan::spectrum::spectral_radius;

/// Polynomial with matrix coefficients.
pub(super) struct RayPolynomial(RayCoefficients);

impl RayPolynomial {
    /// Expands S of an explicit pair, with z_ss, z_ff and w of the slice at ξ = t.
    pub(super) fn new(tableau: &Tableau<f64>, slice: &Slice) -> Self {
        Self(RayCoefficients::new(tableau, slice))
    }

    /// Bounds the rounding error of an entry of S at t, to first order, by 2s operations.
    pub(super) fn error(&self, t: f64) -> f64 {
        2.0 * self.0.degree() as f64 * f64::EPSILON * self.0.size(t)
    }

    /// Computes ρ(S) − 1 − `margin` at each t, up to the end of the block of eight in which a value exceeds `until`.
    pub(super) fn excesses(&self, steps: &[f64], margin: f64, until: f64) -> Vec<f64> {
        let mut out = vec![0.0; steps.len()];
        let count = dispatch(PolynomialTask { ray: &self.0, steps, margin, until, out: &mut out });
        out.truncate(count);
        out
    }
}

/// Task that evaluates points eight at a time.
struct PolynomialTask<'a> {
    ray: &'a RayCoefficients,
    steps: &'a [f64],
    margin: f64,
    until: f64,
    out: &'a mut [f64],
}

impl Task for PolynomialTask<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<R: Registers>(self) -> usize {
        let mut count = 0;
        for (steps, out) in self.steps.chunks(LANES).zip(self.out.chunks_mut(LANES)) {
            let mut t = RealLanes::ZERO;
            t.0[..steps.len()].copy_from_slice(steps);
            let excesses = spectral_radius(&self.ray.entries_at_real::<R>(t)).map(|rho| rho - 1.0 - self.margin);
            out.copy_from_slice(&excesses.0[..steps.len()]);
            count += steps.len();
            if out.iter().any(|excess| *excess > self.until) {
                break;
            }
        }
        count
    }
}
