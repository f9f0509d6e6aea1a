//! The largest threshold factor of polynomials with given degree and order.

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_tableau::Exact;

use crate::error::StabilityError;
use crate::monotonicity::radius::{MonotoneConditions, MonotonicityRadius, certified_radius};

/// Largest number of polynomials whose expectations are examined.
const MOST_CONDITIONS: usize = 5_000;
/// Tolerance of the conditions in floating-point arithmetic, relative to the sum of the terms.
const TOLERANCE: f64 = 1e-15;

/// Computes R_{s,p}, the largest threshold factor of a polynomial of degree s and order p (Kraaijevanger 1986). It is an
/// upper bound of the SSP coefficient of every explicit method with s stages and order p; see also [`ssp_upper_bound`].
///
/// R(z) = Σ γₖ(1 + z/r)ᵏ has order p if the weights γₖ ≥ 0 on k = 0, …, s have the factorial moments rʲ, j ≤ p, of the
/// Poisson distribution. This linear program is feasible if and only if Σ λⱼrʲ ≥ 0 for all polynomials q = Σ λⱼk(k −
/// 1)⋯ (k − j + 1) of degree p that are nonnegative on k = 0, …, s. The extremal polynomials that restrict r vanish at
/// s, at pairs of neighbors and, for even p, at 0 (Karlin & Studden 1966). If one of these sums is negative at a number
/// r, no polynomial has the threshold factor r.
///
/// ```
/// use hemiola_stability::monotonicity::optimal_threshold_factor;
/// assert_eq!(optimal_threshold_factor(10, 2)?.value(), Some(9.0));
/// // Ketcheson's method with ten stages of order 4 has C = 6: none has more.
/// assert_eq!(optimal_threshold_factor(10, 4)?.value(), Some(6.0));
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::OutOfRange`] unless 1 ≤ p ≤ s, and if there are more than 5000 polynomials q, as for 200
/// stages and order 6.
pub fn optimal_threshold_factor(stages: usize, order: usize) -> Result<MonotonicityRadius, StabilityError> {
    let outside = |name, value: usize, expected| StabilityError::OutOfRange { name, value: value as f64, expected };
    if order == 0 || order > stages {
        return Err(outside("the order", order, "at least 1, and at most the number of stages"));
    }
    let pairs = (order - 1) / 2;
    let first = usize::from(order.is_multiple_of(2));
    if count_pairs(stages - first, pairs) > MOST_CONDITIONS {
        return Err(outside("the number of stages", stages, "fewer stages or a lower order"));
    }
    let start: Vec<usize> = [stages].into_iter().chain((first == 1).then_some(0)).collect();
    let mut conditions = Expectations::default();
    conditions.add(&mut start.clone(), first, stages, pairs);
    Ok(certified_radius(&conditions))
}

/// Highest order of explicit methods with a positive SSP coefficient.
const HIGHEST_EXPLICIT_ORDER: usize = 4;

/// Bounds the SSP coefficients of explicit methods with s stages and order p: R_{s,p} of
/// [`optimal_threshold_factor`] up to order 4, and zero beyond (Kraaijevanger 1991; Ruuth & Spiteri 2002).
///
/// ```
/// use hemiola_stability::monotonicity::ssp_upper_bound;
/// assert_eq!(ssp_upper_bound(10, 4)?.value(), Some(6.0));
/// assert_eq!(ssp_upper_bound(10, 5)?.value(), Some(0.0));
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`optimal_threshold_factor`] for p ≤ 4.
pub fn ssp_upper_bound(stages: usize, order: usize) -> Result<MonotonicityRadius, StabilityError> {
    if order > HIGHEST_EXPLICIT_ORDER {
        Ok(MonotonicityRadius::zero())
    } else {
        optimal_threshold_factor(stages, order)
    }
}

/// Returns the number of ways to choose disjoint pairs of neighbors among n numbers.
fn count_pairs(n: usize, pairs: usize) -> usize {
    let choices = n.saturating_sub(pairs);
    (0..pairs).fold(1usize, |count, k| count.saturating_mul(choices.saturating_sub(k)) / (k + 1))
}

/// The conditions Σ λⱼrʲ ≥ 0 of all extremal polynomials q.
#[derive(Default)]
struct Expectations {
    /// The coefficients λ of each.
    exact: Vec<Vec<IBig>>,
    doubles: Vec<Vec<f64>>,
}

impl Expectations {
    /// Adds the polynomials with these zeros and `pairs` pairs of neighbors from `first` to s − 1.
    fn add(&mut self, zeros: &mut Vec<usize>, first: usize, stages: usize, pairs: usize) {
        if pairs == 0 {
            let coefficients = factorial_coefficients(zeros);
            self.doubles.push(coefficients.iter().map(|x| x.to_f64().value()).collect());
            self.exact.push(coefficients);
            return;
        }
        for a in first..stages.saturating_sub(1) {
            zeros.extend([a, a + 1]);
            self.add(zeros, a + 2, stages, pairs - 1);
            zeros.truncate(zeros.len() - 2);
        }
    }

    fn values(&self, t: &Exact) -> impl Iterator<Item = Vec<RBig>> {
        let t = t.as_rational().cloned().unwrap_or(RBig::ZERO);
        self.exact.iter().map(move |coefficients| derivatives(coefficients, &t))
    }
}

/// Returns the coefficients of −Π (k − x) over the zeros x in the basis k(k − 1)⋯(k − j + 1): multiplication by k − x
/// maps the j-th element to the next element plus j − x times itself.
fn factorial_coefficients(zeros: &[usize]) -> Vec<IBig> {
    zeros.iter().fold(vec![IBig::NEG_ONE], |coefficients, x| {
        let mut product = vec![IBig::ZERO; coefficients.len() + 1];
        for (j, coefficient) in coefficients.into_iter().enumerate() {
            product[j] += &coefficient * (IBig::from(j) - IBig::from(*x));
            product[j + 1] += coefficient;
        }
        product
    })
}

/// Returns the value of a polynomial at t and its derivatives, divided by factorials.
fn derivatives(coefficients: &[IBig], t: &RBig) -> Vec<RBig> {
    let mut a: Vec<RBig> = coefficients.iter().map(|x| RBig::from(x.clone())).collect();
    for k in 0..a.len() {
        for j in (k..a.len() - 1).rev() {
            let change = &a[j + 1] * t;
            a[j] += change;
        }
    }
    a
}

impl MonotoneConditions for Expectations {
    fn hold_at(&self, t: &Exact) -> bool {
        self.values(t).all(|derivatives| derivatives[0] >= RBig::ZERO)
    }

    fn hold_beyond(&self, t: &Exact) -> bool {
        let first = |derivatives: Vec<RBig>| derivatives.into_iter().find(|x| !x.is_zero());
        self.values(t).all(|derivatives| first(derivatives).is_none_or(|first| first > RBig::ZERO))
    }

    /// The polynomials vanish at s and are negative beyond.
    fn hold_everywhere(&self) -> bool {
        false
    }

    fn size(&self) -> usize {
        1
    }

    fn appear_to_hold(&self, t: f64) -> bool {
        self.doubles.iter().all(|coefficients| {
            let terms =
                coefficients.iter().rev().fold((0.0, 0.0), |(value, size), x| (value * t + x, size * t + x.abs()));
            terms.0 >= -TOLERANCE * terms.1
        })
    }
}
