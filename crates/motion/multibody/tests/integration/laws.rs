//! Conservation laws of mechanics: closed loops, energy, momentum.

use std::ops::ControlFlow;

use hemiola_multibody::{
    AccelerationSolver, Characteristic, Energy, Machine, MachineRun, Maneuver, Mechanism, vehicles,
};
use num_dual::Dual64;

use crate::common::{Numbers, largest};
use crate::loops::perturbed_state;

/// Φ and Φ̇ over ten seconds of a double lane change in steps of a millisecond, in which the chassis changes lanes and
/// returns.
#[test]
fn loops_stay_closed() {
    let machine = vehicles::hmmwv(&Maneuver::double_lane_change(15.0)).build().unwrap();
    let (mut y, mut workspace, mut worst) = (machine.initial().to_vec(), machine.workspace(), [0.0f64; 2]);
    let (mut run, mut aside) = (MachineRun::new(&machine, AccelerationSolver::Direct), 0.0f64);
    run.run([0.0, 10.0], 10_000, &mut y, |_, y| {
        let violation = machine.violation(y, &mut workspace).unwrap();
        worst = [0, 1].map(|k| worst[k].max(violation[k]));
        aside = aside.max(y[1]);
        ControlFlow::Continue(())
    })
    .unwrap();
    println!("loops open by {worst:?}, aside by {aside}, {:?}", run.counts());
    assert!(worst[0] < 1e-11 && worst[1] < 1e-10, "{worst:?}");
    let chassis = machine.poses(&y, &mut workspace).unwrap().remove(0);
    assert!(aside > 1.0 && chassis.center[1].abs() < 0.5, "{aside} {chassis:?}");
    assert!(chassis.axes[2][2] > 0.9999 && chassis.center[0] > 120.0, "{chassis:?}");
}

/// After six seconds at rest the road carries the weight.
#[test]
fn vehicles_come_to_rest() {
    let coasting = Maneuver::coasting(0.0);
    for described in [
        vehicles::hmmwv(&coasting),
        vehicles::sedan(&coasting),
        vehicles::truck(&coasting),
        vehicles::truck_on_rods(&coasting),
    ] {
        let machine = described.build().unwrap();
        let mut y = machine.initial().to_vec();
        MachineRun::new(&machine, AccelerationSolver::Direct)
            .run([0.0, 6.0], 6000, &mut y, |_, _| ControlFlow::Continue(()))
            .unwrap();
        let poses = machine.poses(&y, &mut machine.workspace()).unwrap();
        // Vertical motion only; wheels may roll.
        let (moved, speed) = (y[2] - machine.initial()[2], y[machine.positions() + 2]);
        let weight: f64 = described.bodies.iter().map(|body| body.mass * 9.81).sum();
        let load: f64 = described
            .forces
            .tires
            .iter()
            .map(|tire| {
                let wheel = poses.iter().find(|pose| pose.body == tire.body).unwrap();
                tire.stiffness.at(tire.level + tire.radius - wheel.center[2])
            })
            .sum();
        println!("{}: moved by {moved:.3}, speed {speed:.1e}, weight {weight:.1}, load {load:.1}", machine.name());
        assert!(
            moved.abs() < 0.12 && speed.abs() < 1e-4 && (load / weight - 1.0).abs() < 1e-5,
            "{load} {weight} {speed} {moved}"
        );
    }
}

/// Removes dampers, tires, drag and driver inputs.
fn conservative(mut machine: Machine) -> Machine {
    let forces = &mut machine.forces;
    forces.tires.clear();
    forces.drags.clear();
    forces.brakes.clear();
    forces.drivetrains.clear();
    for spring in &mut forces.springs {
        // The second derivative of an interpolated curve jumps at its points, which costs an order there.
        let slope = (spring.stiffness.at(1e-3) - spring.stiffness.at(-1e-3)) / 2e-3;
        (spring.stiffness, spring.damping) = (Characteristic::linear(slope), Characteristic::linear(0.0));
    }
    forces.torsions.iter_mut().for_each(|torsion| torsion.damping = Characteristic::linear(0.0));
    forces.bushings.iter_mut().for_each(|bushing| bushing.damping = [0.0; 6]);
    machine
}

