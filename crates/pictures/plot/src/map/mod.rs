//! Stability maps: schemes on slices of the stability region, as regions or in color bands.

mod bands;
pub(crate) mod counted;
mod extents;
mod layers;
mod panel;
mod panels;
mod quantity;
mod request;
mod spectrum;

use std::borrow::Cow;

use hemiola_figure::{Figure, Panel};
use hemiola_number::{Counter, Progress};
use hemiola_polynomial::Spectrum;
use hemiola_stability::map::Sampled;
use hemiola_stability::{Region, Window};

use crate::layer::{LEVEL, Layer, LayerStyle};
use crate::{MapError, MapScheme, Slice, View};
pub use extents::Extent;
pub(crate) use panel::MapPanel;
pub use quantity::MapQuantity;
use request::Panels;
pub use spectrum::{ScaledSpectrum, SpectrumStep};

/// Map of schemes on slices, with a panel for each slice, or for each scheme and slice if colors fill the panels.
pub struct StabilityMap {
    pub(crate) description: String,
    pub(crate) parts: Vec<MapPanel>,
    /// Lengths of the axes of the samples before rows and columns.
    pub(crate) counts: Vec<usize>,
    pub(crate) spectrum: Option<ScaledSpectrum>,
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
        let counts = if is_single { Vec::new() } else { vec![count] };
        Ok(Self { description, parts, counts, spectrum: None })
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
    /// let svg = map.sample(&())?.figure().to_svg()?;
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

    /// Draws a spectrum, scaled by a step h, over the regions in complex planes, z = hλ. If `step` is `None`, it is the
    /// largest step of the first region.
    ///
    /// ```
    /// use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let rk4 = MapScheme::method(&hemiola_tableau::library::method("rk4")?);
    /// let view = View { cells: 20, ..View::default() };
    /// let map = StabilityMap::new(&[rk4], &[Slice::Partitions], MapQuantity::Region, view)?;
    /// let imaginary = hemiola_polynomial::Spectrum::Axis(hemiola_polynomial::Axis::Imaginary);
    /// let map = map.with_spectrum(&imaginary, None, &())?;
    /// let spectrum = map.spectrum().ok_or("a spectrum")?;
    /// assert!((spectrum.step - 8f64.sqrt()).abs() < 1e-4 && spectrum.largest[0].largest == Some(spectrum.step));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MapError`] if no panel is a complex plane with regions, the first region has no largest step, or `progress`
    /// stops the search.
    pub fn with_spectrum(
        self,
        spectrum: &Spectrum,
        step: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<Self, MapError> {
        if let Some(step) = step.filter(|step| !(*step > 0.0 && step.is_finite())) {
            let expected = "a positive number";
            return Err(MapError::OutOfRange { name: "the step", found: step.to_string(), expected });
        }
        let layers = self.parts.iter().filter(|part| part.is_complex).flat_map(MapPanel::shown);
        let scaled = ScaledSpectrum::new(spectrum, step, layers, &Counter::new(progress, "steps", None))?;
        Ok(Self { spectrum: Some(scaled), ..self })
    }

    /// Returns the spectrum drawn over the regions, if any.
    #[must_use]
    pub fn spectrum(&self) -> Option<&ScaledSpectrum> {
        self.spectrum.as_ref()
    }

    /// Draws all panels. This is the expensive part.
    ///
    /// `progress` counts function evaluations, except those of vector kernels, which are fast.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use hemiola_number::Update;
    /// use hemiola_plot::{MapError, MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let pair = MapScheme::method(&hemiola_tableau::library::method("shome-haug-jay-2-5")?);
    /// let view = View { cells: 20, ..View::default() };
    /// let slices = ["robust:kappa=2..4,gamma=0.2".parse::<Slice>()?];
    /// let map = StabilityMap::new(&[pair], &slices, MapQuantity::Region, view)?;
    /// let samples = map.sample(&())?;
    /// let (figure, values) = (samples.figure(), samples.values(&())?);
    /// assert!(figure.to_svg()?.starts_with("<svg") && values[0].len() == 21 * 21);
    /// let stop = |update: Update<'_>| if update.done < 64 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    /// assert!(matches!(map.sample(&stop), Err(MapError::Interrupted)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MapError::Interrupted`] if `progress` stops the map.
    pub fn sample(&self, progress: &dyn Progress) -> Result<Samples<'_>, MapError> {
        let counter = Counter::new(progress, "points", None);
        let (mut panels, mut layers) = (Vec::new(), Vec::new());
        for part in &self.parts {
            if counter.advance(0).is_break() {
                break;
            }
            let (panel, samples) = part.draw(&counter);
            let spectrum = self.spectrum.iter().filter(|_| part.is_complex);
            panels.push(spectrum.fold(panel, |panel, spectrum| spectrum.draw(panel)));
            layers.extend(samples);
        }
        if counter.is_stopped() { Err(MapError::Interrupted) } else { Ok(Samples { map: self, panels, layers }) }
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

    /// Returns the names of the arrays in [`Samples::values`]: partitions, schemes or quantities.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.layers().map(|(_, layer)| layer.name.as_str()).collect()
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

    /// Returns the areas of the regions within their windows; empty if a different quantity is mapped.
    #[must_use]
    pub fn areas(&self) -> Vec<f64> {
        let is_region = |layer: &Layer| matches!(layer.style, LayerStyle::Region | LayerStyle::Boundary);
        let regions = self.layers().filter(|(_, layer)| is_region(layer));
        regions.map(|(window, layer)| Region::new(window, &*layer.field, LEVEL).area()).collect()
    }

    fn layers(&self) -> impl Iterator<Item = (&Window, &Layer)> {
        self.parts.iter().flat_map(|part| part.shown().map(|layer| (&part.window, layer)))
    }
}

/// Largest number of panels side by side.
const MOST_ACROSS: usize = 3;

/// A drawn map, with the values at all grid points of those functions for which drawing needed them.
pub struct Samples<'m> {
    map: &'m StabilityMap,
    panels: Vec<Panel>,
    layers: Vec<Option<Sampled>>,
}

