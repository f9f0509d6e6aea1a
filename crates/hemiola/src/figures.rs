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
mod coupling;
mod layer;
mod limits;
mod polynomial;
mod slice;
mod trees;
mod view;

use hemiola_figure::{Axis, Dash, Figure, FigureError, Panel};
use hemiola_stability::{CoupledRay, StabilityError, Window, modulus};
use hemiola_tableau::Method;
use num_complex::Complex64;
use thiserror::Error;

pub use boundary::boundary;
pub use coupling::CouplingMap;
pub use limits::{LimitCurve, LimitVariable, limits_figure};
pub use polynomial::polynomial_figure;
pub use slice::{Slice, SliceError};
pub use trees::TreeFigure;
pub use view::View;

use layer::{Layer, Style};

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

impl StabilityMap {
    /// The map of a slice, seen in a view.
    ///
    /// # Errors
    /// [`StabilityError`] where the slice does not fit the method or its parameters are out of range.
    pub fn new(method: &Method, slice: Slice, view: View) -> Result<Self, StabilityError> {
        let layers = match slice.ray() {
            None => partition_layers(method),
            Some((kappa, coupling)) => coupled_layers(method, kappa, coupling)?,
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
        self.shown().map(|layer| layer.samples(&self.window)).collect()
    }

    /// The shape of the samples: (partitions, rows, columns), or (rows, columns) for a coupled slice.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        let (columns, rows) = (self.window.cells.0 + 1, self.window.cells.1 + 1);
        match self.slice {
            Slice::Partitions => vec![self.layers.len(), rows, columns],
            Slice::Coupled { .. } | Slice::Gil { .. } => vec![rows, columns],
        }
    }

    /// The figure as SVG, one column wide.
    ///
    /// # Errors
    /// [`FigureError`] where the window cannot be drawn.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        let variable = match self.slice {
            Slice::Partitions => "z",
            Slice::Coupled { .. } | Slice::Gil { .. } => "ξ",
        };
        let axis = |part: &str, (low, high)| Axis::new(format!("{part}(*{variable}*)")).range(low, high);
        let panel = Panel::new(axis("Re", self.window.x), axis("Im", self.window.y)).equal_aspect();
        let panel = match self.slice {
            Slice::Partitions => panel,
            Slice::Coupled { kappa, coupling } => {
                panel.title(format!("*κ* = {}, *g* = {}", minus(kappa), minus(coupling)))
            }
            Slice::Gil { alpha, beta } => panel.title(format!("*α* = {}, *β* = {}", minus(alpha), minus(beta))),
        };
        let panel = self.layers.iter().fold(panel, |panel, layer| layer.draw(panel, &self.window));
        Figure::one_column().description(&self.description).panel(panel).to_svg()
    }

    fn shown(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.is_comparison())
    }
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
        style: Style::Region,
    };
    method.partitions().iter().zip(&tableau.partitions).map(layer).collect()
}

/// ρ(S) along the ray, and the decoupled problem for comparison.
fn coupled_layers(method: &Method, kappa: f64, coupling: f64) -> Result<Vec<Layer>, StabilityError> {
    let tableau = method.to_f64();
    let layer = |g: f64, style: Style| {
        let ray = CoupledRay::new(&tableau, kappa, g)?;
        Ok(Layer {
            name: "spectral radius".to_owned(),
            label: if g == coupling { "*ρ*(*S*) = 1" } else { "decoupled (*g* = 0)" }.to_owned(),
            radius: Box::new(move |xi| ray.spectral_radius(xi)),
            style,
        })
    };
    let coupled = layer(coupling, Style::Region)?;
    Ok(if coupling == 0.0 { vec![coupled] } else { vec![coupled, layer(0.0, Style::Comparison(Dash::Dashed))?] })
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
    fn a_coupled_slice_is_for_pairs() {
        let slice = Slice::Coupled { kappa: 5.0, coupling: 0.04 };
        assert_eq!(map("mprk-p3", slice).shape(), [101, 101]);
        // The same problem in other parameters.
        let gil = map("mprk-p3", Slice::Gil { alpha: 5.0, beta: 0.2 });
        assert_eq!((gil.shape(), gil.window()), (vec![101, 101], map("mprk-p3", slice).window()));
        let rk4 = library::method("rk4").unwrap();
        let error = StabilityMap::new(&rk4, slice, View::default()).err();
        assert_eq!(error, Some(StabilityError::NotAPair { found: 1 }));
    }

    #[test]
    fn names_cannot_break_the_markup() {
        assert_eq!(escaped("a_b*{c}"), r"a\_b\*\{c\}");
    }
}
