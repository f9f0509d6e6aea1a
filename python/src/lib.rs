//! The extension module of the Python package `hemiola`: it converts arguments, calls the libraries and returns
//! results.
//!
//! The library crates contain all mathematics; the Python files next to this crate contain the user interface. Each file here belongs to
//! a library: `method` and `scheme` to tableaus, `order`, `multirate`, `stability`, `nonlinear`, `systems`, `polynomial`,
//! `design`, `integrate`, `models`, `studies`, `identify`, `tables` to export and import, `pictures` to
//! figures. `running` supports long computations: it releases the interpreter, handles Ctrl-C, and limits the number of
//! threads.

#![expect(clippy::needless_pass_by_value, reason = "arguments of functions that Python calls are owned")]

use pyo3::prelude::*;

mod design;
mod errors;
mod identify;
mod integrate;
mod method;
mod models;
mod nonlinear;
mod order;
mod pictures;
mod polynomial;
mod running;
mod scheme;
mod stability;
mod studies;
mod systems;
mod tables;

/// Global allocator. Exact numbers and searches allocate heavily on all threads; the system allocator is up to a third
/// slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs the command line with these arguments, starting with the program's name; returns the exit code.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| hemiola_cli::run(arguments))
}

#[pymodule]
fn _hemiola(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    errors::register(module)?;
    method::register(module)?;
    scheme::register(module)?;
    order::register(module)?;
    tables::multirate::register(module)?;
    stability::register(module)?;
    nonlinear::register(module)?;
    systems::register(module)?;
    pictures::register(module)?;
    polynomial::register(module)?;
    tables::register(module)?;
    integrate::register(module)?;
    models::register(module)?;
    studies::register(module)?;
    identify::register(module)?;
    design::register(module)
}
