//! Writing of design files: all values whose default may change, and all others that differ from their default.

use hemiola_polynomial::Axis;
use hemiola_tableau::json::{self, OneLine};
use serde::{Serialize, Serializer};

use crate::file::design_file::{AUTO, DesignFile, FORMAT};
use crate::specification::entry::{Bound, Entry};
use crate::specification::made_for::TargetSystems;
use crate::specification::objective::{Coupling, Objective};
use crate::specification::preference::Preference;
use crate::specification::solver::DescentSolver;
use crate::specification::stability::{DEFAULT_BAND, Stability};
use crate::specification::structure::{Structure, is_zero};

impl DesignFile {
    /// Writes the design as the text of a file. Equal designs give the same bytes.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(&self.written())
    }

    /// Returns the serializable form of the design.
    pub(crate) fn written(&self) -> impl Serialize {
        let one = &self.specification;
        let [slow, fast] = &one.stability;
        DesignText {
            format: FORMAT,
            id: &self.id,
            name: &self.name,
            slow: one.slow,
            fast: one.fast,
            order: one.order,
            slow_stages: one.slow_stages.as_ref().map(|stages| OneLine(stages.iter().map(|stage| stage + 1).collect())),
            stability: OneLine(BothStabilities { slow, fast }),
            structure: OneLine(&one.structure),
            embedded: one.embedded,
            dense: one.dense,
            objective: OneLine(ObjectiveText::new(&one.objective)),
            preference: one.preference.map(OneLine),
            made_for: one.made_for.as_ref(),
            seed: one.seed,
            starts: one.starts,
            effort: one.effort,
            solver: Some(one.solver).filter(|solver| *solver != DescentSolver::default()).map(DescentSolver::name),
        }
    }
}

#[derive(Serialize)]
struct DesignText<'a> {
    format: &'static str,
    id: &'a str,
    name: &'a str,
    slow: usize,
    fast: usize,
    order: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow_stages: Option<OneLine<Vec<usize>>>,
    stability: OneLine<BothStabilities<'a>>,
    structure: OneLine<&'a Structure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dense: Option<usize>,
    objective: OneLine<ObjectiveText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preference: Option<OneLine<Preference>>,
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    made_for: Option<&'a TargetSystems>,
    seed: u64,
    starts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'static str>,
}

#[derive(Serialize)]
struct BothStabilities<'a> {
    slow: &'a Stability,
    fast: &'a Stability,
}

impl Serialize for Stability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Text {
            Word(&'static str),
            Optimal {
                axis: &'static str,
                damping: f64,
                #[serde(skip_serializing_if = "Option::is_none")]
                band: Option<f64>,
            },
            AtLeast {
                axis: &'static str,
                fraction: f64,
            },
            Given {
                coefficients: Vec<String>,
            },
        }
        let name = |axis: &Axis| if *axis == Axis::Imaginary { "imaginary" } else { "real" };
        let text = match self {
            Self::Free => Text::Word("free"),
            Self::Auto => Text::Word(AUTO),
            Self::Optimal { axis, damping, band } => {
                let band = Some(*band).filter(|band| *band != DEFAULT_BAND);
                Text::Optimal { axis: name(axis), damping: *damping, band }
            }
            Self::AtLeast { axis, fraction } => Text::AtLeast { axis: name(axis), fraction: *fraction },
            Self::Given(betas) => Text::Given { coefficients: betas.iter().map(ToString::to_string).collect() },
        };
        text.serialize(serializer)
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fixed(value) => serializer.collect_str(value),
            Self::Between(low, high) => [low, high].serialize(serializer),
        }
    }
}

#[derive(Serialize)]
struct ObjectiveText<'a> {
    error: Error,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "is_zero")]
    coefficients: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    internal: Option<Internal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coupling: Option<&'a Coupling>,
}

/// The weight of internal stability, or `"auto"`, which lets the search choose it.
#[derive(Serialize)]
#[serde(untagged)]
enum Internal {
    Chosen(&'static str),
    Weight(f64),
}

/// One weight for all errors, or one weight for each kind.
#[derive(Serialize)]
#[serde(untagged)]
enum Error {
    All(f64),
    Each { slow: f64, fast: f64, coupling: f64 },
}

impl<'a> ObjectiveText<'a> {
    fn new(objective: &'a Objective) -> Self {
        let [slow, fast, coupling] = objective.error;
        let is_one = slow == fast && fast == coupling;
        Self {
            error: if is_one { Error::All(slow) } else { Error::Each { slow, fast, coupling } },
            step: objective.step,
            coefficients: objective.coefficients,
            internal: match objective.internal {
                None => Some(Internal::Chosen(AUTO)),
                Some(weight) => (weight != 0.0).then_some(Internal::Weight(weight)),
            },
            coupling: objective.coupling.as_ref(),
        }
    }
}
