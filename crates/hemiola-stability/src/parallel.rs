//! Loops on all processors. There is one for everything: each kind of parallel iterator would be compiled anew, which takes longer than
//! all that is done in some of these loops.

use std::sync::OnceLock;

use rayon::prelude::*;

/// f(0), f(1), …, computed in any order.
pub(crate) fn map<T: Send + Sync>(count: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let values: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    for_each(count, &|i| {
        values[i].get_or_init(|| f(i));
    });
    // None is empty.
    values.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
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
