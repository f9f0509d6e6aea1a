//! Reference solutions.

use hemiola_number::{Counter, Progress, Update};
use hemiola_tableau::library;

use crate::problem::system::System;
use crate::stages::partition_tableaus::Extras;
use crate::step_control::embedded::Embedded;
use crate::step_control::run::Outcome;
use crate::step_control::track::Track;
use crate::steppers::explicit::Explicit;

/// Method of reference solutions: the pair of orders 8 and 7 by P. J. Prince and J. R. Dormand (1981).
const METHOD: &str = "dormand-prince-8";
/// Order of its error estimate.
const ORDER: usize = 7;
/// Relative tolerances, tried in turn until the end is reached.
///
/// In models with stiff springs between distant points, rounding alone causes errors above the smallest tolerance, and
/// no step is small enough. A second run with ten times the tolerance shows the accuracy of the solution.
const TOLERANCES: [f64; 3] = [1e-13, 1e-12, 1e-11];
/// Ratio of the absolute to the relative tolerance. It makes variables that are small compared with others, or zero for
/// a while, as accurate as the others.
const ABSOLUTE: f64 = 1e-3;
/// Maximum number of steps for each tolerance. Problems that need more are too stiff for an explicit method.
const LIMITS: [u64; 3] = [200_000, 200_000, 2_000_000];
/// Parts of the interval that are reported for each solution.
const PARTS: usize = 100;

/// A reference solution at the end of an interval, from which errors are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The state at the end.
    pub end: Vec<f64>,
    /// The largest modulus of each variable during the run. Variables that are zero except for rounding have the scale
    /// of the largest variable.
    pub scale: Vec<f64>,
    /// The uncertainty of the scaled state. Smaller differences do not count as errors of the compared method.
    pub uncertainty: f64,
}

impl Reference {
    /// Takes a solution known in closed form, sampled at `places` + 1 equally spaced times to find its scale.
    ///
    /// ```
    /// use hemiola_integrate::Reference;
    /// let sine = |t: f64| vec![t.sin()];
    /// let trusted = |end| Reference::exact(sine, [0.0, end], 100).uncertainty;
    /// assert!(trusted(1.0) < 1e-14 && trusted(1e6) > 1e-11); // a million radians are known to 1e-10
    /// ```
    #[must_use]
    pub fn exact(solution: impl Fn(f64) -> Vec<f64>, [start, end]: [f64; 2], places: u32) -> Self {
        let mut scale = Vec::new();
        for k in 0..=places {
            update_scale(&mut scale, &solution(start + (end - start) * f64::from(k) / f64::from(places)));
        }
        let known = Self { end: solution(end), scale, uncertainty: 0.0 };
        // Rounding of the time counts as an error of the solution: it is large in phases after many revolutions.
        let everything: Vec<usize> = (0..known.end.len()).collect();
        let rounded = known.error(&solution(end * (1.0 + f64::EPSILON)), &everything);
        Self { uncertainty: 4.0 * rounded.max(f64::EPSILON), ..known }
    }

    /// Computes a solution by an explicit method of order eight with an error of about 1e-13 per step (1e-12 or 1e-11
    /// if rounding requires it). The track holds states at least `spacing` apart.
    ///
    /// ```
    /// # use hemiola_integrate::{Reference, System};
    /// # struct Decay;
    /// # impl System for Decay {
    /// #     fn sizes(&self) -> &[usize] { &[1] }
    /// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
    /// # }
    /// let (reference, track) = Reference::computed(&Decay, [0.0, 1.0], &[2.0], 0.0, &())?;
    /// assert!((reference.end[0] - 2.0 * f64::exp(-1.0)).abs() < 1e-12 && reference.scale == [2.0]);
    /// let error = |(t, y): (&f64, &Vec<f64>)| (y[0] - 2.0 * f64::exp(-t)).abs();
    /// assert!(track.times.iter().zip(&track.states).all(|state| error(state) < 1e-12) && track.times[0] == 0.0);
    /// # Ok::<(), hemiola_integrate::Outcome>(())
    /// ```
    ///
    /// # Errors
    /// The [`Outcome`] if the end is not reached: the problem may be stiff or have no solution up to the end, or
    /// `progress` stopped it. It counts parts of the interval, over both solutions.
    pub fn computed<S: System + ?Sized>(
        system: &S,
        span: [f64; 2],
        start: &[f64],
        spacing: f64,
        progress: &dyn Progress,
    ) -> Result<(Self, Track), Outcome> {
        Self::computed_to(TOLERANCES[0], system, span, start, spacing, progress)
    }

