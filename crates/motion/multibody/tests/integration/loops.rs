//! Machines with loops: Maggi's equations against Lagrange's with multipliers, and dependent coordinates.

use std::ops::ControlFlow;

use hemiola_multibody::{AccelerationSolver, Body, Joint, Loop, Machine, MachineRun, Maneuver, Mechanism, vehicles};
use nalgebra::{DMatrix, DVector};
use num_dual::Dual64;

use crate::common::{Numbers, largest, largest_difference};

/// Returns a state near the initial one: positions and velocities are moved, then the dependents are projected.
pub(crate) fn perturbed_state(machine: &Mechanism, numbers: &mut Numbers, position: f64, velocity: f64) -> Vec<f64> {
    let mut y = machine.initial().to_vec();
    let n = machine.positions();
    for (k, entry) in y.iter_mut().enumerate() {
        *entry += numbers.next() * if k < n { position } else { velocity };
    }
    machine.project(&mut y, &mut machine.workspace()).unwrap();
    y
}

#[test]
fn vehicles_have_the_freedoms_of_the_papers() {
    let counts = |machine: Machine| {
        let built = machine.build().unwrap();
        let violation = built.violation(built.initial(), &mut built.workspace()).unwrap();
        assert!(largest(violation) < 1e-14, "{violation:?}");
        (built.velocities(), built.constraints(), built.degrees_of_freedom())
    };
    let coasting = Maneuver::coasting(10.0);
    assert_eq!(counts(vehicles::hmmwv(&coasting)), (31, 16, 15));
    assert_eq!(counts(vehicles::sedan(&coasting)), (32, 16, 16));
    assert_eq!(counts(vehicles::truck(&coasting)), (40, 0, 40));
    assert_eq!(counts(vehicles::truck_on_rods(&coasting)), (65, 25, 40));
}

/// Comparison with A z̈ + Φ_zᵀ λ = −h, Φ_z z̈ = −Φ̇_z ż, the index-1 form solved as one system.
#[test]
fn projected_accelerations_are_those_with_multipliers() {
    let mut worst = 0.0f64;
    for machine in [vehicles::hmmwv(&Maneuver::coasting(10.0)), vehicles::sedan(&Maneuver::coasting(10.0))] {
        let machine = machine.build().unwrap();
        let (n, m, p) = (machine.velocities(), machine.constraints(), machine.positions());
        let mut workspace = machine.workspace();
        let (mut a, mut h) = (vec![0.0; n * n], vec![0.0; n]);
        let (mut jacobian, mut drift, mut rate) = (vec![0.0; m * n], vec![0.0; m], vec![0.0; n + p]);
        let mut numbers = Numbers(5);
        for _ in 0..200 {
            let y = perturbed_state(&machine, &mut numbers, 0.04, 2.0);
            machine.tree_equations(0.0, &y, &mut a, &mut h, &mut workspace).unwrap();
            machine.loop_equations(0.0, &y, &mut jacobian, &mut drift, &mut workspace).unwrap();
            machine.rates(0.0, &y, &mut rate, &mut workspace).unwrap();
            let whole = DMatrix::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
                (true, true) => a[i * n + j],
                (true, false) => jacobian[(j - n) * n + i],
                (false, true) => jacobian[(i - n) * n + j],
                (false, false) => 0.0,
            });
            let right = DVector::from_fn(n + m, |i, _| if i < n { -h[i] } else { -drift[i - n] });
            // Scale by the diagonal and refine once: with mixed units the matrix has a condition of 1e9.
            let scale = DVector::from_fn(n + m, |i, _| if i < n { a[i * n + i].sqrt().recip() } else { 1.0 });
            let scaled = DMatrix::from_fn(n + m, n + m, |i, j| scale[i] * whole[(i, j)] * scale[j]);
            let lu = scaled.full_piv_lu();
            let solve = |b: &DVector<f64>| lu.solve(&b.component_mul(&scale)).unwrap().component_mul(&scale);
            let mut x = solve(&right);
            x += solve(&(&right - &whole * &x));
            let size = largest(rate[p..].iter().copied());
            worst = worst.max(largest_difference(&x.as_slice()[..n], &rate[p..]) / size);
        }
    }
    println!("Maggi against multipliers: {worst:.1e}");
    assert!(worst < 1e-11, "{worst}");
}

