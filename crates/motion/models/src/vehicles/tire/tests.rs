use super::*;
use crate::registry::parameters;
use num_dual::Dual64;

fn tire() -> PlanarTire {
    PlanarTire::new(Values(parameters("planar-vehicle").unwrap())).unwrap()
}

/// Returns the variables of a ring that rolls at 20 m/s without sliding, under a load.
fn rolling(tire: &PlanarTire, load: f64) -> [f64; RING] {
    [0.0, tire.radius - load / tire.residual_stiffness, 0.0, 20.0, 0.0, -20.0 / tire.radius, 0.0]
}

/// Returns the motion of a ring with variables in space.
fn motion<N: Number>(&[x, y, angle, x_speed, y_speed, spin, _]: &[N; RING]) -> PlanarMotion<N> {
    PlanarMotion { x, y, angle, x_speed, y_speed, spin }
}

fn contact(tire: &PlanarTire, load: f64, slip: f64) -> PlanarContact<f64> {
    tire.contact(&motion(&rolling(tire, load)), slip, (0.0, 0.0))
}

#[test]
fn modes_and_series_stiffness_give_the_usual_constants() {
    let tire = tire();
    assert!((tire.stiffness / 1.77e6 - 1.0).abs() < 2e-3 && (tire.damping / 281.0 - 1.0).abs() < 2e-3);
    assert!((tire.wind_up_stiffness / 1.16e5 - 1.0).abs() < 2e-3 && (tire.wind_up_damping / 21.1 - 1.0).abs() < 2e-3);
    assert!((tire.residual_stiffness / 2.26e5 - 1.0).abs() < 3e-3);
    // A tire cannot be stiffer than its sidewall.
    let mut stiff = parameters("planar-vehicle").unwrap().to_vec();
    stiff.iter_mut().filter(|parameter| parameter.name == "tyre-stiffness").for_each(|parameter| parameter.value = 2e6);
    assert!(PlanarTire::new(Values(&stiff)).is_none());
}

#[test]
fn the_sidewall_pulls_the_hub_to_the_ring() {
    let tire = tire();
    let still = PlanarMotion { x: 0.0, y: 0.0, angle: 0.0, x_speed: 0.0, y_speed: 0.0, spin: 0.0 };
    let pull = tire.sidewall(&tire.rings.on_hub(&still, &[0.01, -0.02, 0.1, 0.0, 0.0, 0.0, 0.0]));
    assert!((pull.x - 0.01 * tire.stiffness).abs() < 1e-9 && (pull.y + 0.02 * tire.stiffness).abs() < 1e-9);
    assert!((pull.moment - 0.1 * tire.wind_up_stiffness).abs() < 1e-9);
    let drag = tire.sidewall(&tire.rings.on_hub(&still, &[0.0, 0.0, 0.0, -1.0, 0.0, 2.0, 0.0]));
    assert!((drag.x + tire.damping).abs() < 1e-9 && (drag.moment - 2.0 * tire.wind_up_damping).abs() < 1e-9);
}

#[test]
fn the_road_presses_and_never_pulls() {
    let tire = tire();
    assert!((contact(&tire, 3000.0, 0.0).normal / 3000.0 - 1.0).abs() < 1e-12);
    let lifted = contact(&tire, -1.0, 0.01);
    assert_eq!((lifted.normal, lifted.traction), (0.0, 0.0));
    // Approach to the road, on the level or on a slope, adds the damper's force.
    let mut ring = motion(&rolling(&tire, 3000.0));
    ring.y_speed = -0.5;
    let falling = tire.contact(&ring, 0.0, (0.0, 0.0)).normal;
    ring.y_speed = 0.0;
    let climbing = tire.contact(&ring, 0.0, (0.0, 0.5 / 20.0)).normal;
    assert!((falling - 3000.0 - 0.5 * tire.residual_damping).abs() < 1e-9 && (falling - climbing).abs() < 1e-9);
}

/// Comparison with closed forms of (B5)–(B7), (B12) and (B13), written differently from the code.
#[test]
fn traction_is_that_of_the_brush() {
    let tire = tire();
    let (mu, load, c_p, a) = (1.0, 3200.0, 1.8e7, 0.05);
    let theta = 2.0 / 3.0 * c_p * a * a / (mu * load);
    for slip in [0.0, 1e-4, 0.01, 0.05, 0.9 / theta] {
        let found = contact(&tire, load, slip);
        let s = theta * slip;
        let expected = mu * load * (3.0 * s - 3.0 * s * s + s * s * s);
        assert!((found.traction - expected).abs() < 1e-9, "{slip}");
        // The traction is odd in the slip and bounded by friction.
        assert!((contact(&tire, load, -slip).traction + found.traction).abs() < 1e-9);
        assert!(found.traction <= mu * load);
        let slope = tire.contact(
            &motion(&rolling(&tire, load).map(Dual64::from_re)),
            Dual64::new(slip, 1.0),
            (0.0.into(), 0.0.into()),
        );
        // σ = C_s/(2ac_p), down to the smallest value kept.
        let sigma = (slope.traction.eps / (2.0 * a * c_p)).max(LEAST_RELAXATION * a);
        assert!((found.relaxation - sigma).abs() < 1e-13, "{slip}");
    }
    for slip in [1.0 / theta, 0.2, 3.0] {
        assert!((contact(&tire, load, slip).traction - mu * load).abs() < 1e-9);
    }
}

#[test]
fn slip_comes_to_the_sliding_speed_over_the_speed() {
    let tire = tire();
    for forward in [20.0, -20.0] {
        let mut y = rolling(&tire, 3200.0);
        (y[3], y[5]) = (forward, -1.02 * forward / tire.radius);
        let hub = motion(&y);
        // V = ẋ + Rθ̇ = −.02 ẋ, so that s = ±.02 is stationary, with the sign of the thrust.
        let steady = 0.02 * forward.signum();
        y[6] = steady;
        assert!(tire.rate(&RingCoordinates::Absolute.on_hub(&hub, &y), (0.0, 0.0))[6].abs() < 1e-10);
        let contact = contact(&tire, 3200.0, steady);
        assert!(contact.traction * (y[3] + tire.radius * y[5]) < 0.0, "sliding takes energy away");
        // Deviations decay over the length σ.
        y[6] = steady + 1e-3;
        let relaxation = tire.contact(&hub, y[6], (0.0, 0.0)).relaxation;
        assert!(
            (tire.rate(&RingCoordinates::Absolute.on_hub(&hub, &y), (0.0, 0.0))[6] + 1e-3 * 20.0 / relaxation).abs()
                < 1e-9
        );
    }
}

#[test]
fn rolling_resistance_brakes() {
    let tire = tire();
    for forward in [20.0, -20.0] {
        let mut y = rolling(&tire, 3200.0);
        (y[3], y[5]) = (forward, -forward / tire.radius);
        let hub = motion(&y);
        let moment = tire.inertia * tire.rate(&RingCoordinates::Absolute.on_hub(&hub, &y), (0.0, 0.0))[5];
        assert!((moment - 0.0035 * 3200.0 * forward.signum()).abs() < 1e-9 && moment * y[5] < 0.0);
    }
}
