//! Reading of design files.

use std::fmt;
use std::path::Path;

use dashu::rational::RBig;
use hemiola_polynomial::Axis;
use hemiola_tableau::json::{self, StrictObject};
use hemiola_tableau::parse_number;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::error::DesignError;
use crate::file::design_file::{AUTO, DesignFile, ENDING, FORMAT, in_file, invalid};
use crate::specification::definition::Specification;
use crate::specification::entry::{Bound, Entry};
use crate::specification::made_for::TargetSystems;
use crate::specification::objective::{Coupling, Objective};
use crate::specification::preference::Preference;
use crate::specification::solver::DescentSolver;
use crate::specification::stability::{DEFAULT_BAND, Stability};
use crate::specification::structure::Structure;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDesign {
    format: String,
    pub(crate) id: Option<String>,
    name: Option<String>,
    slow: usize,
    fast: usize,
    order: Option<usize>,
    slow_stages: Option<Vec<usize>>,
    #[serde(default)]
    stability: StrictObject<RawStability>,
    structure: Option<StrictObject<Structure>>,
    embedded: Option<usize>,
    dense: Option<usize>,
    #[serde(default)]
    objective: StrictObject<RawObjective>,
    preference: Option<StrictObject<Preference>>,
    #[serde(rename = "for")]
    made_for: Option<StrictObject<TargetSystems>>,
    seed: Option<u64>,
    starts: Option<usize>,
    effort: Option<usize>,
    #[serde(default)]
    solver: DescentSolver,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStability {
    slow: Option<Stability>,
    fast: Option<Stability>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawObjective {
    error: Option<RawError>,
    step: Option<[f64; 2]>,
    #[serde(default)]
    coefficients: f64,
    #[serde(default = "no_weight", deserialize_with = "weight_or_auto")]
    internal: Option<f64>,
    coupling: Option<StrictObject<RawCoupling>>,
}

impl Default for RawObjective {
    fn default() -> Self {
        Self { error: None, step: None, coefficients: 0.0, internal: no_weight(), coupling: None }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCoupling {
    #[serde(default = "default_damping")]
    damping: f64,
    gammas: Vec<f64>,
    profile: Vec<f64>,
    #[serde(default = "one")]
    weight: f64,
}

/// Returns the damping ratio of the coupled profiles in reports.
fn default_damping() -> f64 {
    0.05
}

fn no_weight() -> Option<f64> {
    Some(0.0)
}

/// Reads a weight, or `None` for `"auto"`, which lets the search choose it.
fn weight_or_auto<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number from 0 to 1e9, or \"auto\"")]
    enum Weight {
        Number(f64),
        Word(String),
    }
    match Weight::deserialize(deserializer)? {
        Weight::Number(weight) => Ok(Some(weight)),
        Weight::Word(word) if word == AUTO => Ok(None),
        Weight::Word(word) => {
            Err(D::Error::custom(format!("found {word:?}; expected a number from 0 to 1e9, or \"auto\"")))
        }
    }
}

fn one() -> f64 {
    1.0
}

impl RawDesign {
    /// Returns the design. Its id is the one in the file, otherwise `id`, otherwise the default.
    pub(crate) fn design(self, id: Option<&str>, origin: &str) -> Result<DesignFile, DesignError> {
        if self.format != FORMAT {
            return Err(invalid(origin, "format", &format!("{:?}", self.format), &format!("{FORMAT:?}")));
        }
        let new = Specification::new(self.slow, self.fast, self.order).map_err(|problem| in_file(problem, origin))?;
        let slow_stages = self.slow_stages.map(|stages| from_zero(&stages, origin)).transpose()?;
        let StrictObject(RawStability { slow, fast }) = self.stability;
        let [slow_default, fast_default] = new.stability.clone();
        let specification = Specification {
            stability: [slow.unwrap_or(slow_default), fast.unwrap_or(fast_default)],
            slow_stages,
            structure: self.structure.map_or_else(Structure::default, |StrictObject(structure)| structure),
            embedded: self.embedded,
            dense: self.dense,
            objective: self.objective.0.into(),
            preference: self.preference.map(|StrictObject(preference)| preference),
            made_for: self.made_for.map(|StrictObject(made_for)| made_for),
            seed: self.seed.unwrap_or(new.seed),
            starts: self.starts.unwrap_or(new.starts),
            effort: self.effort,
            solver: self.solver,
            ..new
        };
        let specification = match self.effort.filter(|_| self.starts.is_none()) {
            Some(level) => specification.with_effort(level),
            None => specification,
        };
        let default = DesignFile::new(specification);
        let id = self.id.as_deref().or(id).unwrap_or(&default.id).to_owned();
        DesignFile { id, name: self.name.unwrap_or(default.name), specification: default.specification }
            .validated(origin)
    }
}

impl DesignFile {
    /// Reads a design file NAME.design.json or NAME.json.
    ///
    /// An id in the file must equal NAME. Without one, NAME is the id.
    ///
    /// # Errors
    /// Returns a [`DesignError`] with the file and the path in it, or with the reason why there is no such method.
    pub fn read(path: &Path) -> Result<Self, DesignError> {
        let origin = path.display().to_string();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.strip_suffix(ENDING).or_else(|| name.strip_suffix(".json")).unwrap_or(name);
        let text = json::read_bounded(path)?;
        let StrictObject(raw): StrictObject<RawDesign> = json::read(&text, &origin)?;
        if let Some(id) = raw.id.as_deref().filter(|id| *id != stem) {
            let expected = format!("{stem:?}, the file name without {ENDING}");
            return Err(invalid(&origin, "id", &format!("{id:?}"), &expected));
        }
        raw.design(Some(stem), &origin)
    }

    /// Reads a design from the text of a file; `origin` names the file in errors.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, DesignError> {
        let StrictObject(raw): StrictObject<RawDesign> = json::read(text, origin)?;
        raw.design(None, origin)
    }
}

