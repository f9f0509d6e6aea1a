//! Chebyshev coefficients of a polynomial from its values, in any precision.

use crate::arithmetic::real::Real;

/// Computes c_0 … c_s of f = Σ c_j T_j(1 − 2t) for a polynomial f of degree s by the discrete cosine transform
/// (Trefethen 2013, §3).
///
/// The samples lie at t = sin²(πk/2n), k = 0 … n, for a power of two n > s, because these sines follow from square
/// roots. The squares keep the relative accuracy of t close to 0, where f may vary on the scale 1/s².
pub(crate) fn chebyshev_coefficients<T: Real>(degree: usize, like: &T, f: impl Fn(&T) -> T) -> Vec<T> {
    let intervals = (degree + 1).next_power_of_two();
    let quarter = quarter_wave(intervals, like);
    let half = like.like(0.5);
    let mut samples: Vec<T> = quarter.iter().rev().map(|sine| f(&sine.square())).collect();
    for end in [0, intervals] {
        samples[end] = samples[end].clone() * half.clone();
    }
    let factor = like.like(2.0 / intervals as f64);
    let coefficient = |j: usize| {
        let terms = samples.iter().enumerate().map(|(k, sample)| sample.clone() * cosine(&quarter, 2 * j * k));
        let sum = terms.fold(like.like(0.0), |sum, term| sum + term) * factor.clone();
        if j == 0 { sum * half.clone() } else { sum }
    };
    (0..=degree).map(coefficient).collect()
}

/// Looks up cos(πi/2n) for any i in the table for 0 ≤ i ≤ n.
fn cosine<T: Real>(quarter: &[T], i: usize) -> T {
    let n = quarter.len() - 1;
    match i % (4 * n) {
        i if i <= n => quarter[i].clone(),
        i if i <= 2 * n => -quarter[2 * n - i].clone(),
        i if i <= 3 * n => -quarter[i - 2 * n].clone(),
        i => quarter[4 * n - i].clone(),
    }
}

/// Tabulates cos(πi/2n) for i = 0 … n, n a power of two.
///
/// Bisection by cos a + cos b = 2 cos((a + b)/2) cos((a − b)/2) adds only positive numbers: the relative errors stay
/// small.
fn quarter_wave<T: Real>(n: usize, like: &T) -> Vec<T> {
    let one = like.like(1.0);
    let mut table = vec![one.clone(), like.like(0.0)];
    // Cosine of half the spacing.
    let mut half = square_root(&like.like(0.5));
    while table.len() <= n {
        let twice = half.clone() + half.clone();
        let mut finer = Vec::with_capacity(2 * table.len() - 1);
        for pair in table.windows(2) {
            finer.push(pair[0].clone());
            finer.push((pair[0].clone() + pair[1].clone()) / twice.clone());
        }
        finer.push(like.like(0.0));
        table = finer;
        half = square_root(&((half + one.clone()) * like.like(0.5)));
    }
    table
}

/// Computes √x by Heron's method: six steps from a double give a thousand digits.
fn square_root<T: Real>(x: &T) -> T {
    (0..6).fold(x.like(x.to_f64().sqrt()), |root, _| (root.clone() + x.clone() / root) * x.like(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::real::BigReal;
    use hemiola_number::DoubleDouble;

    #[test]
    fn quarter_wave_is_accurate_also_where_it_is_small() {
        let exact = |i: usize| (std::f64::consts::FRAC_PI_2 * (64 - i) as f64 / 64.0).sin();
        for (i, value) in quarter_wave(64, &BigReal::new(1.0, 40)).iter().enumerate() {
            assert!((value.to_f64() - exact(i)).abs() <= 2.0 * f64::EPSILON * exact(i), "{i}");
        }
    }

    /// Returns the largest coefficient error for f = T_s + T_{s−1}/2 + 3, evaluated by the three-term recurrence.
    fn largest_error<T: Real>(degree: usize, like: &T) -> f64 {
        let f = |t: &T| {
            let x = like.like(1.0) - t.clone() * like.like(2.0);
            let (mut previous, mut current) = (like.like(1.0), x.clone());
            for _ in 1..degree {
                let next = like.like(2.0) * x.clone() * current.clone() - previous;
                (previous, current) = (current, next);
            }
            current + previous * like.like(0.5) + like.like(3.0)
        };
        let mut coefficients = chebyshev_coefficients(degree, like, f);
        for (j, value) in [(degree, 1.0), (degree - 1, 0.5), (0, 3.0)] {
            coefficients[j] -= like.like(value);
        }
        coefficients.iter().fold(0.0, |largest, error| error.abs().to_f64().max(largest)) / like.epsilon()
    }

    #[test]
    fn coefficients_return() {
        for degree in [2, 7, 8, 40] {
            let size = 10.0 * (degree * degree) as f64;
            assert!(largest_error(degree, &1.0) <= size);
            assert!(largest_error(degree, &DoubleDouble::from(1.0)) <= size);
            assert!(largest_error(degree, &BigReal::new(1.0, 60)) <= size);
        }
    }
}
