//! Trees compared with results of Pinocchio, stored by `scripts/peers/multibody_truth.py`.

use hemiola_multibody::Machine;
use nalgebra::{DMatrix, DVector};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::common::{largest, largest_difference};

#[derive(Deserialize)]
struct Truth<'a> {
    #[serde(borrow)]
    cases: Vec<Case<'a>>,
}

#[derive(Deserialize)]
struct Case<'a> {
    #[serde(borrow)]
    machine: &'a RawValue,
    states: Vec<State>,
}

#[derive(Deserialize)]
struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
    ax: Vec<f64>,
    h: Vec<f64>,
}

/// Mass matrix and bias forces of 1000 random states of 40 random trees, and the consistency of accelerations by
/// articulated inertias with them.
#[test]
fn trees_agree_with_pinocchio() {
    let truth: Truth<'_> = serde_json::from_str(include_str!("../data/pinocchio.json")).unwrap();
    let (mut states, mut worst) = (0, [0.0f64; 3]);
    for case in &truth.cases {
        let machine = Machine::from_json(case.machine.get().as_bytes(), "case").unwrap().build().unwrap();
        let n = machine.velocities();
        let (mut matrix, mut bias) = (vec![0.0; n * n], vec![0.0; n]);
        let mut rate = vec![0.0; machine.positions() + n];
        let mut workspace = machine.workspace();
        for State { q, v, x, ax, h } in &case.states {
            let y = [q.as_slice(), v].concat();
            machine.tree_equations(0.0, &y, &mut matrix, &mut bias, &mut workspace).unwrap();
            let a = DMatrix::from_row_slice(n, n, &matrix);
            let product = &a * DVector::from_row_slice(x);
            let scale = a.amax();
            worst[0] = worst[0].max(largest_difference(product.as_slice(), ax) / scale);
            worst[1] = worst[1].max(largest_difference(&bias, h) / largest(h.iter().copied()).max(scale));
            // A z̈ + h = 0.
            machine.rates(0.0, &y, &mut rate, &mut workspace).unwrap();
            let acceleration = DVector::from_row_slice(&rate[q.len()..]);
            let residual = &a * &acceleration + DVector::from_row_slice(&bias);
            let size = (a.abs() * acceleration.abs()).amax().max(largest(h.iter().copied()));
            worst[2] = worst[2].max(residual.amax() / size);
            states += 1;
        }
    }
    println!("mass matrix, bias forces, articulated: {worst:?}");
    assert_eq!(states, 1000);
    assert!(worst[0] < 1e-12 && worst[1] < 1e-12, "{worst:?}");
    assert!(worst[2] < 1e-11, "{worst:?}");
}
