//! Test runs that measure pairs during their design: errors at a step size, relative to solutions computed once.
//!
//! ```
//! use hemiola_study::training::{Training, TrainingRun};
//! let car = hemiola_models::model("quarter-car", &[])?;
//! let training = Training::new(vec![TrainingRun::new(car, "quarter-car", 1.0, vec![0, 1], &())?], 1e-3);
//! let pair = hemiola_tableau::library::method("hemiola-4-6")?;
//! let error = |step| -> Option<f64> {
//!     let deviations = training.deviations(&pair.to_f64(), step)?;
//!     Some(deviations.iter().map(|deviation| deviation * deviation).sum::<f64>().powf(0.25))
//! };
//! // Order four: half the step leaves a sixteenth of the error.
//! let ratio = error(0.005).zip(error(0.0025)).map(|(coarse, fine)| coarse / fine);
//! assert!(ratio.is_some_and(|ratio| (12.0..20.0).contains(&ratio)));
//! let need = training.runs()[0].cost(&pair, 1e-3)?.expect("a mild problem");
//! assert_eq!(need.evaluations, [4 * need.steps, 6 * need.steps]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use hemiola_integrate::{
    AnyStepper, Comparison, Explicit, Extras, Outcome, Reference, Stepper, System, cached_runs, fewest_steps,
};
use hemiola_models::Model;
use hemiola_number::Progress;
use hemiola_stability::{BlockSystem, StabilityFunction};
use hemiola_tableau::{Method, Tableau, library};
use num_complex::Complex64;

use crate::StudyError;
use crate::stable_steps::dense_jacobian;

/// Number of sample times in a run, the last at its end; each is a multiple of every step size taken.
const SAMPLES: u64 = 10;
/// Share of the end in the mean square error of a run, since the errors at the end are compared.
const END: f64 = 0.5;
/// Fractions of a step size at which errors count, and their weights: a pair must not be accurate at a single step
/// size only.
const SHORTER: [(f64, f64); 3] = [(1.0, 1.0), (0.8, 0.8), (0.62, 0.8)];
/// Multiples of a step size at which the growth of the partitions is examined: shorter steps must be stable, too.
const MULTIPLES: [f64; 5] = [0.2, 0.4, 0.6, 0.75, 0.9];
/// Multiples of a step size at which the coupled system is examined; its eigenvalues are expensive.
const COUPLED: [f64; 2] = [1.0, 1.03];
/// Number of eigenvalues of largest modulus that count at each of them.
const LARGEST: usize = 6;
/// Smallest h|λ| of the examined modes; slower ones are resolved accurately and do not limit stability.
const SLOW: f64 = 0.3;
/// Largest allowed modulus. It is less than one because the eigenvalues move during the motion.
const MODULUS: f64 = 0.998;
/// Growth per step that weighs as much as the wanted error: it becomes visible after a thousand steps.
const GROWTH: f64 = 3e-3;
/// Largest number of steps in a run.
const MOST_STEPS: u64 = 1 << 22;

/// A set of runs with a wanted error at their ends.
pub struct Training {
    runs: Vec<TrainingRun>,
    error: f64,
}

/// A run of one system from its initial state.
pub struct TrainingRun {
    /// The model with its parameters, as requested.
    pub name: String,
    model: Model,
    end: f64,
    variables: Vec<usize>,
    /// The solution at the sample times.
    states: Vec<Vec<f64>>,
    reference: Reference,
    /// The system linearized at the beginning and in the middle of the run, with the eigenvalues of its partitions.
    linearized: Vec<(BlockSystem, Vec<Vec<Complex64>>)>,
}

/// The cost of a method at the wanted error.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCost {
    /// The fewest equal steps.
    pub steps: u64,
    /// The evaluations of each partition in all steps.
    pub evaluations: Vec<u64>,
}