    /// Computes a solution like [`computed`](Self::computed) with an error of about `tolerance` per step.
    ///
    /// This is faster where the last digits do not matter: a tolerance that rounding does not allow may take ten times
    /// as many steps as the next larger one.
    ///
    /// # Errors
    /// See [`computed`](Self::computed).
    pub fn computed_to<S: System + ?Sized>(
        tolerance: f64,
        system: &S,
        span: [f64; 2],
        start: &[f64],
        spacing: f64,
        progress: &dyn Progress,
    ) -> Result<(Self, Track), Outcome> {
        let solved = |relative, limit, spacing, done: usize| {
            let share = |update: Update<'_>| {
                progress.report(Update { done: done + update.done, total: Some(2 * PARTS), ..update })
            };
            solved(system, span, start, (relative, limit), spacing, &share)
        };
        let mut outcome = Outcome::Finished;
        let coarser = TOLERANCES.into_iter().zip(LIMITS).filter(|(coarser, _)| *coarser > tolerance);
        for (tolerance, limit) in std::iter::once((tolerance, LIMITS[0])).chain(coarser) {
            // The more accurate run is the first to fail.
            match solved(tolerance, limit, spacing, 0) {
                Ok((end, scale, track)) => {
                    let (rough, _, _) = solved(10.0 * tolerance, limit, f64::INFINITY, PARTS)?;
                    return Ok((Self::from_two_solutions(end, scale, &rough), track));
                }
                Err(Outcome::Stopped) => return Err(Outcome::Stopped),
                Err(problem) => outcome = problem,
            }
        }
        Err(outcome)
    }

    /// Takes the better of two solutions, with their difference as its uncertainty: it is closer to the exact solution
    /// than the two are to each other.
    ///
    /// In a variable that is zero by symmetry both solutions are pure rounding and agree in no digit. Its error is
    /// measured in units of the largest variable, which causes the rounding.
    fn from_two_solutions(end: Vec<f64>, mut scale: Vec<f64>, rough: &[f64]) -> Self {
        let largest = scale.iter().copied().fold(0.0, f64::max);
        for (i, scale) in scale.iter_mut().enumerate() {
            if *scale < f64::EPSILON.sqrt() * largest && (end[i] - rough[i]).abs() > 0.1 * *scale {
                *scale = largest;
            }
        }
        let mut reference = Self { end, scale, uncertainty: 0.0 };
        let everything: Vec<usize> = (0..rough.len()).collect();
        reference.uncertainty = reference.error(rough, &everything).max(4.0 * f64::EPSILON);
        reference
    }

    /// Returns the largest error of some variables, each relative to its scale.
    #[must_use]
    pub fn error(&self, y: &[f64], variables: &[usize]) -> f64 {
        let scaled = |&i: &usize| {
            let difference = (y[i] - self.end[i]).abs();
            match difference {
                0.0 => 0.0,
                // NaN counts as infinite; `max` would ignore it.
                _ if difference.is_nan() => f64::INFINITY,
                _ => difference / self.scale[i],
            }
        };
        variables.iter().map(scaled).fold(0.0, f64::max)
    }
}

/// The last state, the largest moduli and the track of a run.
type ReferenceRun = (Vec<f64>, Vec<f64>, Track);

fn solved<S: System + ?Sized>(
    system: &S,
    span: [f64; 2],
    start: &[f64],
    (relative, limit): (f64, u64),
    spacing: f64,
    progress: &dyn Progress,
) -> Result<ReferenceRun, Outcome> {
    // Tests guarantee that the library contains the method and that it is explicit and embedded.
    let method = library::method(METHOD).map_err(|_| Outcome::Stopped)?;
    let extras = Extras { estimate: true, dense: false };
    let mut stepper = Explicit::with(&method, system, extras).map_err(|_| Outcome::Stopped)?;
    let (mut scale, mut track) = (Vec::new(), Track::new(spacing));
    update_scale(&mut scale, start);
    track.add(span[0], start);
    let (mut y, counter, mut seen) = (start.to_vec(), Counter::new(progress, "parts", Some(PARTS)), 0);
    let control = Embedded { relative, absolute: ABSOLUTE * relative, limit, ..Embedded::new(ORDER) };
    let run = control.run(&mut stepper, system, span, &mut y, &mut |step| {
        update_scale(&mut scale, step.y);
        track.add(step.t, step.y);
        let reached = ((step.t - span[0]) / (span[1] - span[0]) * PARTS as f64) as usize;
        let more = reached.saturating_sub(seen);
        seen += more;
        counter.advance(more)
    });
    if run.outcome == Outcome::Finished { Ok((y, scale, track)) } else { Err(run.outcome) }
}

/// Updates the largest moduli with a state.
fn update_scale(scale: &mut Vec<f64>, y: &[f64]) {
    scale.resize(y.len(), 0.0);
    for (scale, y) in scale.iter_mut().zip(y) {
        *scale = scale.max(y.abs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An oscillation, and a variable that is zero except for the rounding of its rate.
    struct Symmetric;

    impl System for Symmetric {
        fn sizes(&self) -> &[usize] {
            &[3]
        }

        fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
            let far = y[0] + 1e3;
            rate.copy_from_slice(&[y[1], -y[0], (far - 1e3) - y[0] - y[2]]);
        }
    }

    #[test]
    fn what_is_zero_by_symmetry_is_no_error() {
        let (reference, _) = Reference::computed(&Symmetric, [0.0, 20.0], &[1.0, 0.0, 0.0], 1.0, &()).unwrap();
        assert!(reference.end[2] != 0.0 && reference.end[2].abs() < 1e-12, "{}", reference.end[2]);
        assert!(reference.uncertainty < 1e-9, "{}", reference.uncertainty);
        let y = [reference.end[0] + 1e-6, reference.end[1], 0.0];
        assert!((reference.error(&y, &[0, 1, 2]) - 1e-6).abs() < 1e-8);
    }
}
