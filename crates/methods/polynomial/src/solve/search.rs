//! Search for an optimum in double precision: conic programs for the scale, then Newton's method on the contact points.

use nalgebra::{DMatrix, DVector};

use hemiola_number::DoubleDouble;

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::Real;
use crate::problem::constraint::Constraints;
use crate::problem::piece::BoundaryPiece;
use crate::solve::conic::ConicOptimum;
use crate::solve::least_squares::non_negative;
use crate::solve::optimality::{ContactKind, ContactUnknown, OptimalityState};
use crate::solve::sampled::SampledProblem;

/// Relative accuracy of the scale from which Newton's method starts.
const START: f64 = 1e-3;
/// Largest level at which the iteration for the scale may end.
const NEAR_ZERO: f64 = 0.1;
/// Distances below the largest F within which a maximum still counts as a contact point of a coarsely sampled optimum.
const NEAR: [f64; 3] = [1e-6, 1e-4, 1e-2];
/// Relative accuracy of the scale when the conic program gives the final result.
const CONIC: f64 = 1e-7;
/// Maximum number of rounds that add samples at contact points.
const EXCHANGES: usize = 12;
/// Maximum number of conic programs.
const PROGRAMS: usize = 60;
/// Scale above which the problem counts as unbounded, in units of 1/max |λ|: no interval exceeds 2s².
const LARGEST: f64 = 1e7;
/// Scale below which the problem counts as infeasible.
const SMALLEST: f64 = 1e-6;

/// Result of the search.
pub(crate) enum SearchOutcome {
    /// The optimality conditions hold to rounding.
    Polished(Constraints, OptimalityState<f64>),
    /// Optimum of the conic program and its scale, without isolated contact points.
    Conic(Constraints, ConicOptimum, f64),
}

/// Reason why the search finds no optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchFailure {
    /// Every scale is feasible.
    Unbounded,
    /// No positive scale is feasible.
    Infeasible,
    /// The conic program failed.
    Failed,
}

/// Finds the largest scale for polynomials of a number of stages and an order.
pub(crate) fn search(stages: usize, order: usize, pieces: Vec<BoundaryPiece>) -> Result<SearchOutcome, SearchFailure> {
    let mut search = SampledProblem::new(stages, order, pieces);
    let (h, best) = search.scale()?;
    search.exchange(h, best)
}

/// Finds the contact points of a known optimum, with multipliers; `value` evaluates R.
pub(crate) fn contacts(
    stages: usize,
    order: usize,
    pieces: Vec<BoundaryPiece>,
    h: f64,
    value: impl Fn(&Complex<f64>) -> Complex<f64>,
) -> (Constraints, OptimalityState<f64>) {
    /// Rounding error of F at contact points.
    const TOUCHING: f64 = 1e-8;
    let mut search = SampledProblem::new(stages, order, pieces);
    search.set_basis(h);
    // The basis is orthonormal on the samples: coefficients are scalar products.
    let mut gamma = vec![0.0; search.constraints.basis.size()];
    for &(piece, t) in &search.samples {
        let z = search.constraints.pieces[piece].z(h, t);
        let free = value(&z) - search.constraints.value(&[], &z);
        let phi = search.constraints.basis.at(&z, false).value;
        gamma.iter_mut().zip(&phi).for_each(|(gamma, phi)| *gamma += phi.dot(&free));
    }
    let mut state = OptimalityState { gamma, h, touches: Vec::new() };
    let maxima = search.maxima(&state).into_iter().filter(|(level, _)| level.abs() <= TOUCHING);
    state.touches = maxima.map(|(_, touch)| touch).collect();
    search.set_multipliers(&mut state);
    (search.constraints, state)
}

impl SampledProblem {
    /// Returns the initial scale: on the imaginary axis s − 1, which no limit exceeds (Vichnevetsky 1983), otherwise a
    /// small s/2.
    fn first_scale(&self) -> f64 {
        let on_axis = |piece: &BoundaryPiece| piece.is_scaled && piece.curve.leaves_the_origin_upwards();
        let s = self.stages as f64;
        let longest = |piece: &BoundaryPiece| (s - 1.0) / piece.z(1.0, 1.0).norm_sqr().sqrt();
        let upward = self.constraints.pieces.iter().filter(|piece| on_axis(piece)).map(longest);
        upward.reduce(f64::min).filter(|h| *h > 0.0).unwrap_or(0.5 * s / self.reach)
    }