impl TrainingRun {
    /// Computes the reference solution of a model for a run. `progress` counts the steps of its parts.
    ///
    /// # Errors
    /// Returns a [`StudyError`] if there is no reference solution or its computation was interrupted.
    pub fn new(
        model: Model,
        name: &str,
        end: f64,
        variables: Vec<usize>,
        progress: &dyn Progress,
    ) -> Result<Self, StudyError> {
        let mut states = Vec::new();
        let mut y = model.initial.clone();
        let (mut scale, mut uncertainty) = (vec![0.0f64; y.len()], 0.0f64);
        for k in 0..SAMPLES {
            let span = [k, k + 1].map(|k| end * k as f64 / SAMPLES as f64);
            let found = Reference::computed(&model, span, &y, end, progress);
            let (part, _) = found.map_err(|outcome| match outcome {
                Outcome::Stopped => StudyError::InterruptedReference,
                outcome => StudyError::NoReference { outcome },
            })?;
            scale.iter_mut().zip(&part.scale).for_each(|(scale, part)| *scale = scale.max(*part));
            uncertainty += part.uncertainty;
            y.clone_from(&part.end);
            states.push(part.end);
        }
        let reference = Reference { end: y, scale, uncertainty };
        let half = SAMPLES as usize / 2;
        let middle = (end * half as f64 / SAMPLES as f64, &states[half - 1]);
        let linearized = [(0.0, &model.initial), middle]
            .map(|(t, state)| linearized(&model, t, state))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { name: name.to_owned(), model, end, variables, states, reference, linearized })
    }

    /// Returns the uncertainty of the reference solution, relative to the largest modulus of each variable. Smaller errors
    /// cannot be measured.
    #[must_use]
    pub fn uncertainty(&self) -> f64 {
        self.reference.uncertainty
    }

    /// Appends the errors of a pair over the wanted error, weighted so that their squares sum to the mean square
    /// over the run.
    ///
    /// Returns `None` if the run breaks off.
    fn deviations(&self, tableau: &Tableau<f64>, step: f64, error: f64, out: &mut Vec<f64>) -> Option<()> {
        let parts = self.steps(step);
        let h = self.end / (parts * SAMPLES) as f64;
        let mut stepper = Explicit::of_tableau(tableau, &self.model).ok()?;
        let mut y = self.model.initial.clone();
        for (k, state) in self.states.iter().enumerate() {
            for j in 0..parts {
                let t = h * (k as u64 * parts + j) as f64;
                stepper.step(&self.model, t, h, &mut y).ok()?;
            }
            let share = if k + 1 == self.states.len() { END } else { (1.0 - END) / (SAMPLES - 1) as f64 };
            let factor = share.sqrt() / error;
            out.extend(self.variables.iter().map(|&i| factor * (y[i] - state[i]) / self.reference.scale[i]));
        }
        Some(())
    }

    /// Appends the growth of the fastest modes beyond the allowed modulus, in steps up to slightly more than
    /// `step`.
    fn growth(&self, tableau: &Tableau<f64>, step: f64, out: &mut Vec<f64>) -> Option<()> {
        let excess = |modulus: f64| (modulus - MODULUS) / GROWTH;
        let functions: Vec<_> = tableau.partitions.iter().map(StabilityFunction::new).collect();
        for (system, eigenvalues) in &self.linearized {
            for (values, function) in eigenvalues.iter().zip(&functions) {
                for (value, multiple) in values.iter().flat_map(|value| MULTIPLES.map(|multiple| (value, multiple))) {
                    let z = value * (multiple * step);
                    out.push(if z.norm() > SLOW { excess(function.at(z).norm()) } else { -1.0 / GROWTH });
                }
            }
            for multiple in COUPLED {
                let values = system.step_eigenvalues(tableau, multiple * step).ok()?;
                let fast = values.iter().filter(|value| value.im >= 0.0 && (*value - 1.0).norm() > SLOW);
                let mut moduli: Vec<f64> = fast.map(|value| value.norm()).collect();
                moduli.resize(moduli.len().max(LARGEST), 0.0);
                moduli.sort_by(|x, y| y.total_cmp(x));
                out.extend(moduli[..LARGEST].iter().map(|modulus| excess(*modulus)));
            }
        }
        Some(())
    }

    /// Returns the number of steps between two sample times for a step size of about `step`.
    fn steps(&self, step: f64) -> u64 {
        ((self.end / SAMPLES as f64 / step).round() as u64).max(1)
    }

    /// Returns the fewest equal steps, to one percent, with which a method reaches an error at the end.
    ///
    /// `None` if it needs too many.
    ///
    /// # Errors
    /// Returns a [`StudyError`] if the method does not fit the model.
    pub fn cost(&self, method: &Method, error: f64) -> Result<Option<RunCost>, StudyError> {
        self.need_within(method, error, MOST_STEPS)
    }

    fn need_within(&self, method: &Method, error: f64, most: u64) -> Result<Option<RunCost>, StudyError> {
        let stepper = AnyStepper::new(method, &hemiola_integrate::Counted::new(&self.model), Extras::default())?;
        let comparison: Comparison<'_, Model> = self.model.comparison(self.end, &self.reference, &self.variables);
        let mut sample = cached_runs(|steps| comparison.sample(&mut stepper.clone(), steps, &()));
        let fewest = fewest_steps(|steps| sample(steps).error, error, most);
        Ok(fewest.map(|steps| RunCost { steps, evaluations: sample(steps).evaluations }))
    }
}

