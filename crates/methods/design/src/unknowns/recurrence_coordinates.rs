//! Coordinates in which every pair has a given fast polynomial.
//!
//! Let α, β be the tableau of a recurrence for a polynomial R ([`BoundedBasis`]), and W a regular lower triangular
//! matrix. On the stages after the first, Aᶠ = W α W⁻¹ and bᶠ = β W⁻¹ have the polynomial R for every W, and cᶠ = Wτ
//! with the first Taylor coefficients τ of the recurrence. Row sums determine the first column, and bᶠ sums to one.
//! Conversely, every explicit tableau with this polynomial and without zeros on its subdiagonal has such a W. The
//! coordinates are W, the slow coefficients and all slow weights but the first; the equations of the polynomial, in
//! which searches over single coefficients are stuck, are gone.

use nalgebra::{DMatrix, DVector};

use crate::decomposition::decomposed;
use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::{FAST, SLOW};
use crate::unknowns::bounded_basis::BoundedBasis;
use crate::unknowns::slopes::Slopes;

use hemiola_polynomial::Axis;

/// Largest abscissa of a start on the real axis, where that of the recurrence may exceed one.
const LAST: f64 = 0.98;
/// Largest degree of exactness of the quadratures with which the slow rows start.
const QUADRATURE: usize = 3;

/// The coordinates of the pairs with one fast polynomial and one choice of slow stages.
#[derive(Clone, Debug)]
pub(crate) struct RecurrenceCoordinates<'a> {
    basis: &'a BoundedBasis,
    pub(crate) slow_stages: Vec<usize>,
    /// Whether cˢ = cᶠ; the first stage is then slow, and its slow column follows from the others.
    pub(crate) shares_abscissae: bool,
    /// The unknown entries of W by row and column.
    mixing: Vec<(usize, usize)>,
    /// The unknown entries of Aˢ by row and column.
    slow: Vec<(usize, usize)>,
    /// αᵀ by rows, on the stages after the first.
    transposed: Vec<Vec<f64>>,
}

/// A pair in these coordinates.
pub(crate) struct RecurrencePoint<'a> {
    coordinates: &'a RecurrenceCoordinates<'a>,
    pub(crate) at: PairCoefficients,
    /// The transpose of W⁻¹ by rows.
    inverse: Vec<Vec<f64>>,
}

impl<'a> RecurrenceCoordinates<'a> {
    /// Creates coordinates with a W of `band` diagonals below the main one and full rows at the slow stages.
    pub(crate) fn new(basis: &'a BoundedBasis, slow_stages: &[usize], shares_abscissae: bool, band: usize) -> Self {
        let stages = basis.b.len();
        let row = |i: usize| {
            let first = if slow_stages.contains(&(i + 1)) { 0 } else { i.saturating_sub(band) };
            (first..=i).map(move |k| (i, k))
        };
        let mixing = (0..stages - 1).flat_map(row).collect();
        let columns = &slow_stages[usize::from(shares_abscissae)..];
        let slow = (1..stages).flat_map(|j| columns.iter().filter(move |&&k| k < j).map(move |&k| (j, k))).collect();
        let entry = |k: usize| (1..stages).map(|l| basis.a[l][k + 1]).collect();
        let transposed = (0..stages - 1).map(entry).collect();
        Self { basis, slow_stages: slow_stages.to_vec(), shares_abscissae, mixing, slow, transposed }
    }

    pub(crate) fn stages(&self) -> usize {
        self.basis.b.len()
    }

    /// Returns the number of coordinates.
    pub(crate) fn count(&self) -> usize {
        self.mixing.len() + self.slow.len() + self.slow_stages.len() - 1
    }

    /// Returns a diagonal W with abscissae in the step, and slow rows that are quadratures.
    pub(crate) fn start(&self) -> Vec<f64> {
        let BoundedBasis { first, second, axis, .. } = self.basis;
        let abscissa = |j: usize| match (axis, j) {
            (_, 0) => 0.0,
            (Axis::Real, 1) => 0.5 * first[1],
            (Axis::Real, _) => (2.0 * second[j] / first[j]).min(LAST),
            (Axis::Imaginary, _) => first[j].min(1.0),
        };
        let c: Vec<f64> = (0..self.stages()).map(abscissa).collect();
        let mut x: Vec<f64> =
            self.mixing.iter().map(|&(i, k)| if i == k { c[i + 1] / first[i + 1] } else { 0.0 }).collect();
        let nodes: Vec<f64> = self.slow_stages.iter().map(|&k| c[k]).collect();
        for j in 1..self.stages() {
            let known = self.slow_stages.iter().filter(|&&k| k < j).count();
            let row = quadrature(&nodes[..known], c[j], known.min(QUADRATURE));
            x.extend(row.iter().skip(usize::from(self.shares_abscissae)));
        }
        x.extend(quadrature(&nodes, 1.0, nodes.len()).iter().skip(1));
        x
    }

