//! Polynomials in τ as their coefficients, the constant first.

use hemiola_tableau::Scalar;

/// Computes the product of two polynomials.
pub(crate) fn product<T: Scalar>(x: &[T], y: &[T]) -> Vec<T> {
    let mut product = vec![T::zero(); (x.len() + y.len()).saturating_sub(1)];
    for (i, x) in x.iter().enumerate() {
        if x.is_zero() {
            continue;
        }
        for (j, y) in y.iter().enumerate() {
            product[i + j] += x.clone() * y.clone();
        }
    }
    product
}

/// Computes the value at τ = 1.
pub(crate) fn at_one<T: Scalar>(polynomial: &[T]) -> T {
    polynomial.iter().fold(T::zero(), |mut sum, coefficient| {
        sum += coefficient.clone();
        sum
    })
}

/// Computes start + ∫₀^τ of a polynomial.
pub(crate) fn integral<T: Scalar>(start: T, slope: Vec<T>) -> Vec<T> {
    let powers = slope.into_iter().enumerate();
    let integrated = powers.map(|(k, coefficient)| coefficient * T::ratio(1, k as u64 + 1));
    std::iter::once(start).chain(integrated).collect()
}

/// Computes the integral of the product of two polynomials from 0 to 1.
pub(crate) fn integral_of_product<T: Scalar>(x: &[T], y: &[T]) -> T {
    let mut integral = T::zero();
    for (k, coefficient) in product(x, y).into_iter().enumerate().filter(|(_, coefficient)| !coefficient.is_zero()) {
        integral += coefficient * T::ratio(1, k as u64 + 1);
    }
    integral
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_integrals_have_known_values() {
        // (1 + 2τ)(3 − τ) = 3 + 5τ − 2τ², with the integral 3 + 5/2 − 2/3 = 29/6.
        let found = product(&[1.0, 2.0], &[3.0, -1.0]);
        assert_eq!(found, [3.0, 5.0, -2.0]);
        assert!((integral_of_product(&[1.0, 2.0], &[3.0, -1.0]) - 29.0 / 6.0).abs() < 1e-15);
        assert!((at_one(&integral(0.0, found)) - 29.0 / 6.0).abs() < 1e-15);
    }
}
