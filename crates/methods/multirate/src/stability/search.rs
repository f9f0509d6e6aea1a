//! Peaks and roots of functions of one variable, from samples.

/// Golden section factor; forty steps reach the square root of the machine precision.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const GOLDEN_STEPS: usize = 40;
/// Number of bisections, enough for all bits of a double.
const BISECTIONS: usize = 60;

/// A maximum and its argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peak {
    pub(super) at: f64,
    pub(super) value: f64,
}

/// Finds the largest value of a sampled function. Local maxima of the samples are refined if the function may exceed the
/// level near them: a parabola through three samples rises above the middle one by less than a quarter of the second
/// difference.
pub(super) fn highest_peak(places: &[f64], samples: &[f64], level: f64, function: impl Fn(f64) -> f64) -> Peak {
    let mut best = Peak { at: 0.0, value: f64::NEG_INFINITY };
    for (k, (&at, &value)) in places.iter().zip(samples).enumerate() {
        if value > best.value {
            best = Peak { at, value };
        }
        if k == 0 || k + 1 >= places.len() {
            continue;
        }
        let (before, after) = (samples[k - 1], samples[k + 1]);
        let is_peak = value >= before && value >= after;
        if is_peak && value + (2.0 * value - before - after) > level.max(best.value) {
            let refined = maximum(&function, places[k - 1], places[k + 1]);
            if refined.value > best.value {
                best = refined;
            }
        }
    }
    best
}

/// Finds the maximum of a function with one peak between two arguments.
pub(super) fn maximum(function: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> Peak {
    let peak = |at: f64| Peak { at, value: function(at) };
    let [mut left, mut right] = [peak(high - GOLDEN * (high - low)), peak(low + GOLDEN * (high - low))];
    for _ in 0..GOLDEN_STEPS {
        if left.value > right.value {
            (high, right) = (right.at, left);
            left = peak(high - GOLDEN * (high - low));
        } else {
            (low, left) = (left.at, right);
            right = peak(low + GOLDEN * (high - low));
        }
    }
    if left.value > right.value { left } else { right }
}

/// Bisects between an argument at which the function is at most zero and one at which it is positive; returns the
/// former.
pub(super) fn root(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if function(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}
