use super::*;
use crate::check::{energy_rate, rates, rk4, shaken};
use crate::equations;
use crate::registry::{model, model_with};
use crate::vehicles::tire::PlanarMotion;
use hemiola_stability::real_eigenvalues;
use num_complex::Complex64;
use num_dual::Dual64;

const RINGS: [&str; 2] = ["relative", "absolute"];

fn vehicle(rings: &str) -> (PlanarVehicle, Vec<f64>) {
    let model = model_with("planar-vehicle", &[("rings", rings.into())]).unwrap();
    PlanarVehicle::rolling(Values(&model.parameters)).unwrap()
}

/// Returns states in motion on the undulating part of the road, in both ring coordinates.
fn states() -> Vec<(PlanarVehicle, f64, Vec<f64>)> {
    RINGS.into_iter().flat_map(states_of).collect()
}

fn states_of(rings: &str) -> Vec<(PlanarVehicle, f64, Vec<f64>)> {
    let (vehicle, mut initial) = vehicle(rings);
    initial[0] += 43.0;
    if rings == "absolute" {
        (initial[14], initial[21]) = (initial[14] + 43.0, initial[21] + 43.0);
    }
    [(0.0, 1e-4), (0.7, 1e-3), (1.3, 3e-3)]
        .map(|(t, size)| {
            let mut y = shaken(&initial, size);
            // Pitch, its rate, and travels far from rest.
            for (k, large) in [(2, 0.2), (9, -1.5), (10, 0.8), (12, -0.6)] {
                y[k] += large * size / 1e-3;
            }
            (vehicle.clone(), t, y)
        })
        .into()
}

fn contacts(vehicle: &PlanarVehicle, y: &[f64]) -> [(PlanarMotion<f64>, f64, tire::PlanarContact<f64>); 2] {
    vehicle.parts(y).unwrap().1.map(|ring| {
        let (ring, slip) = (ring.motion, ring.slip);
        let road = vehicle.road.profile(ring.x);
        (ring, road.1, vehicle.tire.contact(&ring, slip, road))
    })
}

/// Returns the state with its derivative along the equations.
fn along(vehicle: &PlanarVehicle, t: f64, y: &[f64]) -> Vec<Dual64> {
    let mut rate = vec![0.0; 28];
    equations::rates(vehicle, &SIZES, t, y, &mut rate);
    y.iter().zip(&rate).map(|(&y, &rate)| Dual64::new(y, rate)).collect()
}

#[test]
fn it_begins_in_a_steady_state_that_carries_weight_and_drag() {
    for rings in RINGS {
        let changes = [("road-amplitude", 0.0.into()), ("rings", rings.into())];
        let flat = model_with("planar-vehicle", &changes).unwrap();
        let rate = rates(&flat, 0.0, &flat.initial);
        // Rounding of K x / m with K = 1.8e6 N/m, x = 1.4 m and m = 7 kg.
        assert!(rate[7..14].iter().chain(&rate[17..21]).chain(&rate[24..]).all(|rate| rate.abs() < 1e-9), "{rate:?}");
        // Relative to their hubs the rings are at rest; in space they move.
        let positions = rate[14..17].iter().chain(&rate[21..24]);
        assert!(rings == "absolute" || positions.clone().all(|rate| rate.abs() < 1e-12), "{rate:?}");
    }
    let (vehicle, initial) = vehicle("relative");
    let vehicle = PlanarVehicle { road: UndulatingRoad::FLAT, ..vehicle };
    let [front, rear] = contacts(&vehicle, &initial).map(|(_, _, contact)| contact);
    assert!((front.normal + rear.normal - 660.0 * 9.81).abs() < 1e-6);
    assert!((front.traction + rear.traction - 80.0).abs() < 1e-6, "drag at 20 m/s");
    // The nose is up under drive torques, and slips are positive.
    assert!(initial[2] > 0.0 && initial[20] > 0.0 && initial[27] > 0.0);
}

#[test]
fn a_symmetric_vehicle_at_rest_is_loaded_symmetrically() {
    let level = [("rear-arm", 1.25), ("drag", 0.0), ("rolling-resistance", 0.0), ("road-amplitude", 0.0)];
    let y = model("planar-vehicle", &level).unwrap().initial;
    assert!(y[2].abs() < 1e-12 && (y[3] - y[5]).abs() < 1e-12 && (y[15] - y[22]).abs() < 1e-12);
    // The springs carry the chassis at zero travel, up to the rounding of the guides.
    assert!(y[3].abs() < 1e-12);
    // 330 kg on each tire; the belt's own mass does not load the sidewall.
    let sag = 330.0 * 9.81 / 2.0e5 - 7.0 * 9.81 / (7.0 * (std::f64::consts::TAU * 80.0).powi(2));
    assert!((y[1] - (0.3135 - sag + 0.25)).abs() < 1e-12);
}

