//! Partitioned systems of ordinary differential equations.

use std::ops::Range;

/// A differential equation y' = f(t, y) with partitioned variables y = (y⁰, y¹, …), usually the slow ones first, then
/// the fast ones.
///
/// The rates of each partition are evaluated separately because a dual-rate method needs those of the fast variables
/// more often.
///
/// ```
/// use hemiola_integrate::System;
/// /// x' = −x + z/10 is slow, z' = x − 50 z is fast.
/// struct Linear;
/// impl System for Linear {
///     fn sizes(&self) -> &[usize] {
///         &[1, 1]
///     }
///     fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
///         rate[0] = if partition == 0 { -y[0] + 0.1 * y[1] } else { y[0] - 50.0 * y[1] };
///     }
/// }
/// let mut jacobian = [0.0; 4];
/// Linear.jacobian(0.0, &[1.0, 2.0], &mut jacobian);
/// assert!(jacobian.iter().zip([-1.0, 0.1, 1.0, -50.0]).all(|(found, exact)| (found - exact).abs() < 1e-5));
/// ```
pub trait System {
    /// Returns the number of variables of each partition. There is at least one partition.
    fn sizes(&self) -> &[usize];

    /// Writes the rates f^r(t, y) of one partition to `rate`, which has the length of the partition. `y` holds all
    /// variables.
    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]);

    /// Writes ∂f/∂y at (t, y) row by row, n² numbers for n variables.
    ///
    /// The default uses one-sided differences, accurate to about eight digits. Implicit methods keep their order with
    /// them, linearized methods only up to that error.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        difference_jacobian(self, t, y, jacobian);
    }
}

/// Returns the total number of variables.
pub(crate) fn dimension<S: System + ?Sized>(system: &S) -> usize {
    system.sizes().iter().sum()
}

/// Returns the index ranges of the partitions.
pub(crate) fn ranges(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut end = 0;
    let mut range = |size: &usize| {
        end += size;
        end - size..end
    };
    sizes.iter().map(&mut range).collect()
}

/// Writes the rates of all partitions.
pub(crate) fn rates<S: System + ?Sized>(system: &S, t: f64, y: &[f64], rate: &mut [f64]) {
    let mut rest = rate;
    for (r, &size) in system.sizes().iter().enumerate() {
        let (part, others) = rest.split_at_mut(size);
        system.rate(r, t, y, part);
        rest = others;
    }
}

/// Approximates ∂f/∂y by one-sided differences with increments of √ε of each variable, which balance truncation and
/// rounding errors.
fn difference_jacobian<S: System + ?Sized>(system: &S, t: f64, y: &[f64], jacobian: &mut [f64]) {
    let n = y.len();
    let (mut y, mut here, mut there) = (y.to_vec(), vec![0.0; n], vec![0.0; n]);
    rates(system, t, &y, &mut here);
    for column in 0..n {
        let value = y[column];
        y[column] = value + f64::EPSILON.sqrt() * value.abs().max(1e-3);
        // The increment as represented, not as intended.
        let difference = y[column] - value;
        rates(system, t, &y, &mut there);
        y[column] = value;
        for row in 0..n {
            jacobian[row * n + column] = (there[row] - here[row]) / difference;
        }
    }
}

impl<S: System + ?Sized> System for &S {
    fn sizes(&self) -> &[usize] {
        (**self).sizes()
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        (**self).rate(partition, t, y, rate);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        (**self).jacobian(t, y, jacobian);
    }
}
