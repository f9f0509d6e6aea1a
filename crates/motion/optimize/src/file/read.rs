//! Reads a problem with its grid and its first guess from a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use hemiola_integrate::System;
use hemiola_models::{Model, linear};
use hemiola_tableau::MethodError;
use hemiola_tableau::json::{self, StrictObject};
use thiserror::Error;

use super::controlled::ControlledModel;
use super::polynomial::{PolynomialMap, SparsePolynomial, Term};
use super::sides::BoundaryFunctions;
use super::text::{
    RawControl, RawDuration, RawGrid, RawModel, RawNodes, RawPath, RawProblem, RawRange, RawShape, RawShooting, RawSum,
};
use crate::identification::LibraryModel;
use crate::problem::{ControlProblem, Guess, ProblemError};
use crate::shooting::{ControlGrid, ShootingNodes};
use crate::sqp::Ranges;
use crate::steps::ProblemSizes;

/// Name and version of the format.
const FORMAT: &str = "hemiola-control/1";
/// Highest power of a quantity; doubles overflow soon beyond it.
const HIGHEST_POWER: u32 = 16;

/// Reason why a file does not describe a valid problem.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ControlFileError {
    /// The file cannot be read or is not JSON of this format. The error names the location and what was expected.
    #[error(transparent)]
    Text(#[from] MethodError),
    /// An entry of the file is invalid.
    #[error("{file}: at {place}: {problem}")]
    Place {
        /// Name of the file.
        file: String,
        /// Location in the file.
        place: String,
        /// Description of the entry and of what was expected.
        problem: String,
    },
    /// The entries do not form a valid problem.
    #[error("{file}: {problem}")]
    Problem {
        /// Name of the file.
        file: String,
        /// Reason.
        problem: ProblemError,
    },
}

/// Problem read from a file, with its grid, method and first guess.
///
/// ```
/// use hemiola_optimize::sqp::{SolverOptions, Status};
/// use hemiola_optimize::{ProblemFile, StepRule, Transcription};
/// use hemiola_tableau::{Scheme, library};
/// // From rest to rest in the least time, with a thrust up to one: full thrust for a second, full brake for another.
/// let text = br#"{ "format": "hemiola-control/1", "name": "rocket car", "model": { "matrix": [[0, 1], [0, 0]] },
///   "grid": { "points": 21, "steps": 1, "control": "constant" },
///   "controls": [{ "name": "thrust", "on": { "variable 2": 1 }, "range": [-1, 1] }],
///   "initial": { "variable 1": 0, "variable 2": 0 }, "final": { "variable 1": 1, "variable 2": 0 },
///   "duration": { "range": [0.1, 10], "guess": 3 }, "objective": { "duration": 1 } }"#;
/// let file = ProblemFile::from_json(text, "rocket.json", &|text| Ok(hemiola_models::model(text, &[])?))?;
/// let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
/// let rule = StepRule::new(&Scheme::parse(&file.method, find)?, &file.sizes)?;
/// let optimum = Transcription::new(file.problem, rule, file.grid)?.solve(&file.guess, SolverOptions::default(), &())?;
/// assert_eq!(optimum.solution.status, Status::Optimal);
/// assert!((optimum.found.duration - 2.0).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProblemFile {
    /// Name of the problem.
    pub name: String,
    /// Integration scheme, as written.
    pub method: String,
    /// Optimal control problem.
    pub problem: ControlProblem,
    /// Sizes of the partitions of the states.
    pub sizes: Vec<usize>,
    /// Control grid.
    pub grid: ControlGrid,
    /// First guess.
    pub guess: Guess,
    /// Names of the states; the last one is `integral` if the objective has an integral term.
    pub states: Vec<String>,
    /// Names of the controls.
    pub controls: Vec<String>,
    /// Names of the free parameters.
    pub parameters: Vec<String>,
}

/// Error of the callback that builds a model from its text.
type ModelFailure = Box<dyn std::error::Error>;

