//! Runs on which pairs are measured: how far they are off, at a step, from solutions that are computed once.
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
//! let need = training.runs()[0].need(&pair, 1e-3)?.expect("a mild problem");
//! assert_eq!(need.evaluations, [4 * need.steps, 6 * need.steps]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use hemiola_integrate::{
    AnyStepper, Comparison, Explicit, Extras, Outcome, Reference, Stepper, System, each_once, fewest_steps,
};
use hemiola_models::Model;
use hemiola_stability::{BlockSystem, StabilityFunction};
use hemiola_tableau::{Method, Tableau, library};
use num_complex::Complex64;

use crate::{Progress, StudyError};

/// The times during a run at which errors count, the last at its end: each is a multiple of every step that is taken.
const SAMPLES: u64 = 10;
/// The share of the end in the mean square of a run: it is the error there that is compared.
const END: f64 = 0.5;
/// The parts of a step at which errors count, too, and their weight: a pair that is accurate at one step alone is of no use.
const SHORTER: [(f64, f64); 3] = [(1.0, 1.0), (0.8, 0.8), (0.62, 0.8)];
/// The multiples of a step at which growth is looked at: shorter steps are to be stable, too, and a little longer ones.
const MULTIPLES: [f64; 5] = [0.2, 0.4, 0.6, 0.75, 0.9];
/// Those at which the coupled system is looked at, whose eigenvalues take longer, and how many of the largest of these count.
const COUPLED: [f64; 2] = [1.0, 1.03];
const LARGEST: usize = 6;
/// Motions with a smaller h|λ| are accurate, and say nothing of stability.
const SLOW: f64 = 0.3;
/// The largest modulus that is allowed: the motion itself moves them.
const MODULUS: f64 = 0.998;
/// Growth in a step that weighs as much as the error that is wanted: a thousand steps show it.
const GROWTH: f64 = 3e-3;
/// No run has more steps.
const MOST_STEPS: u64 = 1 << 22;

/// Runs of systems with an error that is wanted at their ends.
pub struct Training {
    runs: Vec<TrainingRun>,
    error: f64,
}

/// One system from its initial state.
pub struct TrainingRun {
    /// The model with its parameters, as requested.
    pub name: String,
    model: Model,
    end: f64,
    variables: Vec<usize>,
    /// The solution at the times that count.
    states: Vec<Vec<f64>>,
    reference: Reference,
    /// The system at its beginning and in the middle of the run, with the eigenvalues of its partitions.
    linearized: Vec<(BlockSystem, Vec<Vec<Complex64>>)>,
}

/// What a method needs for the error that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The fewest equal steps.
    pub steps: u64,
    /// The evaluations of each partition in all of them.
    pub evaluations: Vec<u64>,
}

impl TrainingRun {
    /// A run of a model; the solution is computed here.
    ///
    /// # Errors
    /// [`StudyError`] if there is no reference solution, or it was interrupted.
    pub fn new(
        model: Model,
        name: &str,
        end: f64,
        variables: Vec<usize>,
        progress: &dyn Progress,
    ) -> Result<Self, StudyError> {
        let goes_on = || !progress.is_interrupted();
        let mut states = Vec::new();
        let mut y = model.initial.clone();
        let (mut scale, mut uncertainty) = (vec![0.0f64; y.len()], 0.0f64);
        for k in 0..SAMPLES {
            let span = [k, k + 1].map(|k| end * k as f64 / SAMPLES as f64);
            let found = Reference::computed(&model, span, &y, end, &goes_on);
            let (part, _) = found.map_err(|outcome| match outcome {
                Outcome::Stopped => StudyError::InterruptedReference,
                outcome => StudyError::NoReference { outcome },
            })?;
            scale.iter_mut().zip(&part.scale).for_each(|(scale, part)| *scale = scale.max(*part));
            uncertainty += part.uncertainty;
            y.clone_from(&part.end);
            states.push(part.end);
        }
        progress.advance(1);
        let reference = Reference { end: y, scale, uncertainty };
        let half = SAMPLES as usize / 2;
        let middle = (end * half as f64 / SAMPLES as f64, &states[half - 1]);
        let linearized = [(0.0, &model.initial), middle]
            .map(|(t, state)| linearized(&model, t, state))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { name: name.to_owned(), model, end, variables, states, reference, linearized })
    }

    /// The errors of a pair over the wanted one, in the mean over the run: `None` if it breaks off.
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

    /// The growth of the fastest motions in steps up to a little more than this one, beyond what is allowed.
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

    /// The steps between two samples for a step of about this size.
    fn steps(&self, step: f64) -> u64 {
        ((self.end / SAMPLES as f64 / step).round() as u64).max(1)
    }

    /// The fewest equal steps, to one percent, with which a method reaches an error at the end; `None` if it takes too many.
    ///
    /// # Errors
    /// [`StudyError`] if the method does not fit the model.
    pub fn need(&self, method: &Method, error: f64) -> Result<Option<Need>, StudyError> {
        self.need_within(method, error, MOST_STEPS)
    }

    fn need_within(&self, method: &Method, error: f64, most: u64) -> Result<Option<Need>, StudyError> {
        let stepper = AnyStepper::new(method, &hemiola_integrate::Counted::new(&self.model), Extras::default())?;
        let comparison: Comparison<'_, Model> = self.model.comparison(self.end, &self.reference, &self.variables);
        let mut sample = each_once(|steps| comparison.sample(&mut stepper.clone(), steps, &|| true));
        let fewest = fewest_steps(|steps| sample(steps).error, error, most);
        Ok(fewest.map(|steps| Need { steps, evaluations: sample(steps).evaluations }))
    }
}