    /// Returns the pair with these coordinates; its coefficients are not finite if W is singular.
    pub(crate) fn point(&self, x: &[f64]) -> RecurrencePoint<'_> {
        let BoundedBasis { a: alpha, b: beta, first, .. } = self.basis;
        let (n, m) = (self.stages(), self.stages() - 1);
        let mut w = vec![vec![0.0; m]; m];
        self.mixing.iter().zip(x).for_each(|(&(i, k), x)| w[i][k] = *x);
        let mut inverse = vec![vec![0.0; m]; m];
        for k in 0..m {
            // Column k of W⁻¹.
            let column = &mut inverse[k];
            column[k] = 1.0 / w[k][k];
            for i in k + 1..m {
                let sum: f64 = (k..i).map(|j| w[i][j] * column[j]).sum();
                column[i] = -sum / w[i][i];
            }
        }
        let mut at = PairCoefficients::zero(n);
        at.occupied[SLOW].clone_from(&self.slow_stages);
        for i in 0..m {
            let mixed: Vec<f64> = (0..i).map(|k| (k + 1..=i).map(|j| w[i][j] * alpha[j + 1][k + 1]).sum()).collect();
            let c: f64 = (0..=i).map(|j| w[i][j] * first[j + 1]).sum();
            let row: Vec<f64> = (0..i).map(|j| (j..i).map(|k| mixed[k] * inverse[j][k]).sum()).collect();
            let offset = at.row_offset(FAST, i + 1);
            at.entries[offset] = c - row.iter().sum::<f64>();
            at.entries[offset + 1..=offset + i].copy_from_slice(&row);
        }
        let weights: Vec<f64> = (0..m).map(|j| (j..m).map(|k| beta[k + 1] * inverse[j][k]).sum()).collect();
        let offset = at.row_offset(FAST, n);
        at.entries[offset] = 1.0 - weights.iter().sum::<f64>();
        at.entries[offset + 1..offset + n].copy_from_slice(&weights);
        self.fill_slow(&x[self.mixing.len()..], &mut at);
        RecurrencePoint { coordinates: self, at, inverse }
    }

    fn fill_slow(&self, x: &[f64], at: &mut PairCoefficients) {
        let n = self.stages();
        for (&(j, k), x) in self.slow.iter().zip(x) {
            let offset = at.row_offset(SLOW, j);
            at.entries[offset + k] = *x;
        }
        if self.shares_abscissae {
            for j in 1..n {
                let c: f64 = at.row(FAST, j).iter().sum();
                let rest: f64 = at.row(SLOW, j).iter().sum();
                let offset = at.row_offset(SLOW, j);
                at.entries[offset] = c - rest;
            }
        }
        let offset = at.row_offset(SLOW, n);
        let weights = &x[self.slow.len()..];
        at.entries[offset + self.slow_stages[0]] = 1.0 - weights.iter().sum::<f64>();
        self.slow_stages[1..].iter().zip(weights).for_each(|(&k, x)| at.entries[offset + k] = *x);
    }
}

impl Slopes for RecurrencePoint<'_> {
    fn count(&self) -> usize {
        self.coordinates.count()
    }

    /// dA = (dW α − A dW) W⁻¹, db = −b dW W⁻¹ and dc = dW τ.
    #[inline(always)]
    fn pull(&self, gradient: &PairCoefficients, slopes: &mut [f64]) {
        let Self { coordinates, at, inverse } = self;
        let (n, m) = (coordinates.stages(), coordinates.stages() - 1);
        let first = &coordinates.basis.first;
        // H = G W⁻ᵀ for the derivatives G with respect to Aᶠ.
        let mut h = vec![vec![0.0; m]; m];
        for i in 1..m {
            let row = gradient.row(FAST, i + 1);
            let own = &mut h[i][..=i];
            for j in 0..i {
                add(&mut own[j..], row[j + 1] - row[0], &inverse[j][j..=i]);
            }
        }
        let weights = gradient.row(FAST, n);
        let mut of_weights = vec![0.0; m];
        for j in 0..m {
            add(&mut of_weights[j..], weights[j + 1] - weights[0], &inverse[j][j..]);
        }
        let mut mixing = vec![0.0; m];
        let mut next = 0;
        for i in 0..m {
            let mixing = &mut mixing[..=i];
            mixing.fill(0.0);
            for k in 0..i {
                add(&mut mixing[k + 1..], h[i][k], &coordinates.transposed[k][k + 1..=i]);
            }
            for r in i + 1..m {
                add(mixing, -at.row(FAST, r + 1)[i + 1], &h[r][..=i]);
            }
            add(mixing, -at.row(FAST, n)[i + 1], &of_weights[..=i]);
            let slow = if coordinates.shares_abscissae { gradient.row(SLOW, i + 1)[0] } else { 0.0 };
            add(mixing, gradient.row(FAST, i + 1)[0] + slow, &first[1..=i + 1]);
            while let Some(&(row, k)) = coordinates.mixing.get(next).filter(|place| place.0 == i) {
                debug_assert_eq!(row, i);
                slopes[next] = mixing[k];
                next += 1;
            }
        }
        for &(j, k) in &coordinates.slow {
            let row = gradient.row(SLOW, j);
            slopes[next] = row[k] - if coordinates.shares_abscissae { row[0] } else { 0.0 };
            next += 1;
        }
        let (row, stages) = (gradient.row(SLOW, n), &coordinates.slow_stages);
        for (slope, &k) in slopes[next..].iter_mut().zip(&stages[1..]) {
            *slope = row[k] - row[stages[0]];
        }
    }
}

