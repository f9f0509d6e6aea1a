//! A basis of polynomials that hardly grow on the interval of an axis, and a polynomial in it.
//!
//! T_j(1 + 2z/L) of Chebyshev on the negative real axis, and the leapfrog polynomials y_{j+1} = y_{j−1} + (2z/L) y_j on
//! the imaginary one, are the stages of an explicit tableau, the recurrence (van der Houwen & Sommeijer 1980). In
//! monomials, high coefficients of stable polynomials lose all digits; in this basis none does. The former are bounded by
//! one, the latter by their degree plus one.

use dashu::rational::RBig;
use hemiola_polynomial::Axis;

/// The recurrence of a basis as a tableau: stage j has the value 1 + Σ_k a_jk z y_k, which is the j-th polynomial of
/// the basis, and the weights b give the polynomial R.
#[derive(Clone, Debug)]
pub(crate) struct BoundedBasis {
    /// The strictly lower triangular matrix by rows.
    pub(crate) a: Vec<Vec<f64>>,
    /// The weights.
    pub(crate) b: Vec<f64>,
    /// The first and second Taylor coefficients of every stage.
    pub(crate) first: Vec<f64>,
    pub(crate) second: Vec<f64>,
    pub(crate) axis: Axis,
    /// The limit L.
    pub(crate) limit: f64,
}

impl BoundedBasis {
    /// Expands the polynomial with coefficients β₀, β₁, … of the last degree s in the basis of degree s for the limit L.
    ///
    /// Rational arithmetic makes the expansion exact; only its result is rounded.
    pub(crate) fn new(axis: Axis, limit: f64, polynomial: &[RBig]) -> Self {
        let stages = polynomial.len() - 1;
        let unit = RBig::try_from(limit).map_or(RBig::ONE, |limit| RBig::ONE / limit);
        let (rows, basis) = recurrence(axis, &unit, stages);
        let coefficients = expansion(polynomial, &basis);
        let weight = |k: usize| {
            (k + 1..=stages).fold(RBig::ZERO, |sum, j| sum + &coefficients[j] * &rows[j][k]).to_f64().value()
        };
        let doubles = |row: &Vec<RBig>| row.iter().map(|x| x.to_f64().value()).collect::<Vec<f64>>();
        let taylor =
            |power: usize| basis[..stages].iter().map(|y| y.get(power).map_or(0.0, |x| x.to_f64().value())).collect();
        Self {
            a: rows[..stages].iter().map(doubles).collect(),
            b: (0..stages).map(weight).collect(),
            first: taylor(1),
            second: taylor(2),
            axis,
            limit,
        }
    }
}

/// Returns the rows of the recurrence from stage 0 to stage s, and the polynomials as monomials; `unit` is 1/L.
pub(crate) fn recurrence(axis: Axis, unit: &RBig, stages: usize) -> (Vec<Vec<RBig>>, Vec<Vec<RBig>>) {
    let (two, real) = (RBig::from(2), axis == Axis::Real);
    let mut rows = vec![vec![RBig::ZERO; stages]];
    let mut basis = vec![vec![RBig::ONE]];
    let first = if real { &two * unit } else { unit.clone() };
    let next = &first * &two;
    for j in 1..=stages {
        let mut row = match j {
            1 => vec![RBig::ZERO; stages],
            _ if real => (0..stages).map(|k| &two * &rows[j - 1][k] - &rows[j - 2][k]).collect(),
            _ => rows[j - 2].clone(),
        };
        let factor = if j == 1 { &first } else { &next };
        row[j - 1] += factor;
        // 1 + z Σ a_jk y_k.
        let mut y = vec![RBig::ZERO; j + 1];
        y[0] = RBig::ONE;
        for (k, a) in row.iter().enumerate().take(j) {
            for (power, x) in basis[k].iter().enumerate() {
                y[power + 1] += a * x;
            }
        }
        rows.push(row);
        basis.push(y);
    }
    (rows, basis)
}

/// Returns the coefficients of a polynomial in a basis with one polynomial of every degree.
pub(crate) fn expansion(polynomial: &[RBig], basis: &[Vec<RBig>]) -> Vec<RBig> {
    let mut left = polynomial.to_vec();
    let mut coefficients = vec![RBig::ZERO; polynomial.len()];
    for j in (0..polynomial.len()).rev() {
        let factor = &left[j] / &basis[j][j];
        for (power, x) in basis[j].iter().enumerate() {
            left[power] -= &factor * x;
        }
        coefficients[j] = factor;
    }
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::stability::taylor;

    /// Computes the Taylor coefficients of a tableau with stages 1 + z Σ a y.
    fn moments(basis: &BoundedBasis) -> Vec<f64> {
        let mut power = vec![1.0; basis.b.len()];
        let mut found = vec![1.0];
        for _ in 0..basis.b.len() {
            found.push(basis.b.iter().zip(&power).map(|(b, x)| b * x).sum());
            power = basis.a.iter().map(|row| row.iter().zip(&power).map(|(a, x)| a * x).sum()).collect();
        }
        found
    }

    #[test]
    fn recurrences_have_the_polynomial() {
        for axis in [Axis::Real, Axis::Imaginary] {
            for stages in [1, 2, 5, 9] {
                let polynomial = taylor(stages);
                let basis = BoundedBasis::new(axis, 1.5 * stages as f64, &polynomial);
                for (found, expected) in moments(&basis).iter().zip(&polynomial) {
                    let expected = expected.to_f64().value();
                    assert!(
                        (found - expected).abs() < 1e-11 * expected.max(1e-3),
                        "{axis} {stages}: {found} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn stages_are_bounded_on_the_interval() {
        for axis in [Axis::Real, Axis::Imaginary] {
            let (stages, limit) = (20, 100.0);
            let basis = BoundedBasis::new(axis, limit, &taylor(stages));
            let u = if axis == Axis::Real { -num_complex::Complex64::ONE } else { num_complex::Complex64::I };
            for k in 0..=50 {
                let z = u * (limit * f64::from(k) / 50.0);
                let mut y: Vec<num_complex::Complex64> = Vec::new();
                for row in &basis.a {
                    y.push(row.iter().zip(&y).fold(num_complex::Complex64::ONE, |sum, (a, y)| sum + z * y * *a));
                }
                let most = |j: usize| if axis == Axis::Real { 1.0 } else { 1.0 + j as f64 };
                assert!(y.iter().enumerate().all(|(j, y)| y.norm() < most(j) + 1e-10));
            }
        }
    }
}
