//! Systems of ordinary differential equations in partitions.

use std::ops::Range;

/// y' = f(t, y) whose variables come in partitions, y = (y⁰, y¹, …): usually the slow ones first, then the fast ones.
///
/// The rates of the partitions are evaluated separately, since a dual-rate method needs those of the fast variables more often.
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
    /// The number of variables of each partition; there is at least one partition.
    fn sizes(&self) -> &[usize];

    /// Writes the rates f^r(t, y) of the variables of one partition to `rate`, which has the length of the partition.
    /// `y` holds all variables.
    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]);

    /// ∂f/∂y at (t, y), row by row, n² numbers for n variables. By default one-sided differences, accurate to about
    /// eight digits; implicit methods keep their order with them, linearized ones up to that error.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        difference_jacobian(self, t, y, jacobian);
    }
}

/// The number of all variables.
pub(crate) fn dimension<S: System + ?Sized>(system: &S) -> usize {
    system.sizes().iter().sum()
}

/// The index ranges of the partitions.
pub(crate) fn ranges(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut end = 0;
    let mut range = |size: &usize| {
        end += size;
        end - size..end
    };
    sizes.iter().map(&mut range).collect()
}

/// All rates.
pub(crate) fn rates<S: System + ?Sized>(system: &S, t: f64, y: &[f64], rate: &mut [f64]) {
    let mut rest = rate;
    for (r, &size) in system.sizes().iter().enumerate() {
        let (part, others) = rest.split_at_mut(size);
        system.rate(r, t, y, part);
        rest = others;
    }
}

/// ∂f/∂y by one-sided differences over √ε of each variable, where truncation and rounding errors balance.
fn difference_jacobian<S: System + ?Sized>(system: &S, t: f64, y: &[f64], jacobian: &mut [f64]) {
    let n = y.len();
    let (mut y, mut here, mut there) = (y.to_vec(), vec![0.0; n], vec![0.0; n]);
    rates(system, t, &y, &mut here);
    for column in 0..n {
        let value = y[column];
        y[column] = value + f64::EPSILON.sqrt() * value.abs().max(1e-3);
        // The difference as represented, not the intended one.
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
