//! Methods: loading, coefficients, and output.

use std::path::PathBuf;
use std::sync::OnceLock;

use hemiola::atlas::wording::Kind;
use hemiola::tableau::library::{self, Library};
use hemiola::tableau::{Butcher, Coefficient, Method, Partition, Tableau, butcher_latex, butcher_text};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::{of_method, refused};

/// An immutable method of the libraries.
#[pyclass(frozen, module = "hemiola._hemiola", name = "Core")]
pub(crate) struct Core {
    pub(crate) method: Method,
    tableau: OnceLock<Tableau<f64>>,
}

/// Texts of the coefficients of a partition: as published, or exact values.
#[derive(IntoPyObject)]
struct Texts {
    name: String,
    a: Vec<Vec<String>>,
    b: Vec<String>,
    c: Vec<String>,
    b_hat: Option<Vec<String>>,
    dense: Option<Vec<Vec<String>>>,
    /// Whether the abscissae are given explicitly; otherwise they are row sums.
    has_abscissae: bool,
}

/// Nearest doubles of the coefficients of a partition.
#[derive(IntoPyObject)]
struct Doubles<'py> {
    a: Bound<'py, PyArray2<f64>>,
    b: Bound<'py, PyArray1<f64>>,
    c: Bound<'py, PyArray1<f64>>,
    b_hat: Option<Bound<'py, PyArray1<f64>>>,
    dense: Option<Bound<'py, PyArray2<f64>>>,
}

#[derive(IntoPyObject)]
struct Claims {
    order: Option<usize>,
    separable_order: Option<usize>,
    embedded_order: Option<usize>,
    dense_order: Option<usize>,
}

#[derive(IntoPyObject)]
struct Source {
    authors: String,
    title: String,
    year: Option<i64>,
    doi: Option<String>,
    place: Option<String>,
    note: Option<String>,
}

impl Core {
    pub(crate) fn new(method: Method) -> Self {
        Self { method, tableau: OnceLock::new() }
    }

    /// Returns the coefficients as doubles, converted once.
    pub(crate) fn tableau(&self) -> &Tableau<f64> {
        self.tableau.get_or_init(|| self.method.to_f64())
    }

    pub(crate) fn butcher(&self, partition: usize) -> PyResult<&Butcher<f64>> {
        let parts = &self.tableau().partitions;
        parts.get(partition).ok_or_else(|| self.no_partition(partition))
    }

    pub(crate) fn no_partition(&self, found: usize) -> PyErr {
        let parts = self.method.partitions().len();
        refused(format!("{}: found partition {found}; expected 0 to {}", self.method.id(), parts - 1))
    }
}

#[pymethods]
impl Core {
    /// Loads a method of the library, by id or alias, or a method file; `folders` contain further methods.
    #[staticmethod]
    fn load(name: &str, folders: Vec<PathBuf>) -> PyResult<Self> {
        Library::with_folders(folders).load(name).map(Self::new).map_err(of_method)
    }

    /// Parses a method from the text of a method file; `origin` names it in errors.
    #[staticmethod]
    fn from_json(text: &str, origin: &str) -> PyResult<Self> {
        Method::from_json(text.as_bytes(), origin).map(Self::new).map_err(of_method)
    }

    fn to_json(&self) -> String {
        self.method.to_json()
    }

    #[getter]
    fn id(&self) -> &str {
        self.method.id()
    }

    #[getter]
    fn name(&self) -> &str {
        self.method.name()
    }

    #[getter]
    fn stages(&self) -> usize {
        self.method.stages()
    }

    #[getter]
    fn partitions(&self) -> Vec<String> {
        self.method.partitions().iter().map(|partition| partition.name.clone()).collect()
    }

    #[getter]
    fn decimals(&self) -> Option<u32> {
        self.method.precision().map(|precision| precision.decimals)
    }

    #[getter]
    fn is_explicit(&self) -> bool {
        self.tableau().is_explicit()
    }

    /// Returns the stages at which each partition is evaluated, counted from 0.
    #[getter]
    fn evaluated_stages(&self) -> Vec<Vec<usize>> {
        self.method.exact().partitions.iter().map(Butcher::evaluated_stages).collect()
    }

    #[getter]
    fn claims(&self) -> Claims {
        let hemiola::tableau::Claims { order, separable_order, embedded_order, dense_order } = self.method.claims();
        Claims { order, separable_order, embedded_order, dense_order }
    }

