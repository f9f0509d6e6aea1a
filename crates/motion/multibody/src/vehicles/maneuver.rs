//! Driver inputs and roads.

use std::f64::consts::PI;

use crate::forces::{Characteristic, Road};

/// A maneuver: initial speed, driver inputs and road.
///
/// ```
/// use hemiola_multibody::{Maneuver, vehicles};
/// let hmmwv = vehicles::hmmwv(&Maneuver::double_lane_change(20.0)).build()?;
/// assert_eq!((hmmwv.velocities(), hmmwv.constraints(), hmmwv.degrees_of_freedom()), (31, 16, 15));
/// # Ok::<(), hemiola_multibody::MachineError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Maneuver {
    /// Its name.
    pub name: &'static str,
    /// The speed at the start, in m/s.
    pub speed: f64,
    /// The steering over time, from −1 (fully to the right) to 1.
    pub steering: Characteristic,
    /// The throttle over time, from 0 to 1.
    pub throttle: Characteristic,
    /// The brakes over time, from 0 to 1.
    pub brake: Characteristic,
    /// The roads under the left and the right wheels.
    pub roads: [Road; 2],
    /// The duration, in s.
    pub duration: f64,
}

impl Maneuver {
    /// Drives straight ahead on a flat road, without throttle.
    #[must_use]
    pub fn coasting(speed: f64) -> Self {
        let [steering, throttle, brake] = [0.0; 3].map(Characteristic::constant);
        let roads = [Road::Flat, Road::Flat];
        Self { name: "coasting", speed, steering, throttle, brake, roads, duration: 10.0 }
    }

    /// Waits half a second at rest, then reaches full throttle after another half second.
    #[must_use]
    pub fn start_from_rest() -> Self {
        let throttle = Characteristic::table(&[[0.0, 0.0], [0.5, 0.0], [1.0, 1.0], [2.0, 1.0]]);
        Self { name: "start from rest", throttle, ..Self::coasting(0.0) }
    }

    /// Steering amplitude of [`double_lane_change`](Self::double_lane_change).
    pub const LANE_CHANGE: f64 = 0.25;

    /// Steers to the left and back along two sines, as in an evasion test (ISO 3888).
    #[must_use]
    pub fn double_lane_change(speed: f64) -> Self {
        // One period to change lanes in 1.6 s, half a second straight, one period back; sampled finely enough for
        // smooth pieces.
        let (start, period, pause) = (0.5, 1.6, 0.5);
        let steer = |t: f64| match t - start {
            u if (0.0..period).contains(&u) => Self::LANE_CHANGE * (2.0 * PI * u / period).sin(),
            u if (period + pause..2.0 * period + pause).contains(&u) => {
                -Self::LANE_CHANGE * (2.0 * PI * (u - pause) / period).sin()
            }
            _ => 0.0,
        };
        let points: Vec<[f64; 2]> = (0..=100).map(|k| 0.05 * f64::from(k)).map(|t| [t, steer(t)]).collect();
        Self {
            name: "double lane change",
            steering: Characteristic::table(&points),
            duration: 5.0,
            ..Self::coasting(speed)
        }
    }

    /// Drives over a half-sine bump, 2 m long and 8 cm high, with the left wheels only.
    #[must_use]
    pub fn half_sine_bump(speed: f64) -> Self {
        let bump = Road::HalfSine { start: 8.0, length: 2.0, height: 0.08 };
        Self { name: "half-sine bump", roads: [bump, Road::Flat], duration: 5.0, ..Self::coasting(speed) }
    }

    /// Turns the steering wheel within a second and holds it.
    #[must_use]
    pub fn steady_circle(speed: f64) -> Self {
        let steering = Characteristic::table(&[[0.0, 0.0], [0.5, 0.0], [1.5, 0.2], [2.0, 0.2], [3.0, 0.2]]);
        let throttle = Characteristic::constant(0.1);
        Self { name: "steady circle", steering, throttle, ..Self::coasting(speed) }
    }
}
