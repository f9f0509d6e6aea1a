//! The moments bᵀAᵏ⁻¹𝟙 of a tableau; those of exact tableaus, and their determinants, over one common denominator.
//!
//! With D·A and D·b in place of A and b, moments and coefficients of det(I − zA) of degree k gain a factor Dᵏ. Where D·A and
//! D·b are integers, no fraction on the way has to be reduced, which would take most of the time.

use dashu::base::{BitTest, Gcd};
use dashu::integer::UBig;
use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact, Scalar, dot};
use num_traits::One;

use crate::function::determinant::denominator;

/// 1, bᵀ𝟙, bᵀA𝟙, …, bᵀAˢ⁻¹𝟙.
pub(crate) fn moments<T: Scalar>(butcher: &Butcher<T>) -> Vec<T> {
    let mut moments = vec![T::one()];
    let mut power = vec![T::one(); butcher.stages()];
    for k in 0..butcher.stages() {
        if k > 0 {
            power = butcher.times(&power);
        }
        moments.push(dot(&butcher.b, &power));
    }
    moments
}

/// C·A, C·b and C·c with the common denominator C of A and b; the tableau itself and 1 where there are surds, or where C is much
/// longer than each denominator alone.
pub(crate) fn over_common_denominator(butcher: &Butcher<Exact>) -> (Butcher<Exact>, RBig) {
    match common_denominator(butcher).map(RBig::from) {
        Some(common) => (times(butcher, &Exact::from(common.clone())), common),
        None => (butcher.clone(), RBig::ONE),
    }
}

/// 1, bᵀ𝟙, bᵀA𝟙, …, bᵀAˢ⁻¹𝟙.
pub(crate) fn exact_moments(butcher: &Butcher<Exact>) -> Vec<Exact> {
    over_powers(moments, butcher)
}

/// The coefficients of det(I − zA).
pub(crate) fn exact_denominator(butcher: &Butcher<Exact>) -> Vec<Exact> {
    over_powers(denominator, butcher)
}

/// What has degree k in the coefficients of a tableau, k = 0, 1, …, found with integers where they are short.
fn over_powers(of: impl Fn(&Butcher<Exact>) -> Vec<Exact>, butcher: &Butcher<Exact>) -> Vec<Exact> {
    let (scaled, common) = over_common_denominator(butcher);
    let mut values = of(&scaled);
    if !common.is_one() {
        let inverse = Exact::from(RBig::ONE / common);
        let mut power = Exact::one();
        for value in &mut values {
            *value = value.clone() * power.clone();
            power = power * inverse.clone();
        }
    }
    values
}

/// The common denominator of A and b; `None` if there are surds, or where it is much longer than each denominator alone.
fn common_denominator(butcher: &Butcher<Exact>) -> Option<UBig> {
    let entries = butcher.a.iter().flatten().chain(&butcher.b);
    let denominators: Vec<&UBig> = entries.map(|x| x.as_rational().map(RBig::denominator)).collect::<Option<_>>()?;
    let longest = denominators.iter().map(|d| d.bit_len()).max()?;
    let mut common = UBig::ONE;
    for denominator in denominators {
        common = &common / (&common).gcd(denominator) * denominator;
        if common.bit_len() > 2 * longest {
            return None;
        }
    }
    Some(common)
}

fn times(butcher: &Butcher<Exact>, factor: &Exact) -> Butcher<Exact> {
    let scaled = |values: &Vec<Exact>| values.iter().map(|x| x.clone() * factor.clone()).collect::<Vec<Exact>>();
    Butcher { a: butcher.a.iter().map(scaled).collect(), b: scaled(&butcher.b), c: scaled(&butcher.c) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn integers_give_what_fractions_give() {
        for id in ["rk4", "gauss-2", "radau-iia-2", "lobatto-iiic-3", "shome-haug-jay-2-5", "ono-12"] {
            for butcher in library::method(id).unwrap().exact().partitions {
                assert!(exact_moments(&butcher) == moments(&butcher), "{id}");
                assert!(exact_denominator(&butcher) == denominator(&butcher), "{id}");
            }
        }
    }
}
