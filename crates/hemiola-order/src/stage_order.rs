//! Stage order and the simplifying assumptions behind it.

use hemiola_tableau::{Exact, Method, Scalar, Tableau};
use num_traits::Zero;

/// The stage order: the largest q ≤ `order` for which all stage values are accurate to O(h^{q+1}).
///
/// For one partition these are Butcher's simplifying assumptions C(q), A cᵏ⁻¹ = cᵏ/k for k ≤ q (Hairer & Wanner 1996,
/// §IV.5). For several partitions the stages of all of them must lie on the solution at the same times: A^r Π c^{r_i} =
/// (c^r)ᵏ/k for all products of k−1 abscissae of any partitions. Conditions hold exactly or to the precision of the
/// coefficients.
#[must_use]
pub fn stage_order(method: &Method, order: usize) -> usize {
    let exact = method.exact();
    let uncertainties = method.uncertainties();
    (1..=order).take_while(|&k| stage_conditions_hold(&exact, &uncertainties, k)).count()
}

fn stage_conditions_hold(tableau: &Tableau<Exact>, uncertainties: &Tableau<f64>, k: usize) -> bool {
    // Products of abscissae of different partitions need comparing only where the abscissae differ.
    let abscissae = distinct_abscissae(tableau);
    tableau.partitions.iter().zip(&uncertainties.partitions).all(|(butcher, uncertainty)| {
        let expected: Vec<Exact> = butcher.c.iter().map(|c| power(c, k) * Exact::ratio(1, k as u64)).collect();
        products(&abscissae, k - 1).iter().all(|product| {
            let found = butcher.times(product);
            found.into_iter().zip(&expected).enumerate().all(|(i, (found, expected))| {
                let residual = found - expected.clone();
                // Each abscissa of size |c| ≤ C changes the k-th power by at most k C^{k−1} δc, each entry of A the
                // sum by C^{k−1} δa; abscissae in the product are row sums, uncertain by Σ δa again.
                let reach = 1f64.max(abscissae.iter().flatten().map(|c| c.to_f64().abs()).fold(0.0, f64::max));
                let row: f64 = uncertainty.a[i].iter().sum::<f64>() + uncertainty.c[i].abs();
                let rows: f64 = uncertainty.a.iter().flatten().chain(&uncertainty.c).sum();
                let size: f64 = butcher.a[i].iter().map(|a| a.to_f64().abs()).sum();
                let explained = reach.powi(k as i32) * k as f64 * (row + size * rows);
                residual.is_zero() || residual.to_f64().abs() <= explained
            })
        })
    })
}

fn distinct_abscissae(tableau: &Tableau<Exact>) -> Vec<Vec<Exact>> {
    let mut distinct: Vec<Vec<Exact>> = Vec::new();
    for butcher in &tableau.partitions {
        if !distinct.contains(&butcher.c) {
            distinct.push(butcher.c.clone());
        }
    }
    distinct
}

/// All products of `factors` vectors, stage by stage.
fn products(vectors: &[Vec<Exact>], factors: usize) -> Vec<Vec<Exact>> {
    let stages = vectors.first().map_or(0, Vec::len);
    let mut products = vec![vec![Exact::from(1); stages]];
    for _ in 0..factors {
        products = products
            .iter()
            .flat_map(|product| {
                vectors.iter().map(|c| product.iter().zip(c).map(|(p, c)| p.clone() * c.clone()).collect())
            })
            .collect();
    }
    products
}

fn power(x: &Exact, k: usize) -> Exact {
    (0..k).fold(Exact::from(1), |product, _| product * x.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn stage_orders_of_known_families() {
        // Hairer & Wanner 1996, Table IV.5.13.
        for (id, expected) in [
            ("rk4", 1),
            ("gauss-2", 2),
            ("gauss-3", 3),
            ("radau-ia-2", 1),
            ("radau-ia-3", 2),
            ("radau-iia-2", 2),
            ("radau-iia-3", 3),
            ("lobatto-iiia-3", 3),
            ("lobatto-iiib-3", 1),
            ("lobatto-iiic-3", 2),
            ("implicit-midpoint", 1),
            ("dormand-prince-5", 1),
        ] {
            assert_eq!(stage_order(&library::method(id).unwrap(), 8), expected, "{id}");
        }
    }
}
