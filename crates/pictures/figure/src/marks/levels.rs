//! Levels: bands of a function of the plane, one color each.

use serde::{Deserialize, Serialize};

use super::{Frame, Mark};
use crate::geometry::{Path, Point, surrounds};
use crate::scene::{Layer, Shape};
use crate::style::{Color, ColorMap, Look, Style};
use crate::ticks::anchor;

/// Bands of a function f between levels, given by the nested areas where f is at least, or at most, each level.
///
/// The areas are painted over each other, so that there are no gaps between them. A color bar at the right of the panel
/// shows the levels.
///
/// ```
/// use hemiola_figure::{Axis, ColorMap, Levels, Panel};
///
/// let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
/// // f = −max(|x|, |y|): {f ≥ −2}, {f ≥ −1}
/// let levels = Levels::at_least().level(-2.0, [square(2.0)]).level(-1.0, [square(1.0)]).label("*f*");
/// let panel = Panel::new(Axis::new("*x*"), Axis::new("*y*")).equal_aspect().levels(levels.color_map(ColorMap::Gray));
/// # let _ = panel;
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Levels {
    #[serde(deserialize_with = "sorted")]
    levels: Vec<Level>,
    nesting: Nesting,
    ground: bool,
    color_map: ColorMap,
    center: Option<f64>,
    marked: Option<f64>,
    label: Option<String>,
}

/// Side of the level on which its area lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Nesting {
    AtLeast,
    AtMost,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    value: f64,
    /// A level that the function reaches nowhere in the window has none.
    #[serde(default)]
    polygons: Vec<Vec<[f64; 2]>>,
}

/// Largest number of bands whose grays can be distinguished on paper.
const MOST_GRAYS: usize = 7;

/// Bands from the lowest to the highest.
pub(crate) struct Bands {
    /// Levels between the bands.
    pub(crate) values: Vec<f64>,
    pub(crate) colors: Vec<Color>,
    /// Number of bands below the lowest level.
    pub(crate) below: usize,
    /// Whether the lowest and the highest band are bounded.
    pub(crate) bounded: [bool; 2],
}

impl Default for Levels {
    fn default() -> Self {
        Self::at_least()
    }
}

/// Deserializes levels and sorts them in increasing order.
fn sorted<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Vec<Level>, D::Error> {
    let mut levels = Vec::<Level>::deserialize(reader)?;
    levels.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(levels)
}

impl Levels {
    /// Creates levels with the areas {f ≥ level}. The area below the lowest level stays white.
    #[must_use]
    pub fn at_least() -> Self {
        Self::new(Nesting::AtLeast)
    }

    /// Creates levels with the areas {f ≤ level}. The area above the highest level stays white.
    #[must_use]
    pub fn at_most() -> Self {
        Self::new(Nesting::AtMost)
    }

    fn new(nesting: Nesting) -> Self {
        Self {
            levels: Vec::new(),
            nesting,
            ground: false,
            color_map: ColorMap::default(),
            center: None,
            marked: None,
            label: None,
        }
    }

    /// Adds a level with the polygons of its area, which is their even-odd interior. Levels can be added in any order.
    /// If the level exists already, the polygons are added to it.
    #[must_use]
    pub fn level(mut self, value: f64, polygons: impl IntoIterator<Item = Vec<[f64; 2]>>) -> Self {
        let at = self.levels.partition_point(|level| level.value.total_cmp(&value).is_lt());
        if self.levels.get(at).is_none_or(|level| level.value != value) {
            self.levels.insert(at, Level { value, polygons: Vec::new() });
        }
        self.levels[at].polygons.extend(polygons);
        self
    }

    /// Paints the rest of the panel, outside all areas, in a color of the map instead of white.
    #[must_use]
    pub fn ground(mut self) -> Self {
        self.ground = true;
        self
    }

    /// Sets the color map. In [`Style::Monochrome`](crate::Style::Monochrome) the colors are grays.
    #[must_use]
    pub fn color_map(mut self, map: ColorMap) -> Self {
        self.color_map = map;
        self
    }

    /// Sets the value at which the arms of [`ColorMap::Diverging`] meet; the default is the middle of the bands.
    #[must_use]
    pub fn center(mut self, value: f64) -> Self {
        self.center = Some(value);
        self
    }

