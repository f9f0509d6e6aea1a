//! Counts the evaluations of a system.

use std::cell::{Cell, RefCell};

use crate::problem::system::System;

/// A system that counts its evaluations, separately for each partition.
///
/// ```
/// use hemiola_integrate::{Counted, Explicit, Stepper, System};
/// # struct Pair;
/// # impl System for Pair {
/// #     fn sizes(&self) -> &[usize] { &[1, 1] }
/// #     fn rate(&self, r: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = y[1 - r] - 2.0 * y[r]; }
/// # }
/// let system = Counted::new(&Pair);
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// Explicit::new(&method, &system)?.step(&system, 0.0, 0.1, &mut [1.0, 2.0])?;
/// assert_eq!(system.evaluations(), [2, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Counted<S> {
    system: S,
    evaluations: RefCell<Vec<u64>>,
    jacobians: Cell<u64>,
}

impl<S: System> Counted<S> {
    /// Wraps a system, with all counts at zero.
    #[must_use]
    pub fn new(system: S) -> Self {
        let evaluations = RefCell::new(vec![0; system.sizes().len()]);
        Self { system, evaluations, jacobians: Cell::new(0) }
    }

    /// Returns the number of evaluations of each partition's rates.
    #[must_use]
    pub fn evaluations(&self) -> Vec<u64> {
        self.evaluations.borrow().clone()
    }

    /// Returns the number of evaluations of the Jacobian.
    #[must_use]
    pub fn jacobians(&self) -> u64 {
        self.jacobians.get()
    }
}

impl<S: System> System for Counted<S> {
    fn sizes(&self) -> &[usize] {
        self.system.sizes()
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        self.evaluations.borrow_mut()[partition] += 1;
        self.system.rate(partition, t, y, rate);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        self.jacobians.set(self.jacobians.get() + 1);
        self.system.jacobian(t, y, jacobian);
    }
}
