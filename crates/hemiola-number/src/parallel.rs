//! Loops on all processors. There is one for everything: each kind of parallel iterator would be compiled anew, which takes longer than
//! all that is done in some of these loops.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// f(0), f(1), …, f(count − 1), computed in any order.
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
    // None is empty.
    places.into_iter().filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// f(0), f(1), …, f(count − 1), called in any order.
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