#[test]
fn energy_changes_by_drive_dampers_drag_and_road() {
    for (vehicle, t, y) in states() {
        let (slow, _) = vehicle.parts(&y).unwrap();
        let square = |a: f64| a * a;
        let (tire, torque) = (&vehicle.tire, vehicle.drive.torque(t));
        let mut expected = -vehicle.chassis.drag * slow[7].powi(3);
        for (i, (hub, (ring, slope, contact))) in
            vehicle.chassis.motions(slow).iter().zip(contacts(&vehicle, &y)).enumerate()
        {
            let climb = slope * ring.x_speed;
            // Pitch lifts a ring with its hub off the road, where it is not damped.
            let residual = if contact.normal > 0.0 { tire.residual_damping } else { 0.0 };
            expected += -torque * (hub.spin - slow[9])
                - vehicle.chassis.hubs[i].damping * square(slow[10 + 2 * i])
                - tire.damping * (square(ring.x_speed - hub.x_speed) + square(ring.y_speed - hub.y_speed))
                - tire.wind_up_damping * square(ring.spin - hub.spin)
                - residual * square(climb - ring.y_speed)
                + contact.normal * (climb + tire.rolling_resistance * ring.spin)
                + contact.traction * (ring.x_speed + tire.radius * ring.spin);
        }
        let found = energy_rate(&vehicle, &SIZES, t, &y);
        // Rounding of the power of a sidewall: a displacement of up to .3 m times 1.8e6 N/m, at 20 m/s.
        assert!((found - expected).abs() < 1e-14 * 0.3 * 1.8e6 * 20.0 * 10.0, "{found} {expected}");
    }
}

/// Comparison with the equations of Newton and Euler for the whole vehicle, in which internal forces cancel.
#[test]
fn momentum_changes_by_outer_forces() {
    for (vehicle, t, y) in states() {
        let dual = along(&vehicle, t, &y);
        let (slow, rings) = vehicle.parts(&dual).unwrap();
        let (chassis, tire) = (&vehicle.chassis, &vehicle.tire);
        let own =
            PlanarMotion { x: slow[0], y: slow[1], angle: slow[2], x_speed: slow[7], y_speed: slow[8], spin: slow[9] };
        let mut bodies = vec![(own, chassis.mass, chassis.inertia)];
        for (hub, motion) in chassis.hubs.iter().zip(chassis.motions(slow)) {
            bodies.push((motion, hub.mass, hub.inertia));
        }
        bodies.extend(rings.map(|ring| (ring.motion, tire.mass, tire.inertia)));
        let mut momentum = [Dual64::from(0.0); 3];
        let drag = -chassis.drag * y[7] * y[7];
        let mut force = [drag, 0.0, -y[1] * drag];
        for (body, mass, inertia) in bodies {
            momentum[0] += body.x_speed * mass;
            momentum[1] += body.y_speed * mass;
            momentum[2] += (body.x * body.y_speed - body.y * body.x_speed) * mass + body.spin * inertia;
            force[1] -= mass * 9.81;
            force[2] -= body.x.re * mass * 9.81;
        }
        let (slow, rings) = vehicle.parts(&y).unwrap();
        let (hubs, pulls) = (chassis.motions(slow), rings.map(|ring| tire.sidewall(&ring)));
        for (i, (ring, _, contact)) in contacts(&vehicle, &y).iter().enumerate() {
            // The sidewall acts at the centers of hub and ring. Its damper acts off that line, which leaves a moment.
            force[2] += (hubs[i].x - ring.x) * pulls[i].y - (hubs[i].y - ring.y) * pulls[i].x;
            force[0] += contact.traction;
            force[1] += contact.normal;
            force[2] += ring.x * contact.normal - ring.y * contact.traction;
            force[2] += tire.radius * contact.traction + tire.rolling_resistance * contact.normal;
        }
        for k in 0..3 {
            // Sidewall forces of up to 5e5 N at x = 44 m cancel.
            let allowed = 1e-14 * 5e5 * if k == 2 { 44.0 } else { 1.0 };
            assert!((momentum[k].eps - force[k]).abs() < allowed, "{k}: {} {}", momentum[k].eps, force[k]);
        }
    }
}

/// Comparison with Newton's equation for each hub along its guide, which transmits no force in that direction, and with
/// Euler's about its axle.
#[test]
fn hubs_obey_their_own_balances() {
    for (vehicle, t, y) in states() {
        let dual = along(&vehicle, t, &y);
        let motions = vehicle.chassis.motions(vehicle.parts(&dual).unwrap().0);
        let (slow, rings) = vehicle.parts(&y).unwrap();
        let pulls = rings.map(|ring| vehicle.tire.sidewall(&ring));
        let up = [-slow[2].sin(), slow[2].cos()];
        for (i, hub) in vehicle.chassis.hubs.iter().enumerate() {
            let acceleration = motions[i].x_speed.eps * up[0] + motions[i].y_speed.eps * up[1];
            let (travel, speed) = (slow[3 + 2 * i], slow[10 + 2 * i]);
            let spring = hub.preload + hub.stiffness * travel + hub.damping * speed;
            let expected = pulls[i].x * up[0] + (pulls[i].y - hub.mass * 9.81) * up[1] - spring;
            assert!((hub.mass * acceleration - expected).abs() < 1e-14 * 5e5, "{i}");
            let turning = pulls[i].moment - vehicle.drive.torque(t);
            assert!((hub.inertia * motions[i].spin.eps - turning).abs() < 1e-9, "{i}");
        }
    }
}

