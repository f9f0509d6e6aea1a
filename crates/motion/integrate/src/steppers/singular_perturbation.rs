//! Singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013), DETC2013-13330.

use hemiola_tableau::{Butcher, Method, library};

use crate::error::{MethodMismatch, StepError};
use crate::linear_algebra::exponential::RampResponse;
use crate::linear_algebra::lu::Lu;
use crate::problem::system::System;
use crate::stages::partition_tableaus::partition_tableaus;
use crate::steppers::stepper::Stepper;

/// A scheme of order one for ẋ = f(t, x, z), ż = g(t, x, z) whose step is limited by the slow variables x only.
///
/// z is the sum of the quasi-steady z̄ = H(x), at which the linearized g vanishes, and the rest y. With the Jacobian
/// blocks at the beginning of the step, P = g_z⁻¹g_x, σ = g_z⁻¹g and H(x) = zₙ − σ − P(x − xₙ):
///
/// 1. ∫y from ẏ = g_z y + γ, y(0) = σ, γ = P f(xₙ, zₙ);
/// 2. xₙ₊₁ = x̂ + f_z ∫y, where a Runge–Kutta method takes x̂ along ẋ = f(x, H(x));
/// 3. zₙ₊₁ = H(xₙ₊₁) + y from ẏ = (g_z + P f_z) y + P f(x, H(x)), the last term linear between its values at both ends.
///
/// The linear equations are solved by exponentials of block matrices. The ∫y of step 1 is computed as the solution of
/// v' = g_z v + σ + tγ, since the printed g_z⁻¹(e^{hg_z} − 1)σ cancels for small h. Step 2 of the paper writes y for z
/// in H, and its matrix (47) has B and C exchanged. Time in g counts as one more slow variable, whose derivative is
/// approximated by the difference of g over the step.
///
/// The scheme requires a nonsingular g_z. Neither its eigenvalues nor a small parameter need to be known.
///
/// ```
/// use hemiola_integrate::{SingularPerturbationStepper, Stepper, System};
/// /// x' = −x + z/10 and, four orders of magnitude faster, z' = 10⁴(x − z).
/// struct Fast;
/// impl System for Fast {
///     fn sizes(&self) -> &[usize] {
///         &[1, 1]
///     }
///     fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
///         rate[0] = if partition == 0 { -y[0] + 0.1 * y[1] } else { 1e4 * (y[0] - y[1]) };
///     }
/// }
/// let (mut scheme, mut y) = (SingularPerturbationStepper::new(&Fast)?, [1.0, 0.0]);
/// for step in 0..10 {
///     scheme.step(&Fast, 0.1 * f64::from(step), 0.1, &mut y)?;
/// }
/// assert!((y[0] - (-0.9f64).exp()).abs() < 1e-4 && (y[1] - y[0]).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SingularPerturbationStepper {
    /// The method for x̂.
    slow: Butcher<f64>,
    slow_variables: usize,
    fast_variables: usize,
    /// g_z, factorized.
    lu: Lu,
    response: RampResponse,
    jacobian: Vec<f64>,
    /// g_z, row by row.
    g_z: Vec<f64>,
    /// The matrix of step 3.
    a: Vec<f64>,
    /// P, column by column.
    p: Vec<f64>,
    sigma: Vec<f64>,
    /// g_z⁻¹ times the change of g over the step due to time alone.
    drift: Vec<f64>,
    integral: Vec<f64>,
    ramp: Vec<f64>,
    /// f(x, H(x)) at the stages.
    slopes: Vec<f64>,
    rate: Vec<f64>,
    start: Vec<f64>,
    argument: Vec<f64>,
    result: Vec<f64>,
}

impl SingularPerturbationStepper {
    /// Prepares the published scheme, with RK4 on the slow manifold, for systems with the same partitions as `system`.
    ///
    /// # Errors
    /// [`MethodMismatch::NotSlowAndFast`] unless the system has two partitions.
    pub fn new<S: System + ?Sized>(system: &S) -> Result<Self, MethodMismatch> {
        let rk4 = library::method("rk4");
        let missing = |_| MethodMismatch::Partitions { method: "rk4".to_owned(), found: 0, expected: 1 };
        Self::with_slow_method(&rk4.map_err(missing)?, system)
    }

