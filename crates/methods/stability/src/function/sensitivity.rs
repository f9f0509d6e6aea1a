//! Sensitivity of the stability function to the coefficients of its tableau, to first order.

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_number::parallel;
use hemiola_tableau::{Butcher, Exact};
use nalgebra::{DMatrix, DVector};
use num_complex::Complex64;
use num_traits::Zero;

use crate::function::determinant::adjugate;
use crate::function::integers::{IntegerTableau, weighted_size, whole_numbers};

/// Minimum excused excess: ten units of the tenth decimal.
const LEAST_EXCUSED: f64 = 1e-9;
/// Excess that is invisible in computations with doubles.
const NUMERICALLY: f64 = 1e-12;

/// Coefficients as doubles, with their uncertainties.
pub(crate) struct Sensitivity {
    nearest: Butcher<f64>,
    uncertainty: Butcher<f64>,
    /// Uncertainties due to the last digits ([`hemiola_tableau::Rounding::slack`]).
    slack: Butcher<f64>,
}

impl Sensitivity {
    pub(crate) fn new(nearest: Butcher<f64>, uncertainty: Butcher<f64>, slack: Butcher<f64>) -> Self {
        Self { nearest, uncertainty, slack }
    }

    /// Returns the largest excess of |R| over one that the precision of the tableau can excuse.
    ///
    /// It is an amount that remains invisible in a thousand steps or, for tableaux with fewer digits, ten units of the
    /// last place.
    pub(crate) fn excused(&self) -> f64 {
        let Butcher { a, b, .. } = &self.uncertainty;
        a.iter().flatten().chain(b).fold(LEAST_EXCUSED, |largest, half_unit| largest.max(20.0 * half_unit))
    }

    /// Returns whether the precision of the tableau explains a change of |R(z)| by `excess`, or whether the change is
    /// negligible and the last digits explain it, since most tableaux were computed in doubles.
    pub(crate) fn explains(&self, excess: f64, z: Complex64) -> bool {
        let Some((v, w)) = self.stages(z) else { return false };
        let slopes = self.slopes(z, &v, &w);
        let change = |deltas: &Butcher<f64>| -> f64 {
            let column = |j: usize| deltas.a.iter().map(move |row| row[j]).chain([deltas.b[j]]);
            (0..deltas.b.len()).flat_map(column).zip(&slopes).map(|(delta, slope)| delta * slope).sum()
        };
        excess <= self.excused() && excess <= change(&self.uncertainty)
            || excess <= NUMERICALLY && excess <= change(&self.slack)
    }

    /// Computes |∂|R|/∂x| for all coefficients x, column by column, with b_j below column j of A.
    ///
    /// With v = (I − zA)⁻¹𝟙 and w = (I − zA)⁻ᵀb, ∂R/∂b_j = z v_j and ∂R/∂a_ij = z² w_i v_j.
    fn slopes(&self, z: Complex64, v: &[Complex64], w: &[Complex64]) -> Vec<f64> {
        let dot: Complex64 = self.nearest.b.iter().zip(v).map(|(b, v)| v * b).sum();
        let r = 1.0 + z * dot;
        // Direction in which |R| grows.
        let outward = if r.norm() > 0.0 { r.conj() / r.norm() } else { Complex64::ONE };
        let column = |v: &Complex64| {
            let slope = outward * z * v;
            w.iter().map(move |w| (slope * z * w).re.abs()).chain([slope.re.abs()])
        };
        v.iter().flat_map(column).collect()
    }

    /// Computes v and w; returns `None` at a pole, where nothing is explained.
    fn stages(&self, z: Complex64) -> Option<(Vec<Complex64>, Vec<Complex64>)> {
        let Butcher { a, b, .. } = &self.nearest;
        let s = b.len();
        if self.nearest.is_explicit() {
            let (mut v, mut w) = (vec![Complex64::ONE; s], vec![Complex64::ZERO; s]);
            for i in 0..s {
                let sum: Complex64 = a[i][..i].iter().zip(&v).map(|(a, v)| v * a).sum();
                v[i] += z * sum;
            }
            for j in (0..s).rev() {
                w[j] = b[j] + z * (j + 1..s).map(|i| w[i] * a[i][j]).sum::<Complex64>();
            }
            return Some((v, w));
        }
        let system = DMatrix::from_fn(s, s, |i, j| Complex64::from(f64::from(u8::from(i == j))) - z * a[i][j]);
        let v = system.clone().lu().solve(&DVector::from_element(s, Complex64::ONE))?;
        let w = system.transpose().lu().solve(&DVector::from_fn(s, |i, _| Complex64::from(b[i])))?;
        let vectors = [v, w].map(|x| x.iter().copied().collect::<Vec<Complex64>>());
        let [v, w] = vectors;
        v.iter().chain(&w).all(|x| x.is_finite()).then_some((v, w))
    }
}