impl ProblemFile {
    /// Reads a problem. `origin` names the file in errors; `model` builds a model from its text.
    ///
    /// # Errors
    /// [`ControlFileError`] with the location in the text and what was expected.
    pub fn from_json(
        text: &[u8],
        origin: &str,
        model: &dyn Fn(&str) -> Result<Model, ModelFailure>,
    ) -> Result<Self, ControlFileError> {
        let StrictObject(raw) = json::read::<StrictObject<RawProblem>>(text, origin)?;
        let file = build(raw, model).map_err(|InvalidEntry { place, problem }| ControlFileError::Place {
            file: origin.to_owned(),
            place,
            problem,
        })?;
        let refused = |problem| ControlFileError::Problem { file: origin.to_owned(), problem };
        file.problem.validate().map_err(refused)?;
        Ok(file)
    }
}

/// Invalid entry and its location.
struct InvalidEntry {
    place: String,
    problem: String,
}

fn fault<T>(place: impl Into<String>, problem: impl Into<String>) -> Result<T, InvalidEntry> {
    Err(InvalidEntry { place: place.into(), problem: problem.into() })
}

/// Quantities by name.
struct QuantityNames<'a>(Vec<(&'a str, usize)>);

impl<'a> QuantityNames<'a> {
    fn new(groups: &[&'a [String]]) -> Self {
        Self(groups.iter().copied().flatten().enumerate().map(|(k, name)| (name.as_str(), k)).collect())
    }

    fn of(&self, name: &str, place: &str) -> Result<usize, InvalidEntry> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        let known = || self.0.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        found.map_or_else(|| fault(place, format!("no `{name}`; expected one of: {}", known())), |&(_, k)| Ok(k))
    }

    fn polynomial(&self, sum: &RawSum, place: &str) -> Result<SparsePolynomial, InvalidEntry> {
        let term = |(k, StrictObject(raw)): (usize, &StrictObject<super::text::RawTerm>)| {
            let place = format!("{place}[{k}].powers");
            let power = |(name, &power): (&String, &u32)| {
                if power > HIGHEST_POWER {
                    return fault(&place, format!("power {power} of `{name}`; expected at most {HIGHEST_POWER}"));
                }
                Ok((self.of(name, &place)?, power))
            };
            let powers = raw.powers.iter().map(power).collect::<Result<Vec<_>, _>>()?;
            Ok(Term { factor: raw.factor, powers })
        };
        Ok(SparsePolynomial { terms: sum.iter().enumerate().map(term).collect::<Result<_, _>>()? })
    }

    /// Returns the bounds of all quantities; those without an entry are unbounded.
    fn ranges(&self, given: &BTreeMap<String, RawRange>, size: usize, place: &str) -> Result<Ranges, InvalidEntry> {
        let mut ranges = free(size);
        for (name, range) in given {
            let [lower, upper] = bounds(range, &format!("{place}.{name}"))?;
            let k = self.of(name, place)?;
            (ranges.lower[k], ranges.upper[k]) = (lower, upper);
        }
        Ok(ranges)
    }
}

fn free(size: usize) -> Ranges {
    Ranges { lower: vec![f64::NEG_INFINITY; size], upper: vec![f64::INFINITY; size] }
}

fn bounds(&RawRange([lower, upper]): &RawRange, place: &str) -> Result<[f64; 2], InvalidEntry> {
    if lower <= upper {
        return Ok([lower, upper]);
    }
    fault(place, format!("[{lower}, {upper}]; expected a lower bound that does not exceed the upper one"))
}

fn collected(all: impl Iterator<Item = Result<[f64; 2], InvalidEntry>>) -> Result<Ranges, InvalidEntry> {
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let (lower, upper) = all.into_iter().map(|[lower, upper]| (lower, upper)).unzip();
    Ok(Ranges { lower, upper })
}

/// Returns the value within the bounds that is nearest to `value`.
fn within(value: f64, lower: f64, upper: f64) -> f64 {
    value.max(lower).min(upper)
}

