//! The order in which factors are multiplied.
//!
//! All orders have the same product, but the partial products, which are the stages, and the products that remain,
//! which amplify their errors, differ by many powers of ten (Lebedev & Finogenov 1971; Ketcheson, Lóczi & Parsani 2014).

/// The weight of the amplification against the growth of the stages. At 1 many orders are as good as each other, and
/// rounding of the roots decides between them; at 2 M is ten times less, and the stages ten times longer.
const WEIGHT: f64 = 1.2;

/// A permutation of the factors, of which `logs[i][k]` is log |factor i| at the point k.
///
/// Greedy: the next factor is the one that keeps sup |product so far| · sup |product that remains| least, which is the
/// loss by rounding at that place. Looking at both ends keeps the last factors from being the unwieldy ones.
pub(crate) fn order(logs: &[Vec<f64>]) -> Vec<usize> {
    let points = logs.first().map_or(0, Vec::len);
    let mut done = vec![0.0; points];
    let mut remaining: Vec<f64> = (0..points).map(|k| logs.iter().map(|factor| factor[k]).sum()).collect();
    let mut left: Vec<usize> = (0..logs.len()).collect();
    let mut result = Vec::with_capacity(logs.len());
    while !left.is_empty() {
        let costs: Vec<f64> = left.iter().map(|&i| cost(&logs[i], &done, &remaining)).collect();
        let best = (0..left.len()).min_by(|&i, &j| costs[i].total_cmp(&costs[j])).unwrap_or(0);
        let next = left.remove(best);
        for k in 0..points {
            done[k] += logs[next][k];
            remaining[k] -= logs[next][k];
        }
        result.push(next);
    }
    result
}

/// log (sup |done · factor| · sup |remaining / factor|), the second with its weight.
fn cost(factor: &[f64], done: &[f64], remaining: &[f64]) -> f64 {
    let (mut stage, mut amplification) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for k in 0..factor.len() {
        stage = stage.max(done[k] + factor[k]);
        amplification = amplification.max(remaining[k] - factor[k]);
    }
    stage + WEIGHT * amplification
}
