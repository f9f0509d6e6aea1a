//! A panel: two axes and their marks.

use serde::{Deserialize, Serialize};

use crate::axis::Axis;
use crate::error::{AxisName, FigureError};
use crate::geometry::Path;
use crate::layout::{Aspect, equal_ranges};
use crate::legend::Legend;
use crate::marks::{Curve, Frame, Levels, Mark, Points, Region};
use crate::scale::Range;

/// Largest distance on the page, in points, at which the edges of regions are considered coincident: a curve would hide
/// it.
const HIDDEN: f64 = 0.5;

/// One coordinate system of a figure.
///
/// Levels are drawn first, then regions, the lines x = 0 and y = 0, curves and points, each kind in the order of
/// insertion.
///
/// ```
/// use hemiola_figure::{Axis, Curve, Legend, Panel};
///
/// let panel = Panel::new(Axis::new("*t*"), Axis::new("*q*(*t*)"))
///     .title("Solution")
///     .curve(Curve::new().open([[0.0, 1.0], [1.0, 0.4], [2.0, 0.1]]).label("exact"))
///     .legend(Legend::TopRight);
/// # let _ = panel;
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Panel {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) title: String,
    pub(crate) equal_aspect: bool,
    height: Option<f64>,
    pub(crate) zero_lines: bool,
    pub(crate) legend: Legend,
    pub(crate) levels: Option<Levels>,
    regions: Vec<Region>,
    curves: Vec<Curve>,
    points: Vec<Points>,
}

impl Default for Panel {
    fn default() -> Self {
        Self::new(Axis::default(), Axis::default())
    }
}

impl Panel {
    /// Creates an empty panel.
    #[must_use]
    pub fn new(x: Axis, y: Axis) -> Self {
        Self {
            x,
            y,
            title: String::new(),
            equal_aspect: false,
            height: None,
            zero_lines: true,
            legend: Legend::default(),
            levels: None,
            regions: Vec::new(),
            curves: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Sets the title above the panel; it may use markup.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Gives both axes equal units. The ranges determine the shape of the panel. If it would be too flat or too tall
    /// for a page, the panel becomes narrower and, in extreme cases, a range longer.
    #[must_use]
    pub fn equal_aspect(mut self) -> Self {
        self.equal_aspect = true;
        self
    }

    /// Returns the ranges of x and y that a panel of equal aspect shows for the requested ones. They are longer if the
    /// shape would be too flat or too tall; data that should fill the panel must be computed on them.
    ///
    /// ```
    /// use hemiola_figure::Panel;
    /// assert_eq!(Panel::equal_ranges((-2.0, 0.0), (-1.0, 1.0)), [(-2.0, 0.0), (-1.0, 1.0)]);
    /// let [x, y] = Panel::equal_ranges((-100.0, 0.0), (-1.0, 1.0));
    /// assert!(x == (-100.0, 0.0) && y.0 < -10.0 && y.1 > 10.0);
    /// ```
    #[must_use]
    pub fn equal_ranges(x: (f64, f64), y: (f64, f64)) -> [(f64, f64); 2] {
        equal_ranges(x, y)
    }

    /// Sets the height of the plot as a fraction of its width; the default is 0.72. Equal aspect takes precedence.
    #[must_use]
    pub fn height(mut self, part_of_width: f64) -> Self {
        self.height = Some(part_of_width);
        self
    }

    /// Omits the thin lines at x = 0 and y = 0.
    #[must_use]
    pub fn without_zero_lines(mut self) -> Self {
        self.zero_lines = false;
        self
    }

    /// Sets the position of the legend.
    #[must_use]
    pub fn legend(mut self, place: Legend) -> Self {
        self.legend = place;
        self
    }

    pub(crate) fn x_range(mut self, from: f64, to: f64) -> Self {
        self.x = self.x.range(from, to);
        self
    }

    pub(crate) fn y_range(mut self, from: f64, to: f64) -> Self {
        self.y = self.y.range(from, to);
        self
    }

    pub(crate) fn relabeled(mut self, name: &dyn Fn(&str) -> String) -> Self {
        self.regions = self.regions.into_iter().map(|region| region.relabeled(name)).collect();
        self.title = name(&self.title);
        self = self.each_curve(|curve| curve.relabeled(name));
        self.points = self.points.into_iter().map(|points| points.relabeled(name)).collect();
        self
    }

    /// Adds a curve.
    #[must_use]
    pub fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    /// Adds a region.
    #[must_use]
    pub fn region(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// Fills the panel with the levels of a function and adds a color bar at its right. It replaces existing levels,
    /// because a panel has only one color bar.
    #[must_use]
    pub fn levels(mut self, levels: Levels) -> Self {
        self.levels = Some(levels);
        self
    }

    /// Adds markers.
    #[must_use]
    pub fn points(mut self, points: Points) -> Self {
        self.points.push(points);
        self
    }

    /// Returns the requested shape.
    pub(crate) fn aspect(&self) -> Aspect {
        if self.equal_aspect { Aspect::Equal } else { Aspect::Height(self.height) }
    }

    /// Returns the areas, which lie below everything else, each with its index among its kind.
    pub(crate) fn areas(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        placed(self.levels.as_slice()).chain(placed(&self.regions))
    }

    /// Returns the lines and points, which lie above the areas, from bottom to top.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        let curves = |below: bool| {
            let of_kind = self.curves.iter().enumerate().filter(move |(_, curve)| curve.is_below() == below);
            of_kind.map(|(place, curve)| (place, curve as &dyn Mark))
        };
        curves(true).chain(curves(false)).chain(placed(&self.points))
    }

    /// Returns the curves with their places in the panel.
    pub(crate) fn curves(&self) -> impl Iterator<Item = (usize, &Curve)> {
        self.curves.iter().enumerate()
    }

    /// Replaces each curve by the result of `change`.
    pub(crate) fn each_curve(mut self, change: impl FnMut(Curve) -> Curve) -> Self {
        self.curves = self.curves.into_iter().map(change).collect();
        self
    }

    /// Merges coincident curves and regions under a joint label such as "A = B". The remaining marks keep their colors.
    /// Returns `None` if no marks coincide.
    pub(crate) fn merged(&self, frame: &Frame) -> Option<Self> {
        let mut panel = self.clone();
        let curves = merge(&mut panel.curves, |one, other| one.coincides(other, frame), Curve::joined);
        let same = |one: &Region, other: &Region| one.coincides(other, frame, HIDDEN);
        let regions = merge(&mut panel.regions, same, Region::joined);
        (curves || regions).then_some(panel)
    }

    /// Returns the labels of a legend.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> {
        self.entries().filter_map(|(_, mark)| mark.label())
    }

