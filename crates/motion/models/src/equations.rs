//! Equations of a model, written once for any number type.

use std::sync::Arc;

use hemiola_multibody::SolverCounts;
use nalgebra::{Const, U1};
use num_dual::{Dual64, DualNum, DualSVec64};

use crate::outputs::Output;

/// A number type of equations: doubles, and dual numbers for derivatives.
pub(crate) trait Number: DualNum<f64> + Copy {}

impl<N: DualNum<f64> + Copy> Number for N {}

/// Equations y' = f(t, y) in partitions, in SI units unless the variables state otherwise.
pub(crate) trait Equations: Send + Sync + 'static {
    /// Computes the rates of one partition. A state of the wrong length leaves `rate` unchanged.
    fn rate<N: Number>(&self, partition: usize, t: f64, y: &[N], rate: &mut [N]);

    /// Returns the solution from the model's initial state, if known.
    fn exact(&self, _t: f64) -> Option<Vec<f64>> {
        None
    }

    /// Returns the energy of a state, if defined. It must not depend on time explicitly.
    fn energy<N: Number>(&self, _t: f64, _y: &[N]) -> Option<N> {
        None
    }

    /// Lists further quantities derived from a state.
    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    /// Returns the values of the outputs.
    fn output_values(&self, _t: f64, _y: &[f64]) -> Option<Vec<f64>> {
        None
    }

    /// Returns lines that show a state in space.
    fn outline(&self, _y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        None
    }
}

/// Object-safe form of [`Equations`].
pub(crate) trait Dynamics: Send + Sync {
    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]);
    fn jacobian(&self, sizes: &[usize], t: f64, y: &[f64], jacobian: &mut [f64]);
    fn exact(&self, t: f64) -> Option<Vec<f64>>;
    fn energy(&self, t: f64, y: &[f64]) -> Option<f64>;

    /// Returns the rate of the energy along the equations.
    fn power(&self, sizes: &[usize], t: f64, y: &[f64]) -> Option<f64>;

    /// Lists further quantities derived from a state.
    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    /// Returns the values of the outputs.
    fn output_values(&self, _t: f64, _y: &[f64]) -> Option<Vec<f64>> {
        None
    }

    /// Returns a copy without memory, for a separate run; `None` if evaluations have no memory.
    fn renewed(&self) -> Option<Arc<dyn Dynamics>> {
        None
    }

    /// Returns a copy with the most accurate rates; `None` if these are the most accurate rates already.
    fn most_accurate(&self) -> Option<Arc<dyn Dynamics>> {
        None
    }

    /// Returns lines that show a state in space.
    fn outline(&self, _y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        None
    }

    /// Returns the work spent so far on solving for accelerations.
    fn solved(&self) -> Option<SolverCounts> {
        None
    }
}

impl<E: Equations> Dynamics for E {
    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        Equations::rate(self, partition, t, y, rate);
    }

    fn jacobian(&self, sizes: &[usize], t: f64, y: &[f64], jacobian: &mut [f64]) {
        automatic_jacobian(self, sizes, t, y, jacobian);
    }

    fn exact(&self, t: f64) -> Option<Vec<f64>> {
        Equations::exact(self, t)
    }

    fn energy(&self, t: f64, y: &[f64]) -> Option<f64> {
        Equations::energy(self, t, y)
    }

    fn power(&self, sizes: &[usize], t: f64, y: &[f64]) -> Option<f64> {
        energy_rate(self, sizes, t, y)
    }

    fn outputs(&self) -> Vec<Output> {
        Equations::outputs(self)
    }

    fn output_values(&self, t: f64, y: &[f64]) -> Option<Vec<f64>> {
        Equations::output_values(self, t, y)
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        Equations::outline(self, y)
    }
}

/// Computes dE/dt along the equations to rounding, as the derivative of E(y + s f) in s.
pub(crate) fn energy_rate<E: Equations>(equations: &E, sizes: &[usize], t: f64, y: &[f64]) -> Option<f64> {
    let mut rate = vec![0.0; y.len()];
    rates(equations, sizes, t, y, &mut rate);
    let along: Vec<Dual64> = y.iter().zip(&rate).map(|(&y, &f)| Dual64::new(y, f)).collect();
    equations.energy(t, &along).map(|energy| energy.eps)
}

/// Returns the states y + s f as dual numbers: the first derivative of a result is its rate along f.
pub(crate) fn along(y: &[f64], rate: &[f64]) -> Vec<Dual> {
    let direction = Dual::from_re(0.0).derivative(0);
    y.iter().zip(rate).map(|(&y, &f)| direction * f + y).collect()
}

/// Returns the derivative in the first direction.
pub(crate) fn slope(value: &Dual) -> f64 {
    value.eps.unwrap_generic(Const::<LANES>, U1)[0]
}

/// Computes all rates, partition by partition.
pub(crate) fn rates<E: Equations, N: Number>(equations: &E, sizes: &[usize], t: f64, y: &[N], rate: &mut [N]) {
    let mut rest = rate;
    for (partition, &size) in sizes.iter().enumerate() {
        let (part, others) = rest.split_at_mut(size.min(rest.len()));
        equations.rate(partition, t, y, part);
        rest = others;
    }
}

/// Number of columns of the Jacobian per evaluation.
const LANES: usize = 4;

/// A number with derivatives in [`LANES`] directions.
pub(crate) type Dual = DualSVec64<LANES>;

/// Computes ∂f/∂y row by row, exact to rounding.
pub(crate) fn automatic_jacobian<E: Equations>(
    equations: &E,
    sizes: &[usize],
    t: f64,
    y: &[f64],
    jacobian: &mut [f64],
) {
    dual_jacobian(y, jacobian, |point, rate| rates(equations, sizes, t, point, rate));
}

/// Computes ∂f/∂y of rates written over dual numbers.
pub(crate) fn dual_jacobian(y: &[f64], jacobian: &mut [f64], mut rates: impl FnMut(&[Dual], &mut [Dual])) {
    let n = y.len();
    let mut point: Vec<Dual> = y.iter().map(|&value| Dual::from_re(value)).collect();
    let mut rate = vec![Dual::from_re(0.0); n];
    for first in (0..n).step_by(LANES) {
        let columns = first..n.min(first + LANES);
        for column in columns.clone() {
            point[column] = Dual::from_re(y[column]).derivative(column - first);
        }
        rates(&point, &mut rate);
        for (row, rate) in rate.iter().enumerate() {
            // A missing derivative stands for zeros.
            let slopes = rate.eps.unwrap_generic(Const::<LANES>, U1);
            for column in columns.clone() {
                jacobian[row * n + column] = slopes[column - first];
            }
        }
        for column in columns {
            point[column] = Dual::from_re(y[column]);
        }
    }
}
