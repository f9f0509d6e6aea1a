//! The HMMWV on rigid-ring tires in space: Shome, Haug & Jay (2004), Figs. 6 and 7 and Table 9.

mod assembly;
mod belt;
mod contact;
mod powertrain;
mod ring;
mod start;

use std::sync::Arc;

use hemiola_multibody::{Coordinate, JointKind, Maneuver, vehicles};

use crate::model::{ModelKind, ModelParts, Variable};
use crate::parameter::{AdmissibleValues, Parameter, Values};
use crate::vehicles::drive::UndulatingRoad;
use crate::vehicles::multibody::steering;
use crate::vehicles::spatial_vehicle::assembly::MachineOnRings;
use crate::vehicles::spatial_vehicle::belt::SpatialRingTire;
use crate::vehicles::spatial_vehicle::powertrain::Powertrain;
use crate::vehicles::tire::LEAST_RELAXATION;

/// Source of the belt's modes: the passenger car's tire in the manual of MF-Tyre/MF-Swift (TNO), 205/60 R15, with a
/// belt of 7 kg and (.34, .6) kg m² in a tire of 9.3 kg and (.391, .736) kg m². Frequencies are close to those of its
/// file.
const SWIFT: &str = "near the 205/60 R15 of the MF-Tyre/MF-Swift 6.2 manual (TNO 2013)";
/// Source of the belt's inertias: that tire's ratios of .75, .82 and .87, applied to the 37.6 kg and (6.69, 3.84) kg m²
/// of the HMMWV in Project Chrono.
const SCALED: &str = "its belt's share, times the tire of Project Chrono's HMMWV";
const CHRONO: &str = "Project Chrono, HMMWV";
const OWN: &str = "chosen, an off-road tire's";
const ENGINE: &str = "chosen, a light truck's";

static PARAMETERS: [Parameter; 29] = [
    Parameter::new("speed", "speed at the start", 20.0, "m/s").within(AdmissibleValues::NotNegative),
    Parameter::new("torque-pulse", "height of the torque's pulses, each wheel", 300.0, "N m")
        .within(AdmissibleValues::NotNegative),
    Parameter::new("torque-period", "period of the torque's pulses", 2.5, "s"),
    Parameter::new("lane-change", "steering of a double lane change, as a fraction of full steering", 0.05, "1")
        .within(AdmissibleValues::Real),
    Parameter::new("circle", "steering of a turn that is held, as a fraction of full steering", 0.0, "1")
        .within(AdmissibleValues::Real),
    Parameter::new("road-amplitude", "amplitude of the road's long wave", 0.002, "m")
        .within(AdmissibleValues::NotNegative),
    Parameter::new("road-wavelength", "length of the road's long wave", 2.0, "m"),
    Parameter::new("hub-inertia", "run-flat ring, brake and shaft of a wheel, at the wheel", 1.5, "kg m²")
        .from("chosen: 15 kg at .25 m, and .15 kg m² behind a gear of 1.92")
        .within(AdmissibleValues::NotNegative),
    Parameter::new("tyre-radius", "radius R", vehicles::HMMWV_TIRE_RADIUS, "m").from(CHRONO),
    Parameter::new("belt-mass", "mass of the belt", 28.2, "kg").from(SCALED),
    Parameter::new("belt-inertia", "inertia of the belt about its axle", 5.486, "kg m²").from(SCALED),
    Parameter::new("belt-tilt-inertia", "inertia of the belt across its axle", 3.341, "kg m²").from(SCALED),
    Parameter::new("radial-frequency", "translation of the belt along and up, about a fixed hub", 80.0, "Hz")
        .from(SWIFT),
    Parameter::new("lateral-frequency", "translation of the belt aside", 40.0, "Hz").from(SWIFT),
    Parameter::new("wind-up-frequency", "rotation of the belt about its axle", 70.0, "Hz").from(SWIFT),
    Parameter::new("tilt-frequency", "yaw and camber of the belt", 50.0, "Hz").from(SWIFT),
    Parameter::new("belt-damping", "damping ratio of all", 0.04, "1").from(SWIFT).within(AdmissibleValues::NotNegative),
    Parameter::new("tyre-stiffness", "vertical, sidewall and residual in series", 4.11e5, "N/m").from(OWN),
    Parameter::new("residual-damping", "vertical, between belt and road", 200.0, "N s/m")
        .from(OWN)
        .within(AdmissibleValues::NotNegative),
    Parameter::new("contact-half-length", "a: half of the contact, and relaxation length at rest", 0.09, "m").from(OWN),
    Parameter::new("least-relaxation", "what slides relaxes in this part of a, at least", LEAST_RELAXATION, "1")
        .from("chosen: (B12) vanishes where the brush slides"),
    Parameter::new("tread-stiffness", "c_p: longitudinal, of the tread by length", 9.0e6, "N/m²").from(OWN),
    Parameter::new("lateral-tread", "stiffness of the tread aside, by that along", 0.5, "1").from(OWN),
    Parameter::new("friction", "friction coefficient μ", 0.8, "1").from(CHRONO),
    Parameter::new("rolling-resistance", "arm of the normal force about the hub", 0.006, "m")
        .from(OWN)
        .within(AdmissibleValues::NotNegative),
    Parameter::new("engine-inertia", "engine and clutch", 0.8, "kg m²").from(ENGINE),
    Parameter::new("shaft-stiffness", "shafts to all wheels, at the wheels", 2.0e4, "N m/rad").from(ENGINE),
    Parameter::new("shaft-damping", "of the shafts", 200.0, "N m s/rad")
        .from(ENGINE)
        .within(AdmissibleValues::NotNegative),
    Parameter::choice("spins", "the wheels' spins: with the machine, or fast", &["slow", "fast"]),
];