/// The method with one partition that needs the fewest evaluations.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// Its id.
    pub id: String,
    /// What it needs.
    pub need: Need,
}

impl TrainingRun {
    /// The explicit method with one partition of the embedded library that reaches an error with the fewest slow evaluations; `None` if there
    /// is none.
    ///
    /// # Errors
    /// [`StudyError`] if a method of the library cannot be read.
    pub fn best_single_rate(&self, error: f64) -> Result<Option<Rival>, StudyError> {
        let mut best: Option<Rival> = None;
        for id in library::ids() {
            let method = library::method(id)?;
            let tableau = method.to_f64();
            if method.partitions().len() > 1 || !tableau.is_explicit() {
                continue;
            }
            // What takes more than the best so far need not be searched for.
            let stages = tableau.partitions[0].evaluated_stages().len().max(1) as u64;
            let limit = best.as_ref().map_or(MOST_STEPS, |best| 2 * best.need.evaluations[0] / stages);
            if let Some(need) = self.need_within(&method, error, limit)?
                && best.as_ref().is_none_or(|best| need.evaluations[0] < best.need.evaluations[0])
            {
                best = Some(Rival { id: id.to_owned(), need });
            }
        }
        Ok(best)
    }
}

/// The system at a state, and the eigenvalues of its partitions with a positive imaginary part or none.
fn linearized(model: &Model, t: f64, state: &[f64]) -> Result<(BlockSystem, Vec<Vec<Complex64>>), StudyError> {
    let system = BlockSystem::new(&model.jacobian_at(t, state), model.partition())?;
    let upper = |values: Vec<Complex64>| values.into_iter().filter(|value| value.im >= 0.0).collect();
    let values = (0..model.sizes().len()).map(|r| Ok(upper(system.block_eigenvalues(r)?)));
    let values = values.collect::<Result<Vec<_>, StudyError>>()?;
    Ok((system, values))
}

impl Training {
    /// Runs with the error that is wanted, relative to the largest modulus of each variable.
    #[must_use]
    pub fn new(runs: Vec<TrainingRun>, error: f64) -> Self {
        Self { runs, error }
    }

    /// The runs.
    #[must_use]
    pub fn runs(&self) -> &[TrainingRun] {
        &self.runs
    }

    /// The errors of all runs, each times the error of its run, over the square of the wanted one: their sum of squares is the mean over
    /// runs of the fourth power of a run's error, which is the root of the mean over its times of the sum over variables. So the
    /// worst run counts most, as it does for whoever wants the error everywhere. `None` if a run breaks off.
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

    /// How much faster than allowed perturbations grow in steps up to a little more than this one, from the linearized systems: stable
    /// where nothing is positive.
    #[must_use]
    pub fn growth(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        for run in &self.runs {
            run.growth(tableau, step, &mut all)?;
        }
        all.iter().all(|growth| growth.is_finite()).then_some(all)
    }

    /// The shortest and the longest step that are of any use.
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
        // Order four, and in proportion to what is wanted.
        let order = (at(1e-3, 0.005) / at(1e-3, 0.0025)).log2();
        assert!((order - 4.0).abs() < 0.3, "{order}");
        assert!((at(1e-4, 0.005) / at(1e-3, 0.005) - 10.0).abs() < 1e-9);
        // Beyond stability runs grow, and break off at last.
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
        let need = run.need(&method, 1e-4).unwrap().unwrap();
        assert_eq!(need.evaluations, [4 * need.steps, 6 * need.steps]);
        let rival = run.best_single_rate(1e-4).unwrap().unwrap();
        let rk4 = run.need(&library::method("rk4").unwrap(), 1e-4).unwrap().unwrap();
        assert!(rival.need.evaluations[0] <= rk4.evaluations[0]);
        assert_eq!(rival.need.evaluations.len(), 2);
    }
}