/// The cheapest method with a single partition.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleRateBest {
    /// The id of the method.
    pub id: String,
    /// The cost of the method.
    pub need: RunCost,
}

impl TrainingRun {
    /// Finds the explicit method with one partition in the embedded library that reaches an error with the fewest
    /// slow evaluations.
    ///
    /// `None` if no method reaches it.
    ///
    /// # Errors
    /// Returns a [`StudyError`] if a method of the library cannot be read.
    pub fn best_single_rate(&self, error: f64) -> Result<Option<SingleRateBest>, StudyError> {
        let mut best: Option<SingleRateBest> = None;
        for id in library::ids() {
            let method = library::method(id)?;
            let tableau = method.to_f64();
            if method.partitions().len() > 1 || !tableau.is_explicit() {
                continue;
            }
            // Methods that need more evaluations than the best so far are not searched further.
            let stages = tableau.partitions[0].evaluated_stages().len().max(1) as u64;
            let limit = best.as_ref().map_or(MOST_STEPS, |best| 2 * best.need.evaluations[0] / stages);
            if let Some(need) = self.need_within(&method, error, limit)?
                && best.as_ref().is_none_or(|best| need.evaluations[0] < best.need.evaluations[0])
            {
                best = Some(SingleRateBest { id: id.to_owned(), need });
            }
        }
        Ok(best)
    }
}

/// Linearizes the system at a state. Eigenvalues of the partitions with a negative imaginary part are omitted.
fn linearized(model: &Model, t: f64, state: &[f64]) -> Result<(BlockSystem, Vec<Vec<Complex64>>), StudyError> {
    let system = BlockSystem::new(&dense_jacobian(model, t, state)?, model.partition())?;
    let upper = |values: Vec<Complex64>| values.into_iter().filter(|value| value.im >= 0.0).collect();
    let values = (0..model.sizes().len()).map(|r| Ok(upper(system.block_eigenvalues(r)?)));
    let values = values.collect::<Result<Vec<_>, StudyError>>()?;
    Ok((system, values))
}

impl Training {
    /// Combines runs with a wanted error, relative to the largest modulus of each variable.
    #[must_use]
    pub fn new(runs: Vec<TrainingRun>, error: f64) -> Self {
        Self { runs, error }
    }

    /// Returns the runs.
    #[must_use]
    pub fn runs(&self) -> &[TrainingRun] {
        &self.runs
    }

