//! Steps agree with the library's steppers and have exact derivatives.

use hemiola_integrate::{AnyStepper, Extras, Stepper, System};
use hemiola_models::SingleTrack;
use hemiola_optimize::{ControlInterval, Differentiable, Number, ProblemSizes, Smooth, SteeredCar, StepRule};
use hemiola_tableau::{Scheme, library};

pub(crate) fn scheme(text: &str) -> Scheme {
    let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
    Scheme::parse(text, find).unwrap()
}

const CAR: ProblemSizes = ProblemSizes { states: 7, controls: 1, parameters: 0 };
/// State in a turn, controls at both ends, and duration.
const W: [f64; 10] = [3.0, -1.0, 22.0, 0.03, 0.2, -0.3, 0.05, 0.2, -0.4, 1.7];

/// Car with a steering rate that is linear in time.
struct Steered;

impl System for Steered {
    fn sizes(&self) -> &[usize] {
        &[7]
    }

    fn rate(&self, _: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        let mut z = y.to_vec();
        z.extend([W[7] + (W[8] - W[7]) * t / (0.1 * W[9]), t]);
        SteeredCar(SingleTrack::default()).value(&z, rate);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        let mut z = y.to_vec();
        z.extend([W[7] + (W[8] - W[7]) * t / (0.1 * W[9]), t]);
        let mut all = [0.0; 63];
        SteeredCar(SingleTrack::default()).jacobian(&z, &mut all);
        jacobian.chunks_mut(7).zip(all.chunks(9)).for_each(|(row, all)| row.copy_from_slice(&all[..7]));
    }
}

const SCHEMES: [&str; 8] = [
    "rk4",
    "dormand-prince-5",
    "gauss-2",
    "radau-iia-3",
    "hairer-wanner-sdirk-4",
    "linearized:radau-iia-2,q=1",
    "linearized:gauss-3,q=2",
    "linearized:lobatto-iiia-3,q=3",
];

#[test]
fn steps_have_the_values_of_the_library() {
    let dynamics = SteeredCar(SingleTrack::default());
    for text in SCHEMES {
        let scheme = scheme(text);
        let rule = StepRule::new(&scheme, &[7]).unwrap();
        let interval = ControlInterval {
            dynamics: &dynamics,
            rule: &rule,
            local: CAR,
            span: [0.0, 0.1],
            steps: 3,
            is_linear: true,
        };
        let found = interval.end(&W).unwrap();
        assert_eq!(found, interval.flow(&W).unwrap().end, "{text}");
        let mut y = W[..7].to_vec();
        let mut stepper = AnyStepper::of_scheme(&scheme, &Steered, Extras::default()).unwrap();
        let h = 0.1 * W[9] / 3.0;
        (0..3).for_each(|k| stepper.step(&Steered, f64::from(k) * h, h, &mut y).unwrap());
        for (found, expected) in found.iter().zip(&y) {
            assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{text}: {found} {expected}");
        }
    }
}

/// Computes differences of order four of a function of w, accurate to about 1e-10 of its magnitude.
fn differences(k: usize, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    const STEP: f64 = 1e-3;
    let at = |factor: f64| {
        let mut w = W;
        w[k] += factor * STEP;
        f(&w)
    };
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
    (0..a.len()).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * STEP)).collect()
}

#[test]
fn derivatives_of_steps_are_exact() {
    let dynamics = SteeredCar(SingleTrack { pedal: 0.3, has_front_moment: true, ..SingleTrack::default() });
    let weight = [0.3, -1.0, 0.7, 2.0, -0.6, 1.1, 0.4];
    for (text, is_linear) in SCHEMES.into_iter().flat_map(|text| [(text, true), (text, false)]) {
        let rule = StepRule::new(&scheme(text), &[7]).unwrap();
        let interval =
            ControlInterval { dynamics: &dynamics, rule: &rule, local: CAR, span: [0.3, 0.4], steps: 2, is_linear };
        let flow = interval.flow(&W).unwrap();
        let hessian = flow.curvature(&weight).unwrap();
        for k in 0..W.len() {
            let slopes = differences(k, |w| interval.end(w).unwrap());
            for (row, slope) in slopes.iter().enumerate() {
                let found = flow.jacobian()[(row, k)];
                assert!((found - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{text} {row} {k}: {found} {slope}");
            }
            let gradient = |w: &[f64]| -> Vec<f64> {
                let jacobian = interval.flow(w).unwrap().jacobian().clone();
                jacobian.column_iter().map(|column| column.iter().zip(weight).map(|(a, b)| a * b).sum()).collect()
            };
            for (row, curvature) in differences(k, gradient).iter().enumerate() {
                let found = hessian[(row, k)];
                assert!(
                    (found - curvature).abs() < 1e-7 * (1.0 + curvature.abs()),
                    "{text} {row} {k}: {found} {curvature}"
                );
            }
        }
    }
}

/// Slow and fast variable with a control, a parameter and time: z = (x, y, u, p, t).
struct Pair;

impl Smooth for Pair {
    fn inputs(&self) -> usize {
        5
    }

    fn outputs(&self) -> usize {
        2
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        out[0] = -z[0] * z[3] + z[1].sin() * z[2];
        out[1] = (z[0] - z[1] * z[1]) * 5.0 + (z[4] * z[3]).cos();
    }
}

#[test]
fn steps_of_dual_rate_pairs_have_exact_derivatives() {
    let w = [0.4, 0.7, 0.2, -0.5, 0.3, 1.3];
    let local = ProblemSizes { states: 2, controls: 1, parameters: 1 };
    for id in ["shome-haug-jay-2-5", "hemiola-4-8"] {
        let rule = StepRule::new(&scheme(id), &[1, 1]).unwrap();
        let interval =
            ControlInterval { dynamics: &Pair, rule: &rule, local, span: [0.2, 0.6], steps: 2, is_linear: true };
        let flow = interval.flow(&w).unwrap();
        let hessian = flow.curvature(&[1.0, -2.0]).unwrap();
        for k in 0..w.len() {
            let moved = |step: f64| {
                let mut w = w;
                w[k] += step;
                w
            };
            let [left, right] = [-1e-5, 1e-5].map(|step| interval.flow(&moved(step)).unwrap());
            for row in 0..2 {
                assert!((flow.jacobian()[(row, k)] - (right.end[row] - left.end[row]) / 2e-5).abs() < 1e-8, "{id}");
            }
            for column in 0..w.len() {
                let gradient = |flow: &hemiola_optimize::StateFlow<'_>| {
                    flow.jacobian()[(0, column)] - 2.0 * flow.jacobian()[(1, column)]
                };
                let slope = (gradient(&right) - gradient(&left)) / 2e-5;
                assert!((hessian[(k, column)] - slope).abs() < 1e-8, "{id} {k} {column}");
            }
        }
    }
}

#[test]
fn sensitivities_of_linearized_radau_have_order_three() {
    let dynamics = SteeredCar(SingleTrack::default());
    let at = |text: &str, steps: usize| {
        let rule = StepRule::new(&scheme(text), &[7]).unwrap();
        let interval =
            ControlInterval { dynamics: &dynamics, rule: &rule, local: CAR, span: [0.0, 1.0], steps, is_linear: true };
        interval.flow(&W).unwrap().jacobian().clone()
    };
    let exact = at("gauss-3", 800);
    let error = |steps: usize| (at("linearized:radau-iia-2,q=1", steps) - &exact).amax();
    let (coarse, fine) = (error(320), error(640));
    let order = (coarse / fine).log2();
    assert!((order - 3.0).abs() < 0.1, "{order}");
}
