//! Linearized methods: the orders predicted by trees, and the tree that prevents order five with one iteration.

use hemiola_integrate::{Implicit, LinearizedStepper, Stepper, System};
use hemiola_order::{CheckOptions, OrderCheck, StageSolution};

use super::problems::{Autonomous, Coupled, integrate, largest_difference, method, observed_order};

fn check(id: &str, iterations: usize, highest_order: usize) -> OrderCheck {
    let stages = StageSolution::Linearized { iterations };
    OrderCheck::new(&method(id), CheckOptions { highest_order, stages, ..CheckOptions::default() }).unwrap()
}

#[test]
fn observed_orders_are_the_predicted_ones() {
    let cases = [
        ("implicit-midpoint", 0),
        ("implicit-midpoint", 1),
        ("gauss-2", 1),
        ("gauss-3", 1),
        ("gauss-3", 2),
        ("radau-iia-2", 1),
        ("radau-iia-3", 1),
        ("radau-iia-3", 2),
        ("hairer-wanner-sdirk-4", 1),
        ("lobatto-iiic-4", 1),
        ("lobatto-iiia-4", 2),
        ("kennedy-carpenter-esdirk-5-4-7", 1),
        ("kennedy-carpenter-esdirk-5-4-7", 2),
        ("lobatto-iiia-iiib-3", 1),
        ("lobatto-iiic-iiic-star-4", 1),
        ("kennedy-carpenter-ark-4-3-6", 1),
        ("shome-haug-jay-2-5", 1),
        // Each iteration makes one more explicit stage exact.
        ("rk4", 1),
        ("rk4", 2),
        ("kutta-3", 3),
    ];
    for (id, iterations) in cases {
        let (method, system) = (method(id), Coupled(vec![2, 2]));
        let predicted = if iterations == 0 { 1.0 } else { check(id, iterations, 7).order() as f64 };
        let stepper = || LinearizedStepper::new(&method, iterations, &system).unwrap();
        let observed = observed_order(&system, &system.start(), stepper);
        assert!((observed - predicted).abs() < 0.25, "{id}, {iterations}: {observed} for {predicted}");
    }
}

/// x' = 1, y' = x, z' = y²: from zero z = t⁵/20, and f''(f'f, f'f) is the only elementary differential.
struct Obstruction;

impl System for Obstruction {
    fn sizes(&self) -> &[usize] {
        &[3]
    }

    fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        rate.copy_from_slice(&[1.0, y[0], y[1] * y[1]]);
    }

    fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
        jacobian.copy_from_slice(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0 * y[1], 0.0]);
    }
}

#[test]
fn one_tree_obstructs_order_five() {
    let check = check("gauss-3", 1, 5);
    assert_eq!((check.order(), check.orders()[4].failed()), (4, 1));
    let tree = check.failures().next().unwrap();
    // The root has two branches of two nodes each.
    assert!(tree.tree.children().len() == 2 && tree.tree.children().iter().all(|child| child.order() == 2));
    let third = |iterations| {
        let mut y = [0.0; 3];
        let mut stepper = LinearizedStepper::new(&method("gauss-3"), iterations, &Obstruction).unwrap();
        stepper.step(&Obstruction, 0.0, 0.5, &mut y).unwrap();
        y[2]
    };
    // The derivative of y² at zero is zero.
    assert_eq!(third(1), 0.0);
    assert!((third(2) - 0.5f64.powi(5) / 20.0).abs() < f64::EPSILON * 0.5f64.powi(5));
}

#[test]
fn many_iterations_solve_the_stages() {
    let system = Coupled(vec![2, 2]);
    for id in ["gauss-3", "hairer-wanner-sdirk-4", "lobatto-iiia-iiib-3", "kennedy-carpenter-ark-4-3-6"] {
        let (method, start) = (method(id), system.start());
        let solved = integrate(&mut Implicit::new(&method, &system).unwrap(), &system, &start, 1.0, 4);
        let iterated = integrate(&mut LinearizedStepper::new(&method, 8, &system).unwrap(), &system, &start, 1.0, 4);
        assert!(largest_difference(&solved, &iterated) < 4e-15, "{id} {:e}", largest_difference(&solved, &iterated));
        let once = integrate(&mut LinearizedStepper::new(&method, 1, &system).unwrap(), &system, &start, 1.0, 4);
        assert!(largest_difference(&solved, &once) > 1e-7, "{id} {:e}", largest_difference(&solved, &once));
    }
}

/// Starting from kᵢ⁽⁰⁾ = f(y) makes the methods invariant (Gerdts). Differences serve as the Jacobian of the larger
/// system.
#[test]
fn time_is_a_variable_like_others() {
    let (system, with_time) = (Coupled(vec![4]), Autonomous(Coupled(vec![4]), [5]));
    let start = system.start();
    let start_with_time: Vec<f64> = start.iter().copied().chain([0.0]).collect();
    for id in ["gauss-3", "radau-iia-2", "hairer-wanner-sdirk-4"] {
        let method = method(id);
        let plain = integrate(&mut LinearizedStepper::new(&method, 1, &system).unwrap(), &system, &start, 1.0, 8);
        let stepper = &mut LinearizedStepper::new(&method, 1, &with_time).unwrap();
        let other = integrate(stepper, &with_time, &start_with_time, 1.0, 8);
        // The error of a derivative times that of the starting values.
        assert!(largest_difference(&plain, &other[..4]) < 1e-8, "{id} {:e}", largest_difference(&plain, &other[..4]));
    }
}