#[test]
fn the_belt_has_its_modes_off_the_road() {
    let model = model("planar-vehicle", &[]).unwrap();
    let mut y = model.initial.clone();
    for ring in [15, 22] {
        y[ring] = 1.0;
    }
    let jacobian = model.jacobian_at(0.0, &y);
    let fast: Vec<Vec<f64>> = jacobian[14..].iter().map(|row| row[14..].to_vec()).collect();
    let found = real_eigenvalues(&fast).unwrap();
    for (frequency, times) in [(80.0, 4), (70.0, 2)] {
        let mode = std::f64::consts::TAU * frequency * Complex64::new(-0.04, (1.0 - 0.0016f64).sqrt());
        assert_eq!(
            found.iter().filter(|value| (*value - mode).norm() < 1e-7 * mode.norm()).count(),
            times,
            "{found:?}"
        );
    }
}

#[test]
fn body_wheels_and_belts_have_their_frequencies() {
    let model = model("planar-vehicle", &[]).unwrap();
    let jacobian = model.jacobian_at(0.0, &model.initial);
    let block = |range: std::ops::Range<usize>| {
        let rows: Vec<Vec<f64>> = jacobian[range.clone()].iter().map(|row| row[range.clone()].to_vec()).collect();
        real_eigenvalues(&rows).unwrap()
    };
    let hertz: Vec<f64> =
        block(0..28).iter().map(|value| value.im / std::f64::consts::TAU).filter(|f| *f > 0.1).collect();
    let count = |low: f64, high: f64| hertz.iter().filter(|f| (low..high).contains(*f)).count();
    // Bounce and pitch of the body, hop of both wheels, and the modes of each belt: up, along and about the axle.
    assert_eq!((count(1.0, 1.5), count(10.0, 15.0), count(60.0, 200.0)), (2, 2, 6), "{hertz:?}");
    let largest = |values: Vec<Complex64>| values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    assert!(largest(block(14..28)) > 3.0 * largest(block(0..14)));
    // All modes are stable; undamped ones are zero up to rounding.
    assert!(block(0..28).iter().all(|value| value.re < 1e-3));
}

#[test]
fn it_rolls_on_for_50_s_with_loaded_tires_and_slips_of_one_sign() {
    let model = model("planar-vehicle", &[]).unwrap();
    let (vehicle, _) = vehicle("relative");
    rk4(&model, 5e-4, 100_000, |t, y| {
        assert!((19.0..45.0).contains(&y[7]) && y[2].abs() < 0.02, "{t} {y:?}");
        for ((_, _, contact), slip) in contacts(&vehicle, y).iter().zip([y[20], y[27]]) {
            assert!(
                (1500.0..6000.0).contains(&contact.normal) && (1e-4..0.02).contains(&slip),
                "{t} {slip} {contact:?}"
            );
        }
    });
}

/// The equations are smooth enough along the motion: halving the step divides the error by 2⁴.
#[test]
fn the_classical_method_converges_at_order_four() {
    let model = model("planar-vehicle", &[]).unwrap();
    let [coarse, middle, fine] = [2500, 5000, 10_000].map(|steps| rk4(&model, 2.0 / steps as f64, steps, |_, _| {}));
    let distance =
        |a: &[f64], b: &[f64], part: std::ops::Range<usize>| part.map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    for part in [0..14, 14..28] {
        let order = (distance(&coarse, &middle, part.clone()) / distance(&middle, &fine, part)).log2();
        assert!((order - 4.0).abs() < 0.2, "{order}");
    }
}

/// Both ring coordinates describe the same motion: chassis and hubs agree to the errors of integration, and the rings
/// have the same positions in space.
#[test]
fn both_coordinates_describe_one_motion() {
    let run = |rings: &str| {
        let model = model_with("planar-vehicle", &[("rings", rings.into())]).unwrap();
        let y = rk4(&model, 2e-4, 10_000, |_, _| {});
        let ends = vehicle(rings).0.parts(&y).unwrap().1.map(|ring| ring.motion);
        (y, ends)
    };
    let [(relative, own), (absolute, others)] = RINGS.map(run);
    for k in (0..14).chain(17..21).chain(24..28) {
        // The error of RK4 with this step is 3e-9 of each variable; the fast ones are scaled by 40 m/s and 130 1/s.
        let allowed = 1e-7 * absolute[k].abs().max(1.0);
        assert!((relative[k] - absolute[k]).abs() < allowed, "{k}: {} {}", relative[k], absolute[k]);
    }
    for (own, other) in own.iter().zip(others) {
        assert!((own.x - other.x).abs() < 1e-8 * other.x && (own.y - other.y).abs() < 1e-9 && own.x > 38.0);
        assert!((own.angle - other.angle).abs() < 1e-8 * other.angle.abs());
    }
    // Only the ring positions differ between both forms; relative to the hubs they are small.
    assert!(relative[14].abs() < 0.01 && relative[21].abs() < 0.01 && absolute[21] > 38.0);
}