impl Samples<'_> {
    /// Returns the figure: one column wide for a single panel, two otherwise.
    #[must_use]
    pub fn figure(&self) -> Figure {
        let count = self.panels.len();
        let figure = if count == 1 { Figure::one_column() } else { Figure::two_columns().legend_below() };
        let figure = figure.columns(count.min(MOST_ACROSS)).description(&self.map.description);
        self.panels.iter().cloned().fold(figure, Figure::panel)
    }

    /// Returns the values of all functions, such as |R_r| of each partition or ρ(S), at all grid points, row by row from
    /// the bottom. Those that drawing did not need are evaluated now; `progress` counts their points as in
    /// [`StabilityMap::sample`].
    ///
    /// # Errors
    /// Returns [`MapError::Interrupted`] if `progress` stops the evaluation.
    pub fn values(&self, progress: &dyn Progress) -> Result<Vec<Cow<'_, [f64]>>, MapError> {
        let counter = Counter::new(progress, "points", None);
        let each = self.map.layers().zip(&self.layers).map(|((window, layer), known)| match known {
            Some(samples) => Cow::Borrowed(&samples.values[..]),
            None => Cow::Owned(layer.sample(window, &counter)),
        });
        let values = each.collect();
        if counter.is_stopped() { Err(MapError::Interrupted) } else { Ok(values) }
    }

    /// Counts, for each function, the grid points at which doubles could not decide stability and more digits were
    /// used.
    #[must_use]
    pub fn in_more_digits(&self) -> Vec<usize> {
        let known = self.layers.iter().map(|layer| layer.as_ref().map(|samples| samples.in_more_digits));
        let counts = self.map.layers().zip(known);
        counts.map(|((window, layer), known)| known.unwrap_or_else(|| layer.field.count_refined(window))).collect()
    }
}

#[cfg(test)]
mod tests;