/// Computes y += factor·x.
#[inline(always)]
fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
}

/// Returns weights of smallest norm for the integral from 0 to an end, exact for powers below a degree as far as the
/// nodes allow.
fn quadrature(nodes: &[f64], end: f64, degree: usize) -> Vec<f64> {
    if nodes.is_empty() {
        return Vec::new();
    }
    let matrix = DMatrix::from_fn(degree, nodes.len(), |power, j| nodes[j].powi(power as i32));
    let right = DVector::from_fn(degree, |power, _| end.powi(power as i32 + 1) / (power + 1) as f64);
    let solve = || decomposed(matrix)?.solve(&right, 1e-6).ok();
    solve().map_or_else(|| vec![end / nodes.len() as f64; nodes.len()], |weights| weights.as_slice().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::stability::taylor;

    fn moments(at: &PairCoefficients) -> Vec<f64> {
        let n = at.stages;
        let times = |x: &[f64]| -> Vec<f64> {
            (0..n).map(|i| at.row(FAST, i).iter().zip(x).map(|(a, x)| a * x).sum()).collect()
        };
        let powers = std::iter::successors(Some(vec![1.0; n]), |x| Some(times(x)));
        powers.take(n).map(|x| at.row(FAST, n).iter().zip(&x).map(|(b, x)| b * x).sum()).collect()
    }

    fn displaced(coordinates: &RecurrenceCoordinates<'_>) -> Vec<f64> {
        let start = coordinates.start();
        start.iter().enumerate().map(|(j, x)| x + 0.1 * ((7 * j + 1) as f64).sin()).collect()
    }

    #[test]
    fn every_point_has_the_polynomial() {
        for axis in [Axis::Imaginary, Axis::Real] {
            let basis = BoundedBasis::new(axis, 4.0, &taylor(6));
            for (slow, shares) in [(vec![0, 2, 5], true), (vec![1, 4], false)] {
                let coordinates = RecurrenceCoordinates::new(&basis, &slow, shares, 2);
                let point = coordinates.point(&displaced(&coordinates));
                let expected = taylor(6).into_iter().skip(1).map(|x| x.to_f64().value());
                for (found, expected) in moments(&point.at).into_iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
                }
                let weights: f64 = point.at.row(SLOW, 6).iter().sum();
                assert!((weights - 1.0).abs() < 1e-14);
                let sum = |part: usize, i: usize| point.at.row(part, i).iter().sum::<f64>();
                assert_eq!((0..6).all(|i| (sum(SLOW, i) - sum(FAST, i)).abs() < 1e-14), shares);
            }
        }
    }

    #[test]
    fn slopes_agree_with_differences() {
        let basis = BoundedBasis::new(Axis::Imaginary, 4.0, &taylor(7));
        for (slow, shares) in [(vec![0, 2, 5], true), (vec![1, 4], false)] {
            let coordinates = RecurrenceCoordinates::new(&basis, &slow, shares, 1);
            let x = displaced(&coordinates);
            let mut gradient = PairCoefficients::zero(7);
            for (k, slope) in gradient.entries.iter_mut().enumerate() {
                *slope = (k as f64).cos();
            }
            // A linear function of the coefficients below the diagonal.
            let value = |x: &[f64]| -> f64 {
                let at = coordinates.point(x).at;
                let row = |(part, i): (usize, usize)| -> f64 {
                    at.row(part, i)[..i].iter().zip(gradient.row(part, i)).map(|(a, g)| a * g).sum()
                };
                [SLOW, FAST].into_iter().flat_map(|part| (0..=7).map(move |i| (part, i))).map(row).sum()
            };
            let mut slopes = vec![0.0; coordinates.count()];
            coordinates.point(&x).pull(&gradient, &mut slopes);
            for (j, slope) in slopes.iter().enumerate() {
                let moved = |step: f64| {
                    let mut x = x.clone();
                    x[j] += step;
                    value(&x)
                };
                let difference = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                assert!((difference - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{j}: {slope} {difference}");
            }
        }
    }

    #[test]
    fn quadratures_are_exact_where_the_nodes_allow() {
        let simpson = quadrature(&[0.0, 0.5, 1.0], 1.0, 3);
        assert!(simpson.iter().zip([1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]).all(|(x, y)| (x - y).abs() < 1e-14));
        assert_eq!(quadrature(&[], 1.0, 0), Vec::<f64>::new());
    }
}
