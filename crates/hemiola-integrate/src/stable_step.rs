//! The largest stable step, found by simulation.

use crate::stepper::Stepper;
use crate::system::{System, dimension};

/// Steps of a simulation; the growth is measured over its second half.
const STEPS: usize = 3000;
/// The size of a perturbation, relative to its variable: as far above rounding as below what is nonlinear.
const SIZE: f64 = 1e-6;
/// A variable that has become so many times what it was has left; perturbations of it would drown in rounding.
const FAR: f64 = 1e6;
/// Steps that are tried, in equal ratios up to the longest.
const TRIALS: i32 = 48;
/// The ratio of the longest step to the shortest that is tried.
const RANGE: f64 = 64.0;
/// The relative precision of the result.
const PRECISION: f64 = 1e-4;

/// The factor by which a small perturbation of the solution from (t, y) grows in a step of size h, in the mean over the second half of
/// 3000 steps: to what simulation can show, the spectral radius of the step's matrix. Infinite where the run fails or leaves.
pub fn perturbation_growth<S: System + ?Sized, T: Stepper<S> + Clone>(
    stepper: &T,
    system: &S,
    (t, y): (f64, &[f64]),
    h: f64,
) -> f64 {
    let n = dimension(system);
    let (mut one, mut other) = (stepper.clone(), stepper.clone());
    let weight: Vec<f64> = y.iter().map(|y| y.abs().max(1.0)).collect();
    // A direction that no symmetry of the system distinguishes.
    let direction = |i: usize| (i as f64 * 0.618_033_988_749_895).fract() - 0.45;
    let mut y = y.to_vec();
    let mut perturbed: Vec<f64> = (0..n).map(|i| y[i] + SIZE * weight[i] * direction(i)).collect();
    let distance =
        |y: &[f64], perturbed: &[f64]| (0..n).map(|i| ((perturbed[i] - y[i]) / weight[i]).powi(2)).sum::<f64>().sqrt();
    let mut before = distance(&y, &perturbed);
    let mut growth = 0.0;
    for k in 0..STEPS {
        let now = t + k as f64 * h;
        if one.step(system, now, h, &mut y).is_err() || other.step(system, now, h, &mut perturbed).is_err() {
            return f64::INFINITY;
        }
        if y.iter().zip(&weight).any(|(y, weight)| y.abs() > FAR * weight) {
            return f64::INFINITY;
        }
        let after = distance(&y, &perturbed);
        if after == 0.0 {
            return 0.0;
        }
        if k >= STEPS / 2 {
            growth += (after / before).ln();
        }
        // Back to the first size, in the direction that has come out.
        let factor = SIZE / after;
        for i in 0..n {
            perturbed[i] = y[i] + factor * (perturbed[i] - y[i]);
        }
        before = distance(&y, &perturbed);
    }
    (growth / (STEPS - STEPS / 2) as f64).exp()
}

/// The largest step up to `longest` below which no perturbation grows, from the state y at t on; `None` where all steps are stable.
///
/// ```
/// use hemiola_integrate::{Explicit, System, largest_stable_step};
/// /// A damped oscillator.
/// struct Oscillator;
/// impl System for Oscillator {
///     fn sizes(&self) -> &[usize] { &[2] }
///     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) {
///         rate.copy_from_slice(&[y[1], -y[0] - 0.1 * y[1]]);
///     }
/// }
/// let rk4 = Explicit::new(&hemiola_tableau::library::method("rk4").unwrap(), &Oscillator)?;
/// let step = largest_stable_step(&rk4, &Oscillator, (0.0, &[1.0, 0.0]), 5.0).unwrap();
/// assert!((step - 2.9098).abs() < 0.01); // √8 without damping
/// # Ok::<(), hemiola_integrate::MethodMismatch>(())
/// ```
pub fn largest_stable_step<S: System + ?Sized, T: Stepper<S> + Clone>(
    stepper: &T,
    system: &S,
    state: (f64, &[f64]),
    longest: f64,
) -> Option<f64> {
    // Where a mode is at rest (a vehicle's way), perturbations of its speed grow in proportion to time: doubled over the second half, which
    // is no instability. As much again is left to rounding.
    let neutral = f64::exp(2.0 * std::f64::consts::LN_2 / (STEPS - STEPS / 2) as f64);
    let is_stable = |h: f64| perturbation_growth(stepper, system, state, h) <= neutral;
    let trial = |k: i32| longest * RANGE.powf(f64::from(k - TRIALS) / f64::from(TRIALS));
    let first = (0..=TRIALS).find(|&k| !is_stable(trial(k)))?;
    let (mut stable, mut unstable) = (if first == 0 { 0.0 } else { trial(first - 1) }, trial(first));
    while unstable - stable > PRECISION * unstable {
        let middle = 0.5 * (stable + unstable);
        if is_stable(middle) {
            stable = middle;
        } else {
            unstable = middle;
        }
    }
    Some(stable)
}