    /// Computes the errors of all runs, each multiplied by the error of its run and divided by the square of the
    /// wanted error.
    ///
    /// Their sum of squares is the mean over the runs of the fourth power of a run's error. The error of a run is
    /// the root of the mean over its times of the sum of squares over the variables. The worst run therefore counts
    /// most. `None` if a run breaks off.
    #[must_use]
    pub fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        let share = (self.runs.len() as f64).sqrt().recip();
        for (part, weight) in SHORTER {
            for run in &self.runs {
                let begin = all.len();
                run.deviations(tableau, part * step, self.error / weight, &mut all)?;
                let error = all[begin..].iter().map(|deviation| deviation * deviation).sum::<f64>().sqrt();
                all[begin..].iter_mut().for_each(|deviation| *deviation *= share * error);
            }
        }
        all.iter().all(|deviation| deviation.is_finite()).then_some(all)
    }

    /// Computes the growth of perturbations beyond the allowed modulus, from the linearized systems, in steps up to
    /// slightly more than `step`.
    ///
    /// The step is stable if no entry is positive.
    #[must_use]
    pub fn growth(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        for run in &self.runs {
            run.growth(tableau, step, &mut all)?;
        }
        all.iter().all(|growth| growth.is_finite()).then_some(all)
    }

    /// Returns the shortest and the longest useful step size.
    #[must_use]
    pub fn step_range(&self) -> [f64; 2] {
        let longest = self.runs.iter().map(|run| run.end).fold(f64::INFINITY, f64::min) / SAMPLES as f64;
        [longest / 1e5, longest]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(error: f64) -> Training {
        let model = hemiola_models::model("quarter-car", &[]).unwrap();
        Training::new(vec![TrainingRun::new(model, "quarter-car", 1.0, vec![0, 1], &()).unwrap()], error)
    }

    fn error(deviations: &[f64]) -> f64 {
        deviations.iter().map(|deviation| deviation * deviation).sum::<f64>().powf(0.25)
    }

    #[test]
    fn deviations_are_errors_over_the_wanted_one() {
        let tableau = library::method("hemiola-4-6").unwrap().to_f64();
        let at = |wanted: f64, step: f64| error(&training(wanted).deviations(&tableau, step).unwrap());
        // Order four, and inversely proportional to the wanted error.
        let order = (at(1e-3, 0.005) / at(1e-3, 0.0025)).log2();
        assert!((order - 4.0).abs() < 0.3, "{order}");
        assert!((at(1e-4, 0.005) / at(1e-3, 0.005) - 10.0).abs() < 1e-9);
        // Beyond the stability limit runs grow and finally break off.
        let unstable = training(1e-3).deviations(&tableau, 0.1).is_none_or(|found| error(&found) > 1e3);
        assert!(unstable);
    }

    #[test]
    fn growth_is_positive_beyond_the_stable_step_and_there_alone() {
        let training = training(1e-3);
        let method = library::method("hemiola-2-5").unwrap();
        let largest =
            |step: f64| training.growth(&method.to_f64(), step).unwrap().into_iter().fold(f64::NEG_INFINITY, f64::max);
        // The wheel hops at 72 1/s, well damped: the fast limit is 4.
        assert!(largest(0.02) < 0.0 && largest(0.2) > 0.0, "{} {}", largest(0.02), largest(0.2));
    }

    #[test]
    fn what_is_needed_is_the_fewest_steps_at_the_end() {
        let training = training(1e-4);
        let run = &training.runs()[0];
        let method = library::method("hemiola-4-6").unwrap();
        let need = run.cost(&method, 1e-4).unwrap().unwrap();
        assert_eq!(need.evaluations, [4 * need.steps, 6 * need.steps]);
        let rival = run.best_single_rate(1e-4).unwrap().unwrap();
        let rk4 = run.cost(&library::method("rk4").unwrap(), 1e-4).unwrap().unwrap();
        assert!(rival.need.evaluations[0] <= rk4.evaluations[0]);
        assert_eq!(rival.need.evaluations.len(), 2);
    }
}
