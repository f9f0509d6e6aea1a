//! Part of a stability polynomial that its order fixes.

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::{BigReal, Real};
use crate::basis::orthogonal::OrthogonalBasis;

/// Particular polynomial B(z) = Σ_{k≤p} zᵏ/k! + O(zᵖ⁺¹), to which the free part is added.
#[derive(Clone, Debug)]
pub(crate) enum ParticularPolynomial {
    /// Taylor polynomial of eᶻ. Its accuracy near the origin matters where |R| ≤ 1 is nearly attained there.
    Taylor,
    /// Polynomial of full degree with the smallest mean square on a sample of the spectrum.
    ///
    /// Far from the origin the Taylor polynomial has the size |z|ᵖ/p!, and the free part would cancel its digits; this
    /// one has the size of R.
    Smallest { basis: OrthogonalBasis, doubles: Vec<f64>, precise: Vec<BigReal> },
}

/// Digits that the normal equations of the smallest polynomial may lose: rows grow like k²ʲ, and their squares are
/// summed.
const LOST: usize = 40;

impl ParticularPolynomial {
    /// Computes the smallest polynomial of a degree and an order on a sample, in double precision.
    ///
    /// Returns the Taylor polynomial if the sample is so small that a polynomial of this degree may vanish on it.
    pub(crate) fn smallest(degree: usize, order: usize, points: &[(f64, f64)]) -> Self {
        let basis = OrthogonalBasis::new(0, degree + 1, points);
        if basis.size() > degree { Self::of(basis, order, 20) } else { Self::Taylor }
    }

    /// Recomputes the polynomial in the precision of `like`.
    pub(crate) fn prepared<T: Real>(&self, order: usize, like: &T) -> Self {
        match self {
            Self::Taylor => Self::Taylor,
            Self::Smallest { basis, .. } => Self::of(basis.clone(), order, like.digits()),
        }
    }

    /// Solves min ‖r‖ subject to A r = b, where row j of A holds the coefficients of zʲ and b_j = 1/j!: r = Aᵀ(A
    /// Aᵀ)⁻¹b.
    fn of(basis: OrthogonalBasis, order: usize, digits: usize) -> Self {
        let like = BigReal::new(1.0, digits + LOST);
        let columns = basis.monomials(&like, order + 1);
        let entry = |column: &Vec<BigReal>, j: usize| column.get(j).cloned().unwrap_or_else(|| like.like(0.0));
        let inner = |i: usize, j: usize| {
            columns.iter().fold(like.like(0.0), |sum, column| sum + entry(column, i) * entry(column, j))
        };
        let gram: Vec<Vec<BigReal>> = (0..=order).map(|i| (0..=order).map(|j| inner(i, j)).collect()).collect();
        let mut factorial = like.clone();
        let right = (0..=order).map(|j| {
            factorial = factorial.clone() * like.like(j.max(1) as f64);
            like.clone() / factorial.clone()
        });
        let multipliers = solved(gram, right.collect());
        let coefficient = |column: &Vec<BigReal>| {
            let terms = multipliers.iter().enumerate().map(|(j, multiplier)| multiplier.clone() * entry(column, j));
            terms.fold(like.like(0.0), |sum, term| sum + term)
        };
        let precise: Vec<BigReal> = columns.iter().map(coefficient).collect();
        Self::Smallest { basis, doubles: precise.iter().map(Real::to_f64).collect(), precise }
    }

    /// Evaluates B and its first `derivatives` derivatives (at most two) at z.
    pub(crate) fn at<T: Real>(&self, order: usize, z: &Complex<T>, derivatives: usize) -> Vec<Complex<T>> {
        let zero = Complex::like(&z.re, (0.0, 0.0));
        match self {
            Self::Taylor => {
                (0..=derivatives).map(|lost| order.checked_sub(lost).map_or(zero.clone(), |n| taylor(z, n))).collect()
            }
            Self::Smallest { basis, doubles, precise } => {
                let jet = basis.at(z, derivatives > 1);
                let coefficients: Vec<T> =
                    doubles.iter().zip(precise).map(|(double, precise)| z.re.like_either(*double, precise)).collect();
                let sum = |values: &[Complex<T>]| {
                    values.iter().zip(&coefficients).fold(zero.clone(), |sum, (value, c)| sum + value.scale(c))
                };
                [&jet.value, &jet.first, &jet.second][..=derivatives].iter().map(|values| sum(values)).collect()
            }
        }
    }