fn total(energy: Energy<f64>) -> f64 {
    energy.kinetic + energy.gravity + energy.elastic
}

/// Returns the largest error of the energy during a run.
fn energy_error(machine: &Mechanism, y: &[f64], steps: u32) -> f64 {
    let (mut workspace, mut y, mut worst) = (machine.workspace(), y.to_vec(), 0.0f64);
    let before = total(machine.energy(0.0, &y, &mut workspace).unwrap());
    let mut run = MachineRun::new(machine, AccelerationSolver::Direct);
    run.run([0.0, 0.12], steps, &mut y, |t, y| {
        worst = worst.max((total(machine.energy(t, y, &mut workspace).unwrap()) - before).abs());
        ControlFlow::Continue(())
    })
    .unwrap();
    worst
}

/// The run is short enough for the suspensions, unloaded and without dampers, to stay within their travel.
#[test]
fn energy_errs_with_the_order_of_the_method() {
    let coasting = Maneuver::coasting(5.0);
    for machine in [
        vehicles::hmmwv(&coasting),
        vehicles::sedan(&coasting),
        vehicles::truck(&coasting),
        vehicles::truck_on_rods(&coasting),
    ] {
        let machine = conservative(machine).build().unwrap();
        let y = perturbed_state(&machine, &mut Numbers(3), 0.002, 0.1);
        let errors = [600, 1200].map(|steps| energy_error(&machine, &y, steps));
        let order = (errors[0] / errors[1]).log2();
        println!("{}: energy errors {errors:?}, order {order:.2}", machine.name());
        assert!(order > 3.8 && errors[1] > 0.0, "{errors:?}");
    }
}

/// dE/dt equals the power of nonconservative forces: dampers, drag, engine, brakes, a load.
#[test]
fn power_balances() {
    let coasting = Maneuver {
        throttle: Characteristic::constant(0.7),
        brake: Characteristic::constant(0.2),
        ..Maneuver::coasting(20.0)
    };
    for described in [
        vehicles::hmmwv(&coasting),
        vehicles::sedan(&coasting),
        vehicles::truck(&coasting),
        vehicles::truck_on_rods(&coasting),
    ] {
        let mut described = described;
        described.forces.tires.clear();
        described.forces.loads.push(hemiola_multibody::Load {
            name: "tow".to_owned(),
            body: described.bodies[0].name.clone(),
            at: [2.0, 0.3, 0.1],
            direction: [1.0, 2.0, -0.5],
            force: Characteristic::table(&[[0.0, 100.0], [1.0, 300.0]]),
        });
        let machine = described.build().unwrap();
        let mut numbers = Numbers(9);
        for _ in 0..20 {
            let (y, t) = (perturbed_state(&machine, &mut numbers, 0.01, 0.5), 0.4);
            let mut rate = vec![0.0; y.len()];
            machine.rates(t, &y, &mut rate, &mut machine.workspace()).unwrap();
            let along: Vec<Dual64> = y.iter().zip(&rate).map(|(&y, &rate)| Dual64::new(y, rate)).collect();
            let energy = machine.energy(t, &along, &mut machine.workspace()).unwrap();
            let found = (energy.kinetic + energy.gravity + energy.elastic).eps;
            let (expected, size) = power(&described, &machine, t, &y);
            assert!((found - expected).abs() < 1e-8 * size, "{}: {found} {expected}", machine.name());
        }
    }
}

