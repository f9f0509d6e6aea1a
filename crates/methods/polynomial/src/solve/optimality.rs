//! Optimality conditions, and Newton's method for them.
//!
//! The problem is to find the largest h with F_i(γ, h, t) ≤ 0 for all pieces i and all t. At the optimum F touches zero
//! at contact points, and
//!
//! Σ μ_i ∂F_i/∂γ = 0, Σ μ_i ∂F_i/∂h = 1, F_i = 0 with μ_i ≥ 0, and ∂F_i/∂t = 0 inside a piece
//!
//! (Hettich & Kortanek 1993, "Semi-infinite programming", §3). There are as many unknowns as equations, and Newton's
//! method doubles the digits. In higher precision the matrix stays in doubles, and every step adds a fixed number of
//! digits.

use nalgebra::{DMatrix, DVector};

use hemiola_number::parallel;

use crate::arithmetic::real::Real;
use crate::problem::constraint::{ConstraintExcess, Constraints};

/// Type of a contact point: it determines whether the point may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContactKind {
    /// Inside a piece, where F has a maximum.
    Interior,
    /// End of a piece, or an eigenvalue.
    Fixed,
    /// Origin, where F = t²ᵐG(t) and G touches zero.
    Origin,
}

/// Contact point with its multiplier.
#[derive(Clone, Debug)]
pub(crate) struct ContactUnknown<T> {
    pub(crate) piece: usize,
    pub(crate) contact: ContactKind,
    pub(crate) t: T,
    pub(crate) multiplier: T,
}

/// Unknowns: coefficients, scale, contact points and multipliers.
#[derive(Clone, Debug)]
pub(crate) struct OptimalityState<T> {
    pub(crate) gamma: Vec<T>,
    pub(crate) h: T,
    pub(crate) touches: Vec<ContactUnknown<T>>,
}

/// Maximum number of Newton steps in doubles.
const STEPS: usize = 25;
/// Maximum number of halvings of one step.
const HALVINGS: i32 = 6;
/// Size below which a residual that stops falling may have reached rounding; the refinement confirms whether it has.
const ROUGH: f64 = 1e-7;
/// Maximum number of steps in higher precision: each adds some eight digits.
const REFINEMENTS: usize = 200;
/// Reduction factor of the residual above which a step has reached rounding.
const STAGNATION: f64 = 0.25;

impl Constraints {
    /// Computes F at a contact point.
    pub(crate) fn touch<T: Real>(
        &self,
        state: &OptimalityState<T>,
        touch: &ContactUnknown<T>,
        with_second: bool,
    ) -> ConstraintExcess<T> {
        match touch.contact {
            ContactKind::Origin => self.excess_at_origin(&state.gamma, &state.h, touch.piece),
            _ => self.excess(&state.gamma, &state.h, touch.piece, &touch.t, with_second),
        }
    }

    /// Computes F at all contact points; doubles are evaluated serially, since they take less time than starting a
    /// thread.
    fn at_touches<T: Real>(&self, state: &OptimalityState<T>, with_second: bool) -> Vec<ConstraintExcess<T>> {
        let touch = |touch| self.touch(state, touch, with_second);
        if size_of::<T>() > size_of::<f64>() {
            parallel::map(state.touches.len(), |i| touch(&state.touches[i]))
        } else {
            state.touches.iter().map(touch).collect()
        }
    }

    /// Computes the residuals of stationarity in γ and h, of F_i = −`margin`, and of ∂F/∂t = 0 at interior points.
    fn residual<T: Real>(&self, state: &OptimalityState<T>, margin: &T) -> Vec<T> {
        let n = state.gamma.len();
        let zero = state.h.like(0.0);
        let mut stationarity = vec![zero; n + 1];
        stationarity[n] -= state.h.like(1.0);
        let (mut values, mut slopes) = (Vec::new(), Vec::new());
        for (touch, excess) in state.touches.iter().zip(self.at_touches(state, false)) {
            for (sum, derivative) in stationarity.iter_mut().zip(excess.gamma.iter().chain([&excess.h])) {
                *sum += touch.multiplier.times(derivative);
            }
            values.push(excess.value + margin.clone());
            if touch.contact == ContactKind::Interior {
                slopes.push(excess.t);
            }
        }
        stationarity.extend(values);
        stationarity.extend(slopes);
        stationarity
    }

