//! Events: zeros of user functions, written in Python or compiled, along a run.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hemiola::integrate::{Accepted, Crossing, Event, EventError, Events, Zero};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::rates::{call, ranges};
use crate::errors::refused;

/// Compiled function `double event(double t, const double *y)`; y contains all variables, slow ones first.
type Native = unsafe extern "C" fn(f64, *const f64) -> f64;

/// A function or its address, the sign of the crossings that count, and their number after which the run ends.
pub(crate) type EventArgument<'py> = (Bound<'py, PyAny>, f64, Option<usize>);

enum Function {
    Python(Py<PyAny>),
    Native(Native),
}

/// Event functions of a run.
pub(super) struct Functions {
    functions: Vec<Function>,
    events: Vec<Event>,
    ranges: Vec<Range<usize>>,
    /// First exception of a function; all later values are NaN.
    exception: Mutex<Option<PyErr>>,
}

/// Events of a run: all zeros, and the time at which one of them ended the run.
#[derive(Default)]
pub(super) struct EventResult {
    pub(super) zeros: Vec<Vec<Zero>>,
    pub(super) ending: Option<f64>,
}

/// Search for events in a run; without functions it finds none.
pub(super) struct Search<'a> {
    functions: &'a Functions,
    events: Option<Events>,
    fault: Option<EventError>,
    ending: Option<f64>,
}

impl Functions {
    pub(super) fn new(wanted: &[EventArgument<'_>], sizes: &[usize]) -> PyResult<Self> {
        let (mut functions, mut events) = (Vec::new(), Vec::new());
        for (function, direction, last) in wanted {
            functions.push(match function.extract::<usize>() {
                Ok(address) => Function::Native(native(address)?),
                Err(_) => Function::Python(function.clone().unbind()),
            });
            let crossing = match direction {
                d if *d > 0.0 => Crossing::Rising,
                d if *d < 0.0 => Crossing::Falling,
                _ => Crossing::Either,
            };
            events.push(Event { crossing, last: *last });
        }
        Ok(Self { functions, events, ranges: ranges(sizes), exception: Mutex::new(None) })
    }

    pub(super) fn are_some(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Evaluates g_k(t, y).
    fn value(&self, k: usize, t: f64, y: &[f64]) -> f64 {
        match &self.functions[k] {
            // SAFETY: the caller guarantees that the address is that of a function of all variables with this
            // signature.
            #[allow(unsafe_code, reason = "a call of a compiled function by its address")]
            Function::Native(function) => unsafe { function(t, y.as_ptr()) },
            Function::Python(function) => {
                Python::attach(|py| self.python(py, function, k, t, y)).unwrap_or_else(|error| {
                    self.exception().get_or_insert(error);
                    f64::NAN
                })
            }
        }
    }

    fn exception(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn python(&self, py: Python<'_>, function: &Py<PyAny>, k: usize, t: f64, y: &[f64]) -> PyResult<f64> {
        let returned = call(function.bind(py), &self.ranges, t, y)?;
        returned.extract().map_err(|_| {
            let found = returned.repr().map_or_else(|_| "an object".to_owned(), |text| text.to_string());
            PyTypeError::new_err(format!("events[{k}] returned {found}; expected a number"))
        })
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(functions: &'a Functions, t: f64, y: &[f64]) -> Self {
        let mut search = Self { functions, events: None, fault: None, ending: None };
        if !functions.events.is_empty() {
            match Events::new(&functions.events, t, y, &mut |k, t, y| functions.value(k, t, y)) {
                Ok(events) => search.events = Some(events),
                Err(fault) => search.fault = Some(fault),
            }
        }
        search
    }

    /// Searches an accepted step for zeros; returns the zero that ends the run, if there is one.
    pub(super) fn see(&mut self, accepted: &Accepted<'_>) -> Option<Zero> {
        let functions = self.functions;
        let seen = self.events.as_mut()?.locate_zeros(accepted, &mut |k, t, y| functions.value(k, t, y));
        let end = seen.unwrap_or_else(|fault| {
            self.fault = Some(fault);
            None
        });
        self.ending = end.as_ref().map(|zero| zero.t);
        end
    }

    pub(super) fn has_failed(&self) -> bool {
        self.fault.is_some()
    }

    pub(super) fn found(self) -> PyResult<EventResult> {
        if let Some(exception) = self.functions.exception().take() {
            return Err(exception);
        }
        if let Some(fault) = self.fault {
            return Err(refused(fault));
        }
        let zeros = self.events.map_or_else(Vec::new, |events| {
            (0..self.functions.events.len()).map(|k| events.zeros(k).to_vec()).collect()
        });
        Ok(EventResult { zeros, ending: self.ending })
    }
}

fn native(address: usize) -> PyResult<Native> {
    if address == 0 {
        return Err(refused("found the address 0; expected that of a compiled function"));
    }
    // SAFETY: the caller guarantees that the address is that of a function with this signature.
    #[allow(unsafe_code, reason = "an address is all that ctypes and Numba know of a function")]
    Ok(unsafe { std::mem::transmute::<usize, Native>(address) })
}