#[test]
fn dependents_of_a_state_do_not_matter() {
    let machine = vehicles::hmmwv(&Maneuver::coasting(10.0)).build().unwrap();
    let y = perturbed_state(&machine, &mut Numbers(2), 0.03, 1.0);
    let (mut workspace, mut rate, mut other) = (machine.workspace(), vec![0.0; y.len()], vec![0.0; y.len()]);
    machine.rates(0.0, &y, &mut rate, &mut workspace).unwrap();
    let p = machine.positions();
    let mut moved = y.clone();
    for (_, _, [positions, velocities]) in machine.joints() {
        for (k, place) in velocities.clone().enumerate() {
            if !machine.independents().contains(&(place - p)) {
                moved[place] += 0.1;
                if positions.len() == velocities.len() {
                    moved[positions.start + k] += 1e-3;
                }
            }
        }
    }
    assert!(largest_difference(&moved, &y) > 0.09);
    machine.rates(0.0, &moved, &mut other, &mut workspace).unwrap();
    let size = largest(rate.iter().copied());
    assert!(largest_difference(&rate[p..], &other[p..]) < 1e-11 * size);
}

/// Derivatives along a direction in all variables, through the closing of the loops.
#[test]
fn dual_numbers_give_derivatives() {
    for machine in [
        vehicles::hmmwv(&Maneuver::coasting(10.0)),
        vehicles::truck(&Maneuver::coasting(10.0)),
        vehicles::truck_on_rods(&Maneuver::coasting(10.0)),
    ] {
        let machine = machine.build().unwrap();
        let mut numbers = Numbers(11);
        let y = perturbed_state(&machine, &mut numbers, 0.02, 0.5);
        let direction: Vec<f64> = y.iter().map(|_| numbers.next()).collect();
        let along: Vec<Dual64> = y.iter().zip(&direction).map(|(&y, &d)| Dual64::new(y, d)).collect();
        let mut rate = vec![Dual64::from_re(0.0); y.len()];
        machine.rates(0.3, &along, &mut rate, &mut machine.workspace()).unwrap();
        let at = |s: f64| {
            let y: Vec<f64> = y.iter().zip(&direction).map(|(y, d)| y + s * d).collect();
            let mut rate = vec![0.0; y.len()];
            machine.rates(0.3, &y, &mut rate, &mut machine.workspace()).unwrap();
            rate
        };
        // Richardson extrapolation of central differences: errors of h⁴ and of rounding.
        let h = 2e-5;
        let [near, far] = [h, 2.0 * h].map(|h| {
            let (ahead, back) = (at(h), at(-h));
            ahead.iter().zip(back).map(|(x, y)| (x - y) / (2.0 * h)).collect::<Vec<f64>>()
        });
        let size = largest(near.iter().copied());
        let exact: Vec<f64> = rate.iter().map(|rate| rate.eps).collect();
        let found: Vec<f64> = near.iter().zip(far).map(|(near, far)| (4.0 * near - far) / 3.0).collect();
        let error = largest_difference(&exact, &found) / size;
        println!("derivatives: {error:.1e}");
        assert!(error < 1e-8, "{error}");
    }
}

/// A crank of 3 m drives a slider by a rod of 5 m. The slider is independent at first, since the crank moves more. At
/// dead centers it does not determine the crank, and the roles change.
#[test]
fn dead_centers_are_passed() {
    let rod = Loop::rod("rod", ["crank", "slider"], [[0.0, 0.0, 3.0], [4.0, 0.0, 0.0]]);
    let machine = Machine::new("slider crank")
        .gravity([0.0; 3])
        .body(Body::new("crank", 2.0, [0.0, 0.0, 1.5], [1.5, 1.5, 0.01]))
        .body(Body::new("slider", 1.0, [4.0, 0.0, 0.0], [0.1; 3]))
        .joint(Joint::revolute("crank", ["ground", "crank"], [0.0; 3], [0.0, 1.0, 0.0]))
        .joint(Joint::prismatic("slider", ["ground", "slider"], [4.0, 0.0, 0.0], [1.0, 0.0, 0.0]))
        .closed_by(rod)
        .starting("slider", &[], &[6.0])
        .build()
        .unwrap();
    assert_eq!(machine.independents(), [1]);
    let mut workspace = machine.workspace();
    let energy = |y: &[f64], workspace: &mut _| machine.energy(0.0, y, workspace).unwrap().kinetic;
    let before = energy(machine.initial(), &mut workspace);
    let losses = [6000, 12_000].map(|steps| {
        let (mut y, mut run, mut open) =
            (machine.initial().to_vec(), MachineRun::new(&machine, AccelerationSolver::Direct), 0.0f64);
        run.run([0.0, 12.0], steps, &mut y, |_, y| {
            open = open.max(largest(machine.violation(y, &mut workspace).unwrap()));
            ControlFlow::Continue(())
        })
        .unwrap();
        // The crank turns several times.
        assert!(run.counts().choices > 0 && y[0].abs() > 25.0 && open < 1e-11, "{:?} {y:?} {open}", run.counts());
        (energy(&y, &mut workspace) / before - 1.0).abs()
    });
    println!("losses of energy {losses:?}");
    assert!(losses[0] < 1e-4 && losses[1] < losses[0] / 8.0, "{losses:?}");
}
