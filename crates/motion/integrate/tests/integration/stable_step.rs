//! The largest stable step found by simulation agrees with that of the step matrix.

use hemiola_integrate::{Explicit, largest_stable_step};
use hemiola_stability::BlockSystem;
use hemiola_tableau::library;

use crate::common::Linear;

/// Coupled slow and fast damped oscillators; each partition has one position and one velocity.
const JACOBIAN: [&[f64]; 4] =
    [&[0.0, 1.0, 0.0, 0.0], &[-1.0, -0.1, 0.3, 0.0], &[0.0, 0.0, 0.0, 1.0], &[4.0, 0.0, -36.0, -0.6]];

#[test]
fn simulation_agrees_with_the_step_matrix() {
    let rows: Vec<Vec<f64>> = JACOBIAN.iter().map(|row| row.to_vec()).collect();
    let blocks = BlockSystem::new(&rows, vec![0, 0, 1, 1]).unwrap();
    let system = Linear::in_blocks(&JACOBIAN, &[2, 2]);
    for id in ["rk4", "kutta-3", "shome-haug-jay-2-5", "hemiola-3-7-coupled", "mprk-p3", "hemiola-4-8"] {
        let method = library::method(id).unwrap();
        let expected = blocks.stable_steps(&method.to_f64(), 2.0, &()).unwrap().first_exit;
        let stepper = Explicit::new(&method, &system).unwrap();
        let found = largest_stable_step(&stepper, &system, (0.0, &[1.0, 0.0, 0.5, 0.0]), 2.0).unwrap();
        // Growth of 1.001 per step cannot be distinguished from none.
        assert!((found / expected - 1.0).abs() < 2e-3, "{id}: {found} and {expected}");
    }
}

#[test]
fn a_stable_range_has_no_largest_step() {
    let system = Linear::new(&[&[-1.0]]);
    let stepper = Explicit::new(&library::method("rk4").unwrap(), &system).unwrap();
    assert_eq!(largest_stable_step(&stepper, &system, (0.0, &[1.0]), 2.0), None);
    let step = largest_stable_step(&stepper, &system, (0.0, &[1.0]), 5.0).unwrap();
    assert!((step - 2.785_293_563).abs() < 1e-3);
}

#[test]
fn an_unstable_system_is_not_the_fault_of_steps() {
    let system = Linear::new(&[&[0.5]]);
    let stepper = Explicit::new(&library::method("rk4").unwrap(), &system).unwrap();
    assert_eq!(largest_stable_step(&stepper, &system, (0.0, &[1.0]), 0.5), None);
}
