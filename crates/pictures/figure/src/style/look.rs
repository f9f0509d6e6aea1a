//! Appearance of marks: explicit or taken from the cycle.

use super::hatch::Hatch;
use super::{Color, ColorMap, Dash, Marker, Style, positive};
use crate::scene::{Paint, ShapeFill};

/// Gray cycle of lines and markers: L* = 0, 40, 20 and 60. Any two differ by at least 20, and the lightest has a
/// contrast of 3 to 1 with white paper, the minimum of the WCAG for graphics (2.1, criterion 1.4.11).
const GRAYS: [Color; 4] = [Color(0, 0, 0), Color(94, 94, 94), Color(48, 48, 48), Color(145, 145, 145)];

/// Default opacity of a region.
const OPACITY: f64 = 0.18;

/// Defaults for the style of a mark: its index among the marks of its kind, and the style of the figure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) place: usize,
    pub(crate) style: Style,
    /// Whether the mark lies on colors and needs a white edge.
    pub(crate) edged: bool,
}

impl Look {
    /// Creates the look of a mark on white paper.
    pub(crate) fn new(place: usize, style: Style) -> Self {
        Self { place, style, edged: false }
    }

    /// Returns the color of a line or a marker.
    pub(crate) fn color(self, asked: Option<Color>) -> Color {
        match self.style {
            Style::Color => asked.unwrap_or_else(|| Color::of_curve(self.place)),
            Style::Monochrome => match asked {
                Some(color) if color.is_neutral() => color,
                Some(color) if place_in_cycle(color).is_none() => nearest_gray(color),
                _ => GRAYS[self.turn(asked) % GRAYS.len()],
            },
        }
    }

    pub(crate) fn dash(self, asked: Option<Dash>) -> Dash {
        asked.unwrap_or_else(|| Dash::cycled(self.place))
    }

    pub(crate) fn marker(self, asked: Option<Marker>) -> Marker {
        asked.unwrap_or_else(|| Marker::cycled(self.place))
    }

    /// Returns the filling of a region.
    pub(crate) fn fill(self, asked: Option<Color>, opacity: Option<f64>) -> ShapeFill {
        let opacity = positive(opacity, OPACITY).min(1.0);
        let plain = |color: Color| ShapeFill { paint: Paint::Color(color), opacity };
        match (self.style, asked.filter(|color| color.is_neutral())) {
            (Style::Color, _) => plain(self.color(asked)),
            (Style::Monochrome, Some(gray)) => plain(gray),
            (Style::Monochrome, None) => match Hatch::cycled(self.turn(asked)) {
                Some(hatch) => ShapeFill { paint: Paint::Hatch(hatch), opacity: 1.0 },
                None => plain(Color::BLACK),
            },
        }
    }

    pub(crate) fn color_map(self, asked: ColorMap) -> ColorMap {
        match self.style {
            Style::Color => asked,
            Style::Monochrome => ColorMap::Gray,
        }
    }

    /// Returns the position in the cycle. A color of the palette has its own, so that a region and a boundary of equal
    /// color match.
    fn turn(self, asked: Option<Color>) -> usize {
        asked.and_then(place_in_cycle).unwrap_or(self.place)
    }
}

fn place_in_cycle(color: Color) -> Option<usize> {
    Color::CYCLE.iter().position(|&other| other == color)
}

fn nearest_gray(color: Color) -> Color {
    let distance = |gray: &Color| (gray.lightness() - color.lightness()).abs();
    GRAYS.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(Color::BLACK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(place: usize, style: Style) -> Look {
        Look::new(place, style)
    }

    /// Returns the set of distinct looks of `count` curves.
    fn looks(count: usize, style: Style) -> std::collections::HashSet<(Color, Dash)> {
        (0..count).map(|place| (look(place, style).color(None), look(place, style).dash(None))).collect()
    }

    #[test]
    fn curves_differ_in_color_or_in_pattern() {
        assert_eq!(looks(42, Style::Color).len(), 42);
        assert_eq!(looks(12, Style::Monochrome).len(), 12);
        let patterns = |k: usize| look(k, Style::Monochrome).dash(None).pattern();
        assert!((0..6).all(|i| (0..i).all(|j| patterns(i) != patterns(j))));
    }

    #[test]
    fn monochrome_has_no_colors() {
        for place in 0..50 {
            let given = [None, Some(Color::BLUE), Some(Color(12, 200, 77)), Some(Color::GRAY)];
            assert!(given.iter().all(|&asked| look(place, Style::Monochrome).color(asked).is_neutral()));
            assert!(
                given
                    .iter()
                    .all(|&asked| look(place, Style::Color).color(asked) == asked.unwrap_or(Color::CYCLE[place % 7]))
            );
        }
    }

    #[test]
    fn a_region_takes_the_turn_of_its_color() {
        let fill = |place: usize, asked| look(place, Style::Monochrome).fill(asked, None).paint;
        assert_eq!(fill(5, Some(Color::VERMILION)), fill(1, None));
        assert_ne!(fill(1, None), fill(2, None));
        assert_eq!(fill(0, None), Paint::Color(Color::BLACK));
        assert_eq!(fill(1, Some(Color::GRAY)), Paint::Color(Color::GRAY));
    }
}
