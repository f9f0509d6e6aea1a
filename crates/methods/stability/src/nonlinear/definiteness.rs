//! Definiteness of symmetric matrices, in exact arithmetic.

use std::cmp::Ordering;

use dashu::base::Signed;
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

/// Decides the definiteness of a symmetric matrix by the factorization LDLᵀ. A zero pivot of a semidefinite matrix
/// requires a zero row.
pub(super) fn definiteness(matrix: Rows<Exact>) -> Definiteness {
    let rational: Option<Vec<&RBig>> = matrix.iter().flatten().map(Exact::as_rational).collect();
    match rational {
        Some(entries) => of_integers(&whole_numbers(&entries).0, matrix.len()),
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
