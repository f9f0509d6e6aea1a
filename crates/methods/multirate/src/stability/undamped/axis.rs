//! Suprema of functions of y and x, bounded on all of a rectangle by their values and second derivatives.

use std::ops::ControlFlow;

/// A largest value, where it is attained, and an upper bound of the supremum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Supremum {
    pub(super) value: f64,
    pub(super) at: f64,
    pub(super) bound: f64,
}

/// Finds the supremum of a function over [0, `end`] if its second derivative is at most `curvature` in modulus: between
/// two samples it exceeds the larger by at most an eighth of the curvature times the square of their distance.
///
/// Intervals are divided until the bound is within `tolerance` of the largest sample, or the budget of samples is
/// exhausted; then the bound includes what is open. `rounding` bounds the error of a sample at y.
pub(super) fn supremum(
    end: f64,
    spacing: f64,
    curvature: f64,
    tolerance: f64,
    budget: usize,
    rounding: impl Fn(f64) -> f64,
    function: impl Fn(f64) -> f64,
) -> Supremum {
    let count = (end / spacing).ceil().max(1.0) as usize;
    let place = |k: usize| end * k as f64 / count as f64;
    let samples: Vec<(f64, f64)> = (0..=count).map(|k| (place(k), function(place(k)))).collect();
    let highest = |x: (f64, f64), y: (f64, f64)| if y.1 > x.1 { y } else { x };
    let mut best = samples.iter().copied().fold((0.0, f64::NEG_INFINITY), highest);
    let mut open: Vec<[(f64, f64); 2]> = samples.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    // Intervals with large samples first raise the best value early.
    open.sort_by(|x, y| x[0].1.max(x[1].1).total_cmp(&y[0].1.max(y[1].1)));
    let (mut bound, mut used) = (f64::NEG_INFINITY, samples.len());
    while let Some([low, high]) = open.pop() {
        let width = high.0 - low.0;
        let most = low.1.max(high.1) + 0.125 * curvature * width * width + rounding(high.0);
        let middle = f64::midpoint(low.0, high.0);
        if most <= best.1 + tolerance || used >= budget || middle <= low.0 || middle >= high.0 {
            bound = bound.max(most);
            continue;
        }
        used += 1;
        let sample = (middle, function(middle));
        best = highest(best, sample);
        open.extend([[low, sample], [sample, high]]);
    }
    Supremum { value: best.1, at: best.0, bound: bound.max(best.1) }
}

/// A rectangle: an interval of y, and intervals of x that are open there.
struct Slab<C> {
    ends: [(f64, C); 2],
    intervals: Vec<[f64; 2]>,
}

/// A function F(y, x) with F ≤ level to be proved; a column holds what depends on y alone.
pub(super) trait Surface {
    type Column: Clone;
    fn column(&self, y: f64) -> Self::Column;
    fn value(&self, column: &Self::Column, x: f64) -> f64;
    /// Bounds |F_yy| and |F_xx| for 0 ≤ x ≤ `most`.
    fn curvatures(&self, most: f64) -> [f64; 2];
    /// Bounds the rounding error at y.
    fn rounding(&self, y: f64) -> f64;
    /// Returns the largest admissible F at x.
    fn level(&self, x: f64) -> f64;
}

/// Proves F ≤ level for 0 ≤ y ≤ `end` and 0 ≤ x ≤ the limit that `limit` returns.
///
/// Interpolation between the corners of a rectangle has an error of at most an eighth of the second derivatives times the
/// squares of the sides. A corner above the level is handed to `exceed`, which lowers the limit. Returns whether the proof
/// is complete.
pub(super) fn prove<S: Surface>(
    surface: &S,
    end: f64,
    spacing: f64,
    budget: usize,
    mut limit: f64,
    mut exceed: impl FnMut(&S::Column, f64, f64) -> ControlFlow<(), f64>,
) -> Option<f64> {
    // Bounds of the derivatives grow with x, so each interval has its own.
    let tables: Vec<[f64; 3]> = (0..=40)
        .map(|k| {
            let most = limit * 0.8f64.powi(k);
            let [in_y, in_x] = surface.curvatures(most);
            [most, in_y, in_x]
        })
        .collect();
    let curvatures = |x: f64| {
        let row = tables.iter().rev().find(|row| row[0] >= x).unwrap_or(&tables[0]);
        [row[1], row[2]]
    };
    let count = (end / spacing).ceil().max(1.0) as usize;
    let place = |k: usize| end * k as f64 / count as f64;
    let mut used = 0;
    let mut before = (0.0, surface.column(0.0));
    for k in 1..=count {
        let after = (place(k), surface.column(place(k)));
        let mut open = vec![Slab { ends: [before, after.clone()], intervals: vec![[0.0, limit]] }];
        while let Some(Slab { ends: [low, high], mut intervals }) = open.pop() {
            let width = high.0 - low.0;
            let rounding = surface.rounding(high.0);
            let mut left = Vec::new();
            while let Some([x0, x1]) = intervals.pop() {
                let x1 = x1.min(limit);
                if x0 >= x1 {
                    continue;
                }
                used += 1;
                if used > budget {
                    return None;
                }
                let mut most = f64::NEG_INFINITY;
                let mut is_lowered = false;
                for (y, column) in [&low, &high] {
                    for x in [x0, x1] {
                        let value = surface.value(column, x);
                        if value > surface.level(x) {
                            match exceed(column, *y, x) {
                                ControlFlow::Continue(lower) if lower < limit => (limit, is_lowered) = (lower, true),
                                _ => return None,
                            }
                        }
                        most = most.max(value);
                    }
                }
                if is_lowered {
                    intervals.push([x0, x1]);
                    continue;
                }
                let [in_y, in_x] = curvatures(x1);
                let height = x1 - x0;
                let errors = [in_y * width * width, in_x * height * height];
                let level = surface.level(x0).min(surface.level(x1));
                if most + 0.125 * (errors[0] + errors[1]) + rounding <= level {
                    continue;
                }
                if errors[0] >= errors[1] {
                    left.push([x0, x1]);
                } else {
                    let middle = f64::midpoint(x0, x1);
                    intervals.extend([[x0, middle], [middle, x1]]);
                }
            }
            if !left.is_empty() {
                let y = f64::midpoint(low.0, high.0);
                if y <= low.0 || y >= high.0 {
                    return None;
                }
                let middle = (y, surface.column(y));
                open.push(Slab { ends: [low, middle.clone()], intervals: left.clone() });
                open.push(Slab { ends: [middle, high], intervals: left });
            }
        }
        before = after;
    }
    Some(limit)
}