    /// Returns the marks of a legend, the most prominent first.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        self.lines().chain(placed(&self.regions))
    }

    /// Returns all marks, the most prominent first.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        self.entries().chain(placed(self.levels.as_slice()))
    }

    /// Returns the lines x = 0 and y = 0 if they are drawn.
    pub(crate) fn axis_lines(&self, frame: &Frame) -> Vec<Path> {
        if self.zero_lines { frame.zero_lines() } else { Vec::new() }
    }

    /// Rejects data that are not finite and computes the ranges; `number` is the panel's, counted from 1.
    pub(crate) fn ranges(&self, number: usize) -> Result<[Range; 2], FigureError> {
        self.check_data(number)?;
        let x = self.x.resolve(self.extent(0), AxisName::X, number)?;
        let y = self.y.resolve(self.extent(1), AxisName::Y, number)?;
        Ok([x, y])
    }

    fn check_data(&self, panel: usize) -> Result<(), FigureError> {
        if let Some((level, value)) = self.levels.as_ref().and_then(Levels::not_finite) {
            return Err(FigureError::NonFiniteLevel { panel, level, value });
        }
        for (place, mark) in self.marks() {
            let not_finite = |datum: &[f64; 2]| !datum.iter().all(|value| value.is_finite());
            if let Some((at, [x, y])) = mark.data().enumerate().find(|(_, datum)| not_finite(datum)) {
                let name = || format!("{} {}", mark.kind(), place + 1);
                let mark = mark.label().map_or_else(name, |label| format!("{} “{label}”", mark.kind()));
                return Err(FigureError::NonFiniteData { panel, mark, point: at + 1, x, y });
            }
        }
        Ok(())
    }

    /// Returns the smallest and the largest coordinate of all data.
    fn extent(&self, coordinate: usize) -> Option<[f64; 2]> {
        let values = self.marks().flat_map(|(_, mark)| mark.data()).map(|datum| datum[coordinate]);
        values.fold(None, |extent, value| match extent {
            None => Some([value, value]),
            Some([low, high]) => Some([value.min(low), value.max(high)]),
        })
    }
}

