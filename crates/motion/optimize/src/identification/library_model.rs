//! Library models with some of their parameters free.

use std::borrow::Cow;

use hemiola_integrate::System;
use hemiola_models::{Model, ModelError, Value, model_with};
use nalgebra::DMatrix;

use crate::calculus::Differentiable;

/// Library model as a function of z = (y, p, t), where p are some of its parameters.
///
/// Derivatives with respect to states are those of the model, exact to rounding. The parameters of a model are doubles;
/// therefore derivatives with respect to parameters and time, and all second derivatives, are differences of order
/// four, accurate to about ten digits relative to the rates.
pub struct LibraryModel {
    /// Model as given, and the values of its free parameters.
    given: Model,
    values: Vec<f64>,
    /// All settings of the model.
    changes: Vec<(String, Setting)>,
    /// Names of the free parameters.
    free: Vec<String>,
}

#[derive(Clone, Debug)]
enum Setting {
    Number(f64),
    Word(&'static str),
}

/// Step of differences relative to the argument: the fifth root of ε balances rounding and truncation errors.
const STEP: f64 = 7e-4;

impl LibraryModel {
    /// Prepares a model for identification. Returns it with the current values of the free parameters.
    ///
    /// # Errors
    /// [`ModelError`] if the model is not in the library or does not have these parameters.
    pub fn new(model: &Model, free: &[&str]) -> Result<(Self, Vec<f64>), ModelError> {
        let setting = |parameter: &hemiola_models::Parameter| match parameter.setting() {
            Value::Number(number) => Setting::Number(number),
            Value::Word(word) => {
                Setting::Word(parameter.words().iter().copied().find(|known| *known == word).unwrap_or_default())
            }
        };
        let changes =
            model.parameters.iter().map(|parameter| (parameter.name.to_owned(), setting(parameter))).collect();
        let free: Vec<String> = free.iter().map(|&name| name.to_owned()).collect();
        let value = |name: &String| {
            let found =
                model.parameters.iter().find(|parameter| parameter.name == name && parameter.words().is_empty());
            let unknown = || ModelError::UnknownParameter {
                model: model.name,
                name: name.clone(),
                expected: model
                    .parameters
                    .iter()
                    .filter(|one| one.words().is_empty())
                    .map(|one| one.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            };
            found.map(|parameter| parameter.value).ok_or_else(unknown)
        };
        let values = free.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        let all = Self { given: model.clone(), values: values.clone(), changes, free };
        all.changed(&values)?;
        Ok((all, values))
    }

    /// Returns the model for given values of the free parameters.
    ///
    /// # Errors
    /// [`ModelError`] if a value is out of range.
    pub fn model(&self, values: &[f64]) -> Result<Cow<'_, Model>, ModelError> {
        if values == self.values { Ok(Cow::Borrowed(&self.given)) } else { self.changed(values).map(Cow::Owned) }
    }

