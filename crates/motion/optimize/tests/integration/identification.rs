//! Identification of the car's parameters from synthetic measurements.

use std::sync::Arc;

use hemiola_models::{SingleTrack, model};
use hemiola_optimize::identification::{
    FitStatus, Identification, IdentificationError, LibraryModel, Measurements, ParameterFit,
};
use hemiola_optimize::sqp::Ranges;
use hemiola_optimize::{Number, Smooth, StepRule};
use nalgebra::DMatrix;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::steps::scheme;

/// Car steered left and right, as a function of z = (seven states, I_z, D_f, D_r, t).
struct Car(SingleTrack);

impl Smooth for Car {
    fn inputs(&self) -> usize {
        11
    }

    fn outputs(&self) -> usize {
        7
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        let mut car = self.0.lift::<N>();
        car.yaw_inertia = z[7];
        car.peak = [z[8], z[9]];
        let state = [z[0], z[1], z[2], z[3], z[4], z[5], z[6]];
        out.copy_from_slice(&car.rate(&state, (z[10] * 4.0).cos() * 0.24));
    }
}

const TRUE: [f64; 3] = [1752.0, 4560.40, 3947.81];
const DEVIATIONS: [f64; 3] = [1e-3, 2e-3, 5e-3];
const STEPS: usize = 2;

fn identification(car: SingleTrack) -> Identification {
    let start = vec![0.0, 0.0, 25.0, 0.0, 0.0, 0.0, 0.0];
    Identification {
        dynamics: Arc::new(Car(car)),
        initial: Arc::new(move |_| Some((start.clone(), DMatrix::zeros(7, 3)))),
        rule: StepRule::new(&scheme("linearized:radau-iia-2,q=1"), &[7]).unwrap(),
        steps: STEPS,
        bounds: Ranges { lower: vec![500.0, 1000.0, 1000.0], upper: vec![5000.0, 10_000.0, 10_000.0] },
    }
}

/// Draws a normal number (Box & Muller 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (a, b) = (1.0 - uniform(), uniform());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// Simulates measurements of side slip, yaw rate and yaw angle over four seconds: the true car's values with errors.
fn measured(seed: u64, exact: &[Vec<f64>]) -> Measurements {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let noisy = |row: &Vec<f64>, random: &mut ChaCha8Rng| -> Vec<f64> {
        row.iter().zip(DEVIATIONS).map(|(value, deviation)| value + deviation * normal(random)).collect()
    };
    Measurements {
        times: (1..=40).map(|k| 0.1 * f64::from(k)).collect(),
        states: vec![3, 5, 4],
        values: exact.iter().map(|row| noisy(row, &mut random)).collect(),
        deviations: DEVIATIONS.to_vec(),
    }
}

/// Computes the states of the true car as the fit to arbitrary measurements, started at the true parameters without
/// iterations.
fn exact() -> Vec<Vec<f64>> {
    let blank = Measurements { values: vec![vec![0.0; 3]; 40], ..measured(0, &vec![vec![0.0; 3]; 40]) };
    let fit = identification(SingleTrack::default()).run(&blank, &TRUE, 0, &()).unwrap();
    assert_eq!(fit.ending, FitStatus::IterationLimit);
    fit.fitted
}

fn fit(seed: u64, exact: &[Vec<f64>]) -> ParameterFit {
    let fit = identification(SingleTrack::default());
    fit.run(&measured(seed, exact), &[1200.0, 6000.0, 3000.0], 100, &()).unwrap()
}

/// Counts the seeds for which all three parameters are recovered within three standard deviations, and those accepted
/// by the χ² test at 1 %.
fn recovered(seeds: u64) -> (u64, u64) {
    let exact = exact();
    let (mut within, mut accepted) = (0, 0);
    for seed in 0..seeds {
        let fit = fit(seed, &exact);
        assert_eq!(fit.ending, FitStatus::Converged, "{seed}");
        let deviations = fit.deviations();
        within += u64::from((0..3).all(|k| (fit.parameters[k] - TRUE[k]).abs() <= 3.0 * deviations[k]));
        accepted += u64::from(fit.probability().unwrap() > 0.01);
    }
    (within, accepted)
}

#[test]
fn parameters_are_recovered_within_their_deviations() {
    let (within, accepted) = recovered(25);
    assert!(within >= 24 && accepted >= 23, "{within} {accepted}");
}

#[test]
#[ignore = "200 fits take half a minute on an idle machine"]
fn parameters_are_recovered_from_200_seeds() {
    let (within, accepted) = recovered(200);
    assert!(within >= 190 && accepted >= 194, "{within} {accepted}");
}

