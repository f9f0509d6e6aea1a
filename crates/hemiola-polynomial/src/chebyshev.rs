//! Chebyshev polynomials with exact coefficients, on both axes.

use dashu::integer::IBig;
use dashu::rational::RBig;

/// Integer coefficients of a polynomial, the constant first.
type Polynomial = Vec<IBig>;

/// V₀ … V_n with V_k(w) = iᵏ T_k(w/i): V_{k+1} = 2w V_k + V_{k−1}.
pub(crate) fn imaginary(n: usize) -> Vec<Polynomial> {
    recursion(n, &IBig::ONE)
}

/// T₀ … T_n: T_{k+1} = 2x T_k − T_{k−1}.
pub(crate) fn real(n: usize) -> Vec<Polynomial> {
    recursion(n, &IBig::NEG_ONE)
}

fn recursion(n: usize, sign: &IBig) -> Vec<Polynomial> {
    let mut sequence = vec![vec![IBig::ONE], vec![IBig::ZERO, IBig::ONE]];
    for k in 1..n {
        let mut next = vec![IBig::ZERO; k + 2];
        for (j, coefficient) in sequence[k].iter().enumerate() {
            next[j + 1] += coefficient * IBig::from(2);
        }
        for (j, coefficient) in sequence[k - 1].iter().enumerate() {
            next[j] += coefficient * sign;
        }
        sequence.push(next);
    }
    sequence
}

/// p(u + vz) for a polynomial p, as coefficients of z, by Horner's scheme.
pub(crate) fn compose(p: &Polynomial, u: &RBig, v: &RBig) -> Vec<RBig> {
    let mut result: Vec<RBig> = Vec::new();
    for coefficient in p.iter().rev() {
        let mut next = vec![RBig::ZERO; result.len() + 1];
        for (j, value) in result.iter().enumerate() {
            next[j] += value * u;
            next[j + 1] += value * v;
        }
        next[0] += RBig::from(coefficient.clone());
        result = next;
    }
    result
}
