//! Stiff problems and failing steps.

use hemiola_integrate::{Counted, Implicit, StepError, Stepper, System};

use super::problems::{integrate, method};

/// A scalar right-hand side f(t, y) and its derivative.
struct Scalar<F, D>(F, D);

impl<F: Fn(f64, f64) -> f64, D: Fn(f64, f64) -> f64> System for Scalar<F, D> {
    fn sizes(&self) -> &[usize] {
        &[1]
    }

    fn rate(&self, _partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        rate[0] = self.0(t, y[0]);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        jacobian[0] = self.1(t, y[0]);
    }
}

/// Prothero & Robinson's problem with λ = −10⁶. For z = hλ → −∞ the global errors are those of Hairer & Wanner 1996,
/// Table IV.15.1: hˢ for Gauss methods of even s, hˢ⁺¹/z for Radau IIA, hˢ/z for Lobatto IIIC.
#[test]
fn orders_on_a_stiff_problem() {
    let lambda = -1e6;
    let system = Scalar(|t: f64, y: f64| lambda * (y - t.cos()) - t.sin(), |_, _| lambda);
    for (id, order) in [("gauss-2", 2.0), ("radau-iia-2", 2.0), ("radau-iia-3", 3.0), ("lobatto-iiic-3", 2.0)] {
        let error = |steps| {
            let y = integrate(&mut Implicit::new(&method(id), &system).unwrap(), &system, &[1.0], 1.0, steps);
            (y[0] - 1.0f64.cos()).abs()
        };
        let observed = (error(4) / error(8)).log2();
        assert!((observed - order).abs() < 0.2, "{id}: {observed}, {:e}", error(8));
    }
}

/// Van der Pol's equation with ε = 10⁻⁶, started on its slow manifold: z(0) = −2/3 + 10ε/81 − 292ε²/2187.
struct VanDerPol;

impl System for VanDerPol {
    fn sizes(&self) -> &[usize] {
        &[1, 1]
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        rate[0] = if partition == 0 { y[1] } else { ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6 };
    }

    fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
        let entries = [0.0, 1.0, (-2.0 * y[0] * y[1] - 1.0) * 1e6, (1.0 - y[0] * y[0]) * 1e6];
        jacobian.copy_from_slice(&entries);
    }
}

#[test]
fn van_der_pol_in_ten_thousand_times_the_explicit_step() {
    let start = [2.0, -2.0 / 3.0 + 10.0 / 81.0 * 1e-6 - 292.0 / 2187.0 * 1e-12];
    // Computed by another program with variable steps, at tolerances of 1e-12 and 3e-14.
    let exact = [1.596768607588892, -1.03039169551729];
    for (id, steps, tolerance) in [("radau-iia-3", 40, 1e-10), ("radau-iia-2", 40, 1e-7), ("lobatto-iiic-4", 40, 1e-10)]
    {
        let y = integrate(&mut Implicit::new(&method(id), &VanDerPol).unwrap(), &VanDerPol, &start, 0.5, steps);
        for (y, exact) in y.iter().zip(exact) {
            assert!((y - exact).abs() < tolerance, "{id}: {:e}", y - exact);
        }
    }
}

#[test]
fn failures_are_typed_and_leave_y_alone() {
    let failure = |system: &dyn System, start: f64, h: f64| {
        let mut y = [start];
        let mut stepper = Implicit::new(&method("implicit-euler"), system).unwrap();
        let error = stepper.step(system, 2.0, h, &mut y).unwrap_err();
        assert_eq!(y[0].to_bits(), start.to_bits());
        error
    };
    // k = (1 + k)² has no real solution.
    let error = failure(&Scalar(|_, y| y * y, |_, y| 2.0 * y), 1.0, 1.0);
    assert!(matches!(error, StepError::NotConverged { t: 2.0, h: 1.0, iterations } if iterations > 20), "{error}");
    // (1 − h)k = 1.
    let error = failure(&Scalar(|_, y| y, |_, _| 1.0), 1.0, 1.0);
    assert_eq!(error, StepError::Singular { t: 2.0, h: 1.0 });
    let error = failure(&Scalar(|_, _| 0.0, |_, _| f64::NAN), 1.0, 1.0);
    assert_eq!(error, StepError::NotFinite { t: 2.0, h: 1.0 });
    let error = failure(&Scalar(|_, y: f64| (-y).sqrt(), |_, _| 0.0), 1.0, 1.0);
    assert!(matches!(error, StepError::NotConverged { .. }));
    let error = failure(&Scalar(|_, _| f64::MAX, |_, _| 0.0), f64::MAX, 1.0);
    assert_eq!(error, StepError::NotFinite { t: 2.0, h: 1.0 });
}

/// y' = −y³ with a step so large that the Jacobian at its beginning is useless: y = 10 and h = 1 give x + x³ = 10.
#[test]
fn jacobians_are_renewed_where_the_first_one_is_too_far() {
    let system = Counted::new(Scalar(|_, y: f64| -y.powi(3), |_, y: f64| -3.0 * y * y));
    let mut y = [10.0];
    Implicit::new(&method("implicit-euler"), &system).unwrap().step(&system, 0.0, 1.0, &mut y).unwrap();
    assert!((y[0] - 2.0).abs() < 4.0 * f64::EPSILON, "{}", y[0]);
    assert!(system.jacobians() > 2);
}

/// Variables that are zero except for noise do not keep the iterations from ending.
#[test]
fn symmetric_systems_converge() {
    struct Pendulum;
    impl System for Pendulum {
        fn sizes(&self) -> &[usize] {
            &[4]
        }
        /// Computes the rates of a mass between two equal springs along x. Without load across, its second variable
        /// stays zero up to the rounding of 0.3 − 0.1·3.
        fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
            let [x, z] = [y[0], y[1]];
            let (left, right) = ((1.0 + x).hypot(z), (1.0 - x).hypot(z));
            rate.copy_from_slice(&[y[2], y[3], -1e3 * x, -1e3 * (z / left + z / right) + (0.3 - 0.1 * 3.0)]);
        }
    }
    for id in ["gauss-2", "sdirk-2", "radau-iia-3"] {
        let start = [0.3, 0.0, 0.0, 0.0];
        let y = integrate(&mut Implicit::new(&method(id), &Pendulum).unwrap(), &Pendulum, &start, 1.0, 20);
        assert!(y[1].abs() < 1e-15, "{y:?}");
    }
}