    /// Computes the Jacobian of the residual with respect to (γ, h, μ, t), in doubles.
    fn matrix<T: Real>(&self, state: &OptimalityState<T>) -> DMatrix<f64> {
        let (n, m) = (state.gamma.len(), state.touches.len());
        let interior = state.touches.iter().filter(|touch| touch.contact == ContactKind::Interior).count();
        let mut matrix = DMatrix::zeros(n + 1 + m + interior, n + 1 + m + interior);
        let mut next_interior = n + 1 + m;
        for (i, (touch, excess)) in state.touches.iter().zip(self.at_touches(state, true)).enumerate() {
            let excess = excess.to_f64();
            let Some(second) = excess.second else { continue };
            let mu = touch.multiplier.to_f64();
            for j in 0..n {
                for k in 0..=j {
                    let entry = 2.0 * mu * second.phi[j].dot(&second.phi[k]);
                    matrix[(j, k)] += entry;
                    if j != k {
                        matrix[(k, j)] += entry;
                    }
                }
                matrix[(j, n)] += mu * second.h_gamma[j];
                matrix[(n, j)] += mu * second.h_gamma[j];
                matrix[(j, n + 1 + i)] = excess.gamma[j];
                matrix[(n + 1 + i, j)] = excess.gamma[j];
            }
            matrix[(n, n)] += mu * second.hh;
            matrix[(n, n + 1 + i)] = excess.h;
            matrix[(n + 1 + i, n)] = excess.h;
            if touch.contact == ContactKind::Interior {
                let t = next_interior;
                next_interior += 1;
                for j in 0..n {
                    matrix[(j, t)] = mu * second.t_gamma[j];
                    matrix[(t, j)] = second.t_gamma[j];
                }
                matrix[(n, t)] = mu * second.ht;
                matrix[(t, n)] = second.ht;
                matrix[(n + 1 + i, t)] = excess.t;
                matrix[(t, t)] = second.tt;
            }
        }
        matrix
    }

    /// Returns the size of the terms in the residual, at least one; the rounding error of the residual is relative to
    /// it.
    fn scale<T: Real>(&self, state: &OptimalityState<T>) -> f64 {
        let terms = |(touch, excess): (&ContactUnknown<T>, ConstraintExcess<T>)| {
            let excess = excess.to_f64();
            let largest = excess.gamma.iter().chain([&excess.h]).fold(0.0, |max: f64, value| value.abs().max(max));
            touch.multiplier.to_f64().abs() * largest
        };
        state.touches.iter().zip(self.at_touches(state, false)).map(terms).fold(1.0, f64::max)
    }

