//! Stability maps, trees and other figures, with their formats, appearance and data.

mod look;

use std::borrow::Cow;

use hemiola::figure::{Drawing, Figure, escaped};
use hemiola::order::{Grammar, Trees};
use hemiola::plot::{
    MapQuantity, MapScheme, OutputPanel, Series, Slice, StabilityMap, TreeFigure, View, dispersion_figure,
    outputs_figure,
};
use hemiola::stability::Window;
use hemiola::tableau::Method;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::refused;
use crate::method::Core;
use crate::order::colors;
use crate::running::released;
use crate::scheme::SchemeArgument;
use look::FigureChanges;

/// Quantities of maps, by their names on the command line.
const QUANTITIES: [(&str, MapQuantity); 8] = [
    ("region", MapQuantity::Region),
    ("modulus", MapQuantity::Modulus),
    ("eigenvalues", MapQuantity::Eigenvalues),
    ("order-star", MapQuantity::OrderStar),
    ("growth", MapQuantity::Growth),
    ("error", MapQuantity::Error),
    ("internal", MapQuantity::Internal),
    ("embedded", MapQuantity::Embedded),
];

/// A drawing.
#[pyclass(frozen, module = "hemiola._hemiola", name = "Drawing")]
pub(crate) struct Picture(Drawing);

/// A line, polygon or set of points of a figure.
#[derive(IntoPyObject)]
struct Mark<'py> {
    panel: usize,
    kind: String,
    label: String,
    closed: bool,
    points: Bound<'py, PyArray2<f64>>,
}

impl From<Figure> for Picture {
    fn from(figure: Figure) -> Self {
        Self(figure.into())
    }
}

#[pymethods]
impl Picture {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Drawing::from_json(text).map(Self).map_err(refused)
    }

    fn to_json(&self) -> PyResult<String> {
        self.0.to_json().map_err(refused)
    }

    /// Returns the drawing with changed appearance. In a gallery of diagrams, only the width and the font can change.
    fn restyled(&self, look: FigureChanges) -> PyResult<Self> {
        look.of(self.0.clone()).map(Self)
    }

    /// Returns the contents of a file: svg, tex, json, pdf or png.
    fn contents<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        dpi: f64,
        standalone: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let scene = self.0.scene().map_err(refused);
            match format {
                "svg" => Ok(scene?.to_svg().into_bytes()),
                "tex" if standalone => Ok(scene?.to_tikz_document().into_bytes()),
                "tex" => Ok(scene?.to_tikz().into_bytes()),
                "json" => Ok(self.0.to_json().map_err(refused)?.into_bytes()),
                "pdf" => scene?.to_pdf().map_err(refused),
                "png" => scene?.to_png(dpi).map_err(refused),
                other => Err(refused(format!("found the format {other:?}; expected svg, pdf, png, tex or json"))),
            }
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the lines, polygons and points of all panels, in the units of their axes; a gallery of diagrams has
    /// none.
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Mark<'py>>> {
        let Drawing::Figure(figure) = &self.0 else { return Ok(Vec::new()) };
        let mark = |mark: hemiola::figure::MarkData| {
            let points: Vec<f64> = mark.points.iter().flatten().copied().collect();
            let points = PyArray1::from_vec(py, points).reshape([mark.points.len(), 2])?;
            Ok(Mark { panel: mark.panel, kind: mark.kind, label: mark.label, closed: mark.closed, points })
        };
        figure.data().into_iter().map(mark).collect()
    }
}

/// A map: the figure, the samples on its grid, the window, and derived quantities.
#[derive(IntoPyObject)]
struct Map<'py> {
    drawing: Picture,
    names: Vec<String>,
    samples: Vec<Bound<'py, PyArray2<f64>>>,
    x: (f64, f64),
    y: (f64, f64),
    areas: Vec<f64>,
    extents: Vec<(String, [f64; 2])>,
}