fn build(
    raw: RawProblem,
    read_model: &dyn Fn(&str) -> Result<Model, ModelFailure>,
) -> Result<ProblemFile, InvalidEntry> {
    if raw.format != FORMAT {
        return fault("format", format!("`{}`; expected `{FORMAT}`", raw.format));
    }
    let model = model(&raw.model, read_model)?;
    let own = model.variables.len();
    let has_integral = !raw.objective.0.integral.is_empty();
    let mut states: Vec<String> = model.variables.iter().map(|variable| variable.name.clone()).collect();
    let of_model = states.clone();
    states.extend(has_integral.then(|| "integral".to_owned()));
    let controls: Vec<String> = raw.controls.iter().map(|StrictObject(control)| control.name.clone()).collect();
    let parameters: Vec<String> = raw.parameters.iter().map(|StrictObject(parameter)| parameter.name.clone()).collect();
    let time = ["t".to_owned()];
    distinct(&[&states, &controls, &parameters, &time])?;
    let along = QuantityNames::new(&[&states, &controls, &parameters, &time]);
    let ends = QuantityNames::new(&[&states, &parameters]);
    let (dynamics, usual) = dynamics(&raw, &model, &along)?;
    let local = ProblemSizes { states: states.len(), controls: controls.len(), parameters: parameters.len() };
    let sides = BoundaryFunctions {
        states: local.states,
        parameters: local.parameters,
        duration: raw.objective.0.duration,
        has_integral,
        last: ends.polynomial(&raw.objective.0.last, "objective.final")?,
        boundary: boundary(&raw, &ends)?,
    };
    let named = QuantityNames::new(&[&of_model]);
    let mut initial = named.ranges(&raw.initial, local.states, "initial")?;
    for (k, value) in model.initial.iter().enumerate().filter(|(k, _)| !raw.initial.contains_key(&states[*k])) {
        (initial.lower[k], initial.upper[k]) = (*value, *value);
    }
    if has_integral {
        (initial.lower[own], initial.upper[own]) = (0.0, 0.0);
    }
    let problem = ControlProblem {
        local,
        dynamics: Arc::new(dynamics),
        ends: Arc::new(sides),
        boundary: collected(
            raw.boundary
                .iter()
                .enumerate()
                .map(|(k, StrictObject(boundary))| bounds(&boundary.range, &format!("boundary[{k}].range"))),
        )?,
        path: path(&raw.path, &along)?,
        states: named.ranges(&raw.states, local.states, "states")?,
        terminal: named.ranges(&raw.last, local.states, "final")?,
        initial,
        controls: collected(
            raw.controls
                .iter()
                .enumerate()
                .map(|(k, StrictObject(control))| bounds(&control.range, &format!("controls[{k}].range"))),
        )?,
        parameters: collected(
            raw.parameters
                .iter()
                .enumerate()
                .map(|(k, StrictObject(parameter))| bounds(&parameter.range, &format!("parameters[{k}].range"))),
        )?,
        duration: duration(&raw.duration)?.0,
    };
    let guess = guess(&raw, &model, &problem, &named, &usual)?;
    let grid = grid(&raw.grid.0)?;
    let mut sizes = model.sizes().to_vec();
    if let Some(last) = sizes.last_mut() {
        *last += usize::from(has_integral);
    }
    let RawProblem { name, method, .. } = raw;
    Ok(ProblemFile { name, method, problem, sizes, grid, guess, states, controls, parameters })
}

fn model(raw: &RawModel, read: &dyn Fn(&str) -> Result<Model, ModelFailure>) -> Result<Model, InvalidEntry> {
    let refused = |problem: String| InvalidEntry { place: "model".to_owned(), problem };
    match raw {
        RawModel::Text(text) => read(text).map_err(|problem| refused(problem.to_string())),
        RawModel::Matrix(StrictObject(raw)) => {
            let all: Vec<usize> = (1..=raw.matrix.len()).collect();
            linear(&raw.matrix, &all).map_err(|problem| refused(problem.to_string()))
        }
    }
}

