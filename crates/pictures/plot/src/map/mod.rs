//! Stability maps: schemes on slices of the stability region, as regions or in color bands.

mod bands;
mod extents;
mod layers;
mod panel;
mod panels;
mod quantity;
mod request;
mod watched;

use std::sync::Arc;

use hemiola_figure::{Figure, Panel};
use hemiola_stability::{Region, Window};

use crate::layer::{LEVEL, Layer, LayerStyle};
use crate::{MapError, MapScheme, Slice, View};
pub use extents::Extent;
pub(crate) use panel::MapPanel;
pub use quantity::MapQuantity;
use request::Panels;
use watched::ReportingField;

/// Map of schemes on slices, with a panel for each slice, or for each scheme and slice if colors fill the panels.
pub struct StabilityMap {
    pub(crate) description: String,
    pub(crate) parts: Vec<MapPanel>,
    /// Lengths of the axes of the samples before rows and columns.
    pub(crate) counts: Vec<usize>,
}

impl StabilityMap {
    /// Creates the map of schemes on slices, with the same view of each slice.
    ///
    /// # Errors
    /// Returns [`MapError`] if there are no schemes or slices, if a number of the view is out of range, or if a slice
    /// does not fit a scheme or does not have the quantity.
    pub fn new(subjects: &[MapScheme], slices: &[Slice], show: MapQuantity, view: View) -> Result<Self, MapError> {
        view.check()?;
        for (is_empty, what) in [(subjects.is_empty(), "methods"), (slices.is_empty(), "slices")] {
            if is_empty {
                return Err(MapError::Nothing { what });
            }
        }
        let mut parts = Vec::new();
        for slice in slices {
            parts.extend(Panels { subjects, slice, show, view, value: None }.parts()?);
        }
        let listed = |texts: Vec<String>| texts.join(", ");
        let titles = listed(subjects.iter().map(|subject| subject.title.clone()).collect());
        let slices_text = listed(slices.iter().map(ToString::to_string).collect());
        let description = format!("{} of {titles}, slice {slices_text}", show.noun());
        let count = parts.iter().flat_map(MapPanel::shown).count();
        let is_single = count == 1 && slices != [Slice::Partitions];
        Ok(Self { description, parts, counts: if is_single { Vec::new() } else { vec![count] } })
    }

    /// Marks the crossings of the boundaries with the negative real and the positive imaginary axis, with their
    /// numbers. These are the stability limits of partitions, or crossings found along the axes for schemes without a
    /// known limit. Planes of real parameters have no such axes.
    ///
    /// ```
    /// use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let rk4 = MapScheme::method(&hemiola_tableau::library::method("rk4")?);
    /// let view = View { cells: 20, ..View::default() };
    /// let map = StabilityMap::new(&[rk4], &[Slice::Partitions], MapQuantity::Region, view)?.with_extents()?;
    /// let svg = map.drawn().to_svg()?;
    /// assert!(svg.contains(">−2.785<") && svg.contains(">2.828<"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MapError`] if a limit cannot be computed.
    pub fn with_extents(mut self) -> Result<Self, MapError> {
        for part in &mut self.parts {
            if part.is_complex {
                part.extents = extents::extents(part.shown(), &part.window)?;
            }
        }
        Ok(self)
    }