    /// Runs Newton's method from a nearby state, with residuals in the precision of its numbers.
    ///
    /// Returns `None` if it does not converge.
    pub(crate) fn converge<T: Real>(&self, mut state: OptimalityState<T>) -> Option<OptimalityState<T>> {
        let zero = state.h.like(0.0);
        let residual = |state: &OptimalityState<T>| {
            DVector::from_vec(self.residual(state, &zero).iter().map(Real::to_f64).collect())
        };
        let mut current = residual(&state);
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let size = current.amax();
            if size >= STAGNATION * last && size <= ROUGH * self.scale(&state) {
                return Some(state);
            }
            last = size;
            let factors = self.matrix(&state).full_piv_lu();
            let step: DVector<f64> = factors.solve(&current)?;
            let units = state.map(Real::to_f64).units();
            let length = |step: &DVector<f64>| step.component_div(&units).norm();
            // Natural monotonicity test (Deuflhard 2011, §3.3): judge a step by the length of the step that would
            // follow it.
            let tried = (0..HALVINGS).map(|k| 0.5f64.powi(k)).find_map(|factor| {
                let mut next = state.clone();
                next.subtract(&step.iter().map(|value| zero.like(value * factor)).collect::<Vec<T>>());
                next.clamp();
                let residual = residual(&next);
                let following = factors.solve(&residual)?;
                let is_shorter = length(&following) <= (1.0 - 0.25 * factor) * length(&step);
                (is_shorter || residual.amax() <= ROUGH * self.scale(&next)).then_some((next, residual))
            });
            (state, current) = tried?;
        }
        None
    }

    /// Refines the state to the precision of its numbers, with F_i = −`margin` at all contact points.
    ///
    /// Returns `None` if the iteration does not converge. For a state from [`converge`](Self::converge) this happens
    /// only with a nearly singular matrix.
    pub(crate) fn refine<T: Real>(
        &self,
        from: &OptimalityState<f64>,
        like: &T,
        margin: &T,
    ) -> Option<OptimalityState<T>> {
        let factors = self.matrix(from).full_piv_lu();
        // The free part cancels the digits by which the particular polynomial exceeds R.
        let canceled = self.particular.size(self.order, self.basis.unit());
        let scale = self.scale(from) * canceled * from.gamma.len().max(1) as f64;
        let mut state = from.map(|value| like.like(*value));
        let mut last: Option<T> = None;
        for _ in 0..REFINEMENTS {
            let residual = self.residual(&state, margin);
            let size =
                residual.iter().map(Real::abs).fold(like.like(0.0), |max, value| if value > max { value } else { max });
            if let Some(last) = &last
                && size > last.clone() * like.like(STAGNATION)
            {
                // The residual has stagnated: converged at the level of rounding, failed above it.
                let rounding = like.epsilon() * 1e6 * scale;
                return (size.to_f64() <= rounding).then_some(state);
            }
            if size <= like.like(0.0) {
                return Some(state);
            }
            // Scale to size one: a residual with a thousand digits may underflow in doubles.
            let scaled = residual.iter().map(|value| (value.clone() / size.clone()).to_f64());
            let step = factors.solve(&DVector::from_iterator(residual.len(), scaled))?;
            let step: Vec<T> = step.iter().map(|value| like.like(*value) * size.clone()).collect();
            state.subtract(&step);
            last = Some(size);
        }
        None
    }
}

impl<T: Real> OptimalityState<T> {
    fn subtract(&mut self, step: &[T]) {
        let interior = self.touches.iter_mut().filter(|touch| touch.contact == ContactKind::Interior);
        let interior: Vec<&mut T> = interior.map(|touch| &mut touch.t).collect();
        let count = self.gamma.len() + 1;
        let places = step.len() - interior.len();
        for (value, step) in interior.into_iter().zip(&step[places..]) {
            *value -= step.clone();
        }
        for (touch, step) in self.touches.iter_mut().zip(&step[count..places]) {
            touch.multiplier -= step.clone();
        }
        for (value, step) in self.gamma.iter_mut().chain([&mut self.h]).zip(&step[..count]) {
            *value -= step.clone();
        }
    }

    /// Applies a function to every number of the state.
    pub(crate) fn map<U>(&self, f: impl Fn(&T) -> U) -> OptimalityState<U> {
        let touch = |touch: &ContactUnknown<T>| ContactUnknown {
            piece: touch.piece,
            contact: touch.contact,
            t: f(&touch.t),
            multiplier: f(&touch.multiplier),
        };
        OptimalityState {
            gamma: self.gamma.iter().map(&f).collect(),
            h: f(&self.h),
            touches: self.touches.iter().map(touch).collect(),
        }
    }

    /// Keeps contact points on their pieces.
    fn clamp(&mut self) {
        for touch in &mut self.touches {
            let (zero, one) = (touch.t.like(0.0), touch.t.like(1.0));
            if touch.t < zero {
                touch.t = zero;
            } else if touch.t > one {
                touch.t = one;
            }
        }
    }
}

impl OptimalityState<f64> {
    /// Returns the sizes of the unknowns, in the order of the matrix.
    fn units(&self) -> DVector<f64> {
        let gamma = self.gamma.iter().fold(0.0, |max: f64, value| max.max(value.abs()));
        let interior = self.touches.iter().filter(|touch| touch.contact == ContactKind::Interior);
        let units = self.gamma.iter().map(|_| gamma).chain([self.h]);
        let units = units.chain(self.touches.iter().map(|touch| touch.multiplier.abs().max(1e-3)));
        // Contact points are about 1/m apart.
        let gap = 1.0 / self.touches.len().max(1) as f64;
        DVector::from_vec(units.chain(interior.map(|_| gap)).collect())
    }
}