fn distinct(groups: &[&[String]]) -> Result<(), InvalidEntry> {
    let mut known = std::collections::BTreeSet::new();
    match groups.iter().copied().flatten().find(|name| !known.insert(name.as_str())) {
        Some(name) => fault(
            "the names",
            format!(
                "`{name}` occurs twice; expected unique names of states, controls and parameters, other than `t` and \
                 `integral`"
            ),
        ),
        None => Ok(()),
    }
}

/// Builds the rates and the default values of controls and parameters. Defaults are the model's values for parameters
/// of the model.
fn dynamics(
    raw: &RawProblem,
    model: &Model,
    along: &QuantityNames<'_>,
) -> Result<(ControlledModel, Vec<f64>), InvalidEntry> {
    let (mut names, mut places, mut added) = (Vec::new(), (0..model.variables.len()).collect::<Vec<_>>(), Vec::new());
    let mut usual = vec![0.0; raw.controls.len() + raw.parameters.len()];
    let mut own = Vec::new();
    for (k, StrictObject(control)) in raw.controls.iter().enumerate() {
        let place = along.of(&control.name, "controls")?;
        check_control_target(control, k)?;
        if let Some(parameter) = &control.parameter {
            names.push(parameter.as_str());
            places.push(place);
            own.push((k, format!("controls[{k}].parameter")));
        }
        for (variable, &factor) in &control.on {
            let row = model.variables.iter().position(|known| known.name == *variable);
            let known = || model.variables.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>().join(", ");
            let Some(row) = row else {
                return fault(
                    format!("controls[{k}].on"),
                    format!("no variable `{variable}`; expected one of: {}", known()),
                );
            };
            added.push((place, row, factor));
        }
    }
    for (k, StrictObject(parameter)) in raw.parameters.iter().enumerate() {
        names.push(parameter.name.as_str());
        places.push(along.of(&parameter.name, "parameters")?);
        own.push((raw.controls.len() + k, format!("parameters[{k}].name")));
    }
    places.push(along.of("t", "the time")?);
    for (i, (_, place)) in own.iter().enumerate() {
        LibraryModel::new(model, &names[i..=i])
            .map_err(|problem| InvalidEntry { place: place.clone(), problem: problem.to_string() })?;
    }
    let (model, values) = LibraryModel::new(model, &names)
        .map_err(|problem| InvalidEntry { place: "model".to_owned(), problem: problem.to_string() })?;
    own.iter().zip(values).for_each(|((k, _), value)| usual[*k] = value);
    let integral = along.polynomial(&raw.objective.0.integral, "objective.integral")?;
    let all = if raw.objective.0.integral.is_empty() { Vec::new() } else { vec![integral] };
    Ok((ControlledModel { model, places, added, integrand: PolynomialMap { inputs: along.0.len(), all } }, usual))
}

/// Checks that a control either replaces a parameter or is added to rates.
fn check_control_target(control: &RawControl, k: usize) -> Result<(), InvalidEntry> {
    if control.parameter.is_some() != control.on.is_empty() {
        return fault(
            format!("controls[{k}]"),
            "neither or both of `parameter` and `on`; expected the model parameter that the control replaces, or the \
             variables whose rates it is added to",
        );
    }
    Ok(())
}

type Path = Option<(Arc<dyn crate::calculus::Differentiable>, Ranges)>;

fn path(raw: &[StrictObject<RawPath>], along: &QuantityNames<'_>) -> Result<Path, InvalidEntry> {
    let all =
        raw.iter().enumerate().map(|(k, StrictObject(path))| along.polynomial(&path.sum, &format!("path[{k}].sum")));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let ranges = collected(
        raw.iter().enumerate().map(|(k, StrictObject(path))| bounds(&path.range, &format!("path[{k}].range"))),
    )?;
    let function = PolynomialMap { inputs: along.0.len(), all };
    Ok((!raw.is_empty()).then(|| (Arc::new(function) as Arc<dyn crate::calculus::Differentiable>, ranges)))
}

