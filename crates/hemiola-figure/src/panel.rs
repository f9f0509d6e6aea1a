//! A panel: two axes and what is drawn between them.

use serde::{Deserialize, Serialize};

use crate::axis::Axis;
use crate::error::{AxisName, FigureError};
use crate::geometry::Path;
use crate::layout::{Aspect, equal_ranges};
use crate::legend::Legend;
use crate::marks::{Curve, Frame, Levels, Mark, Points, Region};
use crate::scale::Range;

/// One diagram of a figure.
///
/// Levels are drawn first, then regions, the lines x = 0 and y = 0, curves and points; within a kind in the order added.
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
    /// An empty panel.
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

    /// Makes the unit of both axes equally long. The panel takes its shape from the ranges; a shape that would be too
    /// flat or too tall for a page is avoided by a narrower panel, and in the extreme by a longer range.
    #[must_use]
    pub fn equal_aspect(mut self) -> Self {
        self.equal_aspect = true;
        self
    }

    /// The ranges of x and y that a panel of equal aspect shows where these are asked for: longer ones where the shape would
    /// be too flat or too tall. What is to fill the panel is computed there.
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

    /// Sets the height of the plot in parts of its width (0.72 otherwise). Equal aspect goes before.
    #[must_use]
    pub fn height(mut self, part_of_width: f64) -> Self {
        self.height = Some(part_of_width);
        self
    }

    /// Leaves out the thin lines at x = 0 and y = 0.
    #[must_use]
    pub fn without_zero_lines(mut self) -> Self {
        self.zero_lines = false;
        self
    }

    /// Chooses the place of the legend.
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
        self.curves = self.curves.into_iter().map(|curve| curve.relabeled(name)).collect();
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

    /// Fills the panel with the levels of a function, explained by a color bar at its right. A panel has one color bar: new
    /// levels take the place of others.
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

    /// The shape that is asked for.
    pub(crate) fn aspect(&self) -> Aspect {
        if self.equal_aspect { Aspect::Equal } else { Aspect::Height(self.height) }
    }

    /// The areas, which lie below everything else, each with its place among its kind.
    pub(crate) fn areas(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        placed(self.levels.as_slice()).chain(placed(&self.regions))
    }

    /// The lines and points, which lie above.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        placed(&self.curves).chain(placed(&self.points))
    }

    /// The marks that a legend may name, what is most prominent first.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        self.lines().chain(placed(&self.regions))
    }

    /// All marks, the most prominent first.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (usize, &dyn Mark)> {
        self.entries().chain(placed(self.levels.as_slice()))
    }

    /// The lines x = 0 and y = 0 as far as they are drawn.
    pub(crate) fn axis_lines(&self, frame: &Frame) -> Vec<Path> {
        if self.zero_lines { frame.zero_lines() } else { Vec::new() }
    }

    /// Refuses data that are not finite, and finds the ranges; `number` is the panel's, counted from 1.
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

    /// The least and the greatest coordinate of all data.
    fn extent(&self, coordinate: usize) -> Option<[f64; 2]> {
        let values = self.marks().flat_map(|(_, mark)| mark.data()).map(|datum| datum[coordinate]);
        values.fold(None, |extent, value| match extent {
            None => Some([value, value]),
            Some([low, high]) => Some([value.min(low), value.max(high)]),
        })
    }
}

fn placed<M: Mark>(marks: &[M]) -> impl Iterator<Item = (usize, &dyn Mark)> {
    marks.iter().enumerate().map(|(place, mark)| (place, mark as &dyn Mark))
}
