//! Models, and where they are found by name.

use std::fmt;
use std::sync::Arc;

use hemiola_integrate::{Comparison, Outcome, Reference, System, Track};

use crate::equations::{Dynamics, Equations};
use crate::error::ModelError;
use crate::parameter::{Parameter, Values};
use crate::{
    beam, brusselator, kepler, kpr, linear_pair, oscillators, pendulum, planar_vehicle, quarter_car, quarter_car_ring,
    van_der_pol,
};

/// A model: equations with named variables, slow and fast, and what belongs to their usual simulation.
#[derive(Clone)]
pub struct Model {
    /// The model's name.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// The variables, slow ones first.
    pub variables: Vec<Variable>,
    /// The parameters, with the values that they have here.
    pub parameters: Vec<Parameter>,
    /// The state at t = 0.
    pub initial: Vec<f64>,
    /// How long a usual simulation lasts, in s (or the model's unit of time).
    pub duration: f64,
    /// The variables that a figure shows unless others are asked for.
    pub drawn: Vec<usize>,
    sizes: Vec<usize>,
    dynamics: Arc<dyn Dynamics>,
}

/// A variable of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it is, such as `wheel position`.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
}

/// What a kind of model is made of.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// The model of the values; none where it has no state to begin from.
    pub(crate) build: fn(Values<'_>) -> Option<Built>,
}

/// What depends on the values of the parameters.
pub(crate) struct Built {
    pub(crate) variables: Vec<Variable>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) initial: Vec<f64>,
    pub(crate) duration: f64,
    pub(crate) drawn: Vec<usize>,
    pub(crate) dynamics: Arc<dyn Dynamics>,
}

impl Built {
    /// Equations over variables with names and units.
    pub(crate) fn new(variables: &[(&str, &'static str)], sizes: &[usize], equations: impl Equations) -> Self {
        let variable = |&(name, unit): &(&str, &'static str)| Variable { name: name.to_owned(), unit };
        Self {
            variables: variables.iter().map(variable).collect(),
            sizes: sizes.to_vec(),
            initial: vec![0.0; variables.len()],
            duration: 1.0,
            drawn: Vec::new(),
            dynamics: Arc::new(equations),
        }
    }

    pub(crate) fn starting(self, initial: Vec<f64>) -> Self {
        Self { initial, ..self }
    }

    pub(crate) fn lasting(self, duration: f64) -> Self {
        Self { duration, ..self }
    }

    pub(crate) fn drawing(self, drawn: &[usize]) -> Self {
        Self { drawn: drawn.to_vec(), ..self }
    }
}

const KINDS: [&Kind; 12] = [
    &quarter_car::BODY,
    &quarter_car::KIND,
    &quarter_car_ring::KIND,
    &planar_vehicle::KIND,
    &pendulum::KIND,
    &beam::KIND,
    &oscillators::KIND,
    &linear_pair::KIND,
    &van_der_pol::KIND,
    &kepler::KIND,
    &brusselator::KIND,
    &kpr::KIND,
];

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
/// assert_eq!(fast.jacobian_at(0.0, &fast.initial)[3][2], -400.0);
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError`] where there is no such model or parameter, a parameter is out of range, or the model has no steady state to
/// begin from.
pub fn model(name: &str, changes: &[(&str, f64)]) -> Result<Model, ModelError> {
    let kind = kind(name)?;
    let mut parameters = kind.parameters.to_vec();
    for &(key, value) in changes {
        let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == key) else {
            let expected = kind.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
            return Err(ModelError::UnknownParameter { model: kind.name, name: key.to_owned(), expected });
        };
        if !parameter.range.contains(value) {
            let expected = parameter.range.text();
            return Err(ModelError::OutOfRange { model: kind.name, name: parameter.name, value, expected });
        }
        parameter.value = value;
    }
    let built = (kind.build)(Values(&parameters)).ok_or(ModelError::NoSteadyState { model: kind.name })?;
    let Built { variables, sizes, initial, duration, drawn, dynamics } = built;
    Ok(Model { name: kind.name, title: kind.title, variables, parameters, initial, duration, drawn, sizes, dynamics })
}

fn kind(name: &str) -> Result<&'static Kind, ModelError> {
    let unknown =
        || ModelError::UnknownModel { name: name.to_owned(), expected: names().collect::<Vec<_>>().join(", ") };
    KINDS.into_iter().find(|kind| kind.name == name).ok_or_else(unknown)
}

impl Model {
    /// The partition of each variable: 0 is slow, 1 is fast.
    #[must_use]
    pub fn partition(&self) -> Vec<usize> {
        self.sizes.iter().enumerate().flat_map(|(partition, &size)| std::iter::repeat_n(partition, size)).collect()
    }

    /// ∂f/∂y at (t, y), row after row, by automatic differentiation: exact to rounding.
    #[must_use]
    pub fn jacobian_at(&self, t: f64, y: &[f64]) -> Vec<Vec<f64>> {
        let mut jacobian = vec![0.0; y.len() * y.len()];
        self.jacobian(t, y, &mut jacobian);
        jacobian.chunks(y.len().max(1)).map(<[f64]>::to_vec).collect()
    }

    /// The solution at time t from the initial state, where it is known in closed form.
    ///
    /// ```
    /// let orbit = hemiola_models::model("kepler", &[("eccentricity", 0.6)])?;
    /// let half = orbit.exact(std::f64::consts::PI).unwrap_or_default();
    /// assert!((half[0] + 1.6).abs() < 1e-14); // the apocentre, 1 + e away
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    #[must_use]
    pub fn exact(&self, t: f64) -> Option<Vec<f64>> {
        self.dynamics.exact(t)
    }

    /// The solution up to a time, in closed form where it is known and computed elsewhere, with states on the way, no nearer to each
    /// other than `spacing`.
    ///
    /// ```
    /// let model = hemiola_models::model("quarter-car", &[])?;
    /// let (reference, track) = model.reference(1.0, 0.01, &|| true).expect("a mild problem");
    /// assert!(reference.uncertainty < 1e-12 && track.times.len() > 10);
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// The [`Outcome`] where the end is not reached, or `goes_on` said no.
    pub fn reference(&self, end: f64, spacing: f64, goes_on: &dyn Fn() -> bool) -> Result<(Reference, Track), Outcome> {
        /// Where known solutions are looked at.
        const PLACES: u32 = 2000;
        if self.exact(0.0).is_some() {
            let mut track = Track::new(spacing);
            let solution = |t| self.exact(t).unwrap_or_default();
            for k in 0..=PLACES {
                let t = end * f64::from(k) / f64::from(PLACES);
                track.add(t, &solution(t));
            }
            return Ok((Reference::exact(solution, [0.0, end], PLACES), track));
        }
        Reference::computed(self, [0.0, end], &self.initial, spacing, goes_on)
    }

    /// What runs from the initial state up to a time are compared on.
    #[must_use]
    pub fn comparison<'a>(
        &'a self,
        end: f64,
        reference: &'a Reference,
        variables: &'a [usize],
    ) -> Comparison<'a, Self> {
        Comparison { system: self, span: [0.0, end], start: &self.initial, reference, variables }
    }

