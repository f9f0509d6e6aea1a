//! Pairs made for a system: the free coefficients minimize measured errors.
//!
//! The multistart search provides minima of the objective. From the best of them, the search increases the step size at
//! which runs reach the requested accuracy. Each round reduces the errors at a slightly longer step, then determines
//! the longest step that is accurate enough.

use hemiola_number::Progress;
use nalgebra::DVector;

use crate::error::DesignError;
use crate::optimize::descent::Minimum;
use crate::optimize::measured::{MeasuredPoint, MeasuredProblem};
use crate::optimize::problem::{Formulation, NOT_AT_ALL};
use crate::pair::partitions::FAST;
use crate::refinement::design::{Design, refined_design};
use crate::search::multistart::{Candidate, Search};
use crate::search::progress::{MEASURED, MeritCounter};
use crate::specification::definition::Specification;
use crate::specification::made_for::TargetSystems;
use crate::specification::stability::Stability;
use crate::terms::measure::Measure;

/// Factor by which the step is lengthened when the errors are small, and the norm of the measured values that
/// counts as small.
const LONGER: f64 = 1.06;
const ENOUGH: f64 = 0.9;
/// Relative decrease of the norm expected of an iteration, and the number of iterations accepted without it.
const GAIN: f64 = 0.01;
const PATIENCE: usize = 8;
/// First damping relative to the largest curvature, and the range of the damping at the start of each iteration.
const FIRST_DAMPING: f64 = 1e-3;
const DAMPINGS: [f64; 2] = [1e-12, 1e-1];
/// The search has converged if the ratio of the target step to the best step is smaller.
const NEAR: f64 = 1.02;
/// Number of iterations that rank the minima.
const RANKING: usize = 20;

/// A pair with the longest step at which it is as accurate as requested.
#[derive(Clone, Debug)]
struct FittedPair {
    x: DVector<f64>,
    step: f64,
    /// Whether the last iterations brought no progress.
    converged: bool,
}

/// Finds the pair that takes the longest step on a measured system at the requested error, according to
/// [`Specification::made_for`].
///
/// `progress` counts [`STARTS`](super::STARTS), [`DESCENTS`](super::DESCENTS) and [`MEASURED`] rounds. Its value in the
/// latter is the reciprocal of the longest step that is accurate enough. If it stops the search, the best pair so far
/// is completed.
///
/// ```
/// use hemiola_design::{TargetSystems, Measure, Specification, design_for};
/// use hemiola_tableau::Tableau;
/// /// The error of the fast polynomial on y' = iy, which is free beyond z².
/// struct Wave;
/// impl Measure for Wave {
///     fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
///         let fast = &tableau.partitions[1];
///         let cube: f64 = fast.b.iter().zip(fast.times(&fast.times(&[1.0; 4]))).map(|(b, v)| b * v).sum();
///         Some(vec![(cube - 1.0 / 6.0) * step.powi(3) / 1e-4])
///     }
///
///     fn step_range(&self) -> [f64; 2] {
///         [1e-3, 0.5]
///     }
/// }
/// let made_for = TargetSystems { training: vec!["a wave".into()], rounds: 3, candidates: 1, ..TargetSystems::default() };
/// let specification = Specification { starts: 4, made_for: Some(made_for), ..Specification::new(2, 4, None)? };
/// let design = design_for(&specification, &Wave, &())?;
/// let fast = &design.method.to_f64().partitions[1];
/// let cube: f64 = fast.b.iter().zip(fast.times(&fast.times(&[1.0; 4]))).map(|(b, v)| b * v).sum();
/// assert!((cube - 1.0 / 6.0).abs() < 0.01);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
///
/// # Errors
/// Returns [`DesignError::OutOfRange`] if the specification names no system, [`DesignError::Unmeasured`] if runs
/// break off at every step size, and the errors of [`design`](crate::design).
pub fn design_for(
    specification: &Specification,
    measure: &dyn Measure,
    progress: &dyn Progress,
) -> Result<Design, DesignError> {
    Search::new(specification, Vec::new())?.run_for(measure, progress)
}