/// Largest number of stages for which the uncertainties of all coefficients are computed exactly, with s⁴ products of long
/// integers.
const MOST_STAGES: usize = 32;

/// Computes the uncertainties of the coefficients of N and D, for a tableau times `scale`, in exact arithmetic, because
/// those of high degree are small differences of large numbers. For more than 32 stages, only the coefficients of degree s
/// get one: [`of_determinants`].
///
/// D = det(I − zA) and N = det(I − zB) with B = A − 𝟙bᵀ; with adj(I − zA) = Σ M_k zᵏ⁻¹, ∂d_k/∂a_ij = −(M_k)_ji.
pub(crate) fn leading_uncertainties(
    butcher: &Butcher<Exact>,
    uncertainty: &Butcher<f64>,
    scale: &RBig,
) -> [Vec<Exact>; 2] {
    if butcher.stages() > MOST_STAGES {
        return of_determinants(butcher, uncertainty, scale);
    }
    let scaled = |delta: f64| Exact::from_f64(delta).unwrap_or_else(Exact::zero) * Exact::from(scale.clone());
    let a: Vec<Vec<Exact>> = uncertainty.a.iter().map(|row| row.iter().map(|&delta| scaled(delta)).collect()).collect();
    let b: Vec<Exact> = uncertainty.b.iter().map(|&delta| scaled(delta)).collect();
    IntegerTableau::of(butcher)
        .and_then(|integers| integer_uncertainties(&integers, [&a.concat(), &b]))
        .unwrap_or_else(|| uncertainties(butcher, &a, &b))
}

/// Computes the uncertainties of det(A − 𝟙bᵀ) and det A, the coefficients of degree s, relative to `scale`ˢ: ∂ det A/∂a_ij =
/// det A·(A⁻¹)_ji. Inverses are computed in doubles. The other coefficients get none.
fn of_determinants(butcher: &Butcher<Exact>, uncertainty: &Butcher<f64>, scale: &RBig) -> [Vec<Exact>; 2] {
    let s = butcher.stages();
    let unit = Exact::from(RBig::ONE / scale);
    let double = |value: &Exact| (value.clone() * unit.clone()).to_f64();
    let a = DMatrix::from_fn(s, s, |i, j| double(&butcher.a[i][j]));
    let b = DVector::from_fn(s, |j, _| double(&butcher.b[j]));
    let change = |with_weights: bool| {
        let matrix = DMatrix::from_fn(s, s, |i, j| if with_weights { a[(i, j)] - b[j] } else { a[(i, j)] });
        let delta = |i: usize, j: usize| uncertainty.a[i][j] + if with_weights { uncertainty.b[j] } else { 0.0 };
        let lu = matrix.lu();
        let size = (0..s).fold(Exact::from(1), |product, k| {
            let factor = Exact::from_f64(lu.u()[(k, k)].abs()).unwrap_or_else(Exact::zero);
            product * factor * Exact::from(scale.clone())
        });
        // A singular matrix has no inverse; its determinant is zero in exact arithmetic as well, or to rounding.
        let relative = lu.try_inverse().map_or(1.0, |inverse| {
            (0..s)
                .flat_map(|i| (0..s).map(move |j| (i, j)))
                .map(|(i, j)| inverse[(j, i)].abs() * delta(i, j))
                .sum::<f64>()
        });
        let mut all = vec![Exact::zero(); s];
        all.push(size * Exact::from_f64(relative).unwrap_or_else(Exact::zero));
        all
    };
    [change(true), change(false)]
}