    /// Retains the samples of drawn panels until they are read, instead of computing them again. They take eight bytes
    /// per grid point.
    ///
    /// ```
    /// use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let pair = MapScheme::method(&hemiola_tableau::library::method("shome-haug-jay-2-5")?);
    /// let view = View { cells: 20, ..View::default() };
    /// let slices = ["coupled:kappa=5,g=0.04".parse::<Slice>()?];
    /// let map = StabilityMap::new(&[pair], &slices, MapQuantity::Region, view)?;
    /// let samples = map.samples();
    /// let map = map.with_retained_samples();
    /// let _panel = map.panel(0);
    /// assert!(map.each_samples().eq(samples));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_retained_samples(mut self) -> Self {
        self.parts
            .iter_mut()
            .flat_map(|part| &mut part.layers)
            .for_each(|layer| layer.kept.is_asked = !layer.is_comparison());
        self
    }

    /// Reports progress while panels are drawn and samples are taken: `watch` receives the number of additional points
    /// evaluated. Fields with vector kernels are fast and not reported. Called from several threads.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let pair = MapScheme::method(&hemiola_tableau::library::method("shome-haug-jay-2-5")?);
    /// let view = View { cells: 20, ..View::default() };
    /// let slices = ["robust:kappa=2..4,gamma=0.2".parse::<Slice>()?];
    /// let looked = Arc::new(AtomicUsize::new(0));
    /// let count = Arc::clone(&looked);
    /// let map = StabilityMap::new(&[pair], &slices, MapQuantity::Region, view)?;
    /// let watch: Arc<dyn Fn(usize) + Send + Sync> = Arc::new(move |points| drop(count.fetch_add(points, Ordering::Relaxed)));
    /// let map = map.with_progress(&watch);
    /// let _samples = map.samples();
    /// assert_eq!(looked.load(Ordering::Relaxed), 21 * 21 / 64 * 64); // told 64 at a time
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_progress(mut self, watch: &Arc<dyn Fn(usize) + Send + Sync>) -> Self {
        for layer in self.parts.iter_mut().flat_map(|part| &mut part.layers) {
            let field = std::mem::replace(&mut layer.field, Box::new(|_, _| 0.0));
            layer.field = ReportingField::field(field, watch);
        }
        self
    }

    /// Returns the marked crossings of all panels.
    pub fn extents(&self) -> impl Iterator<Item = &Extent> {
        self.parts.iter().flat_map(|part| &part.extents)
    }

    /// Returns the window and grid of the first panel. All panels of a slice share it.
    #[must_use]
    pub fn window(&self) -> Window {
        self.parts.first().map_or(Window { x: (0.0, 1.0), y: (0.0, 1.0), cells: (1, 1) }, |part| part.window)
    }

    /// Returns the names of the arrays in [`samples`](Self::samples): partitions, schemes or quantities.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.layers().map(|(_, layer)| layer.name.as_str()).collect()
    }

    /// Samples all functions, such as |R_r| of each partition or ρ(S), at all grid points, row by row from the bottom.
    #[must_use]
    pub fn samples(&self) -> Vec<Vec<f64>> {
        self.each_samples().collect()
    }

    /// Returns an iterator over the samples that evaluates each function on demand.
    pub fn each_samples(&self) -> impl Iterator<Item = Vec<f64>> {
        self.layers().map(|(window, layer)| layer.samples(window))
    }

    /// Returns the shape of the samples: (names, rows, columns), or (rows, columns) of a coupled slice with one scheme.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        let (columns, rows) = self.window().cells;
        self.counts.iter().copied().chain([rows + 1, columns + 1]).collect()
    }

    /// Returns the number of panels.
    #[must_use]
    pub fn panels(&self) -> usize {
        self.parts.len()
    }

    /// Draws one panel. This is the expensive part.
    ///
    /// # Panics
    /// Panics if `place` is out of range.
    #[must_use]
    pub fn panel(&self, place: usize) -> Panel {
        self.parts[place].panel()
    }

    /// Assembles the figure of all panels: one column wide for a single panel, two otherwise.
    #[must_use]
    pub fn figure(&self, panels: Vec<Panel>) -> Figure {
        let figure = if panels.len() == 1 { Figure::one_column() } else { Figure::two_columns() };
        let figure = figure.columns(panels.len().min(MOST_ACROSS)).description(&self.description);
        let figure = if panels.len() > 1 { figure.legend_below() } else { figure };
        panels.into_iter().fold(figure, Figure::panel)
    }

    /// Draws all panels and returns the figure.
    #[must_use]
    pub fn drawn(&self) -> Figure {
        self.figure(self.parts.iter().map(MapPanel::panel).collect())
    }

    /// Returns the areas of the regions within their windows; empty if a different quantity is mapped.
    #[must_use]
    pub fn areas(&self) -> Vec<f64> {
        let is_region = |layer: &Layer| matches!(layer.style, LayerStyle::Region | LayerStyle::Boundary);
        let regions = self.layers().filter(|(_, layer)| is_region(layer));
        regions.map(|(window, layer)| Region::new(window, &*layer.field, LEVEL).area()).collect()
    }

    /// Counts, for each function, the grid points at which doubles could not decide stability and more digits were
    /// used.
    #[must_use]
    pub fn in_more_digits(&self) -> Vec<usize> {
        self.layers().map(|(window, layer)| layer.in_more_digits(window)).collect()
    }

    fn layers(&self) -> impl Iterator<Item = (&Window, &Layer)> {
        self.parts.iter().flat_map(|part| part.shown().map(|layer| (&part.window, layer)))
    }
}

/// Largest number of panels side by side.
const MOST_ACROSS: usize = 3;

#[cfg(test)]
mod tests;