    /// Prepares the scheme with another explicit Runge–Kutta method on the slow manifold.
    ///
    /// # Errors
    /// [`MethodMismatch::NotSlowAndFast`] unless the system has two partitions, [`MethodMismatch::Partitions`] unless
    /// the method has one, [`MethodMismatch::Implicit`] if the method is implicit.
    pub fn with_slow_method<S: System + ?Sized>(method: &Method, system: &S) -> Result<Self, MethodMismatch> {
        let &[slow_variables, fast_variables] = system.sizes() else {
            return Err(MethodMismatch::NotSlowAndFast { found: system.sizes().len() });
        };
        if !method.to_f64().is_explicit() {
            return Err(MethodMismatch::Implicit { method: method.id().to_owned() });
        }
        let slow = partition_tableaus(method, 1)?.remove(0).butcher;
        let (n, m) = (slow_variables, fast_variables);
        let [sigma, drift, integral, ramp] = [(); 4].map(|()| vec![0.0; m]);
        let [start, argument, result] = [(); 3].map(|()| vec![0.0; n + m]);
        Ok(Self {
            slow_variables,
            fast_variables,
            lu: Lu::new(m),
            response: RampResponse::new(m),
            jacobian: vec![0.0; (n + m) * (n + m)],
            g_z: vec![0.0; m * m],
            a: vec![0.0; m * m],
            p: vec![0.0; n * m],
            slopes: vec![0.0; slow.b.len() * n],
            rate: vec![0.0; n],
            slow,
            sigma,
            drift,
            integral,
            ramp,
            start,
            argument,
            result,
        })
    }

    /// Returns an entry of f_z.
    fn f_z(&self, row: usize, column: usize) -> f64 {
        self.jacobian[row * self.start.len() + self.slow_variables + column]
    }

    /// Computes P, σ, the drift, and the matrices of both linear equations.
    fn linearize<S: System + ?Sized>(&mut self, system: &S, t: f64, h: f64) -> Result<(), StepError> {
        let (n, m) = (self.slow_variables, self.fast_variables);
        system.jacobian(t, &self.start, &mut self.jacobian);
        system.rate(1, t, &self.start, &mut self.sigma);
        system.rate(1, t + h, &self.start, &mut self.drift);
        if self.jacobian.iter().chain(&self.sigma).any(|value| !value.is_finite()) {
            return Err(StepError::NotFinite { t, h });
        }
        self.drift.iter_mut().zip(&self.sigma).for_each(|(later, now)| *later -= now);
        for (row, entries) in self.jacobian[n * (n + m)..].chunks_exact((n + m).max(1)).enumerate() {
            self.g_z[row * m..(row + 1) * m].copy_from_slice(&entries[n..]);
            (0..n).for_each(|column| self.p[column * m + row] = entries[column]);
        }
        self.lu.matrix(m).copy_from_slice(&self.g_z);
        if !self.lu.factorize() {
            return Err(StepError::Singular { t, h });
        }
        self.lu.solve(&mut self.sigma);
        self.lu.solve(&mut self.drift);
        (0..n).for_each(|column| self.lu.solve(&mut self.p[column * m..(column + 1) * m]));
        for row in 0..m {
            for column in 0..m {
                let through_slow: f64 = (0..n).map(|x| self.p[x * m + row] * self.f_z(x, column)).sum();
                self.a[row * m + column] = self.g_z[row * m + column] + through_slow;
            }
        }
        Ok(())
    }

    /// Computes step 1, the integral of y over the step.
    fn integrate_rest<S: System + ?Sized>(&mut self, system: &S, t: f64, h: f64) {
        system.rate(0, t, &self.start, &mut self.rate);
        self.ramp.iter_mut().zip(&self.drift).for_each(|(ramp, drift)| *ramp = drift / h);
        add_product(&self.p, &self.rate, &mut self.ramp);
        self.integral.copy_from_slice(&self.sigma);
        self.response.solve(&self.g_z, &self.ramp, h, &mut self.integral);
    }

