//! ρ(S) along damped oscillations of both parts, with the fast part solved exactly.

use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_stability::lanes::{ComplexLanes, LANES, RealLanes};
use hemiola_stability::map::spectral_radius;
use num_complex::Complex64;

use crate::stability::coupled::CoupledFlow;
use crate::stability::fixed_pair::{FixedPair, PairStages};

/// ρ(S) at z_ss = p L_s u, z_ff = y u, z_sf z_fs = g z_ss z_ff.
pub(super) struct FlowRadius {
    flow: CoupledFlow,
    u: Complex64,
    slow_limit: f64,
}

/// The conditions of stability at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Excess {
    /// A smooth function that is positive where ρ exceeds its level.
    pub(super) smooth: f64,
    /// ρ, infinite at a pole.
    pub(super) rho: f64,
}

impl FlowRadius {
    pub(super) fn new(flow: CoupledFlow, u: Complex64, slow_limit: f64) -> Self {
        Self { flow, u, slow_limit }
    }

    /// Returns L_s.
    pub(super) fn slow_limit(&self) -> f64 {
        self.slow_limit
    }

    /// Returns ζ.
    pub(super) fn damping(&self) -> f64 {
        -self.u.re
    }

    /// Iterates over the differences of time between two points of a step: the frequencies of S in y.
    pub(super) fn frequencies(&self) -> Vec<f64> {
        self.flow.frequencies()
    }

    /// Fixes y; infinity is its limit.
    pub(super) fn fixed(&self, y: f64) -> FixedPair {
        if y.is_finite() { self.flow.at_fast(self.u * y) } else { self.flow.far_left() }
    }

    /// Computes the smooth excess over two levels at the points [p, g].
    pub(super) fn excesses(
        &self,
        fixed: &FixedPair,
        levels: [f64; 2],
        points: &[[f64; 2]],
        stages: &mut PairStages,
    ) -> Vec<[f64; 2]> {
        self.answers(fixed, TwoLevels(levels), points, stages)
    }

    /// Computes the smooth excess over a level and ρ at the points [p, g].
    pub(super) fn at(
        &self,
        fixed: &FixedPair,
        level: f64,
        points: &[[f64; 2]],
        stages: &mut PairStages,
    ) -> Vec<Excess> {
        self.answers(fixed, OneLevel(level), points, stages)
    }

    fn answers<A: Answer>(
        &self,
        fixed: &FixedPair,
        answer: A,
        points: &[[f64; 2]],
        stages: &mut PairStages,
    ) -> Vec<A::Output> {
        let mut out = vec![A::Output::default(); points.len()];
        dispatch(RadiusTask { fixed, scale: self.u * self.slow_limit, points, stages, answer, out: &mut out });
        out
    }
}

/// A quantity computed from S. Implementations are inlined, so that they use the vector instructions of the task.
trait Answer {
    type Output: Default + Clone;
    fn write(&self, s: &[ComplexLanes; 4], out: &mut [Self::Output]);
}

struct TwoLevels([f64; 2]);

impl Answer for TwoLevels {
    type Output = [f64; 2];

    #[inline(always)]
    fn write(&self, s: &[ComplexLanes; 4], out: &mut [[f64; 2]]) {
        let (first, second) = (smooth_excess(s, self.0[0]), smooth_excess(s, self.0[1]));
        for (lane, out) in out.iter_mut().enumerate() {
            *out = [first.0[lane], second.0[lane]];
        }
    }
}

struct OneLevel(f64);

impl Answer for OneLevel {
    type Output = Excess;

    #[inline(always)]
    fn write(&self, s: &[ComplexLanes; 4], out: &mut [Excess]) {
        let (smooth, rho) = (smooth_excess(s, self.0), spectral_radius(s));
        for (lane, out) in out.iter_mut().enumerate() {
            *out = Excess { smooth: smooth.0[lane], rho: rho.0[lane] };
        }
    }
}

/// Computes a function of S that is positive if ρ(S) exceeds the level r, and smooth where eigenvalues meet.
///
/// With T = tr S/r and D = det S/r² the eigenvalues of S/r lie in the unit disk if |D| < 1 and |T − T̄D| < 1 − |D|² (Schur
/// and Cohn). The difference of the squares of both sides is a polynomial in the real and imaginary parts of S.
#[inline(always)]
fn smooth_excess([ss, sf, fs, ff]: &[ComplexLanes; 4], level: f64) -> RealLanes {
    let scale = RealLanes::all(level.recip());
    let trace = ss.plus(*ff).scaled(scale);
    let determinant = ss.times(*ff).minus(sf.times(*fs)).scaled(scale.times(scale));
    let defect = trace.minus(trace.conj().times(determinant)).squared_modulus();
    let rest = RealLanes::all(1.0).minus(determinant.squared_modulus());
    rest.zip(defect, |rest, defect| {
        let excess = if rest > 0.0 { defect - rest * rest } else { defect + rest * rest };
        if excess < f64::INFINITY { excess } else { f64::INFINITY }
    })
}

/// Task that evaluates points eight at a time.
struct RadiusTask<'a, A: Answer> {
    fixed: &'a FixedPair,
    /// L_s u.
    scale: Complex64,
    points: &'a [[f64; 2]],
    stages: &'a mut PairStages,
    answer: A,
    out: &'a mut [A::Output],
}

impl<A: Answer> Task for RadiusTask<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        for (points, out) in self.points.chunks(LANES).zip(self.out.chunks_mut(LANES)) {
            let (mut p, mut coupling) = (RealLanes::ZERO, RealLanes::ZERO);
            for (lane, point) in points.iter().enumerate() {
                (p.0[lane], coupling.0[lane]) = (point[0], point[1]);
            }
            let slow = ComplexLanes::all(self.scale).scaled(p);
            self.answer.write(&self.fixed.entries(slow, coupling, self.stages), out);
        }
    }
}
