//! Values at infinity of stages and of bounded stability functions, as polynomials in the coefficients.

use hemiola_tableau::Scalar;

/// Computes the limits v of the implicit stages for z → ∞, Σ aᵢⱼvⱼ = 0, each times the product of the diagonal entries up
/// to its own.
///
/// `stages` are those at which the partition is evaluated; `is_explicit` states whether the first one, v = 1, is explicit.
pub(crate) fn scaled_stage_limits<T: Scalar>(a: &[Vec<T>], stages: &[usize], is_explicit: bool) -> Vec<T> {
    let implicit = &stages[usize::from(is_explicit)..];
    let mut v: Vec<T> = Vec::new();
    for (i, &stage) in implicit.iter().enumerate() {
        let mut own = if is_explicit { -(a[stage][stages[0]].clone() * product(a, implicit, 0, i)) } else { T::zero() };
        for j in 0..i {
            own = own - a[stage][implicit[j]].clone() * v[j].clone() * product(a, implicit, j + 1, i);
        }
        v.push(own);
    }
    v
}

/// Computes R(∞) = 1 + Σ bⱼwⱼ times the square of the product of the diagonal entries.
///
/// For z → ∞ the stages are u = v + w/z with the [limits](scaled_stage_limits) v and vᵢ = 1 + Σ aᵢⱼwⱼ. Multiplied by the
/// diagonal entries, v and w need no division.
pub(super) fn scaled_limit<T: Scalar>(a: &[Vec<T>], b: &[T], stages: &[usize], is_explicit: bool) -> T {
    let implicit = &stages[usize::from(is_explicit)..];
    let diagonal = |k: usize| a[implicit[k]][implicit[k]].clone();
    let product = |from: usize, to: usize| product(a, implicit, from, to);
    let square = |x: T| x.clone() * x;
    let mut w: Vec<T> = Vec::new();
    for (i, (&stage, own)) in implicit.iter().zip(scaled_stage_limits(a, stages, is_explicit)).enumerate() {
        let mut next = product(0, i) * (own - product(0, i + 1));
        for j in 0..i {
            next = next - a[stage][implicit[j]].clone() * w[j].clone() * diagonal(i) * square(product(j + 1, i));
        }
        w.push(next);
    }
    let count = implicit.len();
    let term = |j: usize| b[implicit[j]].clone() * w[j].clone() * square(product(j + 1, count));
    (0..count).fold(square(product(0, count)), |sum, j| sum + term(j))
}

/// Computes the product of the diagonal entries of some implicit stages.
fn product<T: Scalar>(a: &[Vec<T>], implicit: &[usize], from: usize, to: usize) -> T {
    implicit[from..to].iter().fold(T::one(), |product, &k| product * a[k][k].clone())
}

#[cfg(test)]
mod tests {
    use hemiola_stability::modulus_at_infinity;
    use hemiola_tableau::library;

    use super::*;

    /// Compares with `modulus_at_infinity`, which shares no code with `scaled_limit`.
    #[test]
    fn the_limit_is_that_of_the_stability_function() {
        for id in ["kennedy-carpenter-esdirk-5-4-7", "kvaerno-3-2-4", "cash-4-3-5"] {
            let method = library::method(id).unwrap().embedded().unwrap();
            let tableau = method.to_f64();
            let part = &tableau.partitions[0];
            let stages: Vec<usize> = (0..part.stages()).collect();
            let is_explicit = part.a[0][0] == 0.0;
            let product: f64 = stages[usize::from(is_explicit)..].iter().map(|&k| part.a[k][k]).product();
            let found = scaled_limit(&part.a, &part.b, &stages, is_explicit).abs() / (product * product);
            if let Some(expected) = modulus_at_infinity(&method, 0).unwrap() {
                let expected = expected.to_f64();
                assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{id}: {found} {expected}");
            }
        }
    }
}
