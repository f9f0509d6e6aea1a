//! Problem as written in a file.

use std::collections::BTreeMap;
use std::fmt;

use hemiola_tableau::json::StrictObject;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawProblem {
    pub(crate) format: String,
    pub(crate) name: String,
    pub(crate) model: RawModel,
    #[serde(default = "usual_method")]
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) grid: StrictObject<RawGrid>,
    pub(crate) controls: Vec<StrictObject<RawControl>>,
    #[serde(default)]
    pub(crate) parameters: Vec<StrictObject<RawParameter>>,
    #[serde(default)]
    pub(crate) states: BTreeMap<String, RawRange>,
    #[serde(default)]
    pub(crate) initial: BTreeMap<String, RawRange>,
    #[serde(rename = "final", default)]
    pub(crate) last: BTreeMap<String, RawRange>,
    #[serde(default)]
    pub(crate) path: Vec<StrictObject<RawPath>>,
    #[serde(default)]
    pub(crate) boundary: Vec<StrictObject<RawBoundary>>,
    pub(crate) duration: RawDuration,
    pub(crate) objective: StrictObject<RawObjective>,
    /// Values of the guessed states at both ends.
    #[serde(default)]
    pub(crate) guess: BTreeMap<String, [f64; 2]>,
}

fn usual_method() -> String {
    "linearized:radau-iia-2".to_owned()
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the text of a model, or an object with its matrix")]
pub(crate) enum RawModel {
    Text(String),
    Matrix(StrictObject<RawMatrix>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawMatrix {
    pub(crate) matrix: Vec<Vec<f64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGrid {
    pub(crate) points: Option<usize>,
    pub(crate) steps: Option<usize>,
    pub(crate) shooting: Option<RawShooting>,
    #[serde(default)]
    pub(crate) control: RawShape,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "expected \"single\", \"multiple\" or a number of grid points")]
pub(crate) enum RawShooting {
    Word(RawNodes),
    Every(usize),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RawNodes {
    Single,
    Multiple,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RawShape {
    #[default]
    Linear,
    Constant,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawControl {
    pub(crate) name: String,
    /// Factors with which the control is added to the rates of variables.
    #[serde(default)]
    pub(crate) on: BTreeMap<String, f64>,
    /// Model parameter that the control replaces.
    pub(crate) parameter: Option<String>,
    #[serde(default)]
    pub(crate) range: RawRange,
    pub(crate) guess: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawParameter {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) range: RawRange,
    pub(crate) guess: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTerm {
    #[serde(default = "one")]
    pub(crate) factor: f64,
    #[serde(default)]
    pub(crate) powers: BTreeMap<String, u32>,
}

fn one() -> f64 {
    1.0
}

pub(crate) type RawSum = Vec<StrictObject<RawTerm>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPath {
    pub(crate) sum: RawSum,
    pub(crate) range: RawRange,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBoundary {
    #[serde(default)]
    pub(crate) initial: RawSum,
    #[serde(rename = "final", default)]
    pub(crate) last: RawSum,
    pub(crate) range: RawRange,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or an object with `range` and `guess`")]
pub(crate) enum RawDuration {
    Fixed(f64),
    Free(StrictObject<RawFree>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFree {
    pub(crate) range: [f64; 2],
    pub(crate) guess: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawObjective {
    #[serde(default)]
    pub(crate) duration: f64,
    #[serde(rename = "final", default)]
    pub(crate) last: RawSum,
    #[serde(default)]
    pub(crate) integral: RawSum,
}

/// Single number, or a lower and an upper bound, either of which may be `null`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RawRange(pub(crate) [f64; 2]);

impl Default for RawRange {
    fn default() -> Self {
        Self([f64::NEG_INFINITY, f64::INFINITY])
    }
}

impl<'de> Deserialize<'de> for RawRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawRange;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or [lower, upper] with null where there is no bound")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<RawRange, E> {
                Ok(RawRange([number; 2]))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<RawRange, E> {
                self.visit_f64(number as f64)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<RawRange, E> {
                self.visit_f64(number as f64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RawRange, A::Error> {
                let mut range = RawRange::default();
                for (k, side) in range.0.iter_mut().enumerate() {
                    let item: Option<f64> = items.next_element()?.ok_or_else(|| A::Error::invalid_length(k, &self))?;
                    *side = item.unwrap_or(*side);
                }
                match items.next_element::<serde::de::IgnoredAny>()? {
                    Some(_) => Err(A::Error::invalid_length(3, &self)),
                    None => Ok(range),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}