    /// Marks a level by a line across the color bar, to be used with a black curve along the level in the panel.
    ///
    /// ```
    /// use hemiola_figure::Levels;
    ///
    /// let growth = Levels::at_most().ground().level(0.5, []).level(1.0, []).level(2.0, []).center(1.0).marked(1.0);
    /// # let _ = growth;
    /// ```
    #[must_use]
    pub fn marked(mut self, value: f64) -> Self {
        self.marked = Some(value);
        self
    }

    /// Sets the name of the function beside the color bar; the label may use markup.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Returns the levels in increasing order.
    pub(crate) fn values(&self) -> Vec<f64> {
        self.levels.iter().map(|level| level.value).collect()
    }

    /// Returns the first level that is not finite, with its number counted from 1.
    pub(crate) fn not_finite(&self) -> Option<(usize, f64)> {
        (1..).zip(self.values()).find(|(_, value)| !value.is_finite())
    }

    /// Returns the index of the marked level among those of the bands.
    pub(crate) fn marked_place(&self, bands: &Bands) -> Option<usize> {
        bands.values.iter().position(|&value| Some(value) == self.marked)
    }

    pub(crate) fn bands(&self, look: Look) -> Bands {
        let below = usize::from(self.nesting == Nesting::AtMost || self.ground);
        let values: Vec<f64> = self.shown(look.style).map(|level| level.value).collect();
        let count = values.len() + usize::from(self.ground);
        let lower = match self.center {
            // The number of bands whose lower end is below the center.
            Some(center) => (values.partition_point(|&value| value < center) + below).min(count),
            None => count / 2,
        };
        let bounded = match self.nesting {
            Nesting::AtLeast => [!self.ground, false],
            Nesting::AtMost => [false, !self.ground],
        };
        Bands { colors: look.color_map(self.color_map).bands(count, lower), values, below, bounded }
    }

    /// Returns the levels that a style can distinguish. If there are too many for grays, it is every second or third,
    /// including the most important one: see `anchor`.
    fn shown(&self, style: Style) -> impl DoubleEndedIterator<Item = &Level> {
        let most = if style == Style::Monochrome { MOST_GRAYS } else { usize::MAX };
        let values = self.values();
        let anchor = anchor(&values, self.marked.or(self.center));
        let kept = move |k: usize, stride: usize| k.abs_diff(anchor).is_multiple_of(stride);
        let bands = |stride: usize| (0..values.len()).filter(|&k| kept(k, stride)).count() + usize::from(self.ground);
        let stride = (1..=values.len()).find(|&stride| bands(stride) <= most).unwrap_or(1);
        self.levels.iter().enumerate().filter(move |(k, _)| kept(*k, stride)).map(|(_, level)| level)
    }

    /// Returns the areas with the indices of their bands, in the order of painting.
    fn painted(&self, style: Style) -> Vec<(usize, &Level)> {
        let places = usize::from(self.nesting == Nesting::AtLeast && self.ground)..;
        let mut painted: Vec<(usize, &Level)> = places.zip(self.shown(style)).collect();
        if self.nesting == Nesting::AtMost {
            painted.reverse();
        }
        painted
    }
}

impl Mark for Levels {
    fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    fn kind(&self) -> &'static str {
        "levels"
    }

    fn data(&self) -> Box<dyn Iterator<Item = [f64; 2]> + '_> {
        Box::new(self.levels.iter().flat_map(|level| level.polygons.iter().flatten().copied()))
    }

    fn outlines(&self) -> Vec<(String, bool, &[[f64; 2]])> {
        let polygons = self.levels.iter().flat_map(|level| level.polygons.iter().map(move |polygon| (level, polygon)));
        polygons.map(|(level, polygon)| (format!("level {}", level.value), true, &polygon[..])).collect()
    }

    fn ink(&self, _frame: &Frame) -> Vec<Path> {
        Vec::new()
    }

    fn shades(&self, frame: &Frame, at: Point) -> bool {
        let largest = self.painted(Style::Color).first().map_or(&[][..], |(_, level)| &level.polygons);
        self.ground || largest.iter().filter(|polygon| surrounds(&frame.polygon(polygon).points, at)).count() % 2 == 1
    }

    fn draw(&self, look: Look, frame: &Frame, layer: &mut Layer) {
        let colors = self.bands(look).colors;
        layer.group("levels", |layer| {
            if self.ground {
                let color = match self.nesting {
                    Nesting::AtLeast => colors.first(),
                    Nesting::AtMost => colors.last(),
                };
                paint(vec![frame.plot.outline()], color.copied(), layer);
            }
            for (band, level) in self.painted(look.style) {
                let paths = level.polygons.iter().map(|polygon| frame.polygon(polygon)).collect();
                paint(paths, colors.get(band).copied(), layer);
            }
        });
    }

    fn sample(&self, _look: Look, _center: Point, _layer: &mut Layer) {}
}

