//! Rates of user systems: Python functions and addresses of compiled functions.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use hemiola::integrate::System;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::refused;

/// Compiled function `void rate(double t, const double *y, double *rate)`; y contains all variables, slow ones first.
pub(super) type Native = unsafe extern "C" fn(f64, *const f64, *mut f64);

/// Rates of a partition.
pub(super) enum Rate<'py> {
    Python(Bound<'py, PyAny>),
    Native(Native),
}

impl<'py> Rate<'py> {
    /// Wraps a function or the address of one.
    pub(super) fn new(function: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(address) = function.extract::<usize>() else { return Ok(Self::Python(function.clone())) };
        if address == 0 {
            return Err(refused("found the address 0; expected that of a compiled function"));
        }
        // SAFETY: the caller guarantees that the address is that of a function with this signature.
        #[allow(unsafe_code, reason = "an address is all that ctypes and Numba know of a function")]
        Ok(Self::Native(unsafe { std::mem::transmute::<usize, Native>(address) }))
    }

    pub(super) fn native(&self) -> Option<Native> {
        if let Self::Native(function) = self { Some(*function) } else { None }
    }
}

/// Returns the ranges of variables of the partitions.
pub(super) fn ranges(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |size: &usize| {
        end += size;
        end - size..end
    };
    sizes.iter().map(range).collect()
}

/// Calls the Python function f(t, y_0, …, y_{N−1}).
pub(super) fn call<'py>(
    function: &Bound<'py, PyAny>,
    ranges: &[Range<usize>],
    t: f64,
    y: &[f64],
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let part = |range: &Range<usize>| PyArray1::from_slice(py, &y[range.clone()]);
    match ranges {
        // Arguments in a Rust tuple of known length are passed without a Python tuple.
        [one] => function.call1((t, part(one))),
        [slow, fast] => function.call1((t, part(slow), part(fast))),
        parts => {
            let states = parts.iter().map(|range| part(range).into_any());
            let arguments: Vec<_> = std::iter::once(t.into_pyobject(py)?.into_any()).chain(states).collect();
            function.call1(PyTuple::new(py, arguments)?)
        }
    }
}

/// System of compiled functions.
pub(super) struct Compiled {
    pub(super) sizes: Vec<usize>,
    pub(super) rates: Vec<Native>,
}

impl System for Compiled {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        // SAFETY: the caller guarantees that the address is that of such a function; y and rate have the declared
        // lengths.
        #[allow(unsafe_code, reason = "a call of a compiled function by its address")]
        unsafe {
            self.rates[partition](t, y.as_ptr(), rate.as_mut_ptr());
        }
    }
}

/// System with Python functions. The first exception ends the run; all later rates are NaN.
pub(super) struct Interpreted<'py> {
    sizes: Vec<usize>,
    ranges: Vec<Range<usize>>,
    rates: Vec<Rate<'py>>,
    /// Converts the result of a function, given the partition and its size, to an array of doubles of that size.
    convert: Bound<'py, PyAny>,
    exception: RefCell<Option<PyErr>>,
    has_failed: Cell<bool>,
}

impl<'py> Interpreted<'py> {
    pub(super) fn new(sizes: Vec<usize>, rates: Vec<Rate<'py>>, convert: Bound<'py, PyAny>) -> Self {
        let ranges = ranges(&sizes);
        Self { sizes, ranges, rates, convert, exception: RefCell::new(None), has_failed: Cell::new(false) }
    }

    /// Returns whether no function has raised an exception and no signal has arrived.
    pub(super) fn may_continue(&self) -> bool {
        if self.has_failed.get() {
            return false;
        }
        match self.convert.py().check_signals() {
            Ok(()) => true,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    fn fail(&self, error: PyErr) {
        self.exception.replace(Some(error));
        self.has_failed.set(true);
    }

    pub(super) fn exception(self) -> Option<PyErr> {
        self.exception.into_inner()
    }

    fn python(
        &self,
        function: &Bound<'_, PyAny>,
        partition: usize,
        t: f64,
        y: &[f64],
        rate: &mut [f64],
    ) -> PyResult<()> {
        let returned = call(function, &self.ranges, t, y)?;
        let copied = returned.cast::<PyArray1<f64>>().ok().and_then(|array| {
            let values = array.try_readonly().ok()?;
            let values = values.as_slice().ok()?;
            (values.len() == rate.len()).then(|| rate.copy_from_slice(values))
        });
        if copied.is_none() {
            let array = self.convert.call1((returned, partition, rate.len()))?;
            rate.copy_from_slice(array.cast::<PyArray1<f64>>()?.readonly().as_slice()?);
        }
        Ok(())
    }
}

impl System for Interpreted<'_> {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        if self.has_failed.get() {
            rate.fill(f64::NAN);
            return;
        }
        match &self.rates[partition] {
            Rate::Python(function) => {
                if let Err(error) = self.python(function, partition, t, y, rate) {
                    self.fail(error);
                    rate.fill(f64::NAN);
                }
            }
            // SAFETY: see `Compiled`.
            #[allow(unsafe_code, reason = "a call of a compiled function by its address")]
            Rate::Native(function) => unsafe { function(t, y.as_ptr(), rate.as_mut_ptr()) },
        }
    }
}
