//! Polynomials in named quantities.

use crate::calculus::{Number, Smooth};

/// Polynomial Σ factor · Π zₖ^power in m arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SparsePolynomial {
    pub(crate) terms: Vec<Term>,
}

/// Factor and powers of arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) factor: f64,
    pub(crate) powers: Vec<(usize, u32)>,
}

impl SparsePolynomial {
    pub(crate) fn at<N: Number>(&self, z: &[N]) -> N {
        let term = |term: &Term| {
            let powers = term.powers.iter().flat_map(|&(k, power)| std::iter::repeat_n(z[k], power as usize));
            powers.fold(N::from(term.factor), |product, factor| product * factor)
        };
        self.terms.iter().map(term).fold(N::zero(), |sum, term| sum + term)
    }
}

/// Several polynomials in m arguments.
#[derive(Clone, Debug)]
pub(crate) struct PolynomialMap {
    pub(crate) inputs: usize,
    pub(crate) all: Vec<SparsePolynomial>,
}

impl Smooth for PolynomialMap {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        self.all.len()
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        self.all.iter().zip(out).for_each(|(polynomial, out)| *out = polynomial.at(z));
    }
}
