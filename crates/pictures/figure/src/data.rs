//! Numerical data of a figure: boundary curves and points.

use crate::figure::Figure;
use crate::text::plain;

/// One line, polygon or set of points of a figure, in the units of its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkData {
    /// Number of the panel, counted from 1.
    pub panel: usize,
    /// Kind of mark: "curve", "region", "points", or "level" with its value.
    pub kind: String,
    /// Label in the legend without markup; empty if there is none.
    pub label: String,
    /// Whether the last point is connected to the first.
    pub closed: bool,
    /// The points.
    pub points: Vec<[f64; 2]>,
}

impl Figure {
    /// Returns the data of all curves, regions, points and levels, panel by panel, as they are drawn.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Curve, Figure, Panel};
    ///
    /// let curve = Curve::new().closed([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).label("|*R*| = 1");
    /// let figure = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*")).curve(curve));
    /// let data = figure.data();
    /// assert_eq!((data[0].label.as_str(), data[0].closed, data[0].points.len()), ("|R| = 1", true, 3));
    /// ```
    #[must_use]
    pub fn data(&self) -> Vec<MarkData> {
        let mut data = Vec::new();
        for (panel, content) in (1..).zip(&self.panels) {
            for (_, mark) in content.marks() {
                let label = mark.label().map(plain).unwrap_or_default();
                for (kind, closed, points) in mark.outlines() {
                    data.push(MarkData { panel, kind, label: label.clone(), closed, points: points.to_vec() });
                }
            }
        }
        data
    }
}
