//! The largest stable step, found by simulation.

use crate::problem::system::{System, dimension};
use crate::steppers::stepper::Stepper;

/// The number of steps of a simulation; the growth is measured over its second half, after transients of the system
/// have decayed.
const STEPS: usize = 12_000;
/// The relative size of a perturbation: well above rounding and well below nonlinear effects.
const SIZE: f64 = 1e-6;
/// The number of steps tried, in equal ratios up to the longest.
const TRIALS: i32 = 24;
/// The ratio of the longest step tried to the shortest.
const RANGE: f64 = 8.0;
/// The relative precision of the result.
const PRECISION: f64 = 1e-4;
/// Where shorter simulations look for growth, in parts of a guess.
const BELOW: [f64; 5] = [0.25, 0.4, 0.6, 0.75, 0.9];
/// How far from a guess the end of stability is looked for, in parts of it.
const AWAY: [f64; 5] = [0.001, 0.005, 0.02, 0.1, 0.5];

/// The factor by which a small perturbation of the state y grows per step of size h from t, averaged over the second
/// half of 12 000 steps: to the accuracy of a simulation, the spectral radius of the step's derivative. Infinite if the
/// step fails.
///
/// Every step is the method's own step on the full nonlinear system, but starts from the same state, changed by what
/// the previous step made of the perturbation: along a solution an instability would grow until it is nonlinear, and
/// bounded spurious oscillations would pass for stability.
pub fn perturbation_growth<S: System + ?Sized, T: Stepper<S> + Clone>(
    stepper: &T,
    system: &S,
    state: (f64, &[f64]),
    h: f64,
) -> f64 {
    growth_over(STEPS, stepper, system, state, h)
}

/// The same with a number of steps.
fn growth_over<S: System + ?Sized, T: Stepper<S> + Clone>(
    count: usize,
    stepper: &T,
    system: &S,
    (t, y): (f64, &[f64]),
    h: f64,
) -> f64 {
    let n = dimension(system);
    let mut stepper = stepper.clone();
    // Variables at zero count by their units.
    let weight: Vec<f64> = y.iter().map(|y| y.abs().max(1.0)).collect();
    let norm = |change: &[f64]| change.iter().zip(&weight).map(|(x, weight)| (x / weight).powi(2)).sum::<f64>().sqrt();
    let mut after = y.to_vec();
    if stepper.step(system, t, h, &mut after).is_err() {
        return f64::INFINITY;
    }
    // A direction that no symmetry of the system singles out.
    let direction = |i: usize| (i as f64 * 0.618_033_988_749_895).fract() - 0.45;
    let mut change: Vec<f64> = (0..n).map(|i| weight[i] * direction(i)).collect();
    let mut perturbed = vec![0.0; n];
    let mut growth = 0.0;
    for k in 0..count {
        let size = norm(&change);
        for i in 0..n {
            perturbed[i] = y[i] + SIZE / size * change[i];
            // What rounding made of it.
            change[i] = perturbed[i] - y[i];
        }
        let before = norm(&change);
        if stepper.step(system, t, h, &mut perturbed).is_err() {
            return f64::INFINITY;
        }
        for i in 0..n {
            change[i] = perturbed[i] - after[i];
        }
        let now = norm(&change);
        if now == 0.0 {
            return 0.0;
        }
        if k >= count / 2 {
            growth += (now / before).ln();
        }
    }
    (growth / (count - count / 2) as f64).exp()
}

/// Growth per step up to this is ignored by [`largest_stable_step`].
///
/// Perturbations of modes at rest (such as a vehicle's position and speed) grow linearly or quadratically in time: up
/// to fourfold over the second half of a simulation, which is not an instability. Twice as much is tolerated.
#[must_use]
pub fn neutral_growth() -> f64 {
    neutral_over(STEPS)
}

/// The same for a simulation with a number of steps.
fn neutral_over(count: usize) -> f64 {
    f64::exp(3.0 * std::f64::consts::LN_2 / (count - count / 2) as f64)
}

/// The largest step near a guess, such as the first exit of a step matrix, below which no perturbation of the state y at t grows: found
/// with a third of the simulations of [`largest_stable_step`] or less. Between a quarter of the guess and nine tenths shorter simulations look for
/// growth. Infinite if steps up to one and a half times the guess are stable; zero if one well below it is not.
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
    let growth = |count: usize, h: f64| growth_over(count, stepper, system, state, h).ln();
    let grows = |count: usize, h: f64| growth(count, h) > neutral_over(count).ln();
    // What grows by far more than neutral in a quarter of a simulation need not be followed through all of it.
    let grows_fast = |h: f64| growth(STEPS / 4, h) > 4.0 * neutral_over(STEPS / 4).ln();
    let is_stable = |h: f64| !grows_fast(h) && !grows(STEPS, h);
    if BELOW.map(|part| part * guess).into_iter().any(|h| grows(STEPS / 4, h) && grows(STEPS, h)) {
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

/// The largest step up to `longest` below which no perturbation of the state y at t grows; `None` if all steps are
/// stable, or if the system itself amplifies perturbations, so that the step is not the cause.
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
    // Growth at the same rate in time with a quarter of the step is not caused by the step.
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
