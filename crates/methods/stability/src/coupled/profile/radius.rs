//! Spectral radius ρ(S) at points of the search box of the profile.

use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_tableau::{Method, Tableau};
use num_complex::Complex64;

use super::polynomial::RayPolynomial;
use crate::error::StabilityError;
use crate::function::limit::stability_limit;
use crate::lanes::{ComplexLanes, LANES, RealLanes};
use crate::map::scan::Slice;
use crate::map::scan::spectrum::{Entries, spectral_radius};
use crate::map::scan::stage_equations::{StageEquations, Systems, couplings};
use crate::map::scan::stages::{Scratch, StageRecursion};

/// Point X, Y, g: z_ss = X L_s u, z_ff = Y L_f u, z_sf z_fs = g z_ss z_ff.
pub(super) type Point = [f64; 3];

/// Pair along damped oscillations of both parts, in units of their limits.
#[derive(Clone, Debug)]
pub(super) struct CoupledRadius {
    tableau: Tableau<f64>,
    /// Stage recursion of explicit and diagonally implicit pairs.
    stages: Option<StageRecursion>,
    limits: [f64; 2],
    /// Scales L_s u and L_f u.
    scales: [Complex64; 2],
}

impl CoupledRadius {
    pub(super) fn new(method: &Method, damping: f64) -> Result<Self, StabilityError> {
        if method.partitions().len() != 2 {
            return Err(StabilityError::NotAPair { found: method.partitions().len() });
        }
        if !(0.0..1.0).contains(&damping) {
            return Err(StabilityError::OutOfRange { name: "the damping", value: damping, expected: "0 ≤ ζ < 1" });
        }
        let u = Complex64::new(-damping, (1.0 - damping * damping).sqrt());
        let limits = [finite_limit(method, 0, u)?, finite_limit(method, 1, u)?];
        let tableau = method.to_f64();
        Ok(Self { stages: StageRecursion::new(&tableau), tableau, limits, scales: limits.map(|limit| limit * u) })
    }

    /// Returns L_s and L_f.
    pub(super) fn limits(&self) -> [f64; 2] {
        self.limits
    }

    /// Expands S of an explicit pair along X = t x, Y = t y at a coupling number; returns `None` for other pairs.
    pub(super) fn polynomial(&self, [x, y]: [f64; 2], coupling: f64) -> Option<RayPolynomial> {
        let [slow, fast, product] = self.arguments([x, y, coupling]);
        let zero = Complex64::ZERO;
        let slice = Slice { slow: [zero, slow], fast: [zero, fast], product: [zero, zero, product] };
        self.tableau.is_explicit().then(|| RayPolynomial::new(&self.tableau, &slice))
    }

    /// Computes z_ss, z_ff and w at a point.
    fn arguments(&self, [x, y, g]: Point) -> [Complex64; 3] {
        let [slow, fast] = [self.scales[0] * x, self.scales[1] * y];
        [slow, fast, g * slow * fast]
    }

    /// Computes ρ(S) at each point.
    pub(super) fn at(&self, points: &[Point]) -> Vec<f64> {
        self.entries(points, |s| spectral_radius(s).0)
    }

    /// Computes |S_ss − S_ff| at each point.
    pub(super) fn differences(&self, points: &[Point]) -> Vec<f64> {
        self.entries(points, |[ss, _, _, ff]| ss.minus(*ff).squared_modulus().0.map(f64::sqrt))
    }

    fn entries(&self, points: &[Point], answer: impl Fn(&Entries) -> [f64; LANES]) -> Vec<f64> {
        let mut out = vec![0.0; points.len()];
        match &self.stages {
            Some(stages) => dispatch(StageRadiusTask { radius: self, stages, points, answer, out: &mut out }),
            None => {
                let equations = &StageEquations::new(&self.tableau);
                dispatch(EquationRadiusTask { radius: self, equations, points, answer, out: &mut out });
            }
        }
        out
    }
}

/// Task that evaluates points eight at a time, stage by stage.
struct StageRadiusTask<'a, F> {
    radius: &'a CoupledRadius,
    stages: &'a StageRecursion,
    points: &'a [Point],
    answer: F,
    out: &'a mut [f64],
}

impl<F: Fn(&Entries) -> [f64; LANES]> Task for StageRadiusTask<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let mut scratch = Scratch::default();
        for (points, out) in self.points.chunks(LANES).zip(self.out.chunks_mut(LANES)) {
            let mut x = [RealLanes::ZERO; 3];
            for (lane, point) in points.iter().enumerate() {
                for k in 0..3 {
                    x[k].0[lane] = point[k];
                }
            }
            let [slow, fast] = [0, 1].map(|part| ComplexLanes::all(self.radius.scales[part]).scaled(x[part]));
            let product = slow.times(fast).scaled(x[2]);
            let values = (self.answer)(&self.stages.entries([slow, fast, product], &mut scratch));
            out.copy_from_slice(&values[..points.len()]);
        }
    }
}

/// Task that evaluates points eight at a time by all stage equations at once.
struct EquationRadiusTask<'a, F> {
    radius: &'a CoupledRadius,
    equations: &'a StageEquations,
    points: &'a [Point],
    answer: F,
    out: &'a mut [f64],
}

impl<F: Fn(&Entries) -> [f64; LANES]> Task for EquationRadiusTask<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let mut systems = Systems::default();
        for (points, out) in self.points.chunks(LANES).zip(self.out.chunks_mut(LANES)) {
            let mut z = [ComplexLanes::ZERO; 3];
            for (lane, &point) in points.iter().enumerate() {
                let point = self.radius.arguments(point);
                z.iter_mut().zip(point).for_each(|(z, value)| z.set_lane(lane, value));
            }
            let solution = self.equations.solved([z[0], z[1], couplings(&z[2])], &mut systems);
            let values = (self.answer)(&solution.entries);
            // Points with singular stage equations are unstable.
            let values = values.map(|value| if value.is_nan() { f64::INFINITY } else { value });
            out.copy_from_slice(&values[..points.len()]);
        }
    }
}

/// Finds the first exit of one partition, which must be positive and finite.
fn finite_limit(method: &Method, partition: usize, u: Complex64) -> Result<f64, StabilityError> {
    let limit = stability_limit(method, partition, u)?.value();
    if limit > 0.0 && limit.is_finite() {
        return Ok(limit);
    }
    Err(StabilityError::OutOfRange {
        name: "a partition's limit",
        value: limit,
        expected: "a positive finite limit along the damped ray",
    })
}
