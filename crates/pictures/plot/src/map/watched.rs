//! Fields that report the progress of a map.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hemiola_stability::{Field, Window};

/// Number of points per report: a counter shared between threads costs as much as a cheap point.
const TOLD: usize = 64;

/// A field without vector kernels that reports the number of points evaluated. Vectorized fields are fast and not
/// reported.
pub(super) struct ReportingField {
    field: Box<dyn Field>,
    looked: AtomicUsize,
    watch: Arc<dyn Fn(usize) + Send + Sync>,
}

impl ReportingField {
    pub(super) fn field(field: Box<dyn Field>, watch: &Arc<dyn Fn(usize) + Send + Sync>) -> Box<dyn Field> {
        if field.is_vectorized() {
            return field;
        }
        Box::new(Self { field, looked: AtomicUsize::new(0), watch: Arc::clone(watch) })
    }
}

impl Field for ReportingField {
    fn at(&self, x: f64, y: f64) -> f64 {
        if self.looked.fetch_add(1, Ordering::Relaxed) % TOLD == TOLD - 1 {
            (self.watch)(TOLD);
        }
        self.field.at(x, y)
    }

    fn count_refined(&self, window: &Window) -> usize {
        self.field.count_refined(window)
    }
}
