//! Multirate infinitesimal methods: slow stages, and between them micro-steps of an inner method for the fast system.
//!
//! `plan` holds the rows of the method, `slow` the systems that are solved within a step, and `fast` the solver of the
//! fast system.

mod fast;
mod plan;
mod slow;

use std::ops::Range;
use std::sync::Arc;

use hemiola_multirate::InfinitesimalMethod;
use hemiola_tableau::{Method, library};

use crate::error::{MethodMismatch, StepError};
use crate::problem::system::{System, ranges, rates};
use crate::stages::partition_tableaus::Extras;
use crate::steppers::implicit::Implicit;
use crate::steppers::state_point::StatePoint;
use crate::steppers::stepper::Stepper;
use fast::FastSolver;
pub use fast::MicroSteps;
use plan::{Plan, Row, Term};
use slow::{Forced, OwnStage};

/// A multirate infinitesimal method with an inner method for the fast system.
///
/// The last partition of the system is the fast one, as in pairs. In each interval the inner method advances all
/// variables: the fast ones by their rates, and the slow ones by the polynomials γ(τ) of the method, as in MRIStep of
/// SUNDIALS (Sandu, SIAM J. Numer. Anal. 57, 2019, definition 2.1). Starts and drifts (Wensch, Knoth & Galant, BIT 49,
/// 2009) move all variables. For an internally consistent method with equal micro-steps, a step agrees with that of the
/// pair that [`InfinitesimalMethod::expand`] builds, but its cost is proportional to the number of micro-steps rather
/// than to its square.
///
/// A stage that is implicit in a slow partition is solved by Newton iterations to rounding. Slopes of the slow
/// partitions at the beginning of a step are reused if the step is repeated with another H. The error estimate is the
/// difference from the embedded row, whose interval takes additional micro-steps. Dense output is the cubic polynomial
/// through both ends of the step with their slopes; it does not resolve fast variables within a step. Adaptive
/// micro-steps allocate in each interval.
///
/// ```
/// use hemiola_integrate::{Counted, Extras, MicroSteps, MultirateStepper, Stepper, System};
/// # struct Pair;
/// # impl System for Pair {
/// #     fn sizes(&self) -> &[usize] { &[1, 1] }
/// #     fn rate(&self, r: usize, _: f64, y: &[f64], rate: &mut [f64]) {
/// #         rate[0] = if r == 0 { 0.1 * y[1] - y[0] } else { y[0] - 50.0 * y[1] };
/// #     }
/// # }
/// let method = hemiola_multirate::library::method("mri-gark-erk33a")?;
/// let inner = hemiola_tableau::library::method("kutta-3")?;
/// let system = Counted::new(&Pair);
/// let mut stepper = MultirateStepper::new(&method, &inner, MicroSteps::Equal(4), &system, Extras::default())?;
/// stepper.step(&system, 0.0, 0.1, &mut [1.0, 0.0])?;
/// // Three slow stages, and three intervals of four steps with three stages.
/// assert_eq!(system.evaluations(), [3, 36]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultirateStepper {
    plan: Arc<Plan>,
    places: Vec<Range<usize>>,
    fast: FastSolver,
    /// The solver of implicit stages: a step of the implicit Euler method.
    implicit: Option<Box<Implicit>>,
    /// The values Y₁ … Y_{s+1} and that of the embedded row.
    values: Vec<f64>,
    /// The slow slopes at Y₁ … Y_{s+1}.
    slopes: Vec<f64>,
    /// The coefficients of τᵏ in the slow rates of an interval.
    polynomials: Vec<f64>,
    /// The beginning of the step, and whether the slopes of each slow partition are known there.
    begin: StatePoint,
    known: Vec<bool>,
    /// All slopes at both ends of the last step, if there is dense output.
    ends: Option<Ends>,
    /// The size of the last step, if it was made.
    made: Option<f64>,
}

/// The ends of a step with their slopes.
#[derive(Clone, Debug)]
struct Ends {
    first: Vec<f64>,
    is_first_known: bool,
    last: Vec<f64>,
    end: StatePoint,
}

