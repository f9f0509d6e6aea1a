//! Largest stable step, found by simulation.

use crate::problem::system::{System, dimension};
use crate::steppers::stepper::Stepper;

/// Number of steps of a simulation. Growth is measured over the second half, after transients of the system have
/// decayed.
const STEPS: usize = 12_000;
/// Relative size of a perturbation: well above rounding and well below nonlinear effects.
const SIZE: f64 = 1e-6;
/// Number of trial step sizes up to the longest, in equal ratios.
const TRIALS: i32 = 24;
/// Ratio of the longest to the shortest trial step.
const RANGE: f64 = 8.0;
/// Relative precision of the result.
const PRECISION: f64 = 1e-4;
/// Fractions of a guess at which shorter simulations look for growth.
const BELOW: [f64; 5] = [0.25, 0.4, 0.6, 0.75, 0.9];
/// Distances from a guess, as fractions of it, at which the stability limit is searched.
const AWAY: [f64; 5] = [0.001, 0.005, 0.02, 0.1, 0.5];

/// Computes the factor by which a small perturbation of the state y grows per step of size h from t, averaged over the
/// second half of 12 000 steps.
///
/// To the accuracy of a simulation this is the spectral radius of the step's derivative. It is infinite if the step
/// fails.
///
/// Every step is the method's own step on the full nonlinear system, but starts from the same state, displaced by the
/// propagated perturbation. Along a solution, an instability would grow until it is nonlinear, and bounded spurious
/// oscillations would pass for stability.
pub fn perturbation_growth<S: System + ?Sized, T: Stepper<S> + Clone>(
    stepper: &T,
    system: &S,
    state: (f64, &[f64]),
    h: f64,
) -> f64 {
    PerturbationSimulation::new(stepper, system, state, h).growth_over(STEPS)
}

/// Simulation of a perturbation, extended on demand.
struct PerturbationSimulation<'a, S: ?Sized, T> {
    stepper: T,
    system: &'a S,
    state: (f64, &'a [f64]),
    h: f64,
    /// The state after one step from the unperturbed state.
    after: Vec<f64>,
    /// The scale of each variable: its modulus, at least one unit.
    weight: Vec<f64>,
    change: Vec<f64>,
    perturbed: Vec<f64>,
    /// The logarithm of the growth in each step so far.
    logarithms: Vec<f64>,
    /// The growth per step once a step has failed (infinite) or the perturbation has vanished (zero).
    end: Option<f64>,
}

impl<'a, S: System + ?Sized, T: Stepper<S> + Clone> PerturbationSimulation<'a, S, T> {
    fn new(stepper: &T, system: &'a S, state: (f64, &'a [f64]), h: f64) -> Self {
        let (mut stepper, (t, y)) = (stepper.clone(), state);
        let weight: Vec<f64> = y.iter().map(|y| y.abs().max(1.0)).collect();
        let mut after = y.to_vec();
        let end = stepper.step(system, t, h, &mut after).is_err().then_some(f64::INFINITY);
        // A direction without any symmetry the system might have.
        let direction = |i: usize| (i as f64 * 0.618_033_988_749_895).fract() - 0.45;
        let change = weight.iter().enumerate().map(|(i, weight)| weight * direction(i)).collect();
        let perturbed = vec![0.0; dimension(system)];
        Self { stepper, system, state, h, after, weight, change, perturbed, logarithms: Vec::new(), end }
    }

    /// Returns the growth per step over the second half of the first `count` steps. `count` must not decrease between
    /// calls.
    fn growth_over(&mut self, count: usize) -> f64 {
        while self.logarithms.len() < count && self.end.is_none() {
            self.follow();
        }
        let half = count / 2;
        let mean = |logarithms: &[f64]| logarithms.iter().sum::<f64>() / logarithms.len() as f64;
        self.end.unwrap_or_else(|| mean(&self.logarithms[half..count]).exp())
    }

    /// Follows the perturbation through one more step.
    fn follow(&mut self) {
        let (t, y) = self.state;
        let size = self.norm();
        for i in 0..y.len() {
            self.perturbed[i] = y[i] + SIZE / size * self.change[i];
            // The perturbation as rounded.
            self.change[i] = self.perturbed[i] - y[i];
        }
        let before = self.norm();
        if self.stepper.step(self.system, t, self.h, &mut self.perturbed).is_err() {
            self.end = Some(f64::INFINITY);
            return;
        }
        for i in 0..y.len() {
            self.change[i] = self.perturbed[i] - self.after[i];
        }
        let now = self.norm();
        if now == 0.0 {
            self.end = Some(0.0);
        }
        self.logarithms.push((now / before).ln());
    }

    fn norm(&self) -> f64 {
        self.change.iter().zip(&self.weight).map(|(x, weight)| (x / weight).powi(2)).sum::<f64>().sqrt()
    }
}

