//! The optima that are known in closed form.

use dashu::integer::IBig;
use dashu::rational::RBig;

use crate::chebyshev;
use crate::error::PolynomialError;
use crate::polynomial::{Axis, StabilityPolynomial};

/// Coefficients of more stages have thousands of digits, and no tableau realises them in doubles.
const MOST_STAGES: usize = 1000;

/// The polynomial of degree `stages` and order `order` with the largest interval of stability on an axis.
///
/// # Errors
/// [`PolynomialError`] where the request has no answer, or none that is known in closed form.
pub fn optimal(axis: Axis, stages: usize, order: usize) -> Result<StabilityPolynomial, PolynomialError> {
    if order == 0 || order > stages {
        return Err(PolynomialError::OrderExceedsStages { stages, order });
    }
    if stages > MOST_STAGES {
        return Err(PolynomialError::TooManyStages { stages, most: MOST_STAGES });
    }
    let (coefficients, limit_squared) = match (axis, order) {
        (Axis::Imaginary, 1 | 2) if stages <= 2 && order == stages => {
            return Err(PolynomialError::NoPositiveLimit { stages, order });
        }
        (Axis::Imaginary, 1) => van_der_houwen(stages),
        (Axis::Imaginary, 2) if stages % 2 == 1 => van_der_houwen(stages),
        (Axis::Imaginary, 2..=4) if stages.is_multiple_of(2) => kinnmark_gray(stages),
        (Axis::Imaginary, 3) if stages == 3 => third_order_taylor(),
        (Axis::Real, 1) => shifted_chebyshev(stages),
        _ => return Err(PolynomialError::NoClosedForm { axis, stages, order }),
    };
    Ok(StabilityPolynomial { axis, order, coefficients, limit_squared })
}

/// R = ½V_{s−2} + V_{s−1} + ½V_s at w = z/K, K = s − 1, with limit K (van der Houwen 1977; Kinnmark & Gray 1984a).
fn van_der_houwen(stages: usize) -> (Vec<RBig>, RBig) {
    let k = integer(stages - 1);
    let half = RBig::from_parts(IBig::ONE, 2u8.into());
    let coefficients = combination(stages, &(RBig::ONE / &k), &[half.clone(), RBig::ONE, half]);
    (coefficients, k.sqr())
}

/// R = (K−1)/(2K) V_s + √(K²−1)/K V_{s−1} + (K+1)/(2K) V_{s−2} at w = z/√(K²−1), K = s − 1, s even, with limit √(K²−1)
/// (Kinnmark & Gray 1984b). It has order four, whichever of the orders two to four was asked for.
///
/// The coefficients are rational: for even s, V_s and V_{s−2} are even in w, and V_{s−1} is √(K²−1) times odd.
fn kinnmark_gray(stages: usize) -> (Vec<RBig>, RBig) {
    let k = integer(stages - 1);
    let limit_squared = k.sqr() - RBig::ONE;
    let two_k = &k * integer(2);
    let powers = powers(&limit_squared, stages / 2);
    let sequence = chebyshev::imaginary(stages);
    let mut coefficients = vec![RBig::ZERO; stages + 1];
    for (index, factor) in [(stages, &k - RBig::ONE), (stages - 2, &k + RBig::ONE)] {
        for (j, coefficient) in sequence[index].iter().enumerate().step_by(2) {
            coefficients[j] += RBig::from(coefficient.clone()) * &factor / &two_k / &powers[j / 2];
        }
    }
    for (j, coefficient) in sequence[stages - 1].iter().enumerate().skip(1).step_by(2) {
        // √(K²−1)/K · (K²−1)^{−j/2} with j odd.
        coefficients[j] += RBig::from(coefficient.clone()) / &k / &powers[(j - 1) / 2];
    }
    (coefficients, limit_squared)
}

/// Three stages of order three have no free coefficient: |R(iy)|² − 1 = y⁴(y² − 3)/36.
fn third_order_taylor() -> (Vec<RBig>, RBig) {
    let coefficients = [1u8, 1, 2, 6].map(|factorial| RBig::from_parts(IBig::ONE, factorial.into()));
    (coefficients.to_vec(), integer(3))
}