impl MultirateStepper {
    /// Prepares a method and its inner method for systems with the same partitions as `system`.
    ///
    /// # Errors
    /// [`MethodMismatch`] if the numbers of partitions differ, a stage is coupled, the inner method has several
    /// partitions or lacks the embedded weights that adaptive micro-steps need, or if an estimate is required of a
    /// method without embedded row.
    pub fn new<S: System + ?Sized>(
        method: &InfinitesimalMethod,
        inner: &Method,
        steps: MicroSteps,
        system: &S,
        extras: Extras,
    ) -> Result<Self, MethodMismatch> {
        let (sizes, found) = (system.sizes(), method.partitions().len());
        if found != sizes.len() {
            return Err(MethodMismatch::Partitions { method: method.id().to_owned(), found, expected: sizes.len() });
        }
        method.require_decoupled().map_err(|error| MethodMismatch::Coupled { message: error.to_string() })?;
        if extras.estimate && method.embedded().is_none() {
            return Err(MethodMismatch::NoEstimate { method: method.id().to_owned() });
        }
        let plan = Plan::new(method, extras.estimate);
        let n: usize = sizes.iter().sum();
        let stages = plan.rows.len() + 1;
        let ends =
            || Ends { first: vec![0.0; n], is_first_known: false, last: vec![0.0; n], end: StatePoint::nowhere(n) };
        Ok(Self {
            fast: FastSolver::new(inner, steps, system)?,
            implicit: implicit_euler(&plan, system)?,
            places: ranges(sizes),
            values: vec![0.0; (stages + 1) * n],
            slopes: vec![0.0; stages * n],
            polynomials: vec![0.0; plan.powers * n],
            begin: StatePoint::nowhere(n),
            known: vec![false; found - 1],
            ends: extras.dense.then(ends),
            made: None,
            plan: Arc::new(plan),
        })
    }

    /// Moves the beginning to (t, y), with any slopes known there.
    fn move_to(&mut self, t: f64, h: f64, y: &[f64]) {
        self.made = None;
        if self.begin.matches(t, h, y) {
            return;
        }
        self.begin.set(t, y);
        self.known.fill(false);
        if let Some(ends) = &mut self.ends {
            ends.is_first_known = ends.end.matches(t, h, y);
            if ends.is_first_known {
                ends.first.copy_from_slice(&ends.last);
                self.slopes[..y.len()].copy_from_slice(&ends.last);
                self.known.fill(true);
            }
        }
    }

    /// Evaluates the slow slopes at the beginning that are needed and not known.
    fn evaluate_first<S: System + ?Sized>(&mut self, system: &S) {
        for (r, known) in self.known.iter_mut().enumerate() {
            if !*known && self.plan.is_needed[0][r] {
                let place = self.places[r].clone();
                system.rate(r, self.begin.t, &self.begin.y, &mut self.slopes[place]);
                *known = true;
            }
        }
    }

    /// Computes the value of a row at the index `own`. If the row is a stage, the slopes of implicit partitions there
    /// are stored.
    fn advance<S: System + ?Sized>(&mut self, system: &S, h: f64, row: &Row, own: usize) -> Result<(), StepError> {
        let (n, t) = (self.begin.y.len(), self.begin.t);
        self.values.copy_within(row.from * n..(row.from + 1) * n, own * n);
        let (earlier, value) = self.values.split_at_mut(own * n);
        let value = &mut value[..n];
        add_differences(value, &row.offsets, 1.0, earlier);
        if row.interval == 0.0 {
            add_differences(value, &row.drift, 1.0, earlier);
        } else {
            self.polynomials.fill(0.0);
            for term in &row.forcing {
                let sums = &mut self.polynomials[term.power * n..(term.power + 1) * n];
                add(sums, term, 1.0, &self.slopes, &self.places);
            }
            let (start, length) = (t + row.start * h, row.interval * h);
            add_differences(&mut self.polynomials[..n], &row.drift, 1.0 / length, earlier);
            let speed = (row.end - row.start) / row.interval;
            let (places, polynomials, is_simple) = (&self.places[..], &self.polynomials[..], self.plan.is_simple);
            let forced = Forced { system, places, polynomials, n, start, length, speed, is_simple };
            self.fast.solve(&forced, value)?;
        }
        for term in &row.correction {
            add(value, term, h, &self.slopes, &self.places);
        }
        if let Some(implicit) = self.implicit.as_mut().filter(|_| row.is_implicit()) {
            let t = t + row.end * h;
            implicit.step(&OwnStage { system, places: &self.places, own: &row.own, t }, t, h, value)?;
        }
        Ok(())
    }

    /// Evaluates the slow slopes at a stage that later ones need.
    fn evaluate<S: System + ?Sized>(&mut self, system: &S, h: f64, row: &Row, own: usize) {
        let n = self.begin.y.len();
        for (r, place) in self.places[..row.own.len()].iter().enumerate().filter(|(r, _)| self.plan.is_needed[own][*r])
        {
            let slope = &mut self.slopes[own * n + place.start..own * n + place.end];
            match &self.implicit {
                // The Newton iterations yield the slope times its coefficient.
                Some(implicit) if row.own[r] != 0.0 => {
                    let solved = &implicit.slopes(0)[place.clone()];
                    slope.iter_mut().zip(solved).for_each(|(slope, solved)| *slope = solved / row.own[r]);
                }
                _ => system.rate(r, self.begin.t + row.end * h, &self.values[own * n..(own + 1) * n], slope),
            }
        }
    }

    /// Computes all rows.
    fn advance_all<S: System + ?Sized>(&mut self, system: &S, h: f64, plan: &Plan) -> Result<(), StepError> {
        self.evaluate_first(system);
        let n = self.begin.y.len();
        self.values[..n].copy_from_slice(&self.begin.y);
        for (e, row) in plan.rows.iter().enumerate() {
            self.advance(system, h, row, e + 1)?;
            self.evaluate(system, h, row, e + 1);
        }
        plan.embedded.as_ref().map_or(Ok(()), |row| self.advance(system, h, row, plan.rows.len() + 1))
    }

