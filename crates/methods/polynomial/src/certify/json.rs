//! Certificates as JSON, format `hemiola-polynomial-certificate/2`; the schema is
//! docs/polynomial-certificate.schema.json.

use serde_json::{Value, json};

use super::about::{BoundaryCurve, StatementDomain};
use super::certificate::{Certificate, Optimality, Proof, Statement};
use crate::problem::{Axis, Spectrum};
use crate::result::StabilityPolynomial;

/// Format name in the file. Designed pairs have certificates of another format.
const FORMAT: &str = "hemiola-polynomial-certificate/2";

impl Certificate {
    /// Writes the polynomial with its complete proof, all numbers as fractions.
    #[must_use]
    pub fn to_json(&self, polynomial: &StabilityPolynomial) -> Value {
        let problem = polynomial.optimum().problem();
        json!({
            "format": FORMAT,
            "stages": problem.stages(),
            "order": problem.order(),
            "set": set(problem.spectrum()),
            "damping": problem.eta(),
            "limit_squared": polynomial.limit_squared().to_string(),
            "coefficients": fractions(polynomial.coefficients()),
            "stability": self.stability.iter().map(statement).collect::<Vec<_>>(),
            "optimality": optimality(&self.optimality),
        })
    }
}

fn fractions(values: &[impl ToString]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// Describes the spectrum by its parameters, so that a reader can construct its boundary independently.
fn set(spectrum: &Spectrum) -> Value {
    match spectrum {
        Spectrum::Axis(Axis::Imaginary) => json!({ "kind": "imaginary axis" }),
        Spectrum::Axis(Axis::Real) => json!({ "kind": "real axis" }),
        Spectrum::ImaginaryWithReal { extent } => {
            json!({ "kind": "imaginary axis with real interval", "extent": extent })
        }
        Spectrum::Disk => json!({ "kind": "disk" }),
        Spectrum::Wedge { degrees } => json!({ "kind": "wedge", "degrees": degrees }),
        Spectrum::Rectangle { width, height } => json!({ "kind": "rectangle", "width": width, "height": height }),
        Spectrum::Rays { least, greatest } => json!({ "kind": "rays", "least": least, "greatest": greatest }),
        Spectrum::Intervals(intervals) => json!({ "kind": "intervals", "intervals": intervals }),
        Spectrum::Eigenvalues(values) => {
            let pairs: Vec<[f64; 2]> = values.iter().map(|value| [value.re, value.im]).collect();
            json!({ "kind": "eigenvalues", "eigenvalues": pairs })
        }
    }
}

fn place((x, y): &(impl ToString, impl ToString)) -> [String; 2] {
    [x.to_string(), y.to_string()]
}

/// Writes the data that determine a statement.
fn about(about: &StatementDomain) -> Value {
    match about {
        StatementDomain::ImaginaryAxis { from, to, epsilon, exponent } => json!({
            "on": "imaginary axis", "from": from.to_string(), "to": to.to_string(),
            "epsilon": epsilon.to_string(), "exponent": exponent,
        }),
        StatementDomain::RealAxis { is_above, level, from } => json!({
            "on": "real axis", "side": if *is_above { "above" } else { "below" },
            "level": level.to_string(), "from": from.to_string(),
        }),
        StatementDomain::Curve { curve, is_scaled } => {
            let mut value = match curve {
                BoundaryCurve::Point(x, y) => json!({ "on": "point", "at": [x.to_string(), y.to_string()] }),
                BoundaryCurve::Segment { from, to } => json!({ "on": "segment", "from": place(from), "to": place(to) }),
                BoundaryCurve::Arc { center, radius, half_tangent } => json!({
                    "on": "arc", "centre": place(center), "radius": place(radius),
                    "half_tangent": half_tangent.to_string(),
                }),
            };
            value["scaled"] = json!(is_scaled);
            value
        }
    }
}

fn statement(statement: &Statement) -> Value {
    let mut value = json!({
        "about": about(&statement.about),
        "polynomial": fractions(&statement.polynomial()),
    });
    match &statement.proof {
        // Neighboring cells share their ends.
        Proof::Cells(cells) => {
            let first = cells.iter().take(1).map(|cell| &cell.low);
            let ends: Vec<String> = first.chain(cells.iter().map(|cell| &cell.high)).map(ToString::to_string).collect();
            value["negative_on_cells_with_ends"] = json!(ends);
        }
        Proof::NoChangeOfSign => value["roots_in_0_1"] = json!("of even multiplicity only"),
    }
    value
}

fn optimality(optimality: &Optimality) -> Value {
    match optimality {
        Optimality::Theorem(source) => json!({ "theorem": source }),
        Optimality::Bounded(bound) => json!({
            "no_limit_reaches": bound.limit.to_string(),
            "places": fractions(&bound.places),
            "weights": bound.weights.iter().map(|(re, im)| [re.to_string(), im.to_string()]).collect::<Vec<_>>(),
            "weight_of_the_origin": bound.origin.to_string(),
        }),
        Optimality::Multipliers => json!({ "conditions_of_optimality": "to rounding" }),
        Optimality::Unproved => json!({}),
    }
}
