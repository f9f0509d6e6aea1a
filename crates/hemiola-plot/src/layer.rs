//! One function of the plane, drawn: where it is at most one, or in bands of color.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hemiola_figure::{Color, ColorMap, Curve, Dash, Levels, Panel, Region as Area};
use hemiola_stability::map::Sampled;
use hemiola_stability::{Contour, Field, Region, Window};
use hemiola_tableau::Method;

/// What counts as one: schemes that conserve energy are there but for rounding, which is not to speckle their regions.
pub(crate) const LEVEL: f64 = 1.0 + 1e-11;

/// The width of the line where a function in bands of color is one.
const ONE_WIDTH: f64 = 0.8;

/// A function of the plane with its name in data, its entry in the legend and its style.
pub(crate) struct Layer {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) field: Box<dyn Field>,
    pub(crate) style: Style,
    /// The method's partition whose |R| it is, if it is one's.
    pub(crate) partition: Option<(Box<Method>, usize)>,
    pub(crate) kept: Kept,
}

/// What drawing found at all grid points of a window.
#[derive(Default)]
pub(crate) struct Kept {
    /// Whether the values are kept until they are written.
    pub(crate) is_asked: bool,
    samples: Mutex<Option<(Window, Sampled)>>,
}

impl Kept {
    fn put(&self, window: &Window, samples: Option<Sampled>) {
        let Some(mut samples) = samples else { return };
        if !self.is_asked {
            samples.values = Vec::new();
        }
        *self.locked() = Some((*window, samples));
    }

    fn values(&self, window: &Window) -> Option<Vec<f64>> {
        let mut kept = self.locked();
        let samples = kept.as_mut().filter(|(known, _)| known == window).map(|(_, samples)| samples)?;
        Some(std::mem::take(&mut samples.values)).filter(|values| !values.is_empty())
    }

    fn in_more_digits(&self, window: &Window) -> Option<usize> {
        self.locked().as_ref().filter(|(known, _)| known == window).map(|(_, samples)| samples.in_more_digits)
    }

    fn locked(&self) -> MutexGuard<'_, Option<(Window, Sampled)>> {
        self.samples.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a layer is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Style {
    /// Where the function is at most one, filled, and the boundary.
    Region,
    /// Where the function is larger than one: an order star, its boundary, and filled where it is the only one.
    Star { is_filled: bool },
    /// The boundary alone, with fine ticks on the outside: many regions above each other are a gray heap.
    Boundary,
    /// A thin gray boundary with this pattern, for comparison; it has no numbers of its own.
    Comparison(Dash),
    /// Bands of color between levels, and a line where the function is one.
    Bands(Bands),
}

/// The levels between bands of color.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bands {
    pub(crate) levels: Vec<f64>,
    /// The color bar's label.
    pub(crate) label: String,
    /// Where the colors of both sides meet; otherwise they run from one end to the other.
    pub(crate) center: Option<f64>,
    /// Whether what is above the last level has a color of its own; it stays white otherwise.
    pub(crate) has_ground: bool,
    /// Whether a line shows where the function is one.
    pub(crate) has_line: bool,
}

impl Layer {
    pub(crate) fn draw(&self, panel: Panel, window: &Window) -> Panel {
        match &self.style {
            Style::Bands(bands) => self.bands(bands, panel, window),
            Style::Region => {
                let (region, samples) = Region::with_samples(window, &*self.field, LEVEL);
                self.kept.put(window, samples);
                panel.region(area(&region)).curve(self.curve(region.boundary))
            }
            Style::Star { is_filled } => {
                let outside = |x: f64, y: f64| self.field.at(x, y).recip();
                let region = Region::new(window, &outside, 1.0);
                if *is_filled {
                    panel.region(area(&region).label(&self.label)).curve(lines(region.boundary))
                } else {
                    panel.curve(self.curve(region.boundary).hachured())
                }
            }
            Style::Boundary => panel.curve(self.curve(self.boundary(window)).hachured()),
            Style::Comparison(dash) => match self.boundary(window) {
                // A legend does not name what is not there.
                boundary if boundary.is_empty() => panel,
                boundary => panel.curve(self.curve(boundary).color(Color::GRAY).dash(*dash).width(0.8)),
            },
        }
    }

    /// Bands up to each level, and the line at one.
    fn bands(&self, bands: &Bands, panel: Panel, window: &Window) -> Panel {
        let levels: Vec<f64> = bands.levels.iter().map(|&level| if level == 1.0 { LEVEL } else { level }).collect();
        let (regions, samples) = Region::several(window, &*self.field, &levels);
        self.kept.put(window, samples);
        let mut drawn = Levels::at_most().label(&bands.label);
        let mut line = None;
        for (&level, region) in bands.levels.iter().zip(regions) {
            drawn = drawn.level(level, region.polygons);
            if bands.has_line && level == 1.0 {
                line = Some(lines(region.boundary).color(Color::BLACK).dash(Dash::Solid).width(ONE_WIDTH));
                drawn = drawn.marked(level);
            }
        }
        if let Some(center) = bands.center {
            drawn = drawn.color_map(ColorMap::Diverging).center(center);
        }
        let panel = panel.levels(if bands.has_ground { drawn.ground() } else { drawn });
        line.into_iter().fold(panel, Panel::curve)
    }

    fn boundary(&self, window: &Window) -> Vec<Contour> {
        let (region, samples) = Region::with_samples(window, &*self.field, LEVEL);
        self.kept.put(window, samples);
        region.boundary
    }

    fn curve(&self, boundary: Vec<Contour>) -> Curve {
        lines(boundary).label(&self.label)
    }

    /// On which side the ticks of its boundary stand, if it has any.
    pub(crate) fn ticked_side(&self) -> Option<&'static str> {
        match self.style {
            Style::Boundary => Some("ticks on the unstable side"),
            // The line runs about where the method grows faster.
            Style::Star { is_filled: false } => Some("ticks on the side of slower growth"),
            _ => None,
        }
    }

    pub(crate) fn is_comparison(&self) -> bool {
        matches!(self.style, Style::Comparison(_))
    }

    /// The values of the function at all grid points, row after row from below.
    pub(crate) fn samples(&self, window: &Window) -> Vec<f64> {
        self.kept.values(window).unwrap_or_else(|| self.field.sample(window))
    }

    /// At how many of them doubles left open whether a method is stable.
    pub(crate) fn in_more_digits(&self, window: &Window) -> usize {
        self.kept.in_more_digits(window).unwrap_or_else(|| self.field.in_more_digits(window))
    }
}

pub(crate) fn lines(boundary: Vec<Contour>) -> Curve {
    boundary
        .into_iter()
        .fold(Curve::new(), |curve, line| if line.closed { curve.closed(line.points) } else { curve.open(line.points) })
}

pub(crate) fn area(region: &Region) -> Area {
    region.polygons.iter().fold(Area::new(), |area, polygon| area.polygon(polygon.iter().copied()))
}
