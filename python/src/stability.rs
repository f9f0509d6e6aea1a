//! Stability: functions, limits, matrices, spectral radii at many points, coupled profiles.

use hemiola::number::parallel;
use hemiola::stability::map::{Field, PartitionField, Quantity, spectral_radii};
use hemiola::stability::{
    ExactStability, Infimum, StabilityFunction, coupled_profile, eigenvalues, internal_amplification, stability_limit,
    stability_matrix,
};
use hemiola::tableau::{Exact, Tableau};
use num_complex::Complex64;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::refused;
use crate::method::Core;
use crate::running::released;

/// Number of points that a thread processes at a time.
const CHUNK: usize = 1024;

/// Evaluates f(0), …, f(count − 1) on all threads.
fn each<T: Send>(count: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let chunk = |k: usize| (k * CHUNK..count.min((k + 1) * CHUNK)).map(&f).collect::<Vec<T>>();
    parallel::map(count.div_ceil(CHUNK), chunk).into_iter().flatten().collect()
}

/// Returns the radius at a point, or NaN if the point contains NaN: the kernels would treat it as an overflow of R.
fn known(z: &[Complex64], radius: f64) -> f64 {
    if z.iter().any(|z| z.is_nan()) { f64::NAN } else { radius }
}

/// Returns the k-th value; an array of length one is broadcast to all points.
fn at(values: &[Complex64], k: usize) -> Complex64 {
    if values.len() == 1 { values[0] } else { values[k] }
}

/// Computes ρ(S) of a pair at `count` points; each array has `count` values, or one for all points.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the four entries of Z, and how")]
fn pair_radii<'py>(
    py: Python<'py>,
    core: &Core,
    count: usize,
    ss: PyReadonlyArray1<'py, Complex64>,
    sf: PyReadonlyArray1<'py, Complex64>,
    fs: PyReadonlyArray1<'py, Complex64>,
    ff: PyReadonlyArray1<'py, Complex64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let slices = [&ss, &sf, &fs, &ff];
    if let Some(found) = slices.iter().map(|values| values.len()).find(|&found| found != 1 && found != count) {
        return Err(refused(format!("found an array of {found} numbers; expected 1 or {count}")));
    }
    let [ss, sf, fs, ff] = [ss.as_slice()?, sf.as_slice()?, fs.as_slice()?, ff.as_slice()?];
    let tableau = core.tableau();
    let point = |k: usize| [at(ss, k), at(ff, k), at(sf, k) * at(fs, k)];
    let radii = released(py, threads, || spectral_radii(tableau, count, &point).map_err(refused))??;
    let radii =
        radii.into_iter().enumerate().map(|(k, radius)| known(&[at(ss, k), at(sf, k), at(fs, k), at(ff, k)], radius));
    Ok(PyArray1::from_iter(py, radii))
}

/// Computes ρ(S) of a pair at one point.
#[pyfunction]
fn pair_radius(core: &Core, ss: Complex64, sf: Complex64, fs: Complex64, ff: Complex64) -> PyResult<f64> {
    let radii = spectral_radii(core.tableau(), 1, &|_| [ss, ff, sf * fs]).map_err(refused)?;
    Ok(known(&[ss, sf, fs, ff], radii[0]))
}

/// Computes |R(z)| of one partition.
#[pyfunction]
fn moduli<'py>(
    py: Python<'py>,
    core: &Core,
    partition: usize,
    z: PyReadonlyArray1<'py, Complex64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let field = PartitionField::new(core.butcher(partition)?, Quantity::Radius);
    let z = z.as_slice()?;
    let radii = released(py, threads, || each(z.len(), |k| known(&z[k..=k], field.at(z[k].re, z[k].im))))?;
    Ok(PyArray1::from_vec(py, radii))
}

/// Evaluates f at many points Z of shape (points, N, N), row by row.
fn at_points<'py, T: Send>(
    py: Python<'py>,
    core: &Core,
    z: &PyReadonlyArray3<'py, Complex64>,
    threads: Option<usize>,
    f: impl Fn(Option<Vec<Vec<Complex64>>>) -> T + Sync,
) -> PyResult<Vec<T>> {
    let size = check_size(core, z.shape())?;
    let z = z.as_slice()?;
    let tableau = core.tableau();
    released(py, threads, || each(z.len() / (size * size), |k| f(matrix(tableau, &z[k * size * size..], size))))
}

/// Computes S(Z) at many points: `z` and the flattened result have shape (points, N, N). The result is NaN at poles.
#[pyfunction]
fn matrices<'py>(
    py: Python<'py>,
    core: &Core,
    z: PyReadonlyArray3<'py, Complex64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<Complex64>>> {
    let count = core.method.partitions().len().pow(2);
    let pole = || vec![Complex64::new(f64::NAN, f64::NAN); count];
    let s = at_points(py, core, &z, threads, |s| s.map_or_else(pole, |s| s.concat()))?;
    Ok(PyArray1::from_vec(py, s.concat()))
}