/// A map before its conversion to Python objects.
struct ComputedMap {
    figure: Figure,
    names: Vec<String>,
    samples: Vec<Vec<f64>>,
    areas: Vec<f64>,
    extents: Vec<(String, [f64; 2])>,
    window: Window,
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a map")]
fn stability_map<'py>(
    py: Python<'py>,
    schemes: Vec<SchemeArgument<'py>>,
    slices: Vec<String>,
    quantity: &str,
    cells: usize,
    x: Option<(f64, f64)>,
    y: Option<(f64, f64)>,
    extents: bool,
    sampled: bool,
    threads: Option<usize>,
) -> PyResult<Map<'py>> {
    let names = || QUANTITIES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let quantity = QUANTITIES.iter().find(|(name, _)| *name == quantity);
    let &(_, quantity) = quantity.ok_or_else(|| refused(format!("unknown quantity; expected one of: {}", names())))?;
    let schemes: Vec<MapScheme> =
        schemes.iter().map(|given| MapScheme::new(&given.scheme()?).map_err(refused)).collect::<PyResult<_>>()?;
    let slices: Vec<Slice> = slices.iter().map(|slice| slice.parse().map_err(refused)).collect::<PyResult<_>>()?;
    let view = View { cells, x, y };
    let drawn = released(py, threads, || {
        let map = StabilityMap::new(&schemes, &slices, quantity, view).map_err(refused)?;
        let map = if extents { map.with_extents().map_err(refused)? } else { map };
        let samples = map.sample(&()).map_err(refused)?;
        let values = if sampled { samples.values(&()).map_err(refused)? } else { Vec::new() };
        Ok::<_, PyErr>(ComputedMap {
            figure: samples.figure(),
            samples: values.into_iter().map(Cow::into_owned).collect(),
            names: map.names().into_iter().map(str::to_owned).collect(),
            areas: map.areas(),
            extents: map.extents().map(|extent| (extent.name.clone(), extent.at)).collect(),
            window: map.window(),
        })
    })??;
    let (columns, rows) = (drawn.window.cells.0 + 1, drawn.window.cells.1 + 1);
    let grid = |values: Vec<f64>| PyArray1::from_vec(py, values).reshape([rows, columns]);
    Ok(Map {
        drawing: drawn.figure.into(),
        names: drawn.names,
        samples: drawn.samples.into_iter().map(grid).collect::<PyResult<_>>()?,
        x: drawn.window.x,
        y: drawn.window.y,
        areas: drawn.areas,
        extents: drawn.extents,
    })
}

/// Rejects an invalid grid or range of a map.
#[pyfunction]
fn check_view(cells: usize, x: (f64, f64), y: (f64, f64)) -> PyResult<()> {
    View { cells, x: Some(x), y: Some(y) }.check().map_err(refused)
}

/// Draws dissipation and phase error of every partition along the imaginary axis.
#[pyfunction]
fn dispersion(py: Python<'_>, cores: Vec<PyRef<'_, Core>>, range: Option<(f64, f64)>) -> PyResult<Picture> {
    let methods: Vec<Method> = cores.iter().map(|core| core.method.clone()).collect();
    released(py, None, || dispersion_figure(&methods, range).map(Picture::from).map_err(refused))?
}

/// Draws all rooted trees of an order with `partitions` colors.
#[pyfunction]
fn tree_figure(py: Python<'_>, order: usize, partitions: usize) -> PyResult<Picture> {
    let labels = colors(partitions)?;
    let names = ["slow", "fast"];
    released(py, None, || {
        let trees = Trees::new(&Grammar::partitioned(partitions), order).map_err(refused)?;
        let named = |(k, &label): (usize, &&'static str)| (label, if labels.len() == 2 { names[k] } else { label });
        let figure = TreeFigure::new(&labels.iter().enumerate().map(named).collect::<Vec<_>>());
        let all = trees.of_order(order).into_iter().map(|id| trees.tree(id));
        let figure = all.fold(figure, |figure, tree| figure.tree(&tree));
        Ok(Picture(figure.description(format!("Rooted trees of order {order}")).gallery().into()))
    })?
}

/// Name and values of a variable.
type NamedValues = (String, Vec<f64>);

/// Draws variables over time, with a panel for each group: its label, and its variables.
#[pyfunction]
fn time_figure(times: Vec<f64>, groups: Vec<(String, Vec<NamedValues>)>, description: &str) -> Picture {
    let series = |(label, values): NamedValues| Series { label, times: times.clone(), values: vec![values] };
    let panel = |(label, variables): (String, Vec<NamedValues>)| OutputPanel {
        label: escaped(&label),
        unit: String::new(),
        series: variables.into_iter().map(series).collect(),
    };
    let panels: Vec<OutputPanel> = groups.into_iter().map(panel).collect();
    outputs_figure(&panels, "", description).into()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Picture>()?;
    module.add_function(wrap_pyfunction!(stability_map, module)?)?;
    module.add_function(wrap_pyfunction!(check_view, module)?)?;
    module.add_function(wrap_pyfunction!(time_figure, module)?)?;
    module.add_function(wrap_pyfunction!(tree_figure, module)?)?;
    module.add_function(wrap_pyfunction!(dispersion, module)?)
}