impl Search<'_> {
    /// Runs the search and fits its best minima to a measure; see [`design_for`].
    ///
    /// # Errors
    /// Returns the errors of [`design_for`].
    pub fn run_for(&self, measure: &dyn Measure, progress: &dyn Progress) -> Result<Design, DesignError> {
        let made_for = self.specification.made_for.clone().unwrap_or_default();
        made_for.validate()?;
        let (minima, solved) = self.minima(progress);
        let minima = self.distinct(minima, made_for.candidates);
        let &Specification { starts, seed, .. } = self.specification;
        if minima.is_empty() {
            return Err(DesignError::NotFound { starts, seed, solved });
        }
        let mut released = self.specification.clone();
        if !made_for.keep_polynomial {
            released.stability[FAST] = Stability::Free;
            // The objective compares coupled steps with the limit of a known polynomial, but the polynomial is now
            // free. The measured system itself determines stability.
            released.objective.coupling = None;
        }
        let formulation = Formulation::new(&released)?;
        let fit = FitProblem { search: self, formulation: &formulation, measure, made_for: &made_for };
        let rounds = minima.len() * RANKING + made_for.rounds;
        let counter = MeritCounter::new(progress, MEASURED, rounds, "steps in a unit of time");
        let mut fitted: Vec<(usize, FittedPair)> = Vec::new();
        for (k, candidate) in minima.iter().enumerate() {
            if let Some(one) = fit.begun(candidate) {
                fitted.push((k, fit.followed(candidate, one, RANKING, &counter)));
            }
        }
        fitted.sort_by(|x, y| y.1.step.total_cmp(&x.1.step));
        let (k, best) = fitted.into_iter().next().ok_or(DesignError::Unmeasured)?;
        let best = fit.followed(&minima[k], best, made_for.rounds, &counter);
        if counter.is_stopped() {
            self.cut();
        }
        let problem = formulation.problem(self.unknowns[minima[k].choice].clone(), NOT_AT_ALL);
        let x = best.x.as_slice().to_vec();
        let minimum = Minimum { merit: problem.merit(&x), x, converged: best.converged };
        refined_design(&released, &problem, &self.choices[minima[k].choice], &minimum, self.counts(solved))
    }

    /// Returns the best minima within all bounds, each once, since many starts lead to the same minimum.
    fn distinct(&self, minima: Vec<Candidate>, most: usize) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in minima {
            let merit = candidate.minimum.merit;
            let is_new = found.iter().all(|other| (other.minimum.merit - merit).abs() > 1e-6 * merit);
            if is_new && found.len() < most && self.unknowns[candidate.choice].is_within(&candidate.minimum.x) {
                found.push(candidate);
            }
        }
        found
    }
}

/// Data common to all fits.
struct FitProblem<'a> {
    search: &'a Search<'a>,
    formulation: &'a Formulation,
    measure: &'a dyn Measure,
    made_for: &'a TargetSystems,
}

impl FitProblem<'_> {
    fn measured(&self, candidate: &Candidate) -> MeasuredProblem<'_> {
        let problem = self.formulation.problem(self.search.unknowns[candidate.choice].clone(), NOT_AT_ALL);
        MeasuredProblem { equations: problem.equations, measure: self.measure, fast_limit: self.made_for.fast_limit }
    }

    /// Returns the starting point at a minimum; `None` if no step is accurate enough.
    fn begun(&self, candidate: &Candidate) -> Option<FittedPair> {
        let x = DVector::from_column_slice(&candidate.minimum.x);
        let [least, most] = self.measure.step_range();
        let step = self.measured(candidate).largest_step(&x, most.min(least * 3e4))?;
        Some(FittedPair { x, step, converged: false })
    }

    /// Improves a pair until iterations bring no progress or the search is stopped.
    fn followed(
        &self,
        candidate: &Candidate,
        begin: FittedPair,
        steps: usize,
        counter: &MeritCounter<'_>,
    ) -> FittedPair {
        let measured = self.measured(candidate);
        let Some(mut climb) = StepLengthening::new(&measured, begin.clone()) else { return begin };
        for _ in 0..steps {
            if self.search.is_cut() || counter.is_stopped() || climb.best.converged {
                break;
            }
            climb.step();
            if counter.report(climb.best.step.recip()).is_break() {
                break;
            }
        }
        climb.keep_if_better();
        climb.best
    }
}