/// Converts stages counted from 1, as in files, to stages counted from 0.
fn from_zero(stages: &[usize], origin: &str) -> Result<Vec<usize>, DesignError> {
    let before = |(k, stage): (usize, &usize)| {
        let place = || invalid(origin, &format!("slow_stages[{k}]"), "0", "a stage, counted from 1");
        stage.checked_sub(1).ok_or_else(place)
    };
    stages.iter().enumerate().map(before).collect()
}

impl From<RawObjective> for Objective {
    fn from(raw: RawObjective) -> Self {
        let RawObjective { error, step, coefficients, internal, coupling } = raw;
        let coupling = coupling.map(|StrictObject(RawCoupling { damping, gammas, profile, weight })| Coupling {
            damping,
            gammas,
            profile,
            weight,
        });
        let error = error.map_or(Self::default().error, |RawError(weights)| weights);
        Self { error, step, coefficients, internal, coupling }
    }
}

/// One weight for all errors, or one weight for each kind.
struct RawError([f64; 3]);

impl<'de> Deserialize<'de> for RawError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Weights {
            #[serde(default = "one")]
            slow: f64,
            #[serde(default = "one")]
            fast: f64,
            #[serde(default = "one")]
            coupling: f64,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawError;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a weight, or an object with the weights slow, fast and coupling")
            }

            fn visit_f64<E: Error>(self, weight: f64) -> Result<RawError, E> {
                Ok(RawError([weight; 3]))
            }

            fn visit_u64<E: Error>(self, weight: u64) -> Result<RawError, E> {
                self.visit_f64(weight as f64)
            }

            fn visit_i64<E: Error>(self, weight: i64) -> Result<RawError, E> {
                self.visit_f64(weight as f64)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawError, A::Error> {
                let Weights { slow, fast, coupling } = Weights::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RawError([slow, fast, coupling]))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Stability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "\"free\", \"auto\", or an object with an axis and optionally a damping and its band, with an \
            axis and a fraction, or with coefficients";
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum RawAxis {
            Imaginary,
            Real,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Polynomial {
            axis: Option<RawAxis>,
            damping: Option<f64>,
            band: Option<f64>,
            fraction: Option<f64>,
            coefficients: Option<Vec<Rational>>,
        }
        struct Choice;
        impl<'de> Visitor<'de> for Choice {
            type Value = Stability;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Stability, E> {
                match text {
                    "free" => Ok(Stability::Free),
                    AUTO => Ok(Stability::Auto),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Stability, A::Error> {
                let Polynomial { axis, damping, band, fraction, coefficients } =
                    Polynomial::deserialize(MapAccessDeserializer::new(map))?;
                let axis = axis.map(|axis| match axis {
                    RawAxis::Imaginary => Axis::Imaginary,
                    RawAxis::Real => Axis::Real,
                });
                match (axis, damping, band, fraction, coefficients) {
                    (Some(axis), damping, band, None, None) => {
                        let (damping, band) = (damping.unwrap_or(0.0), band.unwrap_or(DEFAULT_BAND));
                        Ok(Stability::Optimal { axis, damping, band })
                    }
                    (Some(axis), None, None, Some(fraction), None) => Ok(Stability::AtLeast { axis, fraction }),
                    (None, None, None, None, Some(coefficients)) => {
                        Ok(Stability::Given(coefficients.into_iter().map(|Rational(beta)| beta).collect()))
                    }
                    _ => Err(A::Error::custom(format_args!("found other fields; expected {EXPECTED}"))),
                }
            }
        }
        deserializer.deserialize_any(Choice)
    }
}

/// A fraction or decimal. A JSON number stands for the decimal that is written.
struct Rational(RBig);

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RationalVisitor)
    }
}

struct RationalVisitor;

impl Visitor<'_> for RationalVisitor {
    type Value = Rational;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rational number such as \"1/3\" or \"0.25\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Rational, E> {
        let value = parse_number(text).ok().and_then(|value| value.as_rational().cloned());
        value.map(Rational).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Rational, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Rational, E> {
        Ok(Rational(number.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Rational, E> {
        Ok(Rational(number.into()))
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Bound;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rational number such as \"1/3\", or two numbers in brackets")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Bound, E> {
                RationalVisitor.visit_str(text).map(|Rational(value)| Bound::Fixed(value))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Bound, E> {
                RationalVisitor.visit_f64(number).map(|Rational(value)| Bound::Fixed(value))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Bound, E> {
                Ok(Bound::Fixed(number.into()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Bound, E> {
                Ok(Bound::Fixed(number.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Bound, A::Error> {
                let length = |found| A::Error::invalid_length(found, &self);
                let low = items.next_element()?.ok_or_else(|| length(0))?;
                let high = items.next_element()?.ok_or_else(|| length(1))?;
                match items.next_element::<f64>()? {
                    None => Ok(Bound::Between(low, high)),
                    Some(_) => Err(length(3)),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}
