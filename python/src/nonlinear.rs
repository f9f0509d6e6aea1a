//! Strong stability preservation, nonlinear stability and low-storage forms.

use hemiola::order::{WeakStageOrder, weak_stage_order};
use hemiola::stability::monotonicity::{
    MonotonicityRadius, MonotonicityRegion, optimal_shu_osher, ssp_coefficient, ssp_decimal, threshold_factor,
};
use hemiola::stability::nonlinear::{
    algebraic_stability, contractivity_radius, is_an_stable, is_b_stable, reducibility,
};
use hemiola::tableau::low_storage::storage_forms;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::method::Core;
use crate::running::{released, watched};

fn value(radius: &MonotonicityRadius) -> f64 {
    radius.value().unwrap_or(f64::INFINITY)
}

/// Computes the SSP coefficient of a partition; infinite if it is unbounded.
#[pyfunction]
fn ssp_radius(py: Python<'_>, core: &Core, partition: usize) -> PyResult<f64> {
    released(py, None, || ssp_coefficient(&core.method, partition).map(|radius| value(&radius)).map_err(refused))?
}

/// Computes the SSP coefficient of a partition to a number of digits; `None` if it is unbounded.
#[pyfunction]
fn ssp_digits(py: Python<'_>, core: &Core, partition: usize, digits: usize) -> PyResult<Option<String>> {
    let (found, exception) =
        watched(py, None, |progress| ssp_decimal(&core.method, partition, digits, progress), |_| Ok(()))?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    Ok(found.map_err(refused)?.map(|decimal| decimal.to_string()))
}

/// Computes the threshold factor of the stability polynomial; `None` if R is not a polynomial.
#[pyfunction]
fn threshold(py: Python<'_>, core: &Core, partition: usize) -> PyResult<Option<f64>> {
    let found = released(py, None, || threshold_factor(&core.method, partition).map_err(refused))??;
    Ok(found.map(|radius| value(&radius)))
}

/// Computes the radius of circle contractivity; infinite if it is unbounded.
#[pyfunction]
fn circle_radius(py: Python<'_>, core: &Core, partition: usize) -> PyResult<f64> {
    released(py, None, || contractivity_radius(&core.method, partition).map(|radius| value(&radius)).map_err(refused))?
}

/// Decides algebraic, B- and AN-stability; the last one is `None` if it is undecided.
#[pyfunction]
fn nonlinear_stability(py: Python<'_>, core: &Core, partition: usize) -> PyResult<(bool, bool, Option<bool>)> {
    released(py, None, || {
        let method = &core.method;
        let algebraic = algebraic_stability(method, partition).map_err(refused)?.holds();
        let [b, an] = [is_b_stable(method, partition).map(Some), is_an_stable(method, partition)];
        Ok((algebraic, b.map_err(refused)? == Some(true), an.map_err(refused)?))
    })?
}

/// A form yᵢ = vᵢuₙ + Σ (αᵢⱼyⱼ + hβᵢⱼf(yⱼ)): v, α and β in doubles.
type ShuOsher = (Vec<f64>, Vec<Vec<f64>>, Vec<Vec<f64>>);

/// Computes the optimal Shu–Osher form; `None` if the SSP coefficient is zero or unbounded.
#[pyfunction]
fn shu_osher(py: Python<'_>, core: &Core, partition: usize) -> PyResult<Option<ShuOsher>> {
    let form = released(py, None, || optimal_shu_osher(&core.method, partition).map_err(refused))??;
    Ok(form.map(|form| {
        let doubles = |row: &Vec<hemiola::tableau::Exact>| row.iter().map(hemiola::tableau::Exact::to_f64).collect();
        (doubles(&form.v), form.alpha.iter().map(doubles).collect(), form.beta.iter().map(doubles).collect())
    }))
}

/// Radii along the axes and the diagonal, infinite if they are unbounded, and the boundary of a region.
type Outline = ([f64; 2], f64, Vec<[f64; 2]>);

/// Computes the outline of the region of absolute monotonicity of a pair.
#[pyfunction]
fn monotonicity_outline(py: Python<'_>, core: &Core, points: usize, threads: Option<usize>) -> PyResult<Outline> {
    let region = MonotonicityRegion::new(&core.method);
    let (found, exception) = watched(py, threads, |progress| region.outline(points, progress), |_| Ok(()))?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    let found = found.map_err(refused)?;
    let radius = |radius: Option<f64>| radius.unwrap_or(f64::INFINITY);
    Ok((found.axes.map(radius), radius(found.diagonal), found.boundary))
}

/// Returns the weak stage order; infinity if it is unbounded.
#[pyfunction]
fn weak_order(py: Python<'_>, core: &Core, partition: usize) -> PyResult<Option<Py<PyAny>>> {
    core.butcher(partition)?;
    let Some(order) = released(py, None, || weak_stage_order(&core.method, partition))? else { return Ok(None) };
    let order = match order {
        WeakStageOrder::Finite(order) => order.into_pyobject(py)?.into_any(),
        WeakStageOrder::Unbounded => f64::INFINITY.into_pyobject(py)?.into_any(),
    };
    Ok(Some(order.unbind()))
}

/// Finds stages without influence, and groups of equal stages, from 0.
#[pyfunction]
fn reducible_stages(py: Python<'_>, core: &Core) -> PyResult<(Vec<usize>, Vec<Vec<usize>>)> {
    let found = released(py, None, || reducibility(&core.method))?;
    Ok((found.unused, found.equal))
}

/// Class, agreement, and registers of a low-storage form without and with the embedded solution.
type FormTuple = (String, String, usize, Option<usize>);

/// Lists the low-storage forms: class, agreement, and registers without and with the embedded solution.
#[pyfunction]
fn low_storage_forms(py: Python<'_>, core: &Core, partition: usize) -> PyResult<Vec<FormTuple>> {
    core.butcher(partition)?;
    released(py, None, || {
        let forms = storage_forms(&core.method, partition).into_iter().map(|found| {
            (
                found.form.class().to_string(),
                found.agreement.to_string(),
                found.registers,
                found.registers_with_embedded,
            )
        });
        forms.collect()
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(ssp_radius, module)?)?;
    module.add_function(wrap_pyfunction!(ssp_digits, module)?)?;
    module.add_function(wrap_pyfunction!(threshold, module)?)?;
    module.add_function(wrap_pyfunction!(circle_radius, module)?)?;
    module.add_function(wrap_pyfunction!(nonlinear_stability, module)?)?;
    module.add_function(wrap_pyfunction!(shu_osher, module)?)?;
    module.add_function(wrap_pyfunction!(monotonicity_outline, module)?)?;
    module.add_function(wrap_pyfunction!(weak_order, module)?)?;
    module.add_function(wrap_pyfunction!(reducible_stages, module)?)?;
    module.add_function(wrap_pyfunction!(low_storage_forms, module)?)
}
