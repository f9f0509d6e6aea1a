//! Loops on all processors. All callers share one parallel iterator, because each new kind would be compiled
//! again, which takes longer than running some of these loops.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Computes f(0), f(1), …, f(count − 1) in any order, and returns them in order.
///
/// ```
/// assert_eq!(hemiola_number::parallel::map(4, |k| k * k), [0, 1, 4, 9]);
/// ```
pub fn map<T: Send>(count: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let places: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|k| {
        let value = f(k);
        *places[k].lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    });
    // Every place is filled, so nothing is filtered out.
    places.into_iter().filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Calls f(k, part) for each part of `length` neighboring values, in any order; the last part may be shorter.
/// Large results are thus written directly to their final place.
///
/// ```
/// let mut values = [0; 7];
/// hemiola_number::parallel::fill(&mut values, 3, |k, part| part.fill(k));
/// assert_eq!(values, [0, 0, 0, 1, 1, 1, 2]);
/// ```
pub fn fill<T: Send>(values: &mut [T], length: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    let parts: Vec<Mutex<&mut [T]>> = values.chunks_mut(length.max(1)).map(Mutex::new).collect();
    for_each(parts.len(), &|k| f(k, &mut parts[k].lock().unwrap_or_else(PoisonError::into_inner)));
}

/// Calls f(0), f(1), …, f(count − 1) in any order.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let sum = AtomicUsize::new(0);
/// hemiola_number::parallel::for_each(4, &|k| {
///     sum.fetch_add(k, Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 6);
/// ```
pub fn for_each(count: usize, f: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(f);
}

/// Computes both results in parallel.
///
/// ```
/// assert_eq!(hemiola_number::parallel::both(|| 1 + 1, || "two"), (2, "two"));
/// ```
pub fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    rayon::join(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_order() {
        let thousands: Vec<Vec<usize>> = map(1000, |i| vec![1000 * i; i % 3]);
        assert!(thousands.iter().enumerate().all(|(i, values)| *values == vec![1000 * i; i % 3]));
        assert_eq!(map(0, |i| i), []);
    }
}
