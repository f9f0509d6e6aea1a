//! Zeros of functions of the solution along a run, located on the dense output.
//!
//! A zero is detected if a function has different signs at the ends of a step; a pair of zeros within one step is
//! missed. It is located by the method of T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding
//! the zero of a nonlinear function without using derivatives, Adv. Eng. Softw. 28 (1997), 145–149.

use thiserror::Error;

use crate::step_control::run::Accepted;

/// Direction in which a function crosses zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// Crossings in both directions.
    #[default]
    Either,
    /// Crossings from negative to positive values.
    Rising,
    /// Crossings from positive to negative values.
    Falling,
}

/// Options for the zeros of one function g(t, y).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The crossings that count.
    pub crossing: Crossing,
    /// The number of zeros after which the run ends; unlimited if `None`.
    pub last: Option<usize>,
}

/// A zero and the state there.
#[derive(Clone, Debug, PartialEq)]
pub struct Zero {
    /// The time.
    pub t: f64,
    /// The dense output there.
    pub y: Vec<f64>,
}

/// Failure of a search for zeros.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum EventError {
    /// A function is NaN.
    #[error("event {event} is not a number at t = {t}; expected a real function")]
    NotANumber {
        /// The index of the function.
        event: usize,
        /// The time.
        t: f64,
    },
    /// The stepper has no dense output.
    #[error("events need a method with dense output")]
    NoDenseOutput,
}

/// The zeros of functions g_k(t, y) along a run. An observer passes each step to [`locate_zeros`](Self::locate_zeros).
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_integrate::{AnyStepper, Crossing, Embedded, Event, Events, Extras, System};
/// # struct Oscillator;
/// # impl System for Oscillator {
/// #     fn sizes(&self) -> &[usize] { &[2] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { (rate[0], rate[1]) = (y[1], -y[0]); }
/// # }
/// let method = hemiola_tableau::library::method("dormand-prince-5")?;
/// let mut stepper = AnyStepper::new(&method, &Oscillator, Extras { estimate: true, dense: true })?;
/// // y = sin t falls through zero at π, 3π, …: the run ends at the second time.
/// let wanted = Event { crossing: Crossing::Falling, last: Some(2) };
/// let mut height = |_: usize, _: f64, y: &[f64]| y[0];
/// let mut y = [0.0, 1.0];
/// let mut events = Events::new(&[wanted], 0.0, &y, &mut height)?;
/// let control = Embedded { relative: 1e-10, absolute: 1e-12, ..Embedded::new(4) };
/// control.run(&mut stepper, &Oscillator, [0.0, 100.0], &mut y, &mut |accepted| match events.locate_zeros(accepted, &mut height) {
///     Ok(None) => ControlFlow::Continue(()),
///     _ => ControlFlow::Break(()),
/// });
/// let times: Vec<f64> = events.zeros(0).iter().map(|zero| zero.t / std::f64::consts::PI).collect();
/// assert!(times.len() == 2 && (times[0] - 1.0).abs() < 1e-8 && (times[1] - 3.0).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Events {
    events: Vec<Event>,
    /// The end of the last step, and the values of the functions there.
    t: f64,
    values: Vec<f64>,
    zeros: Vec<Vec<Zero>>,
}

impl Events {
    /// Starts at the beginning of a run. A function that is zero there has no zero until it has become nonzero.
    ///
    /// # Errors
    /// [`EventError::NotANumber`].
    pub fn new(
        events: &[Event],
        t: f64,
        y: &[f64],
        g: &mut impl FnMut(usize, f64, &[f64]) -> f64,
    ) -> Result<Self, EventError> {
        let values = (0..events.len()).map(|k| checked(k, t, g(k, t, y))).collect::<Result<_, _>>()?;
        Ok(Self { events: events.to_vec(), t, values, zeros: vec![Vec::new(); events.len()] })
    }

    /// Returns the zeros of a function so far.
    #[must_use]
    pub fn zeros(&self, event: usize) -> &[Zero] {
        &self.zeros[event]
    }

