use hemiola_integrate::System;
use hemiola_multibody::{Vec3, Workspace};
use hemiola_stability::real_eigenvalues;
use num_complex::Complex64;
use num_dual::Dual64;

use super::*;
use crate::check::{rates, rk4, shaken};
use crate::equations::Dynamics;
use crate::model::Model;
use crate::registry::{model, model_with, parameters};
use crate::vehicles::spatial_vehicle::ring::RING_VARIABLES;

mod plane;

fn rolling(changes: &[(&str, f64)]) -> (MachineOnRings, Vec<f64>) {
    let parameters = model("spatial-vehicle", changes).unwrap().parameters;
    let values = Values(&parameters);
    start::rolling(vehicle(values).unwrap(), values.of("speed")).unwrap()
}

/// Projects a state to closed loops.
fn closed(vehicle: &MachineOnRings, mut y: Vec<f64>) -> Vec<f64> {
    let mut workspace: Workspace<f64> = vehicle.mechanism.workspace();
    vehicle.mechanism.project(&mut y[..vehicle.slow()], &mut workspace).unwrap();
    y
}

fn contacts(vehicle: &MachineOnRings, y: &[f64]) -> Vec<contact::RingContact<f64>> {
    let mut contacts = Vec::new();
    vehicle.rings(y, |_, _, ring, road| contacts.push(vehicle.belt.tread.contact(ring, road)));
    contacts
}

#[test]
fn it_begins_in_steady_motion_that_carries_weight_and_drag() {
    for speed in [0.0, 5.0, 20.0] {
        let (mut vehicle, y) = rolling(&[("speed", speed)]);
        vehicle.road = UndulatingRoad::FLAT;
        let flat = model("spatial-vehicle", &[("speed", speed), ("road-amplitude", 0.0)]).unwrap();
        let rate = rates(&flat, 0.0, &y);
        let (positions, slow) = (vehicle.mechanism.positions(), vehicle.slow());
        // Rounding of K u/m with K = 7e6 N/m, u = 1 mm and m = 28 kg. At rest the rolling resistance at 1 cm/s is
        // missing.
        let allowed = if speed == 0.0 { 1.0 } else { 1e-8 };
        assert!(rate[positions..slow].iter().all(|rate| rate.abs() < allowed), "{rate:?}");
        assert!(rate[slow..].iter().all(|rate| rate.abs() < 30.0 * allowed), "{rate:?}");
        let contacts = contacts(&vehicle, &y);
        let load: f64 = contacts.iter().map(|contact| contact.normal).sum();
        assert!((load / vehicle.weight() - 1.0).abs() < 1e-9, "{load} {}", vehicle.weight());
        let thrust: f64 = contacts.iter().map(|contact| contact.force.0[0]).sum();
        let drag = 0.5 * 1.225 * 1.8 * speed * speed;
        assert!((thrust - drag).abs() < 1e-6 * drag + if speed == 0.0 { 0.1 } else { 0.0 }, "{thrust} {drag}");
        // Loads are equal on the left and on the right.
        assert!(
            (contacts[0].normal - contacts[1].normal).abs() < 1e-6
                && (contacts[2].normal - contacts[3].normal).abs() < 1e-6
        );
    }
}

/// Modes of all four rings, each with its damping: 80 Hz along and up, 40 Hz lateral, 70 Hz about the axle and 50 Hz
/// across it.
#[test]
fn rings_have_their_frequencies_in_a_vacuum() {
    let model = model("spatial-vehicle", &[("speed", 0.0)]).unwrap();
    let mut y = model.initial.clone();
    y[2] += 1.0;
    let slow = model.sizes()[0];
    // Rings centered on their hubs: the moment of a rotated spring is nonlinear in the offset.
    y[slow..].fill(0.0);
    let jacobian = model.jacobian_at(0.0, &y);
    let rings: Vec<Vec<f64>> = jacobian[slow..slow + 4 * RING_VARIABLES]
        .iter()
        .map(|row| row[slow..slow + 4 * RING_VARIABLES].to_vec())
        .collect();
    let found = real_eigenvalues(&rings).unwrap();
    for (frequency, times) in [(80.0, 8), (40.0, 4), (70.0, 4), (50.0, 8)] {
        let mode = std::f64::consts::TAU * frequency * Complex64::new(-0.04, (1.0 - 0.0016f64).sqrt());
        let near = found.iter().filter(|value| (*value - mode).norm() < 1e-6 * mode.norm()).count();
        assert_eq!(near, times, "{frequency} Hz: {found:?}");
    }
}

