//! Linear models, their parameters, and where they are found by name.

use crate::error::ModelError;
use crate::{oscillators, quarter_car};

/// A linear model q' = Jq.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The model's name.
    pub name: &'static str,
    /// The name of each variable.
    pub variables: Vec<&'static str>,
    /// The partition of each variable: 0 is slow, 1 is fast.
    pub partition: Vec<usize>,
    /// J, row after row, in SI units.
    pub jacobian: Vec<Vec<f64>>,
    /// The parameters, with the values that they have here.
    pub parameters: Vec<Parameter>,
}

/// A number that a model depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key, such as `wheel-mass`.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// The value.
    pub value: f64,
    /// The unit.
    pub unit: &'static str,
    /// Where the usual value comes from.
    pub source: &'static str,
    /// Whether it may be zero; it is never negative.
    pub(crate) may_vanish: bool,
}

/// What a kind of model is made of.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) variables: &'static [&'static str],
    pub(crate) partition: &'static [usize],
    pub(crate) parameters: &'static [Parameter],
    /// J for values in the order of the parameters.
    pub(crate) jacobian: fn(&[f64]) -> Vec<Vec<f64>>,
}

const KINDS: [&Kind; 2] = [&quarter_car::KIND, &oscillators::KIND];

/// The names of all models.
pub fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

/// The parameters of a model with their usual values.
///
/// ```
/// let table = hemiola_models::parameters("quarter-car")?;
/// assert_eq!((table[0].name, table[0].value, table[0].unit), ("body-mass", 290.0, "kg"));
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError::UnknownModel`] where there is no such model.
pub fn parameters(name: &str) -> Result<&'static [Parameter], ModelError> {
    Ok(kind(name)?.parameters)
}

/// A model by its name, with some parameters changed.
///
/// ```
/// let fast = hemiola_models::model("coupled-oscillators", &[("ratio", 20.0), ("coupling", 0.3)])?;
/// assert_eq!(fast.jacobian[3][2], -400.0);
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError`] where there is no such model or parameter, or a parameter is out of range.
pub fn model(name: &str, changes: &[(&str, f64)]) -> Result<Model, ModelError> {
    let kind = kind(name)?;
    let mut parameters = kind.parameters.to_vec();
    for &(key, value) in changes {
        let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == key) else {
            let expected = kind.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
            return Err(ModelError::UnknownParameter { model: kind.name, name: key.to_owned(), expected });
        };
        let expected = if parameter.may_vanish { "a finite number ≥ 0" } else { "a finite number > 0" };
        if !(value.is_finite() && (value > 0.0 || parameter.may_vanish && value == 0.0)) {
            return Err(ModelError::OutOfRange { model: kind.name, name: parameter.name, value, expected });
        }
        parameter.value = value;
    }
    let values: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
    Ok(Model {
        name: kind.name,
        variables: kind.variables.to_vec(),
        partition: kind.partition.to_vec(),
        jacobian: (kind.jacobian)(&values),
        parameters,
    })
}

fn kind(name: &str) -> Result<&'static Kind, ModelError> {
    let unknown =
        || ModelError::UnknownModel { name: name.to_owned(), expected: names().collect::<Vec<_>>().join(", ") };
    KINDS.into_iter().find(|kind| kind.name == name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_their_models() {
        for name in names() {
            let model = model(name, &[]).unwrap();
            let n = model.variables.len();
            assert!(model.partition.len() == n && model.jacobian.len() == n, "{name}");
            assert!(model.jacobian.iter().all(|row| row.len() == n), "{name}");
            assert_eq!(model.parameters, parameters(name).unwrap());
        }
    }

    #[test]
    fn faults_are_named() {
        let text = |name: &str, changes: &[(&str, f64)]| model(name, changes).unwrap_err().to_string();
        assert!(text("half-car", &[]).contains("quarter-car, coupled-oscillators"));
        assert!(text("quarter-car", &[("mass", 1.0)]).contains("body-mass, wheel-mass"));
        assert!(text("quarter-car", &[("wheel-mass", 0.0)]).contains("wheel-mass is 0; expected a finite number > 0"));
        assert!(text("quarter-car", &[("suspension-damping", f64::NAN)]).contains("≥ 0"));
    }
}
