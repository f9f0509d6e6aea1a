//! Fields that count the points at which they are evaluated.

use std::sync::atomic::{AtomicUsize, Ordering};

use hemiola_number::Counter;
use hemiola_stability::{Field, Window};

/// Number of points per report: a counter shared between threads costs as much as a cheap point.
const REPORTED: usize = 64;

/// A field without vector kernels that counts its evaluations. Once the counter is stopped, it is infinite everywhere.
pub(crate) struct CountedField<'a> {
    field: &'a dyn Field,
    evaluated: AtomicUsize,
    counter: &'a Counter<'a>,
}

impl<'a> CountedField<'a> {
    pub(crate) fn new(field: &'a dyn Field, counter: &'a Counter<'a>) -> Self {
        Self { field, evaluated: AtomicUsize::new(0), counter }
    }

    /// Returns the field itself if it is vectorized: it is fast, and its points are not counted.
    pub(crate) fn unless_fast(&self) -> &dyn Field {
        if self.field.is_vectorized() { self.field } else { self }
    }
}

impl Field for CountedField<'_> {
    fn at(&self, x: f64, y: f64) -> f64 {
        let is_due = self.evaluated.fetch_add(1, Ordering::Relaxed) % REPORTED == REPORTED - 1;
        if is_due && self.counter.advance(REPORTED).is_break() || self.counter.is_stopped() {
            return f64::INFINITY;
        }
        self.field.at(x, y)
    }

    fn count_refined(&self, window: &Window) -> usize {
        self.field.count_refined(window)
    }
}