/// Computes the power from the description, by points and their velocities, and the sum of the moduli of its terms.
fn power(described: &Machine, machine: &Mechanism, t: f64, y: &[f64]) -> (f64, f64) {
    let poses = machine.poses(y, &mut machine.workspace()).unwrap();
    let velocity_of = |name: &str, point: [f64; 3]| -> [[f64; 3]; 2] {
        let Some(pose) = poses.iter().find(|pose| pose.body == name) else { return [point, [0.0; 3]] };
        let body = described.bodies.iter().find(|body| body.name == name).unwrap();
        let arm = [0, 1, 2].map(|i| (0..3).map(|j| pose.axes[i][j] * (point[j] - body.center[j])).sum::<f64>());
        let w = pose.angular_velocity;
        let turning = [w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2], w[0] * arm[1] - w[1] * arm[0]];
        [[0, 1, 2].map(|i| pose.center[i] + arm[i]), [0, 1, 2].map(|i| pose.velocity[i] + turning[i])]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
    let speed_of = |joint: &str| {
        let (_, _, [_, velocities]) = machine.joints().find(|(name, ..)| *name == joint).unwrap();
        y[velocities.start]
    };
    let forces = &described.forces;
    let mut terms = Vec::new();
    for spring in &forces.springs {
        let [p, q] = [0, 1].map(|side| velocity_of(&spring.between[side], spring.points[side]));
        let (d, w) = ([0, 1, 2].map(|k| q[0][k] - p[0][k]), [0, 1, 2].map(|k| q[1][k] - p[1][k]));
        let rate = dot(d, w) / dot(d, d).sqrt();
        terms.push(-spring.damping.at(rate) * rate);
    }
    for torsion in &forces.torsions {
        let rate: f64 = torsion.terms.iter().map(|term| term.factor * speed_of(&term.joint)).sum();
        terms.push(-torsion.damping.at(rate) * rate);
    }
    for bushing in &forces.bushings {
        let [first, second] = [0, 1].map(|side| poses.iter().find(|pose| pose.body == bushing.between[side]).unwrap());
        let w = [0, 1, 2].map(|k| second.angular_velocity[k] - first.angular_velocity[k]);
        let local = [0, 1, 2].map(|j| (0..3).map(|i| first.axes[i][j] * w[i]).sum::<f64>());
        terms.extend((0..3).map(|k| -bushing.damping[3 + k] * local[k] * local[k]));
    }
    for drag in &forces.drags {
        let v = velocity_of(&drag.body, drag.at)[1];
        terms.push(-0.5 * drag.density * drag.area * dot(v, v).powf(1.5));
    }
    for engine in &forces.drivetrains {
        let speed = engine.ratio * engine.shares.iter().map(|term| term.factor * speed_of(&term.joint)).sum::<f64>();
        terms.push(engine.torque.at(speed) * engine.throttle.at(t) * speed);
    }
    for brake in &forces.brakes {
        let speed = speed_of(&brake.joint);
        terms.push(-brake.moment.at(t) * (speed / brake.crawl).tanh() * speed);
    }
    for load in &forces.loads {
        terms.push(load.force.at(t) * dot(load.direction, velocity_of(&load.body, load.at)[1]));
    }
    (terms.iter().sum(), terms.iter().map(|term| term.abs()).sum())
}

/// Internal forces of vehicles in free flight (springs, mounts, loops and joints) change neither momentum nor angular
/// momentum.
#[test]
fn momentum_stays() {
    let coasting = Maneuver::coasting(20.0);
    for described in [
        vehicles::hmmwv(&coasting),
        vehicles::sedan(&coasting),
        vehicles::truck(&coasting),
        vehicles::truck_on_rods(&coasting),
    ] {
        let mut described = described.gravity([0.0; 3]);
        described.forces.tires.clear();
        described.forces.drags.clear();
        let machine = described.build().unwrap();
        let mut numbers = Numbers(4);
        let mut worst = 0.0f64;
        for _ in 0..50 {
            let y = perturbed_state(&machine, &mut numbers, 0.03, 1.0);
            let mut rate = vec![0.0; y.len()];
            machine.rates(0.0, &y, &mut rate, &mut machine.workspace()).unwrap();
            let along: Vec<Dual64> = y.iter().zip(&rate).map(|(&y, &rate)| Dual64::new(y, rate)).collect();
            let momentum = machine.momentum(0.0, &along, &mut machine.workspace()).unwrap();
            // Internal forces are of the size of the springs' 10⁵ N, with arms of some meters.
            worst = worst.max(largest(momentum.iter().flatten().map(|entry| entry.eps)) / 1e6);
        }
        println!("{}: rate of the momentum {worst:.1e}", machine.name());
        assert!(worst < 1e-11, "{worst}");
    }
}