    /// Writes H(x) next to the x in `argument`, at the fraction θ of the step.
    fn set_manifold(&mut self, theta: f64) {
        let n = self.slow_variables;
        let (x, z) = self.argument.split_at_mut(n);
        for (row, z) in z.iter_mut().enumerate() {
            *z = self.start[n + row] - self.sigma[row] - theta * self.drift[row];
        }
        for (column, (x, start)) in self.p.chunks_exact(z.len().max(1)).zip(x.iter().zip(&self.start)) {
            z.iter_mut().zip(column).for_each(|(z, p)| *z -= p * (x - start));
        }
    }

    /// Computes step 2, x at the end of the step from x̂ along the slow manifold.
    fn advance_slow<S: System + ?Sized>(&mut self, system: &S, t: f64, h: f64) {
        let n = self.slow_variables;
        for stage in 0..self.slow.b.len() {
            self.argument[..n].copy_from_slice(&self.start[..n]);
            add_slopes(&self.slow.a[stage], h, &self.slopes, &mut self.argument[..n]);
            self.set_manifold(self.slow.c[stage]);
            let slope = &mut self.slopes[stage * n..(stage + 1) * n];
            system.rate(0, t + self.slow.c[stage] * h, &self.argument, slope);
        }
        self.result[..n].copy_from_slice(&self.start[..n]);
        add_slopes(&self.slow.b, h, &self.slopes, &mut self.result[..n]);
        for row in 0..n {
            let added: f64 = self.integral.iter().enumerate().map(|(z, integral)| self.f_z(row, z) * integral).sum();
            self.result[row] += added;
        }
    }

    /// Computes step 3, z at the end of the step.
    fn advance_fast<S: System + ?Sized>(&mut self, system: &S, t: f64, h: f64) {
        let (n, m) = (self.slow_variables, self.fast_variables);
        self.argument[..n].copy_from_slice(&self.result[..n]);
        self.set_manifold(1.0);
        system.rate(0, t + h, &self.argument, &mut self.rate);
        // The first stage of an explicit method is xₙ.
        let first = &self.slopes[..n];
        self.rate.iter_mut().zip(first).for_each(|(rate, first)| *rate = (*rate - first) / h);
        self.ramp.fill(0.0);
        add_product(&self.p, &self.rate, &mut self.ramp);
        for (row, value) in self.integral.iter_mut().enumerate() {
            let a = &self.a[row * m..(row + 1) * m];
            *value = self.drift[row] / h + a.iter().zip(&self.sigma).map(|(a, sigma)| a * sigma).sum::<f64>();
        }
        add_product(&self.p, first, &mut self.integral);
        self.response.solve(&self.a, &self.ramp, h, &mut self.integral);
        for row in 0..m {
            self.result[n + row] = self.argument[n + row] + self.sigma[row] + self.integral[row];
        }
    }
}

/// Adds P x to a sum, with P stored column by column.
fn add_product(p: &[f64], x: &[f64], sum: &mut [f64]) {
    for (column, x) in p.chunks_exact(sum.len().max(1)).zip(x) {
        sum.iter_mut().zip(column).for_each(|(sum, p)| *sum += p * x);
    }
}

fn add_slopes(coefficients: &[f64], h: f64, slopes: &[f64], sum: &mut [f64]) {
    for (coefficient, slope) in coefficients.iter().zip(slopes.chunks_exact(sum.len().max(1))) {
        if *coefficient != 0.0 {
            sum.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += h * coefficient * slope);
        }
    }
}

impl<S: System + ?Sized> Stepper<S> for SingularPerturbationStepper {
    /// # Errors
    /// [`StepError::Singular`] if g_z is singular to rounding, [`StepError::NotFinite`].
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        if h == 0.0 {
            return Ok(());
        }
        self.start.copy_from_slice(y);
        self.linearize(system, t, h)?;
        self.integrate_rest(system, t, h);
        self.advance_slow(system, t, h);
        self.advance_fast(system, t, h);
        if self.result.iter().any(|value| !value.is_finite()) {
            return Err(StepError::NotFinite { t, h });
        }
        y.copy_from_slice(&self.result);
        Ok(())
    }
}
