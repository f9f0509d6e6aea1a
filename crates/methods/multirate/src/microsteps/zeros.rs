//! Positive integer zeros of a polynomial from its values.

use hemiola_number::Exact;
use num_traits::Zero;

/// The largest integer examined for zeros; in practice, differences decide much earlier.
const FARTHEST: u64 = 1_000_000;

/// Returns the positive integers at which a polynomial of degree at most n vanishes, given its values at 1, …, n + 1.
/// Returns `None` for the zero polynomial, and if zeros beyond a million cannot be excluded.
///
/// Newton's formula N(m + k) = Σ_i C(k, i) ΔⁱN(m) has no negative binomials: if all forward differences at m have one
/// sign and N(m) ≠ 0, no larger integer is a zero.
pub(super) fn positive_integer_zeros(values: &[Exact]) -> Option<Vec<u64>> {
    if values.iter().all(Zero::is_zero) {
        return None;
    }
    // The differences ΔⁱN(1).
    let mut differences = values.to_vec();
    for i in 1..differences.len() {
        for k in (i..differences.len()).rev() {
            differences[k] = differences[k].clone() - differences[k - 1].clone();
        }
    }
    let mut zeros = Vec::new();
    for m in 1..=FARTHEST {
        let signs: Vec<std::cmp::Ordering> = differences.iter().map(Exact::sign).collect();
        if signs[0].is_eq() {
            zeros.push(m);
        } else if signs.iter().all(|sign| sign.is_eq() || *sign == signs[0]) {
            return Some(zeros);
        }
        for i in 0..differences.len() - 1 {
            differences[i] = differences[i].clone() + differences[i + 1].clone();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros(polynomial: impl Fn(i32) -> i32, degree: i32) -> Option<Vec<u64>> {
        positive_integer_zeros(&(1..=degree + 1).map(|m| Exact::from(polynomial(m))).collect::<Vec<_>>())
    }

    #[test]
    fn zeros_beyond_the_values_are_found() {
        assert_eq!(zeros(|m| (m - 3) * (m - 40), 2), Some(vec![3, 40]));
        assert_eq!(zeros(|m| m * m + 1, 2), Some(vec![]));
        assert_eq!(zeros(|m| -(m - 1) * (m + 5) * (m - 17), 3), Some(vec![1, 17]));
        assert_eq!(zeros(|m| m * m - 2, 4), Some(vec![]));
        assert_eq!(zeros(|_| 0, 3), None);
    }
}
