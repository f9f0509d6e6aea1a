//! Figures made from the libraries: stability maps, which show where a method is stable, optimal polynomials with their
//! limits, and rooted trees.
//!
//! ```
//! let method = hemiola::tableau::library::method("shome-haug-jay-2-5")?;
//! let svg = hemiola::figures::stability_figure(&method)?;
//! assert!(svg.contains("slow") && svg.contains("fast"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boundary;
mod limits;
mod polynomial;
mod slice;
mod trees;
mod view;

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, FigureError, Panel, Region};
use hemiola_stability::{CoupledRay, StabilityError, Window, contour, modulus};
use hemiola_tableau::Method;
use num_complex::Complex64;
use thiserror::Error;

pub use boundary::boundary;
pub use limits::{LimitCurve, LimitVariable, limits_figure};
pub use polynomial::polynomial_figure;
pub use slice::{Slice, SliceError};
pub use trees::TreeFigure;
pub use view::View;

/// Why a map cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapError {
    /// The method has no such map.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// The map has no figure.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// |R| or ρ(S) as a function of the plane's point.
type Radius = Box<dyn Fn(Complex64) -> f64 + Sync>;

/// The stability regions of all partitions in one figure, with automatic bounds: Fig. 1 of most papers.
///
/// # Errors
/// [`MapError`] where the figure cannot be drawn.
pub fn stability_figure(method: &Method) -> Result<String, MapError> {
    Ok(StabilityMap::new(method, Slice::Partitions, View::default())?.to_svg()?)
}

/// A slice of a method's stability region: one or more boundaries in one window of the complex plane.
pub struct StabilityMap {
    slice: Slice,
    description: String,
    window: Window,
    layers: Vec<Layer>,
}

/// One function of the plane and the boundary where it is one.
struct Layer {
    name: String,
    /// The boundary's entry in the legend.
    label: String,
    radius: Radius,
    /// A comparison is drawn as a thin grey line and has no numbers of its own.
    is_comparison: bool,
}

impl StabilityMap {
    /// The map of a slice, seen in a view.
    ///
    /// # Errors
    /// [`StabilityError`] where the slice does not fit the method or its parameters are out of range.
    pub fn new(method: &Method, slice: Slice, view: View) -> Result<Self, StabilityError> {
        let layers = match slice {
            Slice::Partitions => partition_layers(method),
            Slice::Coupled { kappa, coupling } => coupled_layers(method, kappa, coupling)?,
        };
        let radii: Vec<&Radius> = layers.iter().map(|layer| &layer.radius).collect();
        let window = view.window(&radii, method.stages());
        Ok(Self { slice, description: format!("Stability region of {}, slice {slice}", method.name()), window, layers })
    }

    /// The window and its grid.
    #[must_use]
    pub fn window(&self) -> Window {
        self.window
    }

    /// What [`samples`](Self::samples) holds: the names of the partitions, or the spectral radius.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.shown().map(|layer| layer.name.as_str()).collect()
    }

    /// |R_r| of each partition, or ρ(S), at all grid points, row after row from below.
    #[must_use]
    pub fn samples(&self) -> Vec<Vec<f64>> {
        self.shown().map(|layer| self.window.sample(|x, y| (layer.radius)(Complex64::new(x, y)))).collect()
    }

    /// The shape of the samples: (partitions, rows, columns), or (rows, columns) for a coupled slice.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        let (columns, rows) = (self.window.cells.0 + 1, self.window.cells.1 + 1);
        match self.slice {
            Slice::Partitions => vec![self.layers.len(), rows, columns],
            Slice::Coupled { .. } => vec![rows, columns],
        }
    }

    /// The figure as SVG, one column wide.
    ///
    /// # Errors
    /// [`FigureError`] where the window cannot be drawn.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        let variable = match self.slice {
            Slice::Partitions => "z",
            Slice::Coupled { .. } => "ξ",
        };
        let axis = |part: &str, (low, high)| Axis::new(format!("{part}(*{variable}*)")).range(low, high);
        let panel = Panel::new(axis("Re", self.window.x), axis("Im", self.window.y)).equal_aspect();
        let panel = match self.slice {
            Slice::Partitions => panel,
            Slice::Coupled { kappa, coupling } => {
                panel.title(format!("*κ* = {}, *g* = {}", minus(kappa), minus(coupling)))
            }
        };
        let panel = self.layers.iter().fold(panel, |panel, layer| layer.draw(panel, &self.window));
        Figure::one_column().description(&self.description).panel(panel).to_svg()
    }

    fn shown(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.is_comparison)
    }
}

impl Layer {
    fn draw(&self, panel: Panel, window: &Window) -> Panel {
        let boundary = contour(window, |x, y| self.excess(x, y)).into_iter();
        let curve = boundary.fold(Curve::new().label(&self.label), |curve, line| {
            if line.closed { curve.closed(line.points) } else { curve.open(line.points) }
        });
        if self.is_comparison {
            return panel.curve(curve.color(Color::GRAY).dash(Dash::Dashed).width(0.8));
        }
        let areas = contour(&surrounded(window), |x, y| if is_inside(window, x, y) { self.excess(x, y) } else { 1.0 });
        let region = areas.into_iter().fold(Region::new(), |region, area| region.polygon(area.points));
        panel.region(region).curve(curve)
    }