    /// Returns a value of the last step.
    fn value(&self, index: usize) -> &[f64] {
        let n = self.begin.y.len();
        &self.values[index * n..(index + 1) * n]
    }

    /// Evaluates the slopes at the ends of the step.
    fn evaluate_ends<S: System + ?Sized>(&mut self, system: &S, h: f64) {
        let Some(ends) = &mut self.ends else { return };
        if !ends.is_first_known {
            for (r, place) in self.places.iter().enumerate() {
                let first = &mut ends.first[place.clone()];
                if self.known.get(r).copied().unwrap_or(false) {
                    first.copy_from_slice(&self.slopes[place.clone()]);
                } else {
                    system.rate(r, self.begin.t, &self.begin.y, first);
                }
            }
        }
        ends.is_first_known = true;
        let n = self.begin.y.len();
        let result = &self.values[self.plan.rows.len() * n..][..n];
        ends.end.set(self.begin.t + h, result);
        rates(system, self.begin.t + h, result, &mut ends.last);
    }
}

/// Prepares the solver of implicit stages, if there are any.
fn implicit_euler<S: System + ?Sized>(plan: &Plan, system: &S) -> Result<Option<Box<Implicit>>, MethodMismatch> {
    if !plan.rows.iter().chain(&plan.embedded).any(Row::is_implicit) {
        return Ok(None);
    }
    // A test guarantees that the library has the method.
    let method =
        library::method("implicit-euler").map_err(|error| MethodMismatch::Coupled { message: error.to_string() })?;
    Ok(Some(Box::new(Implicit::new(&method, system)?)))
}

/// Adds the differences Y_{j+1} − Y₁ of earlier stages with coefficients, times a factor.
fn add_differences(sums: &mut [f64], coefficients: &[(usize, f64)], factor: f64, earlier: &[f64]) {
    let n = sums.len();
    for &(j, coefficient) in coefficients {
        let (first, stage) = (&earlier[..n], &earlier[j * n..(j + 1) * n]);
        for ((sum, y), first) in sums.iter_mut().zip(stage).zip(first) {
            *sum += factor * coefficient * (y - first);
        }
    }
}

/// Adds a term to the variables of its partition.
fn add(sums: &mut [f64], term: &Term, factor: f64, slopes: &[f64], places: &[Range<usize>]) {
    let (n, place) = (sums.len(), places[term.partition].clone());
    let slope = &slopes[term.stage * n + place.start..term.stage * n + place.end];
    for (sum, slope) in sums[place].iter_mut().zip(slope) {
        *sum += factor * term.coefficient * slope;
    }
}

impl<S: System + ?Sized> Stepper<S> for MultirateStepper {
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        self.move_to(t, h, y);
        let plan = Arc::clone(&self.plan);
        self.advance_all(system, h, &plan)?;
        let result = self.value(self.plan.rows.len());
        if result.iter().any(|value| !value.is_finite()) {
            return Err(StepError::NotFinite { t, h });
        }
        y.copy_from_slice(result);
        self.evaluate_ends(system, h);
        self.made = Some(h);
        Ok(())
    }

    fn slope(&mut self, system: &S, t: f64, y: &[f64], slope: &mut [f64]) {
        self.move_to(t, 0.0, y);
        for (r, place) in self.places.iter().enumerate() {
            let part = &mut slope[place.clone()];
            match self.known.get_mut(r) {
                Some(true) => part.copy_from_slice(&self.slopes[place.clone()]),
                Some(known) => {
                    system.rate(r, t, y, part);
                    self.slopes[place.clone()].copy_from_slice(part);
                    *known = true;
                }
                None => system.rate(r, t, y, part),
            }
        }
    }

    fn estimate(&self, error: &mut [f64]) -> bool {
        let (Some(_), Some(_)) = (&self.plan.embedded, self.made) else { return false };
        let count = self.plan.rows.len();
        for (error, (y, embedded)) in error.iter_mut().zip(self.value(count).iter().zip(self.value(count + 1))) {
            *error = y - embedded;
        }
        true
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) -> bool {
        let (Some(ends), Some(h)) = (&self.ends, self.made) else { return false };
        // Hermite's polynomial: values and slopes at both ends.
        let rest = 1.0 - theta;
        let weights = [rest * rest * (1.0 + 2.0 * theta), theta * theta * (3.0 - 2.0 * theta)];
        let slopes = [h * theta * rest * rest, -h * theta * theta * rest];
        for (i, y) in y.iter_mut().enumerate() {
            *y = weights[0] * self.begin.y[i] + weights[1] * ends.end.y[i];
            *y += slopes[0] * ends.first[i] + slopes[1] * ends.last[i];
        }
        true
    }
}