    /// Rebuilds the model with new values. A model that cannot be built by name, such as a machine from a file, has no
    /// free parameters and is returned unchanged.
    fn changed(&self, values: &[f64]) -> Result<Model, ModelError> {
        if self.free.is_empty() {
            return Ok(self.given.clone());
        }
        let mut changes: Vec<(&str, Value<'_>)> = Vec::with_capacity(self.changes.len());
        for (name, setting) in &self.changes {
            let free = self.free.iter().position(|free| free == name);
            let value = match (free, setting) {
                (Some(k), _) => Value::Number(values[k]),
                (None, Setting::Number(number)) => Value::Number(*number),
                (None, Setting::Word(word)) => Value::Word(word),
            };
            changes.push((name, value));
        }
        model_with(self.given.name, &changes)
    }

    /// Returns the initial state for given values of the free parameters, and its derivatives with respect to them.
    ///
    /// # Errors
    /// [`ModelError`] if a value is out of range.
    pub fn initial(&self, values: &[f64]) -> Result<(Vec<f64>, DMatrix<f64>), ModelError> {
        let start = self.model(values)?.initial.clone();
        let mut slopes = DMatrix::zeros(start.len(), values.len());
        for k in 0..values.len() {
            let slope = difference(values, k, of_parameter(values[k]), |values| {
                self.model(values).map(|model| model.initial.clone()).unwrap_or_default()
            });
            slope.iter().enumerate().for_each(|(row, slope)| slopes[(row, k)] = *slope);
        }
        Ok((start, slopes))
    }

    /// Evaluates the rates; NaN where the model has none.
    fn rates(&self, z: &[f64]) -> Vec<f64> {
        let (n, t) = (self.outputs(), z[z.len() - 1]);
        let mut rates = vec![f64::NAN; n];
        if let Ok(model) = self.model(&z[n..z.len() - 1]) {
            let mut rest = rates.as_mut_slice();
            for (partition, &size) in model.sizes().iter().enumerate() {
                let (part, others) = rest.split_at_mut(size);
                model.rate(partition, t, &z[..n], part);
                rest = others;
            }
        }
        rates
    }

    /// Returns the magnitude of an argument, which scales the difference step.
    fn size(&self, z: &[f64], k: usize) -> f64 {
        let is_parameter = (self.outputs()..z.len() - 1).contains(&k);
        if is_parameter { of_parameter(z[k]) } else { of_state(z[k]) }
    }

    fn jacobian_rows(&self, z: &[f64]) -> Vec<f64> {
        let (n, m) = (self.outputs(), z.len());
        let mut all = vec![f64::NAN; n * m];
        let mut square = vec![f64::NAN; n * n];
        if let Ok(model) = self.model(&z[n..m - 1]) {
            model.jacobian(z[m - 1], &z[..n], &mut square);
        }
        for row in 0..n {
            all[row * m..row * m + n].copy_from_slice(&square[row * n..(row + 1) * n]);
        }
        for k in n..m {
            let slopes = difference(z, k, self.size(z, k), |z| self.rates(z));
            slopes.iter().enumerate().for_each(|(row, slope)| all[row * m + k] = *slope);
        }
        all
    }
}

/// Computes ∂f/∂zₖ by differences of order four with a step proportional to `size`.
fn difference(z: &[f64], k: usize, size: f64, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    slope(STEP * size, |away| {
        let mut z = z.to_vec();
        z[k] += away;
        f(&z)
    })
}

/// Factors and weights of differences of order four: central, and one-sided for arguments at the end of their range.
const DIFFERENCE_FORMULAS: [&[(f64, f64)]; 3] = [
    &[(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)],
    &[(0.0, -25.0), (1.0, 48.0), (2.0, -36.0), (3.0, 16.0), (4.0, -3.0)],
    &[(0.0, 25.0), (-1.0, -48.0), (-2.0, 36.0), (-3.0, -16.0), (-4.0, 3.0)],
];

/// Computes f′(0) from values at multiples of a step. Not finite if f has no values on either side.
fn slope(step: f64, f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let mut slopes = Vec::new();
    for side in DIFFERENCE_FORMULAS {
        slopes.clear();
        for &(factor, weight) in side {
            let values = f(factor * step);
            slopes.resize(values.len().max(slopes.len()), 0.0);
            // Missing values become NaN, so that the next formula is tried.
            for (k, slope) in slopes.iter_mut().enumerate() {
                *slope += weight * values.get(k).copied().unwrap_or(f64::NAN) / (12.0 * step);
            }
        }
        if slopes.iter().all(|slope| slope.is_finite()) {
            break;
        }
    }
    slopes
}

/// Returns the magnitude of a parameter, which may be small or large.
fn of_parameter(value: f64) -> f64 {
    if value == 0.0 { 1.0 } else { value.abs() }
}

/// Returns the magnitude of a state or the time, which may pass through zero.
fn of_state(value: f64) -> f64 {
    1.0 + value.abs()
}

/// Computes ∂f/∂s at z + s d, s = 0, by differences of order four.
fn directional_derivative(z: &[f64], d: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let size =
        z.iter().zip(d).filter(|(_, d)| **d != 0.0).map(|(z, d)| of_state(*z) / d.abs()).fold(f64::INFINITY, f64::min);
    let step = if size.is_finite() { STEP * size } else { 1.0 };
    slope(step, |away| f(&z.iter().zip(d).map(|(z, d)| z + away * d).collect::<Vec<_>>()))
}

/// Computes Σ wᵢ (row i).
fn weighted(rows: &[f64], w: &[f64], m: usize) -> Vec<f64> {
    (0..m).map(|k| w.iter().enumerate().map(|(row, w)| w * rows[row * m + k]).sum()).collect()
}

impl Differentiable for LibraryModel {
    fn inputs(&self) -> usize {
        self.outputs() + self.free.len() + 1
    }

    fn outputs(&self) -> usize {
        self.given.initial.len()
    }

    fn value(&self, z: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.rates(z));
    }

    fn jacobian(&self, z: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.jacobian_rows(z));
    }

    fn linearization(&self, z: &[f64], d: &[f64], jacobian: &mut [f64], bend: &mut [f64]) {
        jacobian.copy_from_slice(&self.jacobian_rows(z));
        bend.copy_from_slice(&directional_derivative(z, d, |z| self.jacobian_rows(z)));
    }

    fn curvature(&self, z: &[f64], w: &[f64], out: &mut [f64]) {
        let m = z.len();
        for k in 0..m {
            let column = difference(z, k, self.size(z, k), |z| weighted(&self.jacobian_rows(z), w, m));
            column.iter().enumerate().for_each(|(row, value)| out[row * m + k] = *value);
        }
    }

    fn linearization_curvature(&self, z: &[f64], d: &[f64], w: &[f64], curvature: &mut [f64], bend: &mut [f64]) {
        let m = z.len();
        self.curvature(z, w, curvature);
        let hessian = |z: &[f64]| {
            let mut out = vec![0.0; m * m];
            self.curvature(z, w, &mut out);
            out
        };
        bend.copy_from_slice(&directional_derivative(z, d, hessian));
    }
}