    fn excess(&self, x: f64, y: f64) -> f64 {
        (self.radius)(Complex64::new(x, y)) - 1.0
    }
}

/// The window with one more cell on each side: what is unstable there by decree closes every area at the window's edge.
fn surrounded(window: &Window) -> Window {
    let wider = |(low, high): (f64, f64), cells: usize| {
        let cell = (high - low) / cells as f64;
        (low - cell, high + cell)
    };
    let (columns, rows) = window.cells;
    Window { x: wider(window.x, columns), y: wider(window.y, rows), cells: (columns + 2, rows + 2) }
}

/// Whether a point lies in the window, with a margin for the rounding of grid points on its edge.
fn is_inside(window: &Window, x: f64, y: f64) -> bool {
    let within = |value: f64, (low, high): (f64, f64)| {
        let margin = 1e-9 * (high - low);
        (low - margin..=high + margin).contains(&value)
    };
    within(x, window.x) && within(y, window.y)
}

fn partition_layers(method: &Method) -> Vec<Layer> {
    let tableau = method.to_f64();
    let single = method.partitions().len() == 1;
    let layer = |(partition, butcher): (&hemiola_tableau::Partition, &hemiola_tableau::Butcher<f64>)| Layer {
        name: partition.name.clone(),
        label: if single {
            "|*R*(*z*)| = 1".to_owned()
        } else {
            format!("|*R*_{{{}}}(*z*)| = 1", escaped(&partition.name))
        },
        radius: Box::new(modulus(butcher)),
        is_comparison: false,
    };
    method.partitions().iter().zip(&tableau.partitions).map(layer).collect()
}

/// ρ(S) along the ray, and the decoupled problem for comparison.
fn coupled_layers(method: &Method, kappa: f64, coupling: f64) -> Result<Vec<Layer>, StabilityError> {
    let tableau = method.to_f64();
    let layer = |g: f64, is_comparison: bool| {
        let ray = CoupledRay::new(&tableau, kappa, g)?;
        Ok(Layer {
            name: "spectral radius".to_owned(),
            label: if is_comparison { "decoupled (*g* = 0)" } else { "*ρ*(*S*) = 1" }.to_owned(),
            radius: Box::new(move |xi| ray.spectral_radius(xi)),
            is_comparison,
        })
    };
    let coupled = layer(coupling, false)?;
    Ok(if coupling == 0.0 { vec![coupled] } else { vec![coupled, layer(0.0, true)?] })
}

/// A number with a true minus sign.
fn minus(value: f64) -> String {
    value.to_string().replace('-', "\u{2212}")
}

/// A name without markup.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if r"\*_^{}".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn map(id: &str, slice: Slice) -> StabilityMap {
        StabilityMap::new(&library::method(id).unwrap(), slice, View { cells: 100, ..View::default() }).unwrap()
    }

    #[test]
    fn the_window_holds_the_paper_s_regions() {
        let map = map("shome-haug-jay-2-5", Slice::Partitions);
        let Window { x, y, .. } = map.window();
        assert!(y.1 > 4.0 && y.1 < 5.0 && y.0 == -y.1, "{y:?}");
        assert!(x.0 < -3.0 && x.0 > -8.0 && x.1 > 0.0 && x.1 < 2.0, "{x:?}");
        assert_eq!(map.names(), ["slow", "fast"]);
        // The fast boundary passes through ±4i.
        assert!(map.layers[1].excess(0.0, 3.9) <= 0.0 && map.layers[1].excess(0.0, -4.0).abs() < 1e-6);
        assert!(map.layers[1].excess(0.0, 4.1) > 0.0);
        assert_eq!(map.shape(), [2, 101, 101]);
        assert_eq!(map.samples()[1].len(), 101 * 101);
    }

    #[test]
    fn a_half_plane_is_filled_up_to_the_window_s_edge() {
        let map = map("gauss-2", Slice::Partitions);
        let areas = contour(&surrounded(&map.window), |x, y| {
            if is_inside(&map.window, x, y) { map.layers[0].excess(x, y) } else { 1.0 }
        });
        assert_eq!(areas.len(), 1);
        assert!(areas[0].closed);
        let left = areas[0].points.iter().map(|[x, _]| *x).fold(f64::INFINITY, f64::min);
        assert!((left - map.window.x.0).abs() < 1e-6 * left.abs());
    }

    #[test]
    fn a_coupled_slice_is_for_pairs() {
        let slice = Slice::Coupled { kappa: 5.0, coupling: 0.04 };
        assert_eq!(map("mprk-p3", slice).shape(), [101, 101]);
        let rk4 = library::method("rk4").unwrap();
        let error = StabilityMap::new(&rk4, slice, View::default()).err();
        assert_eq!(error, Some(StabilityError::NotAPair { found: 1 }));
    }

    #[test]
    fn names_cannot_break_the_markup() {
        assert_eq!(escaped("a_b*{c}"), r"a\_b\*\{c\}");
    }
}