fn paint(mut paths: Vec<Path>, color: Option<Color>, layer: &mut Layer) {
    paths.retain(|path| path.points.len() > 2);
    if let Some(color) = color {
        layer.shape(Shape::of(paths).filled(color));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { place: 0, style: Style::Color, edged: false };

    fn square(half: f64) -> Vec<[f64; 2]> {
        vec![[-half, -half], [half, -half], [half, half], [-half, half]]
    }

    #[test]
    fn levels_are_in_order_and_each_is_there_once() {
        let levels = Levels::at_least().level(2.0, [square(1.0)]).level(1.0, [square(2.0)]).level(2.0, [square(0.5)]);
        assert_eq!(levels.values(), [1.0, 2.0]);
        assert_eq!(levels.levels[1].polygons.len(), 2);
        assert_eq!(levels.level(f64::NAN, []).not_finite().map(|(place, _)| place), Some(3));
    }

    #[test]
    fn the_largest_area_is_painted_first() {
        let values = |levels: &Levels| {
            levels.painted(Style::Color).iter().map(|(band, level)| (*band, level.value)).collect::<Vec<_>>()
        };
        let [below, above] = [Levels::at_most(), Levels::at_least()].map(|levels| levels.level(1.0, []).level(2.0, []));
        assert_eq!(values(&above), [(0, 1.0), (1, 2.0)]);
        assert_eq!(values(&above.ground()), [(1, 1.0), (2, 2.0)]);
        assert_eq!(values(&below.clone().ground()), [(1, 2.0), (0, 1.0)]);
        assert_eq!(values(&below), [(1, 2.0), (0, 1.0)]);
    }

    #[test]
    fn the_middle_value_parts_the_bands() {
        let levels = [0.5, 1.0, 2.0].iter().fold(Levels::at_least().ground(), |levels, &value| levels.level(value, []));
        let colors = |levels: &Levels| levels.clone().color_map(ColorMap::Diverging).bands(LOOK).colors;
        // Purple has more blue, orange has more red.
        let lower = |levels: &Levels| colors(levels).iter().filter(|color| color.2 > color.0).count();
        assert_eq!(lower(&levels.clone().center(1.0)), 2);
        assert_eq!(lower(&levels.clone().center(1.5)), 3);
        assert_eq!(lower(&levels.clone().center(9.0)), 4);
        assert_eq!(lower(&levels), 2);
    }

    #[test]
    fn grays_are_few_and_keep_the_level_that_matters() {
        let shown = |levels: &Levels, style| levels.bands(Look { style, ..LOOK });
        let growth = [0.1, 0.2, 0.5, 0.8, 0.9, 0.98, 1.0, 1.02, 1.1, 1.25, 2.0, 5.0, 10.0];
        for (ground, count) in [(true, 13), (false, 13), (true, 7), (true, 6), (false, 7), (true, 1), (true, 0)] {
            let levels = growth[..count]
                .iter()
                .fold(Levels::at_most().center(1.0).marked(1.0), |levels, &value| levels.level(value, [square(value)]));
            let levels = if ground { levels.ground() } else { levels };
            let [gray, color] = [Style::Monochrome, Style::Color].map(|style| shown(&levels, style));
            assert_eq!(color.values, growth[..count]);
            assert!(gray.colors.len() <= 7 && gray.colors.len() >= gray.values.len(), "{count}");
            assert_eq!(levels.marked_place(&gray).is_some(), count > 6, "{count}");
            assert_eq!(levels.painted(Style::Monochrome).len(), gray.values.len());
            let differ = gray.colors.windows(2).all(|pair| (pair[0].lightness() - pair[1].lightness()).abs() > 9.0);
            assert!(differ && gray.colors.iter().all(|color| color.is_neutral()));
        }
    }
}
