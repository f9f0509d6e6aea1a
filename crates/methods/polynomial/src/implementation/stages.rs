//! Stages in modified Shu–Osher form, and the propagation of their perturbations.

use num_complex::Complex64;

/// Term of a stage: value · Y_i + slope · h f(Y_i).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Index i of the stage it refers to; 0 is the value y at the beginning of the step.
    pub stage: usize,
    /// Factor of Y_i.
    pub value: f64,
    /// Factor of h f(Y_i).
    pub slope: f64,
}

impl Term {
    pub(crate) fn new(stage: usize, value: f64, slope: f64) -> Self {
        Self { stage, value, slope }
    }

    /// Returns the factor of Y_i for h f(Y) = z Y.
    pub(crate) fn at(&self, z: Complex64) -> Complex64 {
        self.value + self.slope * z
    }

    /// Returns the size of the rounded quantities relative to |Y_i|.
    fn size(&self, z: Complex64) -> f64 {
        self.value.abs() + (self.slope * z).norm()
    }
}

/// Suprema computed by [`sizes`].
pub(crate) struct StageSuprema {
    pub(crate) amplification: f64,
    pub(crate) growth: f64,
    pub(crate) rounding: f64,
}

/// Computes suprema over `points` of the stages, of their terms and of the internal stability polynomials.
pub(crate) fn sizes(stages: &[Vec<Term>], points: &[Complex64]) -> StageSuprema {
    let count = stages.len() + 1;
    let (mut longest, mut rounded, mut amplified) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    for &z in points {
        let values = values(stages, z);
        let amplifications = amplifications(stages, z);
        for (j, terms) in stages.iter().enumerate() {
            let size = terms.iter().map(|term| term.size(z) * values[term.stage].norm()).sum();
            raise(&mut rounded[j + 1], size);
            raise(&mut longest[j + 1], values[j + 1].norm());
            raise(&mut amplified[j + 1], amplifications[j + 1].norm());
        }
    }
    let unit = f64::EPSILON / 2.0;
    StageSuprema {
        amplification: largest(&amplified),
        growth: largest(&longest),
        rounding: amplified.iter().zip(&rounded).map(|(q, size)| unit * q * size).sum(),
    }
}

/// Computes P_j(z) for j = 0, 1, …, where Y_j = P_j(z) y.
pub(crate) fn values(stages: &[Vec<Term>], z: Complex64) -> Vec<Complex64> {
    let mut values = vec![Complex64::ONE];
    for terms in stages {
        values.push(terms.iter().map(|term| term.at(z) * values[term.stage]).sum());
    }
    values
}

/// Computes Q_j(z) for j = 0, 1, …, the derivative of the last stage with respect to Y_j; thus Q₀ = R.
pub(crate) fn amplifications(stages: &[Vec<Term>], z: Complex64) -> Vec<Complex64> {
    let mut factors = vec![Complex64::ZERO; stages.len()];
    factors.push(Complex64::ONE);
    for (j, terms) in stages.iter().enumerate().rev() {
        let factor = factors[j + 1];
        for term in terms {
            factors[term.stage] += term.at(z) * factor;
        }
    }
    factors
}

fn raise(supremum: &mut f64, value: f64) {
    // Beyond the range of doubles ∞ − ∞ is NaN, and the supremum is infinite.
    *supremum = supremum.max(if value.is_nan() { f64::INFINITY } else { value });
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