/// Levenberg–Marquardt iterations that reduce the errors at a target step, which is lengthened when they are small.
struct StepLengthening<'a> {
    measured: &'a MeasuredProblem<'a>,
    best: FittedPair,
    at: MeasuredPoint,
    /// The target step.
    aim: f64,
    damping: f64,
    /// The number of iterations that gained little.
    idle: usize,
}

impl<'a> StepLengthening<'a> {
    fn new(measured: &'a MeasuredProblem<'a>, best: FittedPair) -> Option<Self> {
        let at = measured.point(best.x.clone(), best.step, true)?;
        let aim = LONGER * best.step;
        Some(Self { measured, best, at, aim, damping: FIRST_DAMPING, idle: 0 })
    }

    fn step(&mut self) {
        let there = self.measured.point(self.at.x.clone(), self.aim, true);
        let there = there.or_else(|| stabilized(self.measured, &self.at, self.aim));
        let improved = there.and_then(|there| {
            let point = self.measured.improved(&there, self.aim, &mut self.damping)?;
            Some((there.norm(), point))
        });
        let mut is_enough = false;
        match improved {
            Some((before, point)) => {
                self.idle = if point.norm() < (1.0 - GAIN) * before { 0 } else { self.idle + 1 };
                is_enough = point.norm() < ENOUGH;
                self.at = point;
            }
            None => self.idle = PATIENCE,
        }
        self.damping = self.damping.clamp(DAMPINGS[0], DAMPINGS[1]);
        if is_enough || self.idle >= PATIENCE {
            self.keep_if_better();
            self.update_target(is_enough);
        }
    }

    /// Lengthens the target step if the errors are small, otherwise moves it halfway back.
    fn update_target(&mut self, is_enough: bool) {
        self.idle = 0;
        if is_enough {
            self.aim = LONGER * self.aim.max(self.best.step);
        } else if self.aim > NEAR * self.best.step {
            self.aim = (self.aim * self.best.step).sqrt();
        } else {
            self.best.converged = true;
        }
    }

    fn keep_if_better(&mut self) {
        let x = &self.at.x;
        let step = self.measured.largest_step(x, self.aim).filter(|step| *step > self.best.step);
        if let Some(step) = step.filter(|_| self.measured.equations.unknowns.is_within(x.as_slice())) {
            (self.best.x, self.best.step) = (x.clone(), step);
        }
    }
}