    /// Bounds |B(z)| for |z| ≤ `reach`, from below by one.
    pub(crate) fn size(&self, order: usize, reach: f64) -> f64 {
        match self {
            Self::Taylor => taylor(&Complex::new(reach, 0.0), order).re,
            Self::Smallest { .. } => 1.0,
        }
    }

    /// Returns the coefficients of zᵖ⁺¹ … zˢ.
    pub(crate) fn free_coefficients<T: Real>(&self, degree: usize, order: usize, like: &T) -> Vec<T> {
        let mut sums = vec![like.like(0.0); degree - order];
        if let Self::Smallest { basis, doubles, precise } = self {
            for ((double, precise), column) in doubles.iter().zip(precise).zip(basis.monomials(like, degree + 1)) {
                let c = like.like_either(*double, precise);
                sums.iter_mut()
                    .zip(column.into_iter().skip(order + 1))
                    .for_each(|(sum, value)| *sum += c.clone() * value);
            }
        }
        sums
    }
}

/// Computes Σ_{k≤n} zᵏ/k!.
pub(crate) fn taylor<T: Real>(z: &Complex<T>, n: usize) -> Complex<T> {
    let one = Complex::like(&z.re, (1.0, 0.0));
    (1..=n).rev().fold(one.clone(), |sum, k| {
        let scaled = sum * z.clone();
        one.clone() + scaled.scale(&(z.re.like(1.0) / z.re.like(k as f64)))
    })
}

/// Solves a small positive definite system by Gaussian elimination.
fn solved(mut matrix: Vec<Vec<BigReal>>, mut right: Vec<BigReal>) -> Vec<BigReal> {
    let n = right.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = matrix[i][k].clone() / matrix[k][k].clone();
            for j in k..n {
                let term = factor.clone() * matrix[k][j].clone();
                matrix[i][j] -= term;
            }
            let term = factor * right[k].clone();
            right[i] -= term;
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            let term = matrix[k][j].clone() * right[j].clone();
            right[k] -= term;
        }
        right[k] = right[k].clone() / matrix[k][k].clone();
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_polynomial_has_its_order_and_is_small() {
        let points: Vec<(f64, f64)> = (0..200).map(|k| (-250.0 * (f64::from(k) / 199.0), 0.0)).collect();
        let particular = ParticularPolynomial::smallest(25, 3, &points);
        let largest =
            points.iter().map(|&(x, y)| particular.at(3, &Complex::new(x, y), 0)[0].norm_sqr()).fold(0.0, f64::max);
        // The Taylor polynomial reaches 2e6 there.
        assert!(largest < 10.0, "{largest}");
        let digits = BigReal::new(1.0, 60);
        let precise = particular.prepared(3, &digits);
        for x in [1e-3, 2e-3] {
            let z = Complex::like(&digits, (-x, 0.0));
            let [value, first]: [Complex<BigReal>; 2] = precise.at(3, &z, 1).try_into().unwrap();
            let difference = (value - taylor(&z, 3)).re.to_f64();
            let next = precise.free_coefficients(25, 3, &digits)[0].to_f64();
            assert!((difference / (next * x.powi(4)) - 1.0).abs() < 0.3, "{difference:e} {next:e}");
            assert!(((first - taylor(&z, 2)).re.to_f64() / (-4.0 * next * x.powi(3)) - 1.0).abs() < 0.3);
        }
        let double = particular.at(3, &Complex::new(-150.0, 0.0), 0)[0].re;
        let exact = precise.at(3, &Complex::like(&digits, (-150.0, 0.0)), 0)[0].re.to_f64();
        assert!((double - exact).abs() < 1e-13, "{double} {exact}");
    }
}
