//! Optimal stability polynomials: `hemiola polynomial`.

use hemiola_export::describe;
use hemiola_plot::polynomial_figure;
use hemiola_polynomial::{Axis, Optimum, PolynomialError, Problem, Spectrum};
use hemiola_tableau::Exact;
use serde::{Deserialize, Serialize};

use crate::canvas::Picture;
use crate::requests::map::{Format, file};
use crate::wording::{Fact, message};

/// Significant digits, in general and for conic programs, as printed on the command line.
const DIGITS: usize = 17;
const CONIC_DIGITS: usize = 8;
/// Maximum length of fractions; longer ones are omitted because their decimals are more readable.
const LONGEST_FRACTION: usize = 40;

#[derive(Deserialize)]
pub(crate) struct PolynomialQuestion {
    stages: usize,
    order: usize,
    /// `imaginary`, `real`, or a shape in the notation of `hemiola polynomial --spectrum`.
    axis: String,
    #[serde(default)]
    damping: f64,
    width: Option<f64>,
    /// Format of a figure file, to be returned instead of a picture.
    format: Option<Format>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PolynomialAnswer {
    Found { title: String, limit: String, facts: Vec<Fact>, coefficients: Vec<[String; 3]>, picture: Picture },
    File(String),
}

impl PolynomialQuestion {
    pub(crate) fn answer(&self) -> Result<PolynomialAnswer, String> {
        let spectrum = match self.axis.as_str() {
            "imaginary" => Spectrum::Axis(Axis::Imaginary),
            "real" => Spectrum::Axis(Axis::Real),
            shape => shape.parse::<Spectrum>().map_err(message)?,
        };
        let optimum = Problem::new(spectrum, self.stages, self.order).damping(self.damping).solve().map_err(message)?;
        let usual = if optimum.is_polished() { DIGITS } else { CONIC_DIGITS };
        let (digits, polynomial) = match optimum.polynomial(usual) {
            Err(PolynomialError::NoDigits { .. }) => (CONIC_DIGITS, optimum.polynomial(CONIC_DIGITS)),
            found => (usual, found),
        };
        let polynomial = polynomial.map_err(message)?;
        let drawing = polynomial_figure(&polynomial).into();
        if let Some(format) = self.format {
            return file(&drawing, format).map(PolynomialAnswer::File);
        }
        let row = |(k, beta)| {
            let exact = Exact::from(Clone::clone(beta));
            let fraction = Some(exact.to_string()).filter(|fraction| fraction.len() <= LONGEST_FRACTION);
            [usize::to_string(&k), fraction.unwrap_or_default(), exact.to_decimal(digits).to_string()]
        };
        let limit = polynomial.limit_text(digits);
        Ok(PolynomialAnswer::Found {
            title: title(&optimum),
            facts: facts(&optimum, &limit),
            limit,
            coefficients: polynomial.coefficients().iter().enumerate().map(row).collect(),
            picture: Picture::new(&match self.width {
                Some(width) => drawing.width(width),
                None => drawing,
            })?,
        })
    }
}

/// Describes the solved problem.
fn title(optimum: &Optimum) -> String {
    let problem = optimum.problem();
    let damping = if problem.eta() > 0.0 { format!(", damping {}", problem.eta()) } else { String::new() };
    let stages = describe::counted(problem.stages(), "stage");
    format!("Optimal on the {}: {stages}, order {}{damping}", problem.spectrum(), problem.order())
}

fn facts(optimum: &Optimum, limit: &str) -> Vec<Fact> {
    let known = if optimum.is_polished() { "" } else { " (to the eight digits of a conic program)" };
    let mut facts = vec![Fact::new("limit", format!("{limit}{known}"))];
    facts.extend(optimum.closed_form().map(|source| Fact::new("closed form", source)));
    let (s, value) = (optimum.problem().stages() as f64, optimum.limit());
    match optimum.problem().spectrum() {
        Spectrum::Axis(Axis::Imaginary) => {
            facts.push(Fact::new("efficiency", format!("L/s = {}", describe::number(value / s))));
        }
        Spectrum::Axis(Axis::Real) => {
            facts.push(Fact::new("efficiency", format!("L/s² = {}", describe::number(value / (s * s)))));
        }
        _ => {}
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(axis: &str) -> Result<PolynomialAnswer, String> {
        let axis = axis.to_owned();
        PolynomialQuestion { stages: 5, order: 2, axis, damping: 0.0, width: None, format: None }.answer()
    }

    #[test]
    fn limits_are_those_of_the_closed_forms() {
        let PolynomialAnswer::Found { limit, coefficients, .. } = found("imaginary").unwrap() else {
            panic!("no file")
        };
        assert_eq!((limit.as_str(), coefficients.len()), ("4", 6));
        assert!(found("square").is_err());
    }
}
