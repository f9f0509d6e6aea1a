//! Definiteness of symmetric matrices, in exact arithmetic.

use std::cmp::Ordering;

use dashu::base::{BitTest, Signed};
use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_tableau::Exact;
use num_traits::Zero;

use crate::function::integers::whole_numbers;
use crate::monotonicity::Rows;

/// Definiteness of a symmetric matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Definiteness {
    Positive,
    /// Positive semidefinite and singular.
    Semidefinite,
    /// Neither.
    Indefinite,
}

/// Fewest rows of a matrix that is decided in doubles where that is a proof: exact elimination takes longer from there on.
const FEWEST_IN_DOUBLES: usize = 12;
/// Bits of the integers that replace the entries of a vector.
const VECTOR_BITS: i32 = 30;

/// Decides the definiteness of a symmetric matrix by the factorization LDLᵀ. A zero pivot of a semidefinite matrix
/// requires a zero row.
pub(super) fn definiteness(matrix: Rows<Exact>) -> Definiteness {
    let rational: Option<Vec<&RBig>> = matrix.iter().flatten().map(Exact::as_rational).collect();
    match rational {
        Some(entries) => {
            let integers = whole_numbers(&entries).0;
            let n = matrix.len();
            let found = if n >= FEWEST_IN_DOUBLES { in_doubles(&integers, n) } else { None };
            found.unwrap_or_else(|| of_integers(&integers, n))
        }
        None => of_numbers(matrix),
    }
}

fn of_numbers(mut m: Rows<Exact>) -> Definiteness {
    let n = m.len();
    let mut found = Definiteness::Positive;
    for k in 0..n {
        match m[k][k].sign() {
            Ordering::Less => return Definiteness::Indefinite,
            Ordering::Equal if m[k][k + 1..].iter().any(|entry| entry.sign() != Ordering::Equal) => {
                return Definiteness::Indefinite;
            }
            Ordering::Equal => found = Definiteness::Semidefinite,
            Ordering::Greater => {
                let Some(inverse) = m[k][k].reciprocal() else { return Definiteness::Indefinite };
                let pivot = m[k].clone();
                for i in k + 1..n {
                    let factor = pivot[i].clone() * inverse.clone();
                    if factor.is_zero() {
                        continue;
                    }
                    for j in i..n {
                        let change = factor.clone() * pivot[j].clone();
                        m[i][j] += -change;
                    }
                }
            }
        }
    }
    found
}

/// Decides the definiteness of a symmetric integer matrix by a Cholesky factorization in doubles, where it is a proof;
/// returns `None` for matrices that are singular or nearly so.
///
/// If the factorization of M − δI succeeds, where δ bounds its rounding errors, M is positive definite (Rump 2006). If a
/// pivot of M is negative, elimination yields a vector x with xᵀMx < 0, which is verified in integers.
fn in_doubles(entries: &[IBig], n: usize) -> Option<Definiteness> {
    // A power of two as the unit keeps the entries within the range of doubles.
    let bits = entries.iter().map(BitTest::bit_len).max().unwrap_or(0).saturating_sub(500);
    let double = |k: usize| (&entries[k] >> bits).to_f64().value();
    let mut m: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| double(i * n + j)).collect()).collect();
    let trace: f64 = (0..n).map(|i| m[i][i].abs()).sum();
    let size = m.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    // γ_{n+1} tr M/(1 − γ_{n+1}) bounds the errors of the factorization; entries are rounded to n units of the row sum, and
    // truncated to one unit. Twice their sum allows for the rounding of the shift.
    let gamma = (n + 2) as f64 * f64::EPSILON;
    let shift = 2.0 * (gamma / (1.0 - gamma) * trace + f64::EPSILON * size + n as f64);
    let mut shifted = m.clone();
    (0..n).for_each(|i| shifted[i][i] -= shift);
    if eliminated(&mut shifted).is_none() {
        return Some(Definiteness::Positive);
    }
    let pivot = eliminated(&mut m)?;
    let value = quadratic_form(entries, n, &direction(&m, pivot));
    value.is_negative().then_some(Definiteness::Indefinite)
}

/// Eliminates a symmetric matrix in doubles, the factors of row k in column k, up to the first pivot that is not positive;
/// returns its index.
fn eliminated(m: &mut [Vec<f64>]) -> Option<usize> {
    let n = m.len();
    for k in 0..n {
        if m[k][k].is_nan() || m[k][k] <= 0.0 {
            return Some(k);
        }
        let (upper, lower) = m.split_at_mut(k + 1);
        let pivot = &upper[k];
        for (i, row) in (k + 1..).zip(lower) {
            let factor = pivot[i] / pivot[k];
            for j in i..n {
                row[j] -= factor * pivot[j];
            }
        }
    }
    None
}

/// Returns the vector x with x_k = 1 and xᵀMx equal to pivot k, as integers over a power of two: the solution of the
/// eliminated rows above k.
fn direction(m: &[Vec<f64>], k: usize) -> Vec<IBig> {
    let mut x = vec![0.0; k + 1];
    x[k] = 1.0;
    for i in (0..k).rev() {
        let sum: f64 = (i + 1..=k).map(|j| m[i][j] * x[j]).sum();
        x[i] = -sum / m[i][i];
    }
    let largest = x.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
    let scale = 2f64.powi(VECTOR_BITS) / largest;
    x.iter().map(|x| IBig::try_from((x * scale).round()).unwrap_or(IBig::ZERO)).collect()
}

