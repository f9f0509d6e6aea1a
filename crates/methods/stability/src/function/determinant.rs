//! Determinant det(I − zA) and adjugate of I − zA as polynomials in z.

use hemiola_tableau::{Butcher, Scalar};

/// Computes det(I − zA): 1 for explicit methods, a product for diagonally implicit ones, by the Faddeev–LeVerrier
/// algorithm otherwise.
pub(crate) fn denominator<T: Scalar>(butcher: &Butcher<T>) -> Vec<T> {
    if butcher.is_explicit() {
        return vec![T::one()];
    }
    if butcher.is_diagonally_implicit() {
        let diagonal = (0..butcher.stages()).map(|i| &butcher.a[i][i]).filter(|entry| !entry.is_zero());
        return diagonal.fold(vec![T::one()], |product, entry| times_linear(&product, entry));
    }
    trimmed(characteristic(butcher))
}

/// Computes p(z)(1 − a z).
fn times_linear<T: Scalar>(p: &[T], a: &T) -> Vec<T> {
    let mut product = p.to_vec();
    product.push(T::zero());
    for (k, coefficient) in p.iter().enumerate() {
        product[k + 1] += -(coefficient.clone() * a.clone());
    }
    product
}

/// Computes the coefficients of det(I − zA).
pub(crate) fn characteristic<T: Scalar>(butcher: &Butcher<T>) -> Vec<T> {
    let mut coefficients = vec![T::one()];
    faddeev_leverrier(butcher, butcher.stages(), |coefficient, _| coefficients.push(coefficient));
    coefficients
}

/// Computes the matrices M_k of adj(I − zA) = Σ M_k zᵏ⁻¹, k = 1, …, `count`, each by columns.
pub(crate) fn adjugate<T: Scalar>(butcher: &Butcher<T>, count: usize) -> Vec<Vec<Vec<T>>> {
    let mut matrices = Vec::new();
    faddeev_leverrier(butcher, count, |_, columns| matrices.push(columns.to_vec()));
    matrices
}

/// Passes c_k and the columns of M_k, k = 1, …, `count`, to `take`: M₁ = I, c_k = −tr(A M_k)/k, M_{k+1} = A M_k + c_k I.
///
/// (Faddeev–LeVerrier algorithm.)
fn faddeev_leverrier<T: Scalar>(butcher: &Butcher<T>, count: usize, mut take: impl FnMut(T, &[Vec<T>])) {
    let s = butcher.stages();
    let unit = |i: usize| (0..s).map(|j| if i == j { T::one() } else { T::zero() }).collect::<Vec<T>>();
    let mut columns: Vec<Vec<T>> = (0..s).map(unit).collect();
    for k in 1..=count {
        let mut next: Vec<Vec<T>> = columns.iter().map(|column| butcher.times(column)).collect();
        let trace = (0..s).fold(T::zero(), |sum, i| sum + next[i][i].clone());
        let coefficient = -(trace * T::ratio(1, k as u64));
        for (i, column) in next.iter_mut().enumerate() {
            column[i] += coefficient.clone();
        }
        take(coefficient, &columns);
        columns = next;
    }
}

/// Removes leading zero coefficients of p.
pub(crate) fn trimmed<T: Scalar>(mut p: Vec<T>) -> Vec<T> {
    while p.len() > 1 && p.last().is_some_and(T::is_zero) {
        p.pop();
    }
    p
}