    #[getter]
    fn source(&self) -> Source {
        let hemiola::tableau::Source { authors, title, year, doi, place, note } = self.method.source().clone();
        Source { authors, title, year, doi, place, note }
    }

    /// Returns the coefficients of each partition as texts: as published, or exact values.
    fn texts(&self, as_published: bool) -> Vec<Texts> {
        let text = |coefficient: &Coefficient| {
            if as_published { coefficient.text().to_owned() } else { coefficient.value().to_string() }
        };
        let exact = self.method.exact();
        let parts = self.method.partitions().iter().zip(&exact.partitions);
        let texts = |(partition, butcher): (&Partition, &Butcher<_>)| {
            let vector = |coefficients: &[Coefficient]| coefficients.iter().map(text).collect::<Vec<_>>();
            let matrix = |rows: &[Vec<Coefficient>]| rows.iter().map(|row| vector(row)).collect();
            let row_sums = || butcher.c.iter().map(ToString::to_string).collect();
            Texts {
                name: partition.name.clone(),
                a: matrix(&partition.a),
                b: vector(&partition.b),
                c: partition.c.as_deref().map_or_else(row_sums, vector),
                b_hat: partition.b_hat.as_deref().map(vector),
                dense: partition.dense.as_deref().map(matrix),
                has_abscissae: partition.c.is_some(),
            }
        };
        parts.map(texts).collect()
    }

    /// Returns the coefficients of each partition as the nearest doubles.
    fn doubles<'py>(&self, py: Python<'py>) -> PyResult<Vec<Doubles<'py>>> {
        let parts = self.method.partitions().iter().zip(&self.tableau().partitions);
        let doubles = |(partition, butcher): (&Partition, &Butcher<f64>)| {
            let vector = |coefficients: &Vec<Coefficient>| {
                let values: Vec<f64> = coefficients.iter().map(|coefficient| coefficient.value().to_f64()).collect();
                PyArray1::from_vec(py, values)
            };
            let dense = partition.dense.as_ref().map(|rows| {
                let number = |coefficient: &Coefficient| coefficient.value().to_f64();
                let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(number).collect()).collect();
                PyArray2::from_vec2(py, &rows)
            });
            Ok(Doubles {
                a: PyArray2::from_vec2(py, &butcher.a)?,
                b: PyArray1::from_slice(py, &butcher.b),
                c: PyArray1::from_slice(py, &butcher.c),
                b_hat: partition.b_hat.as_ref().map(vector),
                dense: dense.transpose()?,
            })
        };
        parts.map(doubles).collect()
    }

    /// Formats the Butcher tableaus as text or as LaTeX.
    fn table(&self, latex: bool) -> String {
        if latex { butcher_latex(&self.method) } else { butcher_text(&self.method) }
    }

    /// Returns a method of the selected partitions.
    fn selected(&self, partitions: Vec<usize>) -> PyResult<Self> {
        let found = self.method.selected(&partitions);
        let parts = self.method.partitions().len();
        found.map(Self::new).ok_or_else(|| {
            refused(format!("found partitions {partitions:?}; expected different ones from 0 to {}", parts - 1))
        })
    }

    /// Returns the method with its embedded weights in place of b, if it has any.
    fn embedded(&self) -> Option<Self> {
        self.method.embedded().map(Self::new)
    }

    /// Returns whether the method is of a kind, by its name on the command line.
    fn is_of_kind(&self, kind: &str) -> PyResult<bool> {
        let names = || Kind::ALL.map(Kind::name).join(", ");
        let found = Kind::ALL.into_iter().find(|known| known.name() == kind);
        let found = found.ok_or_else(|| refused(format!("kind: found {kind:?}; expected one of: {}", names())))?;
        Ok(found.is_kind_of(&self.method))
    }

    fn with_id(&self, id: &str) -> PyResult<Self> {
        self.method.clone().with_id(id).map(Self::new).map_err(of_method)
    }

    fn equals(&self, other: &Self) -> bool {
        self.method == other.method
    }
}

/// Returns the sorted ids of the embedded library.
#[pyfunction]
fn library_ids() -> Vec<&'static str> {
    library::ids().collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Core>()?;
    module.add_function(wrap_pyfunction!(library_ids, module)?)
}
