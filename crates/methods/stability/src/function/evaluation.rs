//! Evaluation of R at complex numbers in double precision, with more digits where powers of z cancel.

use hemiola_tableau::{Butcher, Tableau};
use num_complex::Complex64;

use crate::function::rational::StabilityFunction;
use crate::rounding::adaptive_precision::{AdaptivePrecision, is_precise, is_settled, reach};

/// Method of evaluating R.
#[derive(Clone, Debug)]
pub(crate) enum Evaluator {
    Quotient(StabilityFunction<f64>),
    /// By powers of z where they do not cancel, otherwise stage by stage.
    Polynomial(Box<GuardedPolynomial>),
    /// Stage by stage: the leading coefficients of N of a diagonally implicit method are small differences of large
    /// terms, and their rounding errors change R by up to 1e-7 far from the origin.
    Stages(Butcher<f64>),
}

#[derive(Clone, Debug)]
pub(crate) struct GuardedPolynomial {
    function: StabilityFunction<f64>,
    /// Largest |z|² for which powers of z are accurate enough.
    covered: f64,
    adaptive: AdaptivePrecision<1>,
}

impl Evaluator {
    pub(crate) fn new(butcher: &Butcher<f64>) -> Self {
        let tableau = Tableau { partitions: vec![butcher.clone()] };
        if let Some(adaptive) = AdaptivePrecision::new(&tableau) {
            let covered = reach(|size| adaptive.is_covered(&[[size]])).powi(2);
            return Self::Polynomial(Box::new(GuardedPolynomial {
                function: StabilityFunction::new(butcher),
                covered,
                adaptive,
            }));
        }
        if butcher.is_diagonally_implicit() {
            return Self::Stages(butcher.clone());
        }
        Self::Quotient(StabilityFunction::new(butcher))
    }

    /// Evaluates R, and returns whether doubles failed to decide how |R| compares with `level`.
    pub(crate) fn at(&self, z: Complex64, level: f64) -> (Complex64, bool) {
        match self {
            Self::Quotient(function) => (function.at(z), false),
            Self::Stages(butcher) => (by_stages(butcher, z), false),
            Self::Polynomial(polynomial) => polynomial.at(z, level),
        }
    }

    /// Returns whether doubles decide how |R| compares with any level for |z| ≤ `reach`. Powers of z do so only for
    /// levels of at least one.
    pub(crate) fn doubles_suffice(&self, reach: f64, is_level_one: bool) -> bool {
        match self {
            Self::Polynomial(polynomial) => reach.powi(2) <= polynomial.covered && is_level_one,
            Self::Quotient(_) | Self::Stages(_) => true,
        }
    }

    /// Evaluates R to 3e-11 of the larger of one and |R|, accurate enough for differences.
    pub(crate) fn precisely(&self, z: Complex64) -> Complex64 {
        match self {
            Self::Polynomial(polynomial) => {
                let found =
                    polynomial.adaptive.settled(&[[z]], |found| is_precise(found.s[0][0].norm(), found.error[0][0]));
                found.s[0][0]
            }
            Self::Quotient(_) | Self::Stages(_) => self.at(z, 1.0).0,
        }
    }
}

impl GuardedPolynomial {
    fn at(&self, z: Complex64, level: f64) -> (Complex64, bool) {
        let r = self.function.at(z);
        let size = z.norm();
        // A level below one requires more accuracy than `covered` guarantees.
        if size * size <= self.covered && level >= 1.0 || !r.is_finite() {
            return (r, false);
        }
        if is_settled(r.norm(), self.adaptive.worst(&[[size]]).0, level) {
            return (r, false);
        }
        let found = self.adaptive.settled(&[[z]], |found| is_settled(found.s[0][0].norm(), found.error[0][0], level));
        (found.s[0][0], found.in_more_digits)
    }
}

/// Performs one step of y' = zy from y = 1.
fn by_stages(butcher: &Butcher<f64>, z: Complex64) -> Complex64 {
    // For large |z| the terms of z/(1 − az) overflow although the quotient does not.
    let slope = |a: f64| if z.norm_sqr() > 1.0 { (z.inv() - a).inv() } else { z / (1.0 - a * z) };
    let sum = |weights: &[f64], slopes: &[Complex64]| {
        weights.iter().zip(slopes).fold(Complex64::ONE, |sum, (weight, slope)| sum + slope * weight)
    };
    let mut slopes = Vec::with_capacity(butcher.stages());
    for (i, row) in butcher.a.iter().enumerate() {
        slopes.push(slope(row[i]) * sum(row, &slopes));
    }
    sum(&butcher.b, &slopes)
}