/// R = T_s(1 + z/s²) with limit 2s² (Markov 1892; Hairer & Wanner 1996, §IV.2).
fn shifted_chebyshev(stages: usize) -> (Vec<RBig>, RBig) {
    let square = integer(stages * stages);
    let sequence = chebyshev::real(stages);
    let coefficients = chebyshev::compose(&sequence[stages], &RBig::ONE, &(RBig::ONE / &square));
    (coefficients, (integer(2) * square).sqr())
}

/// Σ weights · (V_{s−2}, V_{s−1}, V_s) at w = scale · z.
fn combination(stages: usize, scale: &RBig, weights: &[RBig; 3]) -> Vec<RBig> {
    let sequence = chebyshev::imaginary(stages);
    let powers = powers(scale, stages);
    let mut coefficients = vec![RBig::ZERO; stages + 1];
    for (offset, weight) in weights.iter().enumerate() {
        for (j, coefficient) in sequence[stages - 2 + offset].iter().enumerate() {
            coefficients[j] += RBig::from(coefficient.clone()) * weight * &powers[j];
        }
    }
    coefficients
}

/// base⁰ … baseⁿ.
fn powers(base: &RBig, n: usize) -> Vec<RBig> {
    std::iter::successors(Some(RBig::ONE), |power| Some(power * base)).take(n + 1).collect()
}

fn integer(value: usize) -> RBig {
    RBig::from(IBig::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_table_5() {
        let seven = optimal(Axis::Imaginary, 7, 2).unwrap();
        let texts: Vec<String> = seven.coefficients()[3..].iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["19/108", "1/27", "2/243", "1/1458", "1/8748"]);
        assert_eq!(seven.limit(), 6.0);
    }

    #[test]
    fn even_stages_have_order_four() {
        for stages in [4, 6, 8, 10, 12, 40] {
            let polynomial = optimal(Axis::Imaginary, stages, 4).unwrap();
            let mut factorial = RBig::ONE;
            for (k, coefficient) in polynomial.coefficients().iter().take(5).enumerate() {
                factorial *= integer(k.max(1));
                assert_eq!(coefficient * &factorial, RBig::ONE, "{stages} stages, coefficient {k}");
            }
            let k = (stages - 1) as f64;
            assert!((polynomial.limit() - (k * k - 1.0).sqrt()).abs() <= f64::EPSILON * k);
        }
    }

    #[test]
    fn moduli_stay_within_one_up_to_the_limit_and_exceed_it_beyond() {
        let modulus = |polynomial: &StabilityPolynomial, t: f64| {
            let (mut re, mut im) = (0.0, 0.0);
            for beta in polynomial.to_f64().iter().rev() {
                (re, im) = match polynomial.axis() {
                    Axis::Imaginary => (-im * t + beta, re * t),
                    Axis::Real => (-re * t + beta, 0.0),
                };
            }
            f64::hypot(re, im)
        };
        for (axis, stages, order) in
            [(Axis::Imaginary, 6, 1), (Axis::Imaginary, 9, 2), (Axis::Imaginary, 8, 3), (Axis::Real, 7, 1)]
        {
            let polynomial = optimal(axis, stages, order).unwrap();
            let limit = polynomial.limit();
            for i in 0..=1000 {
                let t = limit * f64::from(i) / 1000.0;
                assert!(modulus(&polynomial, t) <= 1.0 + 1e-12, "{stages} stages at {t}");
            }
            assert!(modulus(&polynomial, limit * 1.001) > 1.0);
        }
    }

    #[test]
    fn impossible_requests_are_named() {
        assert!(matches!(optimal(Axis::Imaginary, 3, 4), Err(PolynomialError::OrderExceedsStages { .. })));
        assert!(matches!(optimal(Axis::Imaginary, 2, 2), Err(PolynomialError::NoPositiveLimit { .. })));
        assert!(matches!(optimal(Axis::Imaginary, 1, 1), Err(PolynomialError::NoPositiveLimit { .. })));
        assert!(matches!(optimal(Axis::Imaginary, 5, 3), Err(PolynomialError::NoClosedForm { .. })));
        assert!(matches!(optimal(Axis::Real, 0, 0), Err(PolynomialError::OrderExceedsStages { .. })));
        assert!(matches!(optimal(Axis::Real, 5000, 1), Err(PolynomialError::TooManyStages { .. })));
    }
}