/// Computes xᵀMx over the first rows of M.
fn quadratic_form(entries: &[IBig], n: usize, x: &[IBig]) -> IBig {
    let row = |i: usize| x.iter().zip(&entries[i * n..]).fold(IBig::ZERO, |sum, (x, entry)| sum + x * entry);
    x.iter().enumerate().fold(IBig::ZERO, |sum, (i, x)| sum + x * row(i))
}

/// Eliminates without fractions (Bareiss 1968): all entries remain minors of the matrix, so that divisions by the last
/// pivot have no remainder.
fn of_integers(entries: &[IBig], n: usize) -> Definiteness {
    let mut m: Rows<IBig> = entries.chunks(n.max(1)).map(<[IBig]>::to_vec).collect();
    let mut found = Definiteness::Positive;
    let mut last = IBig::ONE;
    for k in 0..n {
        if m[k][k].is_negative() {
            return Definiteness::Indefinite;
        }
        if m[k][k].is_zero() {
            if m[k][k + 1..].iter().any(|entry| !entry.is_zero()) {
                return Definiteness::Indefinite;
            }
            found = Definiteness::Semidefinite;
            continue;
        }
        let pivot = m[k].clone();
        for i in k + 1..n {
            for j in i..n {
                m[i][j] = (&pivot[k] * &m[i][j] - &pivot[i] * &pivot[j]) / &last;
            }
        }
        last = pivot[k].clone();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(rows: &[&[i32]]) -> Definiteness {
        let matrix: Rows<Exact> = rows.iter().map(|row| row.iter().map(|&x| Exact::from(x)).collect()).collect();
        let found = definiteness(matrix.clone());
        assert_eq!(of_numbers(matrix), found, "{rows:?}");
        found
    }

    #[test]
    fn semidefinite_matrices_may_have_zero_pivots() {
        use Definiteness::{Indefinite, Positive, Semidefinite};
        assert_eq!(both(&[&[0, 0, 0], &[0, 2, 2], &[0, 2, 2]]), Semidefinite);
        assert_eq!(both(&[&[1, 1, 0], &[1, 1, 0], &[0, 0, 5]]), Semidefinite);
        assert_eq!(both(&[&[4, 2, 2], &[2, 5, 1], &[2, 1, 3]]), Positive);
        assert_eq!(both(&[&[0, 1], &[1, 5]]), Indefinite);
        assert_eq!(both(&[&[1, 1, 1], &[1, 1, 0], &[1, 0, 9]]), Indefinite);
        assert_eq!(both(&[&[1, 0], &[0, -1]]), Indefinite);
    }

    #[test]
    fn large_matrices_are_decided_in_doubles_where_that_is_a_proof() {
        // The Gram matrix of integer rows, with and without a shift of its diagonal by one part in 10⁶.
        for (n, rank) in [(12, 12), (20, 20), (20, 13), (30, 29)] {
            let g = |i: usize, j: usize| ((i * i * 31 + j * j * 17 + i * j * 7) % 23) as i64 - 11;
            let entry = |i: usize, j: usize| (0..rank).map(|k| g(k, i) * g(k, j)).sum::<i64>() * 1_000_000;
            let matrix = |shift: i64| -> Vec<IBig> {
                let at = |i: usize, j: usize| IBig::from(entry(i, j) + if i == j { shift } else { 0 });
                (0..n * n).map(|k| at(k / n, k % n)).collect()
            };
            let [singular, more, less] = [0, 1_000, -1_000].map(matrix);
            assert_eq!(in_doubles(&more, n), Some(Definiteness::Positive), "{n} {rank}");
            assert_eq!(of_integers(&more, n), Definiteness::Positive, "{n} {rank}");
            if rank < n {
                assert_eq!(in_doubles(&singular, n), None, "{n} {rank}");
                assert_eq!(of_integers(&singular, n), Definiteness::Semidefinite, "{n} {rank}");
                assert_eq!(in_doubles(&less, n), Some(Definiteness::Indefinite), "{n} {rank}");
                assert_eq!(of_integers(&less, n), Definiteness::Indefinite, "{n} {rank}");
            }
        }
    }

    #[test]
    fn gram_matrices_of_any_rank_are_recognized() {
        // GᵀG has the rank of G: definite for a nonsingular G, singular if a row of zeros or a repeated row is added.
        let g = [[3, 1, -2, 0], [0, 2, 5, 1], [1, 0, 1, 7], [2, -1, 0, 1]];
        let gram = |rank: usize| -> Rows<Exact> {
            let entry = |i: usize, j: usize| g[..rank].iter().map(|row| row[i] * row[j]).sum::<i32>();
            (0..4).map(|i| (0..4).map(|j| Exact::from(entry(i, j))).collect()).collect()
        };
        assert_eq!(definiteness(gram(4)), Definiteness::Positive);
        for rank in 1..4 {
            assert_eq!(definiteness(gram(rank)), Definiteness::Semidefinite, "rank {rank}");
            let mut changed = gram(rank);
            changed[3][3] += Exact::from_ratio(-1, 1_000_000_000);
            assert_eq!(definiteness(changed.clone()), Definiteness::Indefinite, "rank {rank}");
            assert_eq!(of_numbers(changed), Definiteness::Indefinite, "rank {rank}");
        }
    }
}