    /// Finds the scale at which the optimum of the conic program is zero, to [`START`].
    fn scale(&mut self) -> Result<(f64, ConicOptimum), SearchFailure> {
        let mut h = self.first_scale();
        let (mut low, mut high) = (0.0, f64::INFINITY);
        for _ in 0..PROGRAMS {
            let best = self.best(h).ok_or(SearchFailure::Failed)?;
            if best.level > 0.0 {
                high = h;
            } else {
                low = h;
            }
            if h * self.reach > LARGEST {
                return Err(SearchFailure::Unbounded);
            }
            if h * self.reach < SMALLEST {
                return Err(SearchFailure::Infeasible);
            }
            // Newton's method for ln(1 + t) in ln h: far above the optimum the level grows like a power of h.
            let rate = best.slope * h / (1.0 + best.level);
            let step = -best.level.max(-0.9).ln_1p() / rate;
            let is_near = best.level.abs() <= NEAR_ZERO && best.slope.is_finite() && best.slope > 0.0;
            if is_near && step.abs() <= START {
                return Ok((h, best));
            }
            let newton = if step.is_finite() { h * step.clamp(-0.7, 0.7).exp() } else { 0.0 };
            let is_inside = best.slope > 0.0 && best.level > -0.5 && newton > low && newton < high;
            h = match (is_inside, high.is_finite()) {
                (true, _) => newton,
                (false, false) => 2.0 * h,
                (false, true) if low == 0.0 => 0.5 * h,
                (false, true) => (low * high).sqrt(),
            };
            if high.is_finite() && high - low <= START * 1e-3 * high {
                return if best.level.abs() <= NEAR_ZERO { Ok((h, best)) } else { Err(SearchFailure::Failed) };
            }
        }
        Err(SearchFailure::Failed)
    }

    /// Adds samples where F is too large and solves again, until Newton's method converges.
    fn exchange(mut self, mut h: f64, mut best: ConicOptimum) -> Result<SearchOutcome, SearchFailure> {
        for _ in 0..EXCHANGES {
            for near in NEAR {
                if let Some(state) = self.polish(h, &best, near) {
                    return Ok(SearchOutcome::Polished(self.constraints, state));
                }
            }
            let state = OptimalityState { gamma: best.gamma.clone(), h, touches: Vec::new() };
            let maxima = self.maxima(&state);
            let free =
                maxima.into_iter().filter(|(level, touch)| *level > -1e-3 && touch.contact == ContactKind::Interior);
            self.samples.extend(free.map(|(_, touch)| (touch.piece, touch.t)));
            let step = -best.level / best.slope;
            if step.abs() > 0.1 * h || step.is_nan() {
                break;
            }
            let Some(next) = self.best(h + step) else { break };
            h += step;
            best = next;
        }
        if self.is_confirmed(h, &best) {
            Ok(SearchOutcome::Conic(self.constraints, best, h))
        } else {
            Err(SearchFailure::Failed)
        }
    }

    /// Returns whether an optimum without contact points is credible.
    ///
    /// R must keep its bound between the samples too, in double-doubles, and no polynomial may do so at slightly larger
    /// scales.
    fn is_confirmed(&mut self, h: f64, best: &ConicOptimum) -> bool {
        let state = OptimalityState { gamma: best.gamma.clone(), h, touches: Vec::new() };
        let one = DoubleDouble::from(1.0);
        let constraints = self.constraints.prepared(&one);
        let precise = state.map(|value| one.like(*value));
        let keeps = |(_, touch): (f64, ContactUnknown<f64>)| {
            let t = one.like(touch.t);
            let excess = constraints.excess(&precise.gamma, &precise.h, touch.piece, &t, false);
            excess.value.to_f64() <= CONIC
        };
        let keeps = self.maxima(&state).into_iter().all(keeps);
        let beyond = |search: &mut Self, factor: f64| search.best(h * factor).map_or(f64::NAN, |best| best.level);
        let further = [1.0 + 1e-5, 1.01, 1.1].map(|factor| beyond(self, factor));
        self.set_basis(h);
        keeps && further[0] > CONIC && further[1] > further[0] && further[2] > further[1]
    }

    /// Runs Newton's method from the contact points of a conic optimum.
    fn polish(&self, h: f64, best: &ConicOptimum, near: f64) -> Option<OptimalityState<f64>> {
        let mut state = OptimalityState { gamma: best.gamma.clone(), h, touches: Vec::new() };
        let maxima = self.maxima(&state).into_iter().filter(|(level, _)| *level >= 2.0 * best.level - near);
        state.touches = maxima.map(|(_, touch)| touch).collect();
        self.set_multipliers(&mut state);
        state.touches.retain(|touch| touch.multiplier > 0.0);
        self.polish_contacts(state)
    }

    /// Runs Newton's method, adding and removing contact points until F ≤ 0 everywhere and all multipliers are
    /// positive.
    pub(crate) fn polish_contacts(&self, mut state: OptimalityState<f64>) -> Option<OptimalityState<f64>> {
        const ROUNDS: usize = 8;
        /// Rounding error of F at contact points.
        const TOUCHING: f64 = 1e-8;
        let start = state.h;
        let mut settled = None;
        for _ in 0..ROUNDS {
            let Some(next) = self.converge(&state) else { break };
            state = next;
            let is_known =
                |touch: &ContactUnknown<f64>| state.touches.iter().any(|known| self.is_same(&state, known, touch));
            let maxima =
                self.maxima(&state).into_iter().filter(|(level, touch)| *level > -TOUCHING && !is_known(touch));
            let (new, levels): (Vec<_>, Vec<_>) = maxima.map(|(level, touch)| (touch, level)).unzip();
            // Newton's method also finds other stationary points.
            if !(0.5 * start..=2.0 * start).contains(&state.h) {
                break;
            }
            let is_optimal = state.touches.iter().all(|touch| touch.multiplier >= -TOUCHING)
                && levels.iter().all(|level| *level <= TOUCHING);
            if is_optimal {
                settled = Some(state.clone());
            }
            if is_optimal && new.is_empty() {
                break;
            }
            // Keep points where F touches zero with multiplier zero, so that margins are respected there too.
            state.touches.retain(|touch| touch.multiplier >= -TOUCHING);
            state.touches.extend(new);
        }
        settled
    }

