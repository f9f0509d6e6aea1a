//! Values y = κt at which ρ(S) is sampled.

use super::radius::FlowRadius;

/// Spacing of y in units of the shortest active period over 2π: forty samples in a period of e^{iy}.
const SPACING: f64 = 0.16;
/// Exponent at which a decaying oscillation counts as zero: e^{−14} < 10⁻⁶.
const NEGLIGIBLE: f64 = 14.0;
/// Largest y without damping, and largest number of samples where oscillations are resolved.
const MOST: f64 = 400.0;
const MOST_COLUMNS: usize = 6000;
/// Ratio of neighboring y beyond all oscillations, and the largest y.
const RATIO: f64 = 1.1;
const FARTHEST: f64 = 1e6;

/// Returns the samples of y in ascending order; with damping the last one is infinity.
///
/// A difference δ of times contributes e^{δuy}, which oscillates with the frequency δ and is negligible beyond
/// 14/(ζδ). Stages that end close to each other therefore oscillate slowly, and for long.
pub(super) fn columns(radius: &FlowRadius) -> Vec<f64> {
    let damping = radius.damping();
    let frequencies = radius.frequencies();
    let active = |y: f64| {
        let active = frequencies.iter().filter(|frequency| damping * *frequency * y < NEGLIGIBLE);
        active.copied().fold(0.0, f64::max)
    };
    let mut columns = Vec::new();
    let mut y = 0.0;
    let farthest = if damping > 0.0 { FARTHEST } else { MOST };
    while y < farthest {
        let frequency = active(y);
        let is_resolved = frequency > 0.0 && columns.len() < MOST_COLUMNS;
        // From y = 0 on the geometric rule would not advance.
        y += if is_resolved { (SPACING / frequency).min(y.max(SPACING)) } else { (RATIO - 1.0) * y.max(1.0) };
        columns.push(y);
    }
    if damping > 0.0 {
        columns.push(f64::INFINITY);
    }
    columns
}