/// Finds a pair nearby whose runs do not break off.
fn stabilized(measured: &MeasuredProblem, from: &MeasuredPoint, step: f64) -> Option<MeasuredPoint> {
    const STEPS: usize = 10;
    let (mut at, mut damping) = (measured.point(from.x.clone(), step, false)?, 1e-6);
    for _ in 0..STEPS {
        at = measured.improved(&at, step, &mut damping)?;
        if let Some(point) = measured.point(at.x.clone(), step, true) {
            return Some(point);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_number::Update;
    use hemiola_stability::stability_matrix;
    use hemiola_tableau::Tableau;
    use num_complex::Complex64;
    use std::ops::ControlFlow;

    /// Two weakly coupled oscillations over one unit of time, one four times as fast, compared with runs at steps 32
    /// times shorter.
    struct Oscillations {
        error: f64,
    }

    impl Oscillations {
        fn run(tableau: &Tableau<f64>, steps: usize) -> Option<[Complex64; 2]> {
            let z = |re: f64, im: f64| Complex64::new(re, im) / steps as f64;
            let matrix =
                stability_matrix(tableau, &[vec![z(-0.2, 3.0), z(0.4, 0.0)], vec![z(-0.5, 0.0), z(-0.3, 12.0)]])
                    .ok()?;
            let step = |q: [Complex64; 2]| [0, 1].map(|i| matrix[i][0] * q[0] + matrix[i][1] * q[1]);
            Some((0..steps).fold([Complex64::ONE; 2], |q, _| step(q)))
        }
    }

    impl Measure for Oscillations {
        fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
            let steps = (1.0 / step).round().max(1.0) as usize;
            let (found, exact) = (Self::run(tableau, steps)?, Self::run(tableau, 32 * steps)?);
            let difference = (found[0] - exact[0]) / self.error;
            Some(vec![difference.re, difference.im])
        }

        fn step_range(&self) -> [f64; 2] {
            [1e-3, 0.2]
        }
    }

    fn specification(rounds: usize) -> Specification {
        let made_for =
            TargetSystems { training: vec!["oscillations".into()], rounds, candidates: 2, ..TargetSystems::default() };
        Specification { starts: 8, made_for: Some(made_for), ..Specification::new(2, 4, None).unwrap() }
    }

    #[test]
    fn what_is_made_for_a_system_takes_longer_steps_on_it() {
        let measure = Oscillations { error: 1e-3 };
        let error = |design: &Design, steps: usize| {
            let deviations = measure.deviations(&design.method.to_f64(), 1.0 / steps as f64).unwrap();
            deviations[0].hypot(deviations[1])
        };
        let plain = crate::design(&specification(1), &()).unwrap();
        let made = design_for(&specification(40), &measure, &()).unwrap();
        let fewest = |design: &Design| (1..1000).find(|&steps| error(design, steps) <= 1.0).unwrap();
        assert!(10 * fewest(&made) < 7 * fewest(&plain), "{} {}", fewest(&made), fewest(&plain));
        // The conditions of order 2 hold as in every design, and repeating the search gives the same method.
        assert!(matches!(made.certificate.status, crate::ProofStatus::Enclosed { radius, .. } if radius < 1e-30));
        assert_eq!(design_for(&specification(40), &measure, &()).unwrap().method, made.method);
        assert!(made.method.source().note.as_deref().is_some_and(|note| note.contains("Made for oscillations")));
    }

    #[test]
    fn a_polynomial_is_kept_if_that_is_asked_for() {
        let mut kept = specification(5);
        kept.made_for = kept.made_for.map(|made_for| TargetSystems { keep_polynomial: true, ..made_for });
        let design = design_for(&kept, &Oscillations { error: 1e-3 }, &()).unwrap();
        let fast = &design.method.to_f64().partitions[FAST];
        let moment = fast.b.iter().zip(fast.times(&fast.times(&[1.0; 4]))).map(|(b, v)| b * v).sum::<f64>();
        let beta = kept.polynomials().unwrap()[FAST].as_ref().unwrap()[3].to_f64().value();
        assert!((moment - beta).abs() < 1e-14, "{moment} {beta}");
    }

    #[test]
    fn a_search_that_is_broken_off_keeps_what_it_has() {
        let measure = Oscillations { error: 1e-3 };
        let hurried = |progress: Update<'_>| match progress.phase {
            MEASURED if progress.done >= 3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let design = design_for(&specification(40), &measure, &hurried).unwrap();
        assert!(design.interrupted && design.method.claims().order == Some(2));
        // An error that no step reaches, and a specification without a system.
        let impossible = design_for(&specification(1), &Oscillations { error: 1e-30 }, &());
        assert!(matches!(impossible, Err(DesignError::Unmeasured)));
        let nothing = Specification { made_for: None, ..specification(1) };
        assert!(matches!(design_for(&nothing, &measure, &()), Err(DesignError::OutOfRange { .. })));
    }
}
