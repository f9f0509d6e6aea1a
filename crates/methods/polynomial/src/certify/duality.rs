//! Upper bounds by duality: the multipliers of an optimum as a linear functional.

use dashu::rational::RBig;

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::{BigReal, Real};
use crate::certify::upper_bound::UpperBound;
use crate::problem::spectrum::Spectrum;
use crate::result::digits::{margin, margin_at, margin_of, rounded};
use crate::result::optimum::{Optimum, Solution};
use crate::result::polynomial::StabilityPolynomial;
use crate::solve::optimality::{ContactKind, ContactUnknown};

/// Threshold below which multipliers are zero up to rounding, relative to the largest.
const NEGLIGIBLE: f64 = 1e-12;
impl UpperBound {
    /// Proves an upper bound on the limit of a polynomial on an axis.
    ///
    /// Returns `None` for other spectra, with damping, and if the weights are not accurate enough.
    pub(crate) fn of(polynomial: &StabilityPolynomial) -> Option<Self> {
        let problem = polynomial.optimum().problem();
        let Spectrum::Axis(axis) = *problem.spectrum() else { return None };
        if problem.eta() > 0.0 {
            return None;
        }
        let bound = polynomial.optimum().bound_beyond_limit(polynomial.digits())?;
        bound.holds(axis, problem.stages(), problem.order()).then_some(bound)
    }
}

impl Optimum {
    /// Solves the optimality conditions with a margin beyond the limit, on an axis: a proof that no polynomial is
    /// stable there.
    ///
    /// The polynomial that exceeds its bound by ε at all contact points is optimal for the bound 1 + ε. Its multipliers
    /// define a functional that annihilates the free coefficients. For any polynomial of this order, the functional is
    /// larger than the bound allows.
    fn bound_beyond_limit(&self, digits: usize) -> Option<UpperBound> {
        let like = self.working_precision(digits);
        let short = |value: &BigReal| rounded(&value.to_rational(), self.kept_digits(digits));
        match &self.solution {
            Solution::Alternating { polished, .. } => {
                let alternation = polished.refine(&-margin(&like, margin_of(polished), digits));
                let weights = alternation.multipliers();
                Some(UpperBound {
                    limit: short(&alternation.limit),
                    places: alternation.points.iter().map(short).collect(),
                    weights: weights.iter().map(|weight| (short(weight), RBig::ZERO)).collect(),
                    origin: RBig::ZERO,
                })
            }
            Solution::Touching { constraints, doubles, .. } => {
                let mut doubles = doubles.clone();
                // A zero multiplier may become negative at the margin beyond the limit.
                let largest = doubles.touches.iter().map(|touch| touch.multiplier).fold(0.0, f64::max);
                doubles.touches.retain(|touch| touch.multiplier > NEGLIGIBLE * largest);
                let state = constraints.refine(&doubles, &like, &-margin(&like, margin_at(&doubles), digits))?;
                let (origin, outside): (Vec<_>, Vec<_>) =
                    state.touches.iter().partition(|touch| touch.contact == ContactKind::Origin);
                let weight = |touch: &&ContactUnknown<BigReal>| {
                    let z = Complex::new(like.like(0.0), state.h.clone() * touch.t.clone());
                    // The derivative of |R|² with respect to R is twice its conjugate.
                    let r = constraints.value(&state.gamma, &z).scale(&(touch.multiplier.clone() * like.like(2.0)));
                    (short(&r.re), short(&r.im))
                };
                // Convert from the units of the constraints to units of H.
                let unit = (like.like(constraints.reach()) / state.h.clone()).power(constraints.lowest_power());
                Some(UpperBound {
                    limit: short(&state.h),
                    places: outside.iter().map(|touch| short(&touch.t)).collect(),
                    weights: outside.iter().map(weight).collect(),
                    origin: origin.first().map_or(RBig::ZERO, |touch| short(&(touch.multiplier.clone() * unit))),
                })
            }
            _ => None,
        }
    }
}