    /// Runs Newton's method in doubles or, if their rounding is too large, with residuals in double-doubles.
    fn converge(&self, state: &OptimalityState<f64>) -> Option<OptimalityState<f64>> {
        let precisely = || {
            let one = DoubleDouble::from(1.0);
            let state = state.map(|value| one.like(*value));
            self.constraints.prepared(&one).converge(state).map(|state| state.map(Real::to_f64))
        };
        self.constraints.converge(state.clone()).or_else(precisely)
    }

    /// Sets the multipliers that come nearest to stationarity.
    pub(crate) fn set_multipliers(&self, state: &mut OptimalityState<f64>) {
        let n = state.gamma.len();
        let mut matrix = DMatrix::zeros(n + 1, state.touches.len());
        for (i, touch) in state.touches.iter().enumerate() {
            let excess = self.constraints.touch(state, touch, false);
            excess.gamma.iter().chain([&excess.h]).enumerate().for_each(|(j, value)| matrix[(j, i)] = *value);
        }
        // Gradients differ by orders of magnitude: normalize them.
        let norms: Vec<f64> = matrix.column_iter().map(|column| column.norm()).collect();
        matrix.column_iter_mut().zip(&norms).for_each(|(mut column, norm)| column /= *norm);
        let mut target = DVector::zeros(n + 1);
        target[n] = 1.0;
        let multipliers = non_negative(&matrix, &target);
        for ((touch, value), norm) in state.touches.iter_mut().zip(multipliers.iter()).zip(&norms) {
            touch.multiplier = value / norm;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::axis::Axis;
    use crate::problem::spectrum::Spectrum;
    use crate::solve::remez::alternate;

    /// Returns the constraints and the state of an optimum with contact points.
    fn polished(spectrum: &Spectrum, stages: usize, order: usize) -> (Constraints, OptimalityState<f64>) {
        match search(stages, order, spectrum.pieces().unwrap()) {
            Ok(SearchOutcome::Polished(constraints, state)) => (constraints, state),
            _ => panic!("{spectrum}, {stages} stages of order {order}"),
        }
    }

    #[test]
    fn disks_have_the_limit_of_the_closed_form() {
        for stages in [3, 5, 10, 20, 33] {
            let (_, state) = polished(&Spectrum::Disk, stages, 2);
            assert!((state.h - (stages - 1) as f64).abs() < 1e-10 * state.h, "{stages} stages: {}", state.h);
        }
    }

    #[test]
    fn contact_points_and_exchange_agree_on_the_real_axis() {
        for (stages, order) in [(3, 2), (6, 1), (8, 3), (11, 4), (16, 2)] {
            let (_, state) = polished(&Spectrum::Axis(Axis::Real), stages, order);
            let exchanged = alternate(stages, order, 0.0).unwrap().limit;
            assert!((state.h - exchanged).abs() < 1e-10 * exchanged, "{stages} {order}: {} {exchanged}", state.h);
        }
    }

    #[test]
    fn the_conditions_of_optimality_hold() {
        for (text, stages, order) in
            [("wedge:60", 9, 2), ("rectangle:1,1", 8, 3), ("rays:0.02,0.3", 10, 3), ("disk", 9, 4)]
        {
            let (constraints, state) = polished(&text.parse().unwrap(), stages, order);
            assert!(state.touches.iter().all(|touch| touch.multiplier > -1e-9), "{text}: {:?}", state.touches);
            let mut sums = vec![0.0; state.gamma.len() + 1];
            for touch in &state.touches {
                let excess = constraints.touch(&state, touch, false);
                assert!(excess.value.abs() < 1e-11, "{text}: {}", excess.value);
                for (sum, value) in sums.iter_mut().zip(excess.gamma.iter().chain([&excess.h])) {
                    *sum += touch.multiplier * value;
                }
            }
            // No free coefficient changes the weighted excess, and its derivative with respect to the limit is one.
            assert!((sums.pop().unwrap() - 1.0).abs() < 1e-10 && sums.iter().all(|sum| sum.abs() < 1e-10), "{text}");
        }
    }

    #[test]
    fn nothing_beyond_is_feasible_and_all_before_is() {
        let pieces = "wedge:45".parse::<Spectrum>().unwrap().pieces().unwrap();
        let (_, state) = polished(&"wedge:45".parse().unwrap(), 8, 2);
        let mut search = SampledProblem::new(8, 2, pieces);
        for (factor, feasible) in [(0.5, true), (0.9, true), (0.999, true), (1.005, false), (1.2, false)] {
            let level = search.best(factor * state.h).unwrap().level;
            assert_eq!(level < 0.0, feasible, "at {factor} of the limit the level is {level}");
        }
    }
}