/// Revolutions of the engine per revolution of the wheels.
const GEAR: f64 = 7.0;

/// The spatial vehicle with 125 variables.
///
/// Slow are the 67 variables of the machine, positions and velocities of all its joints. Fast are four rings with six
/// degrees of freedom each and two slips, the twist of the shaft and the engine's speed. Equal torques drive all four
/// wheels. The vehicle starts in steady motion straight ahead on a flat road, or at rest if its speed is 0. The wheels'
/// spins belong to the machine, as in the paper; with `spins=fast` they are fast variables.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "spatial-vehicle",
    title: "HMMWV on rigid-ring tires in space, 125 variables",
    parameters: &PARAMETERS,
    build: |values| {
        let vehicle = vehicle(values)?;
        let (vehicle, initial) = start::rolling(vehicle, values.of("speed"))?;
        Some(ModelParts {
            variables: variables(&vehicle),
            sizes: vehicle.sizes().to_vec(),
            initial,
            duration: 10.0,
            // Lateral and vertical position.
            drawn: vec![1, 2],
            dynamics: Arc::new(vehicle),
        })
    },
};

/// Creates the vehicle without an initial state.
fn vehicle(values: Values<'_>) -> Option<MachineOnRings> {
    let lanes = Maneuver::double_lane_change(values.of("speed"));
    let maneuver = Maneuver { steering: steering(&lanes, values.of("lane-change"), values.of("circle")), ..lanes };
    let inertia = ["belt-inertia", "belt-tilt-inertia"].map(|name| values.of(name));
    let mut machine = vehicles::hmmwv_without_belts(&maneuver, values.of("belt-mass"), inertia);
    let is_fast = values.is("spins", "fast");
    let mut rotor = 0.0;
    for body in machine.bodies.iter_mut().filter(|body| vehicles::HMMWV_WHEELS.contains(&body.name.as_str())) {
        body.inertia[1] += values.of("hub-inertia");
        rotor = body.inertia[1];
        if is_fast {
            body.inertia[1] = 0.0;
        }
    }
    if is_fast {
        let spins = machine.joints.iter_mut().filter(|joint| joint.name.ends_with("wheel spin"));
        spins.for_each(|joint| joint.kind = JointKind::Fixed);
        machine.forces.brakes.clear();
    }
    let belt = SpatialRingTire::new(values, -machine.gravity[2])?;
    let mechanism = machine.build().ok()?;
    let axles = mechanism.axles(&vehicles::HMMWV_WHEELS).ok()?;
    let powertrain = Powertrain::new(values, GEAR, axles.count());
    let road = UndulatingRoad { amplitude: values.of("road-amplitude"), wavelength: values.of("road-wavelength") };
    let vehicle = MachineOnRings::new(mechanism, axles, belt, powertrain, road);
    Some(if is_fast { vehicle.with_fast_spins(rotor) } else { vehicle })
}

/// Names and units of a ring's variables.
const RING: [(&str, &str); ring::RING_VARIABLES] = [
    ("ring x from hub", "m"),
    ("ring y from hub", "m"),
    ("ring z from hub", "m"),
    ("ring yaw from hub", "1"),
    ("ring camber from hub", "1"),
    ("ring angle from hub", "rad"),
    ("ring x speed", "m/s"),
    ("ring y speed", "m/s"),
    ("ring z speed", "m/s"),
    ("ring x rate", "rad/s"),
    ("ring y rate", "rad/s"),
    ("ring z rate", "rad/s"),
    ("slip along", "1"),
    ("slip aside", "1"),
];

fn variables(vehicle: &MachineOnRings) -> Vec<Variable> {
    let own = vehicle.mechanism.coordinates().into_iter().map(|Coordinate { name, unit }| Variable { name, unit });
    let rings = vehicles::HMMWV_WHEELS.iter().flat_map(|wheel| {
        let place = wheel.trim_end_matches(" wheel");
        RING.iter().map(move |(name, unit)| Variable { name: format!("{place} {name}"), unit })
    });
    let powertrain = [("shaft twist", "rad"), ("engine speed", "rad/s")];
    let powertrain = powertrain.iter().map(|(name, unit)| Variable { name: (*name).to_owned(), unit });
    let spins = vehicle.rotors.iter().flat_map(|_| vehicles::HMMWV_WHEELS);
    let spins = spins.map(|wheel| Variable { name: format!("{wheel} spin"), unit: "rad/s" });
    own.chain(rings).chain(powertrain).chain(spins).collect()
}

#[cfg(test)]
mod tests;