/// Returns a vehicle in motion on the road in which only rings, contacts and shaft dissipate energy.
fn frictionless() -> (MachineOnRings, Vec<f64>) {
    let (rolling, y) = rolling(&[]);
    let parameters = parameters("spatial-vehicle").unwrap();
    let values = Values(parameters);
    let inertia = ["belt-inertia", "belt-tilt-inertia"].map(|name| values.of(name));
    let mut machine = vehicles::hmmwv_without_belts(&Maneuver::coasting(0.0), values.of("belt-mass"), inertia);
    machine.forces.springs.retain(|spring| spring.name.ends_with("spring"));
    machine.forces.drags.clear();
    let still =
        |torsion: &mut hemiola_multibody::Torsion| torsion.damping = hemiola_multibody::Characteristic::linear(0.0);
    machine.forces.torsions.iter_mut().for_each(still);
    let mechanism = machine.build().unwrap();
    let axles = mechanism.axles(&vehicles::HMMWV_WHEELS).unwrap();
    let MachineOnRings { belt, powertrain, road, .. } = rolling;
    (MachineOnRings::new(mechanism, axles, belt, powertrain, road), y)
}

/// Computes the power of engine, dampers and road.
fn power(vehicle: &MachineOnRings, t: f64, y: &[f64]) -> f64 {
    let (mut power, mut spins) = (0.0, 0.0);
    let belt = &vehicle.belt;
    vehicle.rings(y, |_, hub, ring, road| {
        spins += hub.spin;
        let contact = belt.tread.contact(ring, road);
        let speed = ring.velocity - hub.velocity;
        let along = speed.dot(hub.axle);
        let turning = ring.turning - hub.turning;
        power += contact.force.dot(ring.velocity) + contact.moment.dot(ring.turning)
            - belt.radial.damping * (speed.square() - along * along)
            - belt.lateral.damping * along * along
            - belt.tilt.damping * turning.cross(ring.axle).square()
            - belt.wind_up.damping * (turning.dot(hub.axle) - hub.spin).powi(2);
        let pressed = belt.tread.compression(ring, road.0);
        if pressed > 0.0 {
            let up = Vec3([0.0, 0.0, 1.0]) - ring.axle * ring.axle.0[2];
            let lowest = up * (-belt.tread.radius / up.square().sqrt());
            let sinking = road.1 * ring.velocity.0[0] - (ring.velocity + ring.turning.cross(lowest)).0[2];
            power += belt.tread.vertical.stiffness * pressed * sinking;
        }
    });
    power + vehicle.powertrain.power(t, &y[vehicle.slow() + 4 * RING_VARIABLES..], spins)
}

#[test]
fn energy_changes_by_engine_dampers_and_road() {
    let (vehicle, initial) = frictionless();
    for (t, size) in [(0.0, 1e-4), (0.7, 1e-3), (1.3, 4e-3)] {
        let mut y = shaken(&initial, size);
        y[0] += 43.0;
        let y = closed(&vehicle, y);
        let mut rate = vec![0.0; y.len()];
        vehicle.rates(t, &y, &mut rate, &mut vehicle.room());
        assert!(rate.iter().all(|rate| rate.is_finite()));
        let along: Vec<Dual64> = y.iter().zip(&rate).map(|(&y, &f)| Dual64::new(y, f)).collect();
        let found = vehicle.energy_of(t, &along, &mut vehicle.room()).unwrap().eps;
        let expected = power(&vehicle, t, &y);
        // Sidewall forces of about 7e6 N/m times a millimeter, at 20 m/s.
        assert!((found - expected).abs() < 1e-8 * 7e6 * (1e-3 + size) * 20.0, "{size}: {found} {expected}");
        assert!(expected.abs() > 10.0);
    }
}

