//! Stability maps: schemes on slices of their stability regions, as regions or in color.

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

use crate::layer::{LEVEL, Layer, Style};
use crate::{MapError, MapScheme, Slice, View};
pub use extents::Extent;
pub(crate) use panel::MapPanel;
pub use quantity::MapQuantity;
use request::Panels;
use watched::Watched;

/// Schemes on slices: a panel for each slice, or for each scheme where colors fill it.
pub struct StabilityMap {
    pub(crate) description: String,
    pub(crate) parts: Vec<MapPanel>,
    /// What the samples' axes before rows and columns count.
    pub(crate) counts: Vec<usize>,
}

impl StabilityMap {
    /// The map of schemes on slices, each slice seen in a view.
    ///
    /// # Errors
    /// [`MapError`] without schemes or slices, where a number of the view is out of range, or where a slice does not fit a scheme or has
    /// no such quantity.
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

    /// The map with the crossings of the boundaries with the negative real and the positive imaginary axis marked, each with
    /// its number: stability limits of partitions, and places found on the axes for what has no limit of its own. Planes of
    /// real parameters have no such axes.
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
    /// [`MapError`] where a limit cannot be computed.
    pub fn with_extents(mut self) -> Result<Self, MapError> {
        for part in &mut self.parts {
            if part.is_complex {
                part.extents = extents::extents(part.shown(), &part.window)?;
            }
        }
        Ok(self)
    }

    /// The map whose samples are kept from drawing a panel until they are asked for, rather than computed again. They take eight bytes a
    /// grid point.
    ///
    /// ```
    /// use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let pair = MapScheme::method(&hemiola_tableau::library::method("shome-haug-jay-2-5")?);
    /// let view = View { cells: 20, ..View::default() };
    /// let slices = ["coupled:kappa=5,g=0.04".parse::<Slice>()?];
    /// let map = StabilityMap::new(&[pair], &slices, MapQuantity::Region, view)?;
    /// let samples = map.samples();
    /// let map = map.keeping_samples();
    /// let _panel = map.panel(0);
    /// assert!(map.each_samples().eq(samples));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keeping_samples(mut self) -> Self {
        self.parts
            .iter_mut()
            .flat_map(|part| &mut part.layers)
            .for_each(|layer| layer.kept.is_asked = !layer.is_comparison());
        self
    }

    /// The map that tells, while panels are drawn and samples are taken, how many more points were looked at: of whatever is not known so
    /// fast that there is nothing to tell. Several threads tell it.
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
    /// let map = map.watched(&watch);
    /// let _samples = map.samples();
    /// assert_eq!(looked.load(Ordering::Relaxed), 21 * 21 / 64 * 64); // told 64 at a time
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn watched(mut self, watch: &Arc<dyn Fn(usize) + Send + Sync>) -> Self {
        for layer in self.parts.iter_mut().flat_map(|part| &mut part.layers) {
            let field = std::mem::replace(&mut layer.field, Box::new(|_, _| 0.0));
            layer.field = Watched::field(field, watch);
        }
        self
    }

    /// The marked crossings of all panels.
    pub fn extents(&self) -> impl Iterator<Item = &Extent> {
        self.parts.iter().flat_map(|part| &part.extents)
    }

    /// The window of the first panel and its grid. All panels of one slice share it.
    #[must_use]
    pub fn window(&self) -> Window {
        self.parts.first().map_or(Window { x: (0.0, 1.0), y: (0.0, 1.0), cells: (1, 1) }, |part| part.window)
    }

    /// What [`samples`](Self::samples) holds: names of partitions, of schemes or of quantities.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.layers().map(|(_, layer)| layer.name.as_str()).collect()
    }

    /// What is mapped, at all grid points, row after row from below: |R_r| of each partition, ρ(S), …
    #[must_use]
    pub fn samples(&self) -> Vec<Vec<f64>> {
        self.each_samples().collect()
    }

    /// The same, one function after the other: each is sampled when it is asked for.
    pub fn each_samples(&self) -> impl Iterator<Item = Vec<f64>> {
        self.layers().map(|(window, layer)| layer.samples(window))
    }

    /// The shape of the samples: (names, rows, columns), or (rows, columns) of a coupled slice with one scheme.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        let (columns, rows) = self.window().cells;
        self.counts.iter().copied().chain([rows + 1, columns + 1]).collect()
    }

    /// The number of panels.
    #[must_use]
    pub fn panels(&self) -> usize {
        self.parts.len()
    }

    /// One panel, drawn: this is what takes time.
    ///
    /// # Panics
    /// Where there is no such panel.
    #[must_use]
    pub fn panel(&self, place: usize) -> Panel {
        self.parts[place].panel()
    }

    /// The figure of all panels: one column wide, or two where there are several.
    #[must_use]
    pub fn figure(&self, panels: Vec<Panel>) -> Figure {
        let figure = if panels.len() == 1 { Figure::one_column() } else { Figure::two_columns() };
        let figure = figure.columns(panels.len().min(MOST_ACROSS)).description(&self.description);
        let figure = if panels.len() > 1 { figure.legend_below() } else { figure };
        panels.into_iter().fold(figure, Figure::panel)
    }

    /// The figure with all panels drawn.
    #[must_use]
    pub fn drawn(&self) -> Figure {
        self.figure(self.parts.iter().map(MapPanel::panel).collect())
    }

    /// The areas of the regions within their windows; none where something else is mapped.
    #[must_use]
    pub fn areas(&self) -> Vec<f64> {
        let is_region = |layer: &Layer| matches!(layer.style, Style::Region | Style::Boundary);
        let regions = self.layers().filter(|(_, layer)| is_region(layer));
        regions.map(|(window, layer)| Region::new(window, &*layer.field, LEVEL).area()).collect()
    }

    /// At how many grid points of each window doubles left open whether a method is stable, so that more digits decided.
    #[must_use]
    pub fn in_more_digits(&self) -> Vec<usize> {
        self.layers().map(|(window, layer)| layer.in_more_digits(window)).collect()
    }

    fn layers(&self) -> impl Iterator<Item = (&Window, &Layer)> {
        self.parts.iter().flat_map(|part| part.shown().map(|layer| (&part.window, layer)))
    }
}

/// Panels side by side.
const MOST_ACROSS: usize = 3;

#[cfg(test)]
mod tests;