/// Computes ρ(S) of a method with any number of partitions at many points: `z` has shape (points, N, N). It is infinite
/// at poles.
#[pyfunction]
fn radii<'py>(
    py: Python<'py>,
    core: &Core,
    z: PyReadonlyArray3<'py, Complex64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let largest = |values: Vec<Complex64>| values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let radius = |s: Option<Vec<Vec<Complex64>>>| s.and_then(|s| eigenvalues(&s).ok()).map_or(f64::INFINITY, largest);
    Ok(PyArray1::from_vec(py, at_points(py, core, &z, threads, radius)?))
}

fn check_size(core: &Core, shape: &[usize]) -> PyResult<usize> {
    let size = core.method.partitions().len();
    if shape[1..] != [size, size] {
        let found = format!("{} by {}", shape[1], shape[2]);
        return Err(refused(format!("{}: found Z of {found}; expected {size} by {size}", core.method.id())));
    }
    Ok(size)
}

fn matrix(tableau: &Tableau<f64>, z: &[Complex64], size: usize) -> Option<Vec<Vec<Complex64>>> {
    let rows: Vec<Vec<Complex64>> = z[..size * size].chunks(size).map(<[Complex64]>::to_vec).collect();
    stability_matrix(tableau, &rows).ok()
}

/// Returns the limit of |R| ≤ 1 along t·direction; infinite if there is none.
#[pyfunction]
fn limit(core: &Core, partition: usize, direction: Complex64) -> PyResult<f64> {
    core.butcher(partition)?;
    Ok(stability_limit(&core.method, partition, direction).map_err(refused)?.value())
}

/// Returns the exact coefficients of numerator and denominator of R, starting with the constant.
#[pyfunction]
fn stability_function(py: Python<'_>, core: &Core, partition: usize) -> PyResult<[Vec<String>; 2]> {
    core.butcher(partition)?;
    released(py, None, || {
        let exact = core.method.exact();
        let function = StabilityFunction::<Exact>::exact(&exact.partitions[partition]);
        [function.numerator, function.denominator].map(|p| p.iter().map(ToString::to_string).collect())
    })
}

/// Computes the maximum internal amplification factor along t·direction within the stability limit.
#[pyfunction]
fn amplification(py: Python<'_>, core: &Core, partition: usize, direction: Complex64) -> PyResult<Option<f64>> {
    core.butcher(partition)?;
    released(py, None, || internal_amplification(&core.method, partition, direction).map_err(refused))?
}

/// Computes α of A(α)-stability in degrees, and |R(∞)|.
#[pyfunction]
fn sector(py: Python<'_>, core: &Core, partition: usize) -> PyResult<(Option<f64>, Option<f64>)> {
    core.butcher(partition)?;
    released(py, None, || {
        let exact = ExactStability::new(&core.method, partition).map_err(refused)?;
        let angle = exact.sector_angle().map_err(refused)?;
        Ok((angle, exact.modulus_at_infinity().map(|modulus| modulus.to_f64())))
    })?
}

/// Profile at one coupling strength: the remaining fraction of the step, its κ and its coupling number.
type Value = (f64, f64, f64);

/// Computes the coupled profile: the limits of both parts, and the practical, strict and skew infimum for each γ.
#[pyfunction]
fn profile(
    py: Python<'_>,
    core: &Core,
    damping: f64,
    gammas: Vec<f64>,
    threads: Option<usize>,
) -> PyResult<([f64; 2], Vec<[Value; 3]>)> {
    let found = released(py, threads, || coupled_profile(&core.method, damping, &gammas).map_err(refused))??;
    let value = |infimum: Infimum| (infimum.value, infimum.kappa, infimum.coupling);
    let values = found.values.iter().map(|at| [at.practical, at.strict, at.skew].map(value)).collect();
    Ok(([found.slow_limit, found.fast_limit], values))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(pair_radii, module)?)?;
    module.add_function(wrap_pyfunction!(pair_radius, module)?)?;
    module.add_function(wrap_pyfunction!(moduli, module)?)?;
    module.add_function(wrap_pyfunction!(matrices, module)?)?;
    module.add_function(wrap_pyfunction!(radii, module)?)?;
    module.add_function(wrap_pyfunction!(limit, module)?)?;
    module.add_function(wrap_pyfunction!(stability_function, module)?)?;
    module.add_function(wrap_pyfunction!(amplification, module)?)?;
    module.add_function(wrap_pyfunction!(sector, module)?)?;
    module.add_function(wrap_pyfunction!(profile, module)?)
}
