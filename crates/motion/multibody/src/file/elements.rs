//! Force elements as written in a file.

use std::fmt;

use hemiola_tableau::json::StrictObject;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::forces::{Brake, Bushing, Characteristic, Drag, Drivetrain, Load, Road, Spring, Term, Tire, Torsion};

/// Converts a list of a file into elements.
pub(crate) fn all<R, T: From<R>>(list: Vec<StrictObject<R>>) -> Vec<T> {
    list.into_iter().map(|StrictObject(raw)| raw.into()).collect()
}

/// A curve as written in a file. The element decides whether a single number is the slope of a line through zero or a
/// constant.
enum RawCurve {
    Number(f64),
    Table(Vec<[f64; 2]>),
}

impl RawCurve {
    /// Converts to a characteristic: a number is a slope.
    fn characteristic(self) -> Characteristic {
        match self {
            Self::Number(slope) => Characteristic::linear(slope),
            Self::Table(points) => Characteristic::table(&points),
        }
    }

    /// Converts to a signal: a number is a constant value.
    fn signal(self) -> Characteristic {
        match self {
            Self::Number(value) => Characteristic::constant(value),
            Self::Table(points) => Characteristic::table(&points),
        }
    }
}

impl<'de> Deserialize<'de> for RawCurve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawCurve;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a list of points [x, y]")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<RawCurve, E> {
                Ok(RawCurve::Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<RawCurve, E> {
                self.visit_f64(number as f64)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<RawCurve, E> {
                self.visit_f64(number as f64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RawCurve, A::Error> {
                let mut points = Vec::new();
                while let Some(point) = items.next_element()? {
                    points.push(point);
                }
                Ok(RawCurve::Table(points))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

fn none() -> RawCurve {
    RawCurve::Number(0.0)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSpring {
    name: String,
    between: [String; 2],
    points: [[f64; 3]; 2],
    free_length: Option<f64>,
    #[serde(default = "none")]
    stiffness: RawCurve,
    #[serde(default = "none")]
    damping: RawCurve,
}

impl From<RawSpring> for Spring {
    fn from(raw: RawSpring) -> Self {
        let RawSpring { name, between, points, free_length, stiffness, damping } = raw;
        let (stiffness, damping) = (stiffness.characteristic(), damping.characteristic());
        Self { name, between, points, free_length, stiffness, damping }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTerm {
    joint: String,
    #[serde(default)]
    coordinate: usize,
    #[serde(default = "one")]
    factor: f64,
}

fn one() -> f64 {
    1.0
}

impl From<RawTerm> for Term {
    fn from(RawTerm { joint, coordinate, factor }: RawTerm) -> Self {
        Self { joint, coordinate, factor }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTorsion {
    name: String,
    terms: Vec<StrictObject<RawTerm>>,
    #[serde(default = "none")]
    rest: RawCurve,
    #[serde(default = "none")]
    stiffness: RawCurve,
    #[serde(default = "none")]
    damping: RawCurve,
}

impl From<RawTorsion> for Torsion {
    fn from(raw: RawTorsion) -> Self {
        let RawTorsion { name, terms, rest, stiffness, damping } = raw;
        let (stiffness, damping) = (stiffness.characteristic(), damping.characteristic());
        Self { name, terms: all(terms), rest: rest.signal(), stiffness, damping }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBushing {
    name: String,
    between: [String; 2],
    at: [f64; 3],
    stiffness: [f64; 6],
    #[serde(default)]
    damping: [f64; 6],
}

impl From<RawBushing> for Bushing {
    fn from(raw: RawBushing) -> Self {
        let RawBushing { name, between, at, stiffness, damping } = raw;
        Self { name, between, at, stiffness, damping }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLoad {
    name: String,
    body: String,
    at: [f64; 3],
    direction: [f64; 3],
    force: RawCurve,
}

impl From<RawLoad> for Load {
    fn from(raw: RawLoad) -> Self {
        let RawLoad { name, body, at, direction, force } = raw;
        Self { name, body, at, direction, force: force.signal() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDrag {
    name: String,
    body: String,
    at: [f64; 3],
    area: f64,
    #[serde(default = "air")]
    density: f64,
}

/// Returns the density of the standard atmosphere at sea level (ISO 2533).
fn air() -> f64 {
    1.225
}

impl From<RawDrag> for Drag {
    fn from(RawDrag { name, body, at, area, density }: RawDrag) -> Self {
        Self { name, body, at, area, density }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTire {
    name: String,
    body: String,
    center: [f64; 3],
    radius: f64,
    stiffness: RawCurve,
    #[serde(default)]
    damping: f64,
    slip: f64,
    cornering: f64,
    friction: f64,
    #[serde(default = "one")]
    crawl: f64,
    road: Option<RawRoad>,
    #[serde(default)]
    level: f64,
}

/// A road, as an object with one key for its kind.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawRoad {
    HalfSine(StrictObject<RawBump>),
    Profile(RawCurve),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBump {
    start: f64,
    length: f64,
    height: f64,
}

impl From<RawTire> for Tire {
    fn from(raw: RawTire) -> Self {
        let road = match raw.road {
            None => Road::Flat,
            Some(RawRoad::HalfSine(StrictObject(RawBump { start, length, height }))) => {
                Road::HalfSine { start, length, height }
            }
            Some(RawRoad::Profile(curve)) => Road::Profile(curve.signal()),
        };
        let RawTire {
            name,
            body,
            center,
            radius,
            stiffness,
            damping,
            slip,
            cornering,
            friction,
            crawl,
            road: _,
            level,
        } = raw;
        let stiffness = stiffness.characteristic();
        Self { name, body, center, radius, stiffness, damping, slip, cornering, friction, crawl, road, level }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDrivetrain {
    name: String,
    torque: RawCurve,
    throttle: RawCurve,
    ratio: f64,
    shares: Vec<StrictObject<RawTerm>>,
}

impl From<RawDrivetrain> for Drivetrain {
    fn from(raw: RawDrivetrain) -> Self {
        let RawDrivetrain { name, torque, throttle, ratio, shares } = raw;
        Self { name, torque: torque.signal(), throttle: throttle.signal(), ratio, shares: all(shares) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBrake {
    name: String,
    joint: String,
    moment: RawCurve,
    #[serde(default = "one")]
    crawl: f64,
}

impl From<RawBrake> for Brake {
    fn from(RawBrake { name, joint, moment, crawl }: RawBrake) -> Self {
        Self { name, joint, moment: moment.signal(), crawl }
    }
}
