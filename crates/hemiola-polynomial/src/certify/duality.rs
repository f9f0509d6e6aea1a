//! The multipliers of an optimum as a functional that proves an upper bound.

use dashu::rational::RBig;

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::{Big, Real};
use crate::certify::upper_bound::UpperBound;
use crate::problem::spectrum::Spectrum;
use crate::result::digits::{margin, margin_at, margin_of, rounded};
use crate::result::optimum::{Optimum, Solution};
use crate::result::polynomial::StabilityPolynomial;
use crate::solve::optimality::{Contact, Touch};

/// Multipliers below this, relative to the largest, are zero up to rounding.
const NEGLIGIBLE: f64 = 1e-12;
impl UpperBound {
    /// The bound for the limit of a polynomial on an axis; `None` for other spectra, with damping, and if the weights
    /// are not accurate enough.
    pub(crate) fn of(polynomial: &StabilityPolynomial) -> Option<Self> {
        let problem = polynomial.optimum().problem();
        let Spectrum::Axis(axis) = *problem.spectrum() else { return None };
        if problem.eta() > 0.0 {
            return None;
        }
        let bound = polynomial.optimum().beyond(polynomial.digits())?;
        bound.holds(axis, problem.stages(), problem.order()).then_some(bound)
    }
}

impl Optimum {
    /// The conditions of optimality at a margin beyond the limit, on an axis: a proof that nothing is stable there.
    ///
    /// The polynomial that exceeds its bound by ε at all contact points is optimal for the bound 1 + ε. Its multipliers
    /// make a functional that does not see the free coefficients and is larger at any polynomial of the order than its
    /// bound allows.
    fn beyond(&self, digits: usize) -> Option<UpperBound> {
        let like = self.working_precision(digits);
        let short = |value: &Big| rounded(&value.to_rational(), self.kept_digits(digits));
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
                // A multiplier that is zero may become negative a margin beyond.
                let largest = doubles.touches.iter().map(|touch| touch.multiplier).fold(0.0, f64::max);
                doubles.touches.retain(|touch| touch.multiplier > NEGLIGIBLE * largest);
                let state = constraints.refine(&doubles, &like, &-margin(&like, margin_at(&doubles), digits))?;
                let (origin, outside): (Vec<_>, Vec<_>) =
                    state.touches.iter().partition(|touch| touch.contact == Contact::Origin);
                let weight = |touch: &&Touch<Big>| {
                    let z = Complex::new(like.like(0.0), state.h.clone() * touch.t.clone());
                    // The derivative of |R|² by R is twice its conjugate.
                    let r = constraints.value(&state.gamma, &z).scale(&(touch.multiplier.clone() * like.like(2.0)));
                    (short(&r.re), short(&r.im))
                };
                // In units of H instead of the constraints' own.
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