#[test]
fn a_wrong_model_is_rejected() {
    // The arm of the front axle is a tenth too short.
    let wrong = SingleTrack { arms: [1.07, 1.374_84], ..SingleTrack::default() };
    let fit = identification(wrong).run(&measured(1, &exact()), &TRUE, 100, &()).unwrap();
    assert_eq!(fit.ending, FitStatus::Converged);
    assert!(fit.probability().unwrap() < 1e-4, "{:?}", fit.probability());
}

#[test]
fn bounds_hold_and_have_no_variance() {
    let mut bounded = identification(SingleTrack::default());
    bounded.bounds.upper[0] = 1500.0;
    let fit = bounded.run(&measured(3, &exact()), &[1200.0, 4000.0, 4000.0], 100, &()).unwrap();
    assert_eq!((fit.parameters[0], fit.at_bound.clone()), (1500.0, vec![true, false, false]));
    assert_eq!(fit.deviations()[0], 0.0);
    assert!(fit.deviations()[1] > 0.0 && fit.degrees == 118);
}

#[test]
fn bad_data_are_named() {
    let identification = identification(SingleTrack::default());
    let run = |data: &Measurements, start: &[f64]| identification.run(data, start, 10, &()).unwrap_err();
    let good = measured(0, &exact());
    let mut data = good.clone();
    data.values[6][1] = f64::NAN;
    assert!(matches!(run(&data, &TRUE), IdentificationError::NotFinite { row: 7, state: 6, .. }));
    let mut data = good.clone();
    data.times[3] = data.times[2];
    assert!(matches!(run(&data, &TRUE), IdentificationError::Time { row: 4, .. }));
    let mut data = good.clone();
    data.deviations[2] = 0.0;
    assert!(matches!(run(&data, &TRUE), IdentificationError::Deviation { .. }));
    assert!(matches!(run(&good, &[1.0, 2000.0, 2000.0]), IdentificationError::OutOfBounds { index: 1, .. }));
    let few = Measurements { times: vec![0.1], states: vec![3], values: vec![vec![0.0]], deviations: vec![1.0] };
    for steps in [0, 1_000_000_000] {
        let refused =
            Identification { steps, ..self::identification(SingleTrack::default()) }.run(&good, &TRUE, 10, &());
        assert!(matches!(refused, Err(IdentificationError::Count { name: "steps", .. })));
    }
    let refused = identification.run(&good, &TRUE, 1_000_000_000, &()).unwrap_err();
    assert_eq!(refused.to_string(), "found 1000000000 iterations; expected 0 to 10000");
    assert!(matches!(run(&few, &TRUE), IdentificationError::TooFew { measurements: 1, parameters: 3 }));
}

#[test]
fn models_of_the_library_are_identified_and_what_cannot_be_is_said() {
    let oscillator = model("quarter-car-body", &[]).unwrap();
    let fit = |free: &[&str], start: &[f64]| {
        let (library, values) = LibraryModel::new(&oscillator, free).unwrap();
        let library = Arc::new(library);
        let initial = Arc::clone(&library);
        let identification = Identification {
            dynamics: library,
            initial: Arc::new(move |p| initial.initial(p).ok()),
            rule: StepRule::new(&scheme("gauss-2"), &[2]).unwrap(),
            steps: 4,
            bounds: Ranges { lower: vec![1.0; free.len()], upper: vec![1e6; free.len()] },
        };
        // Exact solution of x'' = −(k/m) x − (c/m) x' from x = 0.05 with the default values.
        let (decay, pulse) = (1000.0 / 580.0, (16_200.0 / 290.0 - f64::powi(1000.0 / 580.0, 2)).sqrt());
        let x = |t: f64| 0.05 * (-decay * t).exp() * ((pulse * t).cos() + decay / pulse * (pulse * t).sin());
        let times: Vec<f64> = (0..60).map(|k| 0.03 * f64::from(k)).collect();
        let values_at = times.iter().map(|&t| vec![x(t)]).collect();
        let data = Measurements { times, states: vec![0], values: values_at, deviations: Vec::new() };
        (identification.run(&data, start, 100, &()), values)
    };
    let (found, values) = fit(&["suspension-stiffness", "suspension-damping"], &[9000.0, 3000.0]);
    let found = found.unwrap();
    assert_eq!((found.ending, found.probability()), (FitStatus::Converged, None));
    assert!(found.parameters.iter().zip(&values).all(|(p, q)| (p / q - 1.0).abs() < 1e-4), "{:?}", found.parameters);
    // Mass, spring and damper are not identifiable together: only their ratios have an effect.
    let all = ["body-mass", "suspension-stiffness", "suspension-damping"];
    assert_eq!(fit(&all, &[300.0, 15_000.0, 900.0]).0.unwrap_err(), IdentificationError::NotIdentifiable);
    assert!(LibraryModel::new(&oscillator, &["mass"]).is_err());
}
