//! Moments bᵀAᵏ⁻¹𝟙 of a tableau; exact tableaux and their determinants use one common denominator.
//!
//! With D·A and D·b in place of A and b, moments and coefficients of det(I − zA) of degree k gain a factor Dᵏ. If D·A
//! and D·b are integers, no intermediate fraction has to be reduced, which would take most of the time.

use dashu::base::{BitTest, Gcd};
use dashu::integer::UBig;
use dashu::rational::RBig;
use hemiola_number::parallel;
use hemiola_tableau::{Butcher, Exact, Scalar, dot};

use crate::function::determinant::denominator;
use crate::function::integers::IntegerTableau;

/// Computes 1, bᵀ𝟙, bᵀA𝟙, …, bᵀAˢ⁻¹𝟙.
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

/// Computes C·A, C·b and C·c with the common denominator C of A and b.
///
/// Returns the tableau itself and 1 if there are surds, or if C is much longer than each single denominator.
pub(crate) fn over_common_denominator(butcher: &Butcher<Exact>) -> (Butcher<Exact>, RBig) {
    match common_denominator(butcher).map(RBig::from) {
        Some(common) => (times(butcher, &Exact::from(common.clone())), common),
        None => (butcher.clone(), RBig::ONE),
    }
}

/// Moments and det(I − zA) of an exact tableau, from which all exact quantities of R are computed.
pub(crate) struct ExactMoments {
    /// Tableau times C.
    pub(crate) butcher: Butcher<Exact>,
    /// Factor C: the common denominator of A and b, or one.
    pub(crate) scale: RBig,
    /// Moments 1, bᵀ𝟙, bᵀA𝟙, …, bᵀAˢ⁻¹𝟙, each times its power of C.
    pub(crate) moments: Vec<Exact>,
    /// Coefficients of det(I − zA), each times its power of C.
    pub(crate) denominator: Vec<Exact>,
}

impl ExactMoments {
    pub(crate) fn new(butcher: &Butcher<Exact>) -> Self {
        let (butcher, scale) = over_common_denominator(butcher);
        let (moments, denominator) = match IntegerTableau::of(&butcher) {
            Some(integers) => parallel::both(|| integers.moments(), || integers.denominator()),
            None => (moments(&butcher), denominator(&butcher)),
        };
        Self { butcher, scale, moments, denominator }
    }

    /// Removes the powers of C from values of degree k in the coefficients of the tableau, k = 0, 1, ….
    pub(crate) fn unscaled(&self, values: &[Exact]) -> Vec<Exact> {
        if self.scale.is_one() {
            return values.to_vec();
        }
        let inverse = RBig::ONE / &self.scale;
        let powers = std::iter::successors(Some(RBig::ONE), |power| Some(power * &inverse));
        values.iter().zip(powers).map(|(value, power)| value.clone() * Exact::from(power)).collect()
    }
}

/// Computes the common denominator of A and b; returns `None` if there are surds, or if it is much longer than each
/// single denominator.
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
        // Explicit, diagonally implicit and implicit tableaux, with fractions, decimals and roots.
        let fractions =
            ["rk4", "radau-iia-2", "lobatto-iiic-3", "shome-haug-jay-2-5", "ono-12", "alamri-ketcheson-6-5-8"];
        for id in fractions.into_iter().chain(["gauss-2", "lobatto-iiia-iiib-3"]) {
            for butcher in library::method(id).unwrap().exact().partitions {
                let elements = ExactMoments::new(&butcher);
                assert!(elements.unscaled(&elements.moments) == moments(&butcher), "{id}");
                assert!(elements.unscaled(&elements.denominator) == denominator(&butcher), "{id}");
            }
        }
    }
}
