//! Utilities shared by several tests.

/// A congruential generator (Knuth's MMIX) of numbers between −1 and 1.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    // `max` alone would drop NaN.
    values.into_iter().fold(0.0f64, |largest, x| if x.is_nan() { x } else { largest.max(x.abs()) })
}

pub(crate) fn largest_difference(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    largest(x.iter().zip(y).map(|(x, y)| x - y))
}
