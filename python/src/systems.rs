//! Partitioned linear systems and their stable step sizes.

use hemiola::plot::{SystemCurve, system_figure};
use hemiola::stability::BlockSystem;
use hemiola::study::stable_steps::{StableStepStudy, SteppedMethod};
use num_complex::Complex64;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::{of_study, refused};
use crate::method::Core;
use crate::pictures::Picture;
use crate::running::released;

/// The system q' = Jq with a partition for each variable.
#[pyclass(frozen, module = "hemiola._hemiola", name = "Blocks")]
struct Blocks {
    system: BlockSystem,
}

#[derive(IntoPyObject)]
struct Steps {
    first_exit: f64,
    last: f64,
    gaps: Vec<(f64, f64)>,
    farthest: f64,
    decoupled: f64,
}

#[pymethods]
impl Blocks {
    /// Creates the system. By default, the eigenvalues of each part by itself are those of its diagonal block.
    #[new]
    fn new(
        py: Python<'_>,
        jacobian: PyReadonlyArray2<'_, f64>,
        partition_of: Vec<usize>,
        alone: Option<Vec<Vec<Complex64>>>,
    ) -> PyResult<Self> {
        let columns = jacobian.shape()[1];
        let rows: Vec<Vec<f64>> = match columns {
            0 => vec![Vec::new(); jacobian.shape()[0]],
            _ => jacobian.as_slice()?.chunks(columns).map(<[f64]>::to_vec).collect(),
        };
        let system = released(py, None, || BlockSystem::new(&rows, partition_of).map_err(refused))??;
        Ok(Self { system: alone.into_iter().fold(system, BlockSystem::with_decoupled_eigenvalues) })
    }

    #[getter]
    fn eigenvalues<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<Complex64>> {
        PyArray1::from_slice(py, self.system.eigenvalues())
    }

    #[getter]
    fn zero_eigenvalues(&self) -> usize {
        self.system.zero_eigenvalues()
    }

    /// Computes the step sizes up to `farthest` at which a method is stable.
    fn stable_steps(
        &self,
        py: Python<'_>,
        core: &Core,
        farthest: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Steps> {
        released(py, threads, || {
            let decoupled = self.system.decoupled_limit(&core.method).map_err(refused)?;
            let steps = match farthest {
                Some(farthest) => self.system.stable_steps(core.tableau(), farthest, &()),
                None => self.system.stable_steps_to_exit(core.tableau(), decoupled, &()),
            };
            let steps = steps.map_err(refused)?;
            Ok(Steps {
                first_exit: steps.first_exit,
                last: steps.last,
                gaps: steps.gaps,
                farthest: steps.farthest,
                decoupled: decoupled.value(),
            })
        })?
    }

    /// Draws ρ(M(h)) of methods over h.
    fn figure(
        &self,
        py: Python<'_>,
        cores: Vec<PyRef<'_, Core>>,
        title: &str,
        farthest: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Picture> {
        let methods: Vec<SteppedMethod> = cores.iter().map(|core| core.method.clone().into()).collect();
        released(py, threads, || {
            let study = StableStepStudy::new(&self.system, &methods, farthest, None, &()).map_err(of_study)?;
            let curves = study.curves().map_err(refused)?;
            let found = study.methods.iter().zip(&curves.radii);
            let shown: Vec<SystemCurve<'_>> =
                found.map(|(one, radii)| SystemCurve { label: &one.id, radii, steps: &one.steps }).collect();
            Ok(system_figure(title, &curves.steps, &shown).into())
        })?
    }

    /// Computes ρ(M(h)) for each h.
    fn spectral_radii<'py>(
        &self,
        py: Python<'py>,
        core: &Core,
        steps: Vec<f64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let radii = released(py, threads, || self.system.spectral_radii(core.tableau(), &steps).map_err(refused))??;
        Ok(PyArray1::from_vec(py, radii))
    }

    /// Computes M(h).
    fn step_matrix<'py>(&self, py: Python<'py>, core: &Core, h: f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let matrix = released(py, None, || self.system.step_matrix(core.tableau(), h).map_err(refused))??;
        Ok(PyArray2::from_vec2(py, &matrix)?)
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Blocks>()
}
