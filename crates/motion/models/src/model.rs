//! Models, and the definition of a kind of model.

use std::fmt;
use std::sync::Arc;

use hemiola_integrate::{Comparison, Outcome, Reference, System, Track};
use hemiola_multibody::SolverCounts;
use hemiola_number::Progress;

use crate::equations::{Dynamics, Equations};
use crate::error::ModelError;
use crate::outputs::Output;
use crate::parameter::{Parameter, Value, Values};

/// A model: equations with named variables, slow and fast, and the settings of the default simulation.
#[derive(Clone)]
pub struct Model {
    /// The model's name.
    pub name: &'static str,
    /// A one-line description.
    pub title: &'static str,
    /// The variables, slow ones first.
    pub variables: Vec<Variable>,
    /// The parameters and their values in this model.
    pub parameters: Vec<Parameter>,
    /// The state at t = 0.
    pub initial: Vec<f64>,
    /// The duration of the default simulation, in s (or the model's unit of time).
    pub duration: f64,
    /// The variables shown by default in figures.
    pub drawn: Vec<usize>,
    sizes: Vec<usize>,
    dynamics: Arc<dyn Dynamics>,
}

/// A variable of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// A description, such as `wheel position`.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
}

/// The definition of a kind of model.
pub(crate) struct ModelKind {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// Builds the parts of a model for given values; `None` if there is no initial state.
    pub(crate) build: fn(Values<'_>) -> Option<ModelParts>,
}

impl ModelKind {
    /// Creates the model with some parameters changed.
    pub(crate) fn model(&self, changes: &[(&str, Value<'_>)]) -> Result<Model, ModelError> {
        let parameters = changed(self.name, self.parameters, changes)?;
        let built = (self.build)(Values(&parameters)).ok_or(ModelError::NoSteadyState { model: self.name })?;
        Ok(Model::of_parts(self.name, self.title, parameters, built))
    }
}

/// Returns a table of parameters with some values changed.
pub(crate) fn changed(
    model: &'static str,
    known: &[Parameter],
    changes: &[(&str, Value<'_>)],
) -> Result<Vec<Parameter>, ModelError> {
    let mut parameters = known.to_vec();
    for &(key, value) in changes {
        let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == key) else {
            let expected = known.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
            return Err(ModelError::UnknownParameter { model, name: key.to_owned(), expected });
        };
        parameter.value = parameter.range.number(value).ok_or_else(|| ModelError::OutOfRange {
            model,
            name: parameter.name,
            value: value.to_string(),
            expected: parameter.range.text(),
        })?;
    }
    Ok(parameters)
}

/// The parts of a model that depend on the values of its parameters.
pub(crate) struct ModelParts {
    pub(crate) variables: Vec<Variable>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) initial: Vec<f64>,
    pub(crate) duration: f64,
    pub(crate) drawn: Vec<usize>,
    pub(crate) dynamics: Arc<dyn Dynamics>,
}

impl ModelParts {
    /// Creates equations with names and units of their variables.
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

impl Model {
    pub(crate) fn of_parts(
        name: &'static str,
        title: &'static str,
        parameters: Vec<Parameter>,
        built: ModelParts,
    ) -> Self {
        let ModelParts { variables, sizes, initial, duration, drawn, dynamics } = built;
        Self { name, title, variables, parameters, initial, duration, drawn, sizes, dynamics }
    }

    /// Returns the partition of each variable: 0 is slow, 1 is fast.
    #[must_use]
    pub fn partition(&self) -> Vec<usize> {
        self.sizes.iter().enumerate().flat_map(|(partition, &size)| std::iter::repeat_n(partition, size)).collect()
    }

    /// Returns ∂f/∂y at (t, y) row by row, by automatic differentiation: exact to rounding.
    #[must_use]
    pub fn jacobian_at(&self, t: f64, y: &[f64]) -> Vec<Vec<f64>> {
        let mut jacobian = vec![0.0; y.len() * y.len()];
        self.jacobian(t, y, &mut jacobian);
        jacobian.chunks(y.len().max(1)).map(<[f64]>::to_vec).collect()
    }

    /// Returns the solution at time t from the initial state, if known in closed form.
    ///
    /// ```
    /// let orbit = hemiola_models::model("kepler", &[("eccentricity", 0.6)])?;
    /// let half = orbit.exact(std::f64::consts::PI).unwrap_or_default();
    /// assert!((half[0] + 1.6).abs() < 1e-14); // the apocenter, 1 + e away
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    #[must_use]
    pub fn exact(&self, t: f64) -> Option<Vec<f64>> {
        self.dynamics.exact(t)
    }

    /// Returns the solution up to a time, in closed form if known and otherwise computed. The track holds states at
    /// least `spacing` apart.
    ///
    /// ```
    /// let model = hemiola_models::model("quarter-car", &[])?;
    /// let (reference, track) = model.reference(1.0, 0.01, &()).expect("a mild problem");
    /// assert!(reference.uncertainty < 1e-12 && reference.end.len() == 4);
    /// assert!(track.times[0] == 0.0 && track.times.windows(2).all(|pair| pair[1] - pair[0] >= 0.01));
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// The [`Outcome`] if the end is not reached, or `progress` stopped it.
    pub fn reference(&self, end: f64, spacing: f64, progress: &dyn Progress) -> Result<(Reference, Track), Outcome> {
        self.reference_to(0.0, end, spacing, progress)
    }

    /// Returns the solution like [`reference`](Self::reference), with an error of about `tolerance` per step if it is
    /// computed; 0 selects the smallest tolerance that doubles allow.
    ///
    /// # Errors
    /// See [`reference`](Self::reference).
    pub fn reference_to(
        &self,
        tolerance: f64,
        end: f64,
        spacing: f64,
        progress: &dyn Progress,
    ) -> Result<(Reference, Track), Outcome> {
        /// Number of intervals in which known solutions are sampled.
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
        let faithful = self.with(self.dynamics.most_accurate());
        let (span, start) = ([0.0, end], &self.initial);
        if tolerance > 0.0 {
            Reference::computed_to(tolerance, &faithful, span, start, spacing, progress)
        } else {
            Reference::computed(&faithful, span, start, spacing, progress)
        }
    }

    /// Returns a copy for a separate run. Memory of evaluations, such as the factor of iterative refinement, is not
    /// shared with other runs.
    #[must_use]
    pub fn renewed(&self) -> Self {
        self.with(self.dynamics.renewed())
    }

    fn with(&self, dynamics: Option<Arc<dyn Dynamics>>) -> Self {
        Self { dynamics: dynamics.unwrap_or_else(|| Arc::clone(&self.dynamics)), ..self.clone() }
    }

    /// Returns lines that show a state in space, with x forward, y to the left and z up, in m.
    ///
    /// They exist for multibody systems, and for planar vehicles with y = 0; `None` for others.
    ///
    /// ```
    /// let truck = hemiola_models::model("truck", &[])?;
    /// let lines = truck.outline(&truck.initial).unwrap_or_default();
    /// // A line to each joint, and a circle for each of ten wheels or more.
    /// assert!(lines.iter().filter(|line| line.len() > 2).count() >= 10);
    /// assert_eq!(hemiola_models::model("kepler", &[])?.outline(&[1.0; 4]), None);
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    #[must_use]
    pub fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        self.dynamics.outline(y)
    }

    /// Returns the work spent on solving for the accelerations of a multibody system since the model was created or
    /// [renewed](Self::renewed).
    #[must_use]
    pub fn solved(&self) -> Option<SolverCounts> {
        self.dynamics.solved()
    }

    /// Creates the comparison of runs from the initial state up to a time.
    #[must_use]
    pub fn comparison<'a>(
        &'a self,
        end: f64,
        reference: &'a Reference,
        variables: &'a [usize],
    ) -> Comparison<'a, Self> {
        Comparison { system: self, span: [0.0, end], start: &self.initial, reference, variables }
    }

