//! Chebyshev polynomials on both axes: exact coefficients, and changes of basis.

use dashu::integer::IBig;
use dashu::rational::RBig;

/// Integer coefficients of a polynomial, constant term first.
type Polynomial = Vec<IBig>;

/// Computes V₀ … V_n with V_k(w) = iᵏ T_k(w/i) by V_{k+1} = 2w V_k + V_{k−1}.
pub(crate) fn imaginary(n: usize) -> Vec<Polynomial> {
    recursion(n, vec![IBig::ZERO, IBig::ONE], |last, before| {
        combined(&[IBig::ZERO, IBig::from(2)], last, &IBig::ONE, before)
    })
}

/// Computes T_0, T_1, … T_n at 1 + 2w by T_{k+1} = (2 + 4w) T_k − T_{k−1}.
pub(crate) fn shifted(n: usize) -> Vec<Polynomial> {
    recursion(n, vec![IBig::ONE, IBig::from(2)], |last, before| {
        combined(&[IBig::from(2), IBig::from(4)], last, &IBig::NEG_ONE, before)
    })
}

fn recursion(n: usize, first: Polynomial, next: impl Fn(&Polynomial, &Polynomial) -> Polynomial) -> Vec<Polynomial> {
    let mut sequence = vec![vec![IBig::ONE], first];
    for k in 1..n {
        sequence.push(next(&sequence[k], &sequence[k - 1]));
    }
    sequence.truncate(n + 1);
    sequence
}

/// Computes (a + bw) p + c q.
fn combined([a, b]: &[IBig; 2], p: &Polynomial, c: &IBig, q: &Polynomial) -> Polynomial {
    let mut sum = vec![IBig::ZERO; p.len() + 1];
    for (j, value) in p.iter().enumerate() {
        sum[j] += value * a;
        sum[j + 1] += value * b;
    }
    sum.iter_mut().zip(q).for_each(|(sum, value)| *sum += value * c);
    sum
}

/// Expands Σ b_k wᵏ in the [`shifted`] polynomials and returns the coefficients c_j as doubles.
pub(crate) fn to_shifted(b: &[RBig]) -> Vec<f64> {
    // 2w = x − 1, and 2x T_j = T_{j+1} + T_{|j−1|}.
    change_of_basis(b, 2, |series, next| {
        for (j, value) in series.iter().enumerate() {
            next[j + 1] += value;
            next[j.abs_diff(1)] += value;
            next[j] -= value * IBig::from(2);
        }
    })
}

/// Expands Σ b_k wᵏ in the [`imaginary`] polynomials and returns the coefficients c_j as doubles.
pub(crate) fn to_imaginary(b: &[RBig]) -> Vec<f64> {
    // 2w V_j = V_{j+1} − V_{j−1}, and w V_0 = V_1.
    change_of_basis(b, 1, |series, next| {
        for (j, value) in series.iter().enumerate() {
            match j {
                0 => next[1] += value * IBig::from(2),
                _ => {
                    next[j + 1] += value;
                    next[j - 1] -= value;
                }
            }
        }
    })
}

/// Expands Σ b_k wᵏ in powers of 1 + w and returns the coefficients c_j as doubles.
pub(crate) fn to_powers(b: &[RBig]) -> Vec<f64> {
    change_of_basis(b, 0, |series, next| {
        for (j, value) in series.iter().enumerate() {
            next[j + 1] += value;
            next[j] -= value;
        }
    })
}

/// Applies Horner's scheme in another basis, in fixed-point arithmetic.
///
/// `times` adds 2ⁿ w times a series to an array of zeros, n = `halvings`.
fn change_of_basis(b: &[RBig], halvings: usize, times: impl Fn(&[IBig], &mut [IBig])) -> Vec<f64> {
    /// Fraction bits: they cover the cancellation in the sums, whose terms exceed the result, and a few bits of
    /// rounding.
    const BITS: usize = 128;
    let scale = RBig::from(IBig::ONE << BITS);
    let mut series: Vec<IBig> = Vec::new();
    for value in b.iter().rev() {
        let mut next = vec![IBig::ZERO; series.len() + 1];
        times(&series, &mut next);
        next.iter_mut().for_each(|value| *value >>= halvings);
        next[0] += (value * &scale).floor();
        series = next;
    }
    series.into_iter().map(|value| (RBig::from(value) / &scale).to_f64().value()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes Σ c_j p_j.
    fn sum(c: &[f64], basis: &[Polynomial]) -> Vec<f64> {
        let mut sum = vec![0.0; c.len()];
        for (c, polynomial) in c.iter().zip(basis) {
            sum.iter_mut().zip(polynomial).for_each(|(sum, value)| *sum += c * value.to_f64().value());
        }
        sum
    }

    #[test]
    fn changes_of_basis_are_inverse_to_the_bases() {
        let b: Vec<RBig> = [3, -1, 4, 1, -5, 9].map(RBig::from).to_vec();
        let powers: Vec<Polynomial> =
            vec![[1, 0, 0], [1, 1, 0], [1, 2, 1]].into_iter().map(|p| p.map(IBig::from).to_vec()).collect();
        let bases = [(to_shifted(&b), shifted(5)), (to_imaginary(&b), imaginary(5)), (to_powers(&b[..3]), powers)];
        for (c, basis) in bases {
            for (found, expected) in sum(&c, &basis).iter().zip(&b) {
                assert!((found - expected.to_f64().value()).abs() < 1e-12, "{found} {expected}");
            }
        }
    }
}
