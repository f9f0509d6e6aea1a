//! Curves in black and white.

use crate::figure::Figure;
use crate::marks::{Curve, Mark};
use crate::panel::Panel;
use crate::style::Style;

impl Figure {
    /// Returns the black and white figure with a dash pattern and markers for each label, if only colors tell its curves
    /// apart; otherwise `None`. Curves of one label look the same in all panels, and black and gray curves stay.
    pub(crate) fn told_apart(&self) -> Option<Self> {
        let has_markers = || self.panels.iter().flat_map(Panel::curves).any(|(_, curve)| curve.has_sparse_markers());
        let is_mixed = self.style == Style::Monochrome && self.panels.iter().any(is_mixed) && !has_markers();
        if !is_mixed {
            return None;
        }
        let mut labels: Vec<&str> = Vec::new();
        for label in self.panels.iter().flat_map(Panel::curves).filter_map(|(_, curve)| colored(curve)) {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        // The unbroken line without markers is left to black and gray curves.
        let turn = |curve: &Curve| Some(1 + labels.iter().position(|label| Some(*label) == colored(curve))?);
        let change = |curve: Curve| match turn(&curve) {
            Some(turn) => curve.told_apart(turn),
            None => curve,
        };
        let mut figure = self.clone();
        figure.panels = self.panels.iter().map(|panel| panel.clone().each_curve(change)).collect();
        Some(figure)
    }
}

/// Returns the label of a curve that lies among others, in contrast to a reference below them.
fn named(curve: &Curve) -> Option<&str> {
    curve.label().filter(|_| !curve.is_below())
}

/// Returns the label of a curve that has one and a color.
fn colored(curve: &Curve) -> Option<&str> {
    named(curve).filter(|_| curve.is_colored())
}

/// Returns whether two curves with different labels look alike in black and white.
fn is_mixed(panel: &Panel) -> bool {
    let curves: Vec<(usize, &Curve)> = panel.curves().filter(|(_, curve)| named(curve).is_some()).collect();
    let alike = |one: &(usize, &Curve), other: &(usize, &Curve)| {
        named(one.1) != named(other.1)
            && (one.1.is_colored() || other.1.is_colored())
            && one.1.is_alike_in_gray(other.1, [one.0, other.0])
    };
    curves.iter().enumerate().any(|(k, one)| curves[..k].iter().any(|other| alike(one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::style::{Color, Dash};

    fn svg(style: Style, colors: &[Color]) -> String {
        let curve = |(k, color): (usize, &Color)| {
            let height = k as f64;
            let line = Curve::new().open([[0.0, height], [1.0, height + 0.5]]).label(format!("curve {k}"));
            line.color(*color).dash(Dash::Solid)
        };
        let panel = colors.iter().enumerate().map(curve).fold(Panel::new(Axis::new("x"), Axis::new("y")), Panel::curve);
        Figure::one_column().style(style).panel(panel).to_svg().unwrap()
    }

    /// Counts the dash patterns.
    fn dashes(svg: &str) -> usize {
        let patterns = svg.split("stroke-dasharray=\"").skip(1).filter_map(|rest| rest.split('"').next());
        patterns.collect::<std::collections::HashSet<_>>().len()
    }

    #[test]
    fn colors_become_patterns_and_markers() {
        let colors = [Color::BLUE, Color::VERMILION, Color::GREEN, Color::BLACK, Color::PURPLE];
        assert_eq!(dashes(&svg(Style::Color, &colors)), 0);
        let drawn = svg(Style::Monochrome, &colors);
        assert_eq!(dashes(&drawn), 4, "{drawn}");
        // A colored curve differs from a light gray one without a pattern, and from a black one only by it.
        assert_eq!(dashes(&svg(Style::Monochrome, &[Color::BLUE, Color(200, 200, 200)])), 0);
        assert_eq!(dashes(&svg(Style::Monochrome, &[Color::BLUE, Color::BLACK])), 1);
    }

    #[test]
    fn a_label_looks_the_same_in_all_panels() {
        let curve = |label: &str, color: Color| {
            Curve::new().open([[0.0, 0.0], [1.0, 1.0]]).label(label).color(color).dash(Dash::Solid)
        };
        let panel =
            |curves: [Curve; 2]| curves.into_iter().fold(Panel::new(Axis::new("x"), Axis::new("y")), Panel::curve);
        let figure = Figure::two_columns().legend_below().style(Style::Monochrome);
        let figure = figure.panel(panel([curve("one", Color::BLUE), curve("two", Color::BLACK)]));
        let figure = figure.panel(panel([curve("two", Color::BLACK), curve("one", Color::BLUE)]));
        let drawn = figure.to_svg().unwrap();
        // Equal looks share an entry of the common legend.
        assert_eq!(drawn.matches(">one</text>").count(), 1, "{drawn}");
        assert_eq!(drawn.matches(">two</text>").count(), 1);
    }
}