    /// Returns the kinetic and potential energy of a state if the model has one, in J for SI units.
    #[must_use]
    pub fn energy(&self, t: f64, y: &[f64]) -> Option<f64> {
        self.dynamics.energy(t, y)
    }

    /// Lists quantities derived from a state.
    ///
    /// These are the forces of the road on wheels in N; the kinetic energy of machines, and the energies of their
    /// weights and springs; and for all models with an energy the total and its rate, which is the power of everything
    /// not counted in the energy.
    ///
    /// ```
    /// let car = hemiola_models::model("hmmwv", &[])?;
    /// let names: Vec<String> = car.outputs().iter().map(|output| output.name()).collect();
    /// assert_eq!((names[0].as_str(), names.len()), ("front left wheel load", 4 * 3 + 3 + 2));
    /// let values = car.output_values(0.0, &car.initial);
    /// assert!(values[0] > 3e3 && values[16].abs() < 1e5); // N, W
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    #[must_use]
    pub fn outputs(&self) -> Vec<Output> {
        let mut outputs = self.dynamics.outputs();
        if self.energy(0.0, &self.initial).is_some() {
            let has_units = self.variables.iter().any(|variable| !matches!(variable.unit, "" | "1"));
            let [energy, power] = if has_units { ["J", "W"] } else { [""; 2] };
            outputs.extend([Output::new("total", "energy", energy), Output::new("", "power", power)]);
        }
        outputs
    }

    /// Returns the values of [`outputs`](Self::outputs) for a state; NaN in states that the machine cannot assume.
    #[must_use]
    pub fn output_values(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let own = self.dynamics.outputs().len();
        let mut values = self.dynamics.output_values(t, y).unwrap_or_default();
        values.resize(own, f64::NAN);
        if self.energy(0.0, &self.initial).is_some() {
            let energy = self.energy(t, y).unwrap_or(f64::NAN);
            let power = self.dynamics.power(&self.sizes, t, y).unwrap_or(f64::NAN);
            values.extend([energy, power]);
        }
        // Normalizes −0 to 0.
        values.into_iter().map(|value| value + 0.0).collect()
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