    /// The energy of a state, kinetic and potential, where the model has one: in J with SI units.
    #[must_use]
    pub fn energy(&self, t: f64, y: &[f64]) -> Option<f64> {
        self.dynamics.energy(t, y)
    }
}

impl System for Model {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        self.dynamics.rate(partition, t, y, rate);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        self.dynamics.jacobian(&self.sizes, t, y, jacobian);
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name).field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{difference_tolerance, differences, rates};

    fn text(name: &str, changes: &[(&str, f64)]) -> String {
        model(name, changes).unwrap_err().to_string()
    }

    #[test]
    fn models_are_complete() {
        for name in names() {
            let model = model(name, &[]).unwrap();
            let n = model.variables.len();
            assert!(model.initial.len() == n && model.partition().len() == n && model.duration > 0.0, "{name}");
            assert!(!model.drawn.is_empty() && model.drawn.iter().all(|&variable| variable < n), "{name}");
            assert!(rates(&model, 0.0, &model.initial).iter().all(|rate| rate.is_finite()), "{name}");
            assert_eq!(model.parameters, parameters(name).unwrap());
            assert!(model.parameters.iter().all(|parameter| parameter.range.contains(parameter.value)), "{name}");
            let names: std::collections::BTreeSet<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
            assert_eq!(names.len(), n, "{name}");
            if let Some(exact) = model.exact(0.0) {
                assert!(exact.iter().zip(&model.initial).all(|(a, b)| (a - b).abs() < 1e-14), "{name}");
            }
        }
    }

    #[test]
    fn jacobians_agree_with_differences() {
        for name in names() {
            let model = model(name, &[]).unwrap();
            for shift in [0.0, 1e-4] {
                let y: Vec<f64> =
                    model.initial.iter().enumerate().map(|(k, y)| y + shift * f64::sin(1.0 + k as f64)).collect();
                let exact = model.jacobian_at(0.3, &y);
                let differences = differences(&model, 0.3, &y);
                for (row, found) in exact.iter().zip(&differences) {
                    for (column, (exact, found)) in row.iter().zip(found).enumerate() {
                        let allowed = difference_tolerance(row, &y, column);
                        assert!((exact - found).abs() < allowed, "{name} {column}: {exact} {found} {allowed}");
                    }
                }
            }
        }
    }

    #[test]
    fn faults_are_named() {
        assert!(text("half-car", &[]).contains("quarter-car, quarter-car-ring"));
        assert!(text("quarter-car", &[("mass", 1.0)]).contains("body-mass, wheel-mass"));
        assert!(text("quarter-car", &[("wheel-mass", 0.0)]).contains("wheel-mass is 0; expected a finite number > 0"));
        assert!(text("quarter-car", &[("suspension-damping", f64::NAN)]).contains("≥ 0"));
        assert!(text("kepler", &[("eccentricity", 1.0)]).contains("< 1"));
        assert!(text("brusselator", &[("cells", 2.5)]).contains("a whole number"));
        // A road without friction leaves no thrust against drag.
        assert!(text("planar-vehicle", &[("friction", 1e-9)]).contains("no steady state"));
    }
}