#[test]
fn fast_rates_ask_nothing_of_the_loops() {
    let model = model("spatial-vehicle", &[]).unwrap();
    let mut y = model.initial.clone();
    // An upper arm closes a loop and carries no hub.
    let arm = model.variables.iter().position(|variable| variable.name == "front left upper arm angle").unwrap();
    y[arm] = f64::NAN;
    let [slow, fast] = [model.sizes()[0], model.sizes()[1]];
    let (mut slow, mut fast) = (vec![0.0; slow], vec![0.0; fast]);
    model.rate(0, 0.0, &y, &mut slow);
    model.rate(1, 0.0, &y, &mut fast);
    assert!(slow.iter().all(|rate| rate.is_nan()) && fast.iter().all(|rate| rate.is_finite()));
}

/// The motion does not depend on the partition of the spins.
#[test]
fn spins_are_slow_or_fast() {
    let run = |spins: &str| {
        let model = model_with("spatial-vehicle", &[("spins", spins.into())]).unwrap();
        let y = rk4(&model, 2.5e-4, 4000, |_, _| {});
        let place = |name: &str| model.variables.iter().position(|variable| variable.name == name).unwrap();
        let names = [
            "chassis x",
            "chassis y",
            "chassis z",
            "chassis x speed",
            "chassis z rate",
            "engine speed",
            "rear left slip aside",
        ];
        names.map(|name| y[place(name)])
    };
    let (slow, fast) = (run("slow"), run("fast"));
    for (slow, fast) in slow.iter().zip(fast) {
        // The error of RK4 with this step is 1e-8 of each variable.
        assert!((slow - fast).abs() < 1e-7 * slow.abs().max(0.1), "{slow} {fast}");
    }
}

fn violation(vehicle: &MachineOnRings, y: &[f64]) -> [f64; 2] {
    vehicle.mechanism.violation(&y[..vehicle.slow()], &mut vehicle.mechanism.workspace()).unwrap()
}

#[test]
fn it_runs_through_a_lane_change_on_four_loaded_tires() {
    let model = model("spatial-vehicle", &[]).unwrap();
    let (vehicle, _) = rolling(&[]);
    let mut furthest = 0.0f64;
    let end = rk4(&model, 5e-4, 10_000, |t, y| {
        furthest = furthest.max(y[1].abs());
        if (t / 0.1).fract() < 0.005 {
            assert!(contacts(&vehicle, y).iter().all(|contact| contact.normal > 500.0), "{t}");
        }
    });
    assert!(end[0] > 95.0 && (0.3..6.0).contains(&furthest), "{} {furthest}", end[0]);
    // The equations alone kept the loops closed, to the error of the integration.
    let [gap, speed] = violation(&vehicle, &end);
    assert!(gap < 1e-7 && speed < 1e-6, "{gap} {speed}");
}

#[test]
fn it_starts_from_rest() {
    let model = model("spatial-vehicle", &[("speed", 0.0), ("torque-pulse", 600.0), ("lane-change", 0.0)]).unwrap();
    let end = rk4(&model, 5e-4, 6000, |_, _| {});
    let [speed, aside] = [end[36], end[1]];
    assert!((1.5..6.0).contains(&speed) && aside.abs() < 1e-3, "{speed} {aside}");
}

/// The equations are smooth enough along the motion: halving the step divides the error by 2⁴.
#[test]
fn the_classical_method_converges_at_order_four() {
    let model: Model = model("spatial-vehicle", &[]).unwrap();
    let [coarse, middle, fine] = [400, 800, 1600].map(|steps| rk4(&model, 0.3 / steps as f64, steps, |_, _| {}));
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let order = (distance(&coarse, &middle) / distance(&middle, &fine)).log2();
    assert!((order - 4.0).abs() < 0.3, "{order}");
}

#[test]
fn energy_is_known_to_the_model() {
    let (vehicle, y) = rolling(&[]);
    let energy = Dynamics::energy(&vehicle, 0.0, &y).unwrap();
    // ½ m v² of 2.5 t at 20 m/s, with weights and springs.
    assert!((4e5..7e5).contains(&energy), "{energy}");
}