/// Computes the uncertainties of N and D from the changes of A and b.
fn uncertainties(butcher: &Butcher<Exact>, a: &[Vec<Exact>], b: &[Exact]) -> [Vec<Exact>; 2] {
    let difference = |row: &Vec<Exact>| row.iter().zip(&butcher.b).map(|(a, b)| a.clone() - b.clone()).collect();
    let above = Butcher { a: butcher.a.iter().map(difference).collect(), ..butcher.clone() };
    let of_a = |columns: &[Vec<Exact>]| {
        let entries = a.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, x)| (i, j, x)));
        entries.filter(|(.., delta)| !delta.is_zero()).fold(Exact::zero(), |sum, (i, j, delta)| {
            // `columns` holds the columns of M_k: (M_k)_ji is entry j of column i.
            sum + columns[i][j].abs() * delta.clone()
        })
    };
    let of_b = |columns: &[Vec<Exact>]| {
        b.iter().enumerate().filter(|(_, delta)| !delta.is_zero()).fold(Exact::zero(), |sum, (j, delta)| {
            let column = columns.iter().fold(Exact::zero(), |sum, column| sum + column[j].clone());
            sum + column.abs() * delta.clone()
        })
    };
    let with_constant = |changes: Vec<Exact>| std::iter::once(Exact::zero()).chain(changes).collect::<Vec<Exact>>();
    [
        with_constant(adjugate(&above, above.stages()).iter().map(|columns| of_a(columns) + of_b(columns)).collect()),
        with_constant(adjugate(butcher, butcher.stages()).iter().map(|columns| of_a(columns)).collect()),
    ]
}

/// Computes the uncertainties with integers, from the changes of A, row by row, and of b over one denominator.
fn integer_uncertainties(integers: &IntegerTableau, [a, b]: [&[Exact]; 2]) -> Option<[Vec<Exact>; 2]> {
    let fractions = a.iter().chain(b).map(Exact::as_rational).collect::<Option<Vec<&RBig>>>()?;
    let (changes, common) = whole_numbers(&fractions);
    let (a, b) = changes.split_at(a.len());
    let of_a = |columns: &[Vec<IBig>]| {
        // `columns` holds the columns of M_k: (M_k)_ji is entry j of column i.
        weighted_size(columns.iter().flatten().zip(a).filter(|(_, change)| !change.is_zero()))
    };
    let of_b = |columns: &[Vec<IBig>]| {
        let sum = |j: usize| columns.iter().fold(IBig::ZERO, |sum, column| sum + &column[j]);
        let sums: Vec<IBig> = (0..b.len()).map(sum).collect();
        weighted_size(sums.iter().zip(b))
    };
    let with_constant = |changes: Vec<IBig>| {
        let fraction = |change| Exact::from(RBig::from_parts(change, common.clone()));
        std::iter::once(Exact::zero()).chain(changes.into_iter().map(fraction)).collect::<Vec<Exact>>()
    };
    let (numerator, denominator) = parallel::both(
        || with_constant(integers.without_weights().adjugates(|columns| of_a(columns) + of_b(columns))),
        || with_constant(integers.adjugates(of_a)),
    );
    Some([numerator, denominator])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::moments::ExactMoments;
    use hemiola_tableau::library;

    #[test]
    fn integers_have_the_uncertainties_of_fractions() {
        // Diagonally implicit with decimals, and implicit with fractions.
        for (id, partition) in
            [("alamri-ketcheson-6-5-8", 0), ("lobatto-iiic-3", 0), ("kennedy-carpenter-ark-4-3-6", 1)]
        {
            let method = library::method(id).unwrap();
            let elements = ExactMoments::new(&method.exact().partitions[partition]);
            let s = elements.butcher.stages();
            let change = |k: usize| Exact::from_ratio(k as i64 % 7, 1 << (20 + k % 3));
            let a: Vec<Vec<Exact>> = (0..s).map(|i| (0..s).map(|j| change(i * s + j)).collect()).collect();
            let b: Vec<Exact> = (0..s).map(|j| change(3 * j + 1)).collect();
            let integers = IntegerTableau::of(&elements.butcher).unwrap();
            let found = integer_uncertainties(&integers, [&a.concat(), &b]).unwrap();
            assert!(found == uncertainties(&elements.butcher, &a, &b), "{id}");
        }
    }
}