fn boundary(raw: &RawProblem, ends: &QuantityNames<'_>) -> Result<Vec<[SparsePolynomial; 2]>, InvalidEntry> {
    let each = |(k, StrictObject(boundary)): (usize, &StrictObject<super::text::RawBoundary>)| {
        let first = ends.polynomial(&boundary.initial, &format!("boundary[{k}].initial"))?;
        Ok([first, ends.polynomial(&boundary.last, &format!("boundary[{k}].final"))?])
    };
    raw.boundary.iter().enumerate().map(each).collect()
}

/// Reads the bounds and the guess of the duration.
fn duration(raw: &RawDuration) -> Result<([f64; 2], f64), InvalidEntry> {
    let (range, guess) = match raw {
        RawDuration::Fixed(value) => ([*value; 2], *value),
        RawDuration::Free(StrictObject(free)) => (free.range, free.guess),
    };
    let is_ordered = 0.0 < range[0] && range[0] <= range[1];
    if is_ordered {
        return Ok((range, guess));
    }
    fault(
        "duration",
        format!("[{}, {}]; expected positive bounds, the lower one not above the upper one", range[0], range[1]),
    )
}

/// Builds the guess from the values of states at both ends. Without a value in the file, a state has its initial value
/// in the model, moved within its bounds.
fn guess(
    raw: &RawProblem,
    model: &Model,
    problem: &ControlProblem,
    named: &QuantityNames<'_>,
    usual: &[f64],
) -> Result<Guess, InvalidEntry> {
    let mut rows = vec![vec![0.0; problem.local.states]; 2];
    for (k, value) in model.initial.iter().enumerate() {
        let first = within(*value, problem.initial.lower[k], problem.initial.upper[k]);
        rows[0][k] = first;
        rows[1][k] = within(first, problem.terminal.lower[k], problem.terminal.upper[k]);
    }
    for (name, values) in &raw.guess {
        let k = named.of(name, "guess")?;
        (rows[0][k], rows[1][k]) = (values[0], values[1]);
    }
    let (controls, parameters) = usual.split_at(raw.controls.len());
    let value = |guess: Option<f64>, usual: f64, ranges: &Ranges, k: usize| {
        within(guess.unwrap_or(usual), ranges.lower[k], ranges.upper[k])
    };
    let control = |(k, StrictObject(control)): (usize, &StrictObject<RawControl>)| {
        value(control.guess, controls[k], &problem.controls, k)
    };
    let controls: Vec<f64> = raw.controls.iter().enumerate().map(control).collect();
    let parameters = raw
        .parameters
        .iter()
        .enumerate()
        .map(|(k, StrictObject(parameter))| value(parameter.guess, parameters[k], &problem.parameters, k));
    Ok(Guess {
        states: rows,
        controls: vec![controls; 2],
        duration: duration(&raw.duration)?.1,
        parameters: parameters.collect(),
    })
}

fn grid(raw: &RawGrid) -> Result<ControlGrid, InvalidEntry> {
    let shooting = match raw.shooting {
        None | Some(RawShooting::Word(RawNodes::Multiple)) => ShootingNodes::Multiple,
        Some(RawShooting::Word(RawNodes::Single)) => ShootingNodes::Single,
        Some(RawShooting::Every(0)) => return fault("grid.shooting", "0; expected at least 1"),
        Some(RawShooting::Every(count)) => ShootingNodes::Every(count),
    };
    let (points, steps) = (raw.points.unwrap_or(101), raw.steps.unwrap_or(2));
    for (place, value, range) in [("grid.points", points, 2..=20_000), ("grid.steps", steps, 1..=10_000)] {
        if !range.contains(&value) {
            return fault(place, format!("{value}; expected {} to {}", range.start(), range.end()));
        }
    }
    Ok(ControlGrid { points, steps, shooting, is_linear: matches!(raw.control, RawShape::Linear) })
}
