//! A layer of a map: a function of the plane as a region or in color bands.

use hemiola_figure::{Color, ColorMap, Curve, Dash, Levels, Panel, Region as Area};
use hemiola_number::Counter;
use hemiola_stability::map::Sampled;
use hemiola_stability::{Contour, Field, Region, Window};
use hemiola_tableau::Method;

use crate::map::counted::CountedField;

/// Threshold for a modulus of one; the tolerance keeps rounding from speckling the regions of schemes that conserve
/// energy.
pub(crate) const LEVEL: f64 = 1.0 + 1e-11;

/// Width of the contour at one in color bands.
const ONE_WIDTH: f64 = 0.8;

/// A function of the plane with its name in data, its entry in the legend and its style.
pub(crate) struct Layer {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) field: Box<dyn Field>,
    pub(crate) style: LayerStyle,
    /// Method and partition, if the function is |R| of a partition.
    pub(crate) partition: Option<(Box<Method>, usize)>,
}

/// Representation of a layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LayerStyle {
    /// Filled region where the function is at most one, with its boundary.
    Region,
    /// Order star: the boundary of the region where the function exceeds one, filled if it is the only one.
    Star { is_filled: bool },
    /// Boundary alone, with fine ticks on the outside, because many overlapping fillings are illegible.
    Boundary,
    /// Thin gray boundary with this pattern, for comparison. It has no samples of its own in the output.
    Comparison(Dash),
    /// Color bands between levels, with a contour at one.
    Bands(Bands),
}

/// Levels between color bands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bands {
    pub(crate) levels: Vec<f64>,
    /// Label of the color bar.
    pub(crate) label: String,
    /// Value at which the two arms of a diverging color map meet; `None` for a sequential map.
    pub(crate) center: Option<f64>,
    /// Whether values above the last level have a color; otherwise they stay white.
    pub(crate) has_ground: bool,
    /// Whether a contour at one is drawn.
    pub(crate) has_line: bool,
}

impl Layer {
    /// Draws the layer. Returns the panel with it, and the samples at all grid points if drawing needed them.
    pub(crate) fn draw(&self, panel: Panel, window: &Window, counter: &Counter<'_>) -> (Panel, Option<Sampled>) {
        let field = &CountedField::new(&*self.field, counter);
        let field = field.unless_fast();
        if let LayerStyle::Bands(bands) = &self.style {
            return draw_bands(bands, field, panel, window);
        }
        if let LayerStyle::Star { is_filled } = self.style {
            let region = Region::new(window, &|x: f64, y: f64| field.at(x, y).recip(), 1.0);
            let panel = if is_filled {
                panel.region(area(&region).label(&self.label)).curve(lines(region.boundary))
            } else {
                panel.curve(self.curve(region.boundary).hachured())
            };
            return (panel, None);
        }
        let (region, samples) = Region::with_samples(window, field, LEVEL);
        let panel = match &self.style {
            LayerStyle::Boundary => panel.curve(self.curve(region.boundary).hachured()),
            // Empty boundaries are omitted from the legend.
            LayerStyle::Comparison(_) if region.boundary.is_empty() => panel,
            LayerStyle::Comparison(dash) => {
                panel.curve(self.curve(region.boundary).color(Color::GRAY).dash(*dash).width(0.8))
            }
            _ => panel.region(area(&region)).curve(self.curve(region.boundary)),
        };
        (panel, samples)
    }

    /// Evaluates the function at all grid points.
    pub(crate) fn sample(&self, window: &Window, counter: &Counter<'_>) -> Vec<f64> {
        CountedField::new(&*self.field, counter).unless_fast().sample(window)
    }

    fn curve(&self, boundary: Vec<Contour>) -> Curve {
        lines(boundary).label(&self.label)
    }

    /// Describes the side of the ticks on its boundary, if it has any.
    pub(crate) fn ticked_side(&self) -> Option<&'static str> {
        match self.style {
            LayerStyle::Boundary => Some("ticks on the unstable side"),
            // The curve surrounds the region where the method grows faster.
            LayerStyle::Star { is_filled: false } => Some("ticks on the side of slower growth"),
            _ => None,
        }
    }

    pub(crate) fn is_comparison(&self) -> bool {
        matches!(self.style, LayerStyle::Comparison(_))
    }
}

/// Draws bands up to each level, and the contour at one.
fn draw_bands(bands: &Bands, field: &dyn Field, panel: Panel, window: &Window) -> (Panel, Option<Sampled>) {
    let levels: Vec<f64> = bands.levels.iter().map(|&level| if level == 1.0 { LEVEL } else { level }).collect();
    let (regions, samples) = Region::several(window, field, &levels);
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
    (line.into_iter().fold(panel, Panel::curve), samples)
}

pub(crate) fn lines(boundary: Vec<Contour>) -> Curve {
    boundary
        .into_iter()
        .fold(Curve::new(), |curve, line| if line.closed { curve.closed(line.points) } else { curve.open(line.points) })
}

pub(crate) fn area(region: &Region) -> Area {
    region.polygons.iter().fold(Area::new(), |area, polygon| area.polygon(polygon.iter().copied()))
}
