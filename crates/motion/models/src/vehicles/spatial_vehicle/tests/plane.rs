//! A planar machine on spatial rings equals the planar vehicle.

use hemiola_multibody::{Body, Characteristic, Joint, Machine, Mechanism, Term, Torsion};

use super::*;
use crate::vehicles::drive::Drive;

/// Creates the spatial tire with the values of the planar vehicle. Parameters that act out of the plane keep their
/// defaults.
fn tire(planar: Values<'_>) -> SpatialRingTire {
    let mut own = parameters("spatial-vehicle").unwrap().to_vec();
    let same = ["tyre-radius", "belt-mass", "belt-inertia", "belt-damping", "tyre-stiffness", "residual-damping"];
    let more = ["contact-half-length", "tread-stiffness", "friction", "rolling-resistance", "wind-up-frequency"];
    for parameter in &mut own {
        if same.iter().chain(&more).any(|name| *name == parameter.name) {
            parameter.value = planar.of(parameter.name);
        }
        if parameter.name == "radial-frequency" {
            parameter.value = planar.of("belt-frequency");
        }
    }
    SpatialRingTire::new(Values(&own), planar.of("gravity")).unwrap()
}

/// Builds a chassis that moves forward, up and in pitch, with two hubs that slide on it.
fn machine(planar: Values<'_>) -> Mechanism {
    let [mass, front, rear, height] =
        ["chassis-mass", "front-arm", "rear-arm", "centre-height"].map(|name| planar.of(name));
    let mut machine = Machine::new("planar vehicle")
        .body(Body::new("along", 0.0, [0.0; 3], [0.0; 3]))
        .body(Body::new("up", 0.0, [0.0; 3], [0.0; 3]))
        .body(Body::new("chassis", mass, [0.0; 3], [0.0, planar.of("chassis-inertia"), 0.0]))
        .joint(Joint::prismatic("x", ["ground", "along"], [0.0; 3], [1.0, 0.0, 0.0]))
        .joint(Joint::prismatic("y", ["along", "up"], [0.0; 3], [0.0, 0.0, 1.0]))
        .joint(Joint::revolute("pitch", ["up", "chassis"], [0.0; 3], [0.0, -1.0, 0.0]));
    for (name, arm, other) in [("front", front, rear), ("rear", -rear, front)] {
        let (at, hub, wheel) = ([arm, 0.0, -height], format!("{name} hub"), format!("{name} wheel"));
        let preload = mass * planar.of("gravity") * other / (front + rear);
        let [stiffness, damping] = ["suspension-stiffness", "suspension-damping"].map(|name| planar.of(name));
        machine = machine
            .body(Body::new(&hub, 0.0, at, [0.0; 3]))
            .body(Body::new(&wheel, planar.of("hub-mass"), at, [0.0, planar.of("hub-inertia"), 0.0]))
            .joint(Joint::prismatic(&hub, ["chassis", &hub], at, [0.0, 0.0, 1.0]))
            .joint(Joint::revolute(&format!("{name} spin"), [&hub, &wheel], at, [0.0, 1.0, 0.0]));
        machine.forces.torsions.push(Torsion {
            name: hub.clone(),
            terms: vec![Term { joint: hub, coordinate: 0, factor: 1.0 }],
            rest: Characteristic::constant(0.0),
            stiffness: Characteristic::table(&[[-1.0, preload - stiffness], [1.0, preload + stiffness]]),
            damping: Characteristic::linear(damping),
        });
    }
    machine.build().unwrap()
}

/// Converts the planar vehicle's state, or its rates, to those of the machine: angles about the axle have the opposite
/// sign, and spins of joints are relative to the chassis.
fn in_space(y: &[f64], powertrain: [f64; 2]) -> Vec<f64> {
    let (x, up, pitch) = (y[0], y[1], y[2]);
    let spin = |k: usize, pitch: f64| pitch - y[k];
    let mut z = vec![x, up, pitch, y[3], spin(4, pitch), y[5], spin(6, pitch)];
    z.extend([y[7], y[8], y[9], y[10], spin(11, y[9]), y[12], spin(13, y[9])]);
    for ring in y[14..28].chunks(7) {
        let &[x, up, angle, u, w, turning, slip] = ring else { panic!("a ring has 7 variables") };
        z.extend([x, 0.0, up, 0.0, 0.0, -angle, u, 0.0, w, 0.0, -turning, 0.0, slip, 0.0]);
    }
    z.extend(powertrain);
    z
}

#[test]
fn the_planar_limit_is_the_planar_vehicle() {
    let planar = model("planar-vehicle", &[("drag", 0.0)]).unwrap();
    let values = Values(&planar.parameters);
    let mechanism = machine(values);
    let axles = mechanism.axles(&["front wheel", "rear wheel"]).unwrap();
    let road = UndulatingRoad { amplitude: values.of("road-amplitude"), wavelength: values.of("road-wavelength") };
    let own = parameters("spatial-vehicle").unwrap();
    let powertrain = Powertrain::new(Values(own), GEAR, 2);
    // The torque that keeps the speed against rolling resistance, and the pulse.
    let weight = (580.0 + 2.0 * (33.0 + 7.0)) * 9.81;
    let drive =
        Drive { steady: 0.0035 * weight / 2.0, pulse: values.of("torque-pulse"), period: values.of("torque-period") };
    let vehicle = MachineOnRings::new(mechanism, axles, tire(values), powertrain, road);
    for (t, size) in [(0.0, 1e-4), (0.7, 1e-3), (1.3, 3e-3)] {
        let mut y = shaken(&planar.initial, size);
        y[0] += 43.0;
        // A shaft twisted by this torque, with an engine speed that keeps the twist.
        let mean = (2.0 * y[9] - y[11] - y[13]) / 2.0;
        let twist = 2.0 * drive.torque(t) / vehicle.powertrain.stiffness;
        let z = in_space(&y, [twist, vehicle.powertrain.engine_speed(mean)]);
        let expected = in_space(&rates(&planar, t, &y), [0.0; 2]);
        let mut found = vec![0.0; z.len()];
        vehicle.rates(t, &z, &mut found, &mut vehicle.room());
        for k in 0..z.len() - 2 {
            // Scale of the sidewall forces over the masses that they move.
            let scale = expected[k].abs().max(if k < 7 { 1.0 } else { 1.77e6 * 1e-2 / 7.0 });
            assert!((found[k] - expected[k]).abs() < 1e-9 * scale, "{size} {k}: {} {}", found[k], expected[k]);
        }
    }
}
