//! Order in which factors are multiplied.
//!
//! All orders have the same product. The partial products, which are the stages, and the remaining products, which
//! amplify their errors, differ by many powers of ten (Lebedev & Finogenov 1971; Ketcheson, Lóczi & Parsani 2014).

/// Weight of the amplification against the growth of the stages.
///
/// At 1 many orders are equally good, and rounding of the roots decides between them. At 2, M is ten times smaller and
/// the stages are ten times larger.
const WEIGHT: f64 = 1.2;

/// Computes a permutation of the factors, where `logs[i][k]` is log |factor i| at point k.
///
/// The algorithm is greedy: the next factor minimizes sup |product so far| · sup |remaining product|, the loss by
/// rounding at this position. The second supremum keeps the worst factors from being left to the end.
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

/// Computes log (sup |done · factor| · sup |remaining / factor|), the second supremum with its weight.
fn cost(factor: &[f64], done: &[f64], remaining: &[f64]) -> f64 {
    let (mut stage, mut amplification) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for k in 0..factor.len() {
        stage = stage.max(done[k] + factor[k]);
        amplification = amplification.max(remaining[k] - factor[k]);
    }
    stage + WEIGHT * amplification
}