/// Joins each mark with an earlier one that coincides with it, and leaves its place empty; returns whether there are
/// any.
fn merge<M: Default>(marks: &mut [M], same: impl Fn(&M, &M) -> bool, join: impl Fn(&mut M, M)) -> bool {
    let mut found = false;
    for last in 1..marks.len() {
        let (before, rest) = marks.split_at_mut(last);
        if let Some(first) = before.iter_mut().find(|first| same(first, &rest[0])) {
            join(first, std::mem::take(&mut rest[0]));
            found = true;
        }
    }
    found
}

fn placed<M: Mark>(marks: &[M]) -> impl Iterator<Item = (usize, &dyn Mark)> {
    marks.iter().enumerate().map(|(place, mark)| (place, mark as &dyn Mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::style::{Color, Marker};

    fn arc(label: &str, radius: f64, points: usize) -> Curve {
        let at = |k: usize| std::f64::consts::PI * k as f64 / points as f64;
        Curve::new().open((0..=points).map(at).map(|t| [radius * t.cos(), radius * t.sin()])).label(label)
    }

    fn svg(curves: impl IntoIterator<Item = Curve>) -> String {
        let panel = Panel::new(Axis::new("x").range(-1.2, 1.2), Axis::new("y").range(0.0, 1.2)).equal_aspect();
        let panel = curves.into_iter().fold(panel, Panel::curve);
        Figure::one_column().panel(panel).to_svg().unwrap()
    }

    #[test]
    fn curves_that_coincide_on_the_page_are_one_entry() {
        // The plot is about 180 points wide, so 1/1000 is far below the line width and 2/100 is above it.
        let drawn =
            svg([arc("one", 1.0, 300), arc("two", 1.001, 299), arc("three", 1.02, 300), arc("four", 0.999, 77)]);
        assert!(drawn.contains(">one = two = four</text>") && drawn.contains(">three</text>"), "{drawn}");
        assert_eq!(drawn.matches("class=\"curve\"").count(), 2);
        // The third curve keeps the color of its index.
        assert_eq!(drawn.matches(&Color::GREEN.to_string()).count(), 2);
        assert!(!drawn.contains(&Color::VERMILION.to_string()));
    }

    #[test]
    fn equations_are_joined_by_a_word_and_chosen_colors_stay() {
        let [one, two] = ["g = 1", "g = 2"].map(|label| arc(label, 1.0, 50));
        assert!(svg([one.clone(), two.clone()]).contains(">g = 1 and g = 2</text>"));
        let drawn = svg([one.clone(), two.clone().color(Color::BLACK)]);
        assert!(drawn.contains(">g = 1</text>") && drawn.contains(">g = 2</text>"));
        // The same line with markers at different points shows different data.
        let marked = |points: usize| arc("a", 1.0, points).marker(Marker::Square);
        assert_eq!(svg([marked(40), marked(40).label("b")]).matches("class=\"curve\"").count(), 2);
        assert_eq!(svg([marked(40), marked(41).label("b")]).matches("class=\"curve\"").count(), 4);
    }

    #[test]
    fn one_legend_of_several_panels_tells_apart_what_one_of_them_does() {
        let panel = |radius: f64| {
            let axis = || Axis::new("x").range(-1.2, 1.2);
            Panel::new(axis(), axis()).curve(arc("one", 1.0, 90)).curve(arc("two", radius, 90))
        };
        let drawn =
            |radius: f64| Figure::two_columns().legend_below().panel(panel(1.0)).panel(panel(radius)).to_svg().unwrap();
        assert!(drawn(1.0).contains(">one = two</text>"));
        let apart = drawn(0.8);
        assert!(apart.contains(">one</text>") && apart.contains(">two</text>") && !apart.contains("one = two"));
    }

    #[test]
    fn what_lies_below_is_drawn_first_and_moves_no_color() {
        let drawn = svg([arc("method", 1.0, 50), arc("reference", 0.9, 50).color(Color::GRAY).below()]);
        let [method, reference] = ["method", "reference"].map(|name| drawn.find(&format!("<title>{name}")).unwrap());
        assert!(reference < method && drawn.contains(&Color::BLUE.to_string()));
    }
}
