//! The scheme of Gil, Sanfelice & Nikravesh.

use hemiola_integrate::{MethodMismatch, SingularPerturbationStepper, StepError, Stepper, System};
use hemiola_stability::StabilityScheme;
use num_complex::Complex64;

use super::problems::{Coupled, Linear, distance, integrate, largest_difference, method, solution, step_matrix};

fn matrices() -> impl Iterator<Item = Vec<Vec<Complex64>>> {
    let xis = [(-1.0, 1.0), (-0.2, 2.0), (0.0, 0.7), (-2.5, 0.1), (1e-3, -2e-3)].map(|(x, y)| Complex64::new(x, y));
    let parameters = [(1.0, 0.2), (5.0, 0.2), (10.0, 0.5), (40.0, 0.05), (2.0, 0.0)];
    let z = |xi: Complex64, (alpha, beta): (f64, f64)| vec![vec![xi, xi * beta], vec![xi * alpha * beta, xi * alpha]];
    parameters.into_iter().flat_map(move |parameters| xis.map(|xi| z(xi, parameters)))
}

#[test]
fn steps_are_the_matrix_of_the_scheme() {
    for slow in ["rk4", "heun-3"] {
        let butcher = &method(slow).to_f64().partitions[0];
        for z in matrices() {
            let expected = hemiola_stability::SingularPerturbation::new(butcher).matrix(&z).unwrap().concat();
            let mut scheme =
                SingularPerturbationStepper::with_slow_method(&method(slow), &Linear::complex(&z)).unwrap();
            let found = step_matrix(&mut scheme, &z);
            // Squaring an exponential doubles its relative error, so a fast phase costs accuracy in proportion to
            // |z_ff|.
            let tolerance = 50.0 * f64::EPSILON * (1.0 + z[1][1].norm());
            assert!(distance(&found, &expected) < tolerance, "{z:?}: {:e}", distance(&found, &expected));
        }
    }
}

/// Two slow and three fast variables.
struct Several;

impl System for Several {
    fn sizes(&self) -> &[usize] {
        &[2, 3]
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let &[x, u, z, v, w] = y else { return };
        if partition == 0 {
            rate.copy_from_slice(&[u.sin() - z * x, x * v + w / 2.0 - u]);
        } else {
            rate.copy_from_slice(&[
                -20.0 * z + x * v + u,
                -5.0 * v - 30.0 * w + x * x,
                30.0 * v - 2.0 * w + z * u - 1.0,
            ]);
        }
    }

    fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
        let &[x, u, z, v, _] = y else { return };
        let rows = [
            [-z, u.cos(), -x, 0.0, 0.0],
            [v, -1.0, 0.0, x, 0.5],
            [v, 1.0, -20.0, x, 0.0],
            [2.0 * x, 0.0, 0.0, -5.0, -30.0],
            [0.0, z, u, 30.0, -2.0],
        ];
        jacobian.copy_from_slice(&rows.concat());
    }
}

/// Reference: the three steps as printed in the paper, without its misprints, and the final y by quadrature of (41), in
/// 40 digits.
#[test]
fn several_variables() {
    let mut y = [0.7, -0.4, 0.3, 0.1, -0.2];
    SingularPerturbationStepper::new(&Several).unwrap().step(&Several, 0.0, 0.25, &mut y).unwrap();
    let expected = [
        0.605_746_660_016_554_3,
        -0.302_100_355_735_794_1,
        -0.012_243_778_269_057_215,
        0.123_273_521_548_485_64,
        -0.004_149_715_256_196_415,
    ];
    assert!(largest_difference(&y, &expected) < 2e-15, "{y:?}");
}

/// The system [`Several`] with loads that depend on time.
struct Driven;

impl System for Driven {
    fn sizes(&self) -> &[usize] {
        &[2, 3]
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        Several.rate(partition, t, y, rate);
        rate[0] += if partition == 0 { t.cos() } else { 5.0 * (3.0 * t).sin() };
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        Several.jacobian(t, y, jacobian);
    }
}

/// The error at larger steps falls as h², since the term of order h is small.
#[test]
fn order_is_one() {
    let start = [0.7, -0.4, 0.3, 0.1, -0.2];
    let exact = solution(&Driven, &start);
    let error = |steps: usize| {
        let scheme = &mut SingularPerturbationStepper::new(&Driven).unwrap();
        largest_difference(&integrate(scheme, &Driven, &start, 1.0, steps), &exact)
    };
    let order = (error(2048) / error(4096)).log2();
    assert!((order - 1.0).abs() < 0.1, "{order}");
    assert!(error(16) < 1e-3);
}

/// z' = 10⁶(cos t − z): the scheme follows the drift of the manifold in time without lag.
#[test]
fn manifolds_that_move_with_time() {
    struct Moving;
    impl System for Moving {
        fn sizes(&self) -> &[usize] {
            &[1, 1]
        }
        fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
            rate[0] = if partition == 0 { y[1] } else { 1e6 * (t.cos() - y[1]) };
        }
        fn jacobian(&self, _t: f64, _y: &[f64], jacobian: &mut [f64]) {
            jacobian.copy_from_slice(&[0.0, 1.0, 0.0, -1e6]);
        }
    }
    let error = |steps: usize| {
        let mut scheme = SingularPerturbationStepper::new(&Moving).unwrap();
        let y = integrate(&mut scheme, &Moving, &[0.0, 1.0], 1.0, steps);
        assert!((y[1] - 1.0f64.cos()).abs() < 1e-5);
        (y[0] - 1.0f64.sin()).abs()
    };
    // x = sin t from a secant of cos t over each step: the trapezoidal rule.
    assert!(((error(10) / error(20)).log2() - 2.0).abs() < 0.05 && error(10) < 1e-3);
}

#[test]
fn failures_are_typed() {
    let z = |entries: [f64; 4]| vec![entries[..2].to_vec(), entries[2..].to_vec()];
    let complex = |z: Vec<Vec<f64>>| -> Vec<Vec<Complex64>> {
        z.into_iter().map(|row| row.into_iter().map(Complex64::from).collect()).collect()
    };
    let system = Linear::complex(&complex(z([-1.0, 1.0, 1.0, 0.0])));
    let mut y = [1.0, 2.0, 3.0, 4.0];
    let error = SingularPerturbationStepper::new(&system).unwrap().step(&system, 1.0, 0.5, &mut y).unwrap_err();
    assert_eq!((error, y), (StepError::Singular { t: 1.0, h: 0.5 }, [1.0, 2.0, 3.0, 4.0]));
    let one = SingularPerturbationStepper::new(&Coupled(vec![4])).unwrap_err();
    assert!(matches!(one, MethodMismatch::NotSlowAndFast { found: 1 }));
    let implicit = SingularPerturbationStepper::with_slow_method(&method("gauss-2"), &system).unwrap_err();
    assert_eq!(implicit, MethodMismatch::Implicit { method: "gauss-2".to_owned() });
}