/// Returns the growth per step up to which [`largest_stable_step`] considers a mode neutral.
///
/// Perturbations of modes at rest, such as a vehicle's position and speed, grow linearly or quadratically in time: up
/// to fourfold over the second half of a simulation, which is not an instability. Twice as much is tolerated.
#[must_use]
pub fn neutral_growth() -> f64 {
    neutral_over(STEPS)
}

/// Returns the neutral growth per step of a simulation with `count` steps.
fn neutral_over(count: usize) -> f64 {
    f64::exp(3.0 * std::f64::consts::LN_2 / (count - count / 2) as f64)
}

/// Finds the largest step near a guess, such as the first exit of a step matrix, below which no perturbation of the
/// state y at t grows.
///
/// It takes at most a third of the simulations of [`largest_stable_step`]. Shorter simulations look for growth between
/// 1/4 and 9/10 of the guess. Returns infinity if steps up to one and a half times the guess are stable, and zero if a
/// step well below the guess is not.
///
/// ```
/// use hemiola_integrate::{Explicit, System, stable_step_near};
/// struct Oscillator;
/// impl System for Oscillator {
///     fn sizes(&self) -> &[usize] { &[2] }
///     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) {
///         rate.copy_from_slice(&[y[1], -y[0] - 0.1 * y[1]]);
///     }
/// }
/// let rk4 = Explicit::new(&hemiola_tableau::library::method("rk4").unwrap(), &Oscillator)?;
/// let step = stable_step_near(&rk4, &Oscillator, (0.0, &[1.0, 0.0]), 2.9);
/// assert!((step - 2.9098).abs() < 1e-3);
/// # Ok::<(), hemiola_integrate::MethodMismatch>(())
/// ```
pub fn stable_step_near<S: System + ?Sized, T: Stepper<S> + Clone>(
    stepper: &T,
    system: &S,
    state: (f64, &[f64]),
    guess: f64,
) -> f64 {
    let at = |h: f64| PerturbationSimulation::new(stepper, system, state, h);
    let grows = |run: &mut PerturbationSimulation<'_, S, T>, count: usize| {
        run.growth_over(count).ln() > neutral_over(count).ln()
    };
    let is_stable = |h: f64| {
        let mut run = at(h);
        // Growth far above neutral over a quarter of a simulation settles the matter.
        let grows_fast = run.growth_over(STEPS / 4).ln() > 4.0 * neutral_over(STEPS / 4).ln();
        !grows_fast && !grows(&mut run, STEPS)
    };
    let grows_below = |part: f64| {
        let mut run = at(part * guess);
        grows(&mut run, STEPS / 4) && grows(&mut run, STEPS)
    };
    if BELOW.into_iter().any(grows_below) {
        return 0.0;
    }
    let is_near = is_stable(guess);
    let away = |part: &f64| if is_near { guess * (1.0 + part) } else { guess * (1.0 - part) };
    let Some(place) = AWAY.iter().position(|part| is_stable(away(part)) != is_near) else {
        return if is_near { f64::INFINITY } else { 0.0 };
    };
    let (near, far) = (if place == 0 { guess } else { away(&AWAY[place - 1]) }, away(&AWAY[place]));
    let (mut stable, mut unstable) = if is_near { (near, far) } else { (far, near) };
    while unstable - stable > PRECISION * unstable {
        let middle = 0.5 * (stable + unstable);
        if is_stable(middle) {
            stable = middle;
        } else {
            unstable = middle;
        }
    }
    stable
}

/// Finds the largest step up to `longest` below which no perturbation of the state y at t grows.
///
/// Returns `None` if all steps are stable, or if the system itself amplifies perturbations, so that the step is not the
/// cause.
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
    let neutral = neutral_growth();
    let is_stable = |h: f64| perturbation_growth(stepper, system, state, h) <= neutral;
    let trial = |k: i32| longest * RANGE.powf(f64::from(k - TRIALS) / f64::from(TRIALS));
    let first = (0..=TRIALS).find(|&k| !is_stable(trial(k)))?;
    // If a quarter of the step gives the same growth rate in time, the step is not the cause.
    let rate = |h: f64| perturbation_growth(stepper, system, state, h).ln() / h;
    let [here, below] = [trial(first), 0.25 * trial(first)].map(rate);
    if (here - below).abs() < 0.1 * here {
        return None;
    }
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