    /// Looks for zeros in a step. Returns the zero that ends the run, if any; later zeros are discarded.
    ///
    /// # Errors
    /// [`EventError`].
    pub fn locate_zeros(
        &mut self,
        accepted: &Accepted<'_>,
        g: &mut impl FnMut(usize, f64, &[f64]) -> f64,
    ) -> Result<Option<Zero>, EventError> {
        let mut y = vec![0.0; accepted.y.len()];
        let mut crossings = Vec::new();
        for k in 0..self.events.len() {
            let (before, now) = (self.values[k], checked(k, accepted.t, g(k, accepted.t, accepted.y))?);
            self.values[k] = now;
            if !self.events[k].counts(before, now) {
                continue;
            }
            let ends = [(self.t, before), (accepted.t, now)];
            let at = |t: f64| {
                let has_dense_output = accepted.at(t, &mut y);
                if has_dense_output { checked(k, t, g(k, t, &y)) } else { Err(EventError::NoDenseOutput) }
            };
            crossings.push((zero_between(ends, at)?, k));
        }
        let start = self.t;
        self.t = accepted.t;
        crossings.sort_by(|(a, _), (b, _)| (a - start).abs().total_cmp(&(b - start).abs()));
        for (t, k) in crossings {
            let mut zero = Zero { t, y: accepted.y.to_vec() };
            if t != accepted.t && !accepted.at(t, &mut zero.y) {
                return Err(EventError::NoDenseOutput);
            }
            self.zeros[k].push(zero.clone());
            if self.events[k].last.is_some_and(|last| self.zeros[k].len() >= last) {
                return Ok(Some(zero));
            }
        }
        Ok(None)
    }
}

impl Event {
    /// Returns whether a zero that counts lies within a step or at its end. A zero at the beginning belongs to the
    /// previous step.
    fn counts(self, before: f64, now: f64) -> bool {
        match self.crossing {
            Crossing::Either => before != 0.0 && before.signum() * now <= 0.0,
            Crossing::Rising => before < 0.0 && now >= 0.0,
            Crossing::Falling => before > 0.0 && now <= 0.0,
        }
    }
}

fn checked(event: usize, t: f64, value: f64) -> Result<f64, EventError> {
    if value.is_nan() { Err(EventError::NotANumber { event, t }) } else { Ok(value) }
}

/// Locates the zero of g between two points with values of opposite signs, to the spacing of doubles.
fn zero_between(
    [(start, at_start), (end, at_end)]: [(f64, f64); 2],
    mut g: impl FnMut(f64) -> Result<f64, EventError>,
) -> Result<f64, EventError> {
    if at_end == 0.0 {
        return Ok(end);
    }
    let tolerance = 2.0 * f64::EPSILON * start.abs().max(end.abs());
    // x₁ is the newest point, x₂ lies on the other side of the zero, and x₃ is the older point that either replaced.
    let (mut x1, mut f1, mut x2, mut f2) = (end, at_end, start, at_start);
    let mut fraction = 0.5;
    loop {
        let x = x1 + fraction * (x2 - x1);
        let f = g(x)?;
        let (x3, f3) = if f.signum() == f1.signum() { (x1, f1) } else { (x2, f2) };
        if f.signum() != f1.signum() {
            (x2, f2) = (x1, f1);
        }
        (x1, f1) = (x, f);
        let least = tolerance / (x2 - x1).abs();
        if f1 == 0.0 || least >= 0.5 {
            return Ok(if f1.abs() < f2.abs() { x1 } else { x2 });
        }
        fraction = inverse_quadratic([x1, x2, x3], [f1, f2, f3]).unwrap_or(0.5).clamp(least, 1.0 - least);
    }
}

/// Returns the zero of the inverse quadratic interpolation as a fraction of the way from x₁ to x₂, or `None` if it is
/// unreliable.
fn inverse_quadratic([x1, x2, x3]: [f64; 3], [f1, f2, f3]: [f64; 3]) -> Option<f64> {
    let (xi, phi) = ((x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2));
    let is_monotone = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    is_monotone
        .then(|| f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2))
        .filter(|fraction| fraction.is_finite())
}
