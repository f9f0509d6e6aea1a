//! What can be wrong with a figure.

use std::fmt;

/// One of the two axes of a panel, as named in errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisName {
    /// The horizontal axis.
    X,
    /// The vertical axis.
    Y,
}

impl fmt::Display for AxisName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::Y => "y",
        })
    }
}

/// Why a figure cannot be drawn. Panels are counted from 1.
///
/// ```
/// use hemiola_figure::{Figure, FigureError};
///
/// assert_eq!(Figure::one_column().to_svg(), Err(FigureError::NoPanels));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// The figure has no panels.
    #[error("the figure has no panels; add one with `Figure::panel`")]
    NoPanels,
    /// The gallery has no diagrams.
    #[error("the gallery has no diagrams; add one with `Gallery::diagram`")]
    NoDiagrams,
    /// The width is zero, negative or not a number.
    #[error("the figure is {millimeters} mm wide; a positive width is needed")]
    Width {
        /// The width asked for.
        millimeters: f64,
    },
    /// The height is zero, negative or not a number.
    #[error("the figure is {millimeters} mm high; a positive height is needed")]
    Height {
        /// The height asked for.
        millimeters: f64,
    },
    /// The height leaves no room for the plots.
    #[error("the figure is {millimeters} mm high; its panels with their labels need {least:.1} mm")]
    TooLow {
        /// The height asked for.
        millimeters: f64,
        /// The least height.
        least: f64,
    },
    /// The width leaves no room for the panels side by side.
    #[error("the figure is {millimeters} mm wide; with {columns} in a row its panels need {least} mm")]
    TooNarrow {
        /// The width asked for.
        millimeters: f64,
        /// The number of panels in a row.
        columns: usize,
        /// The least width for that many panels.
        least: f64,
    },
    /// A bound of a range is infinite or not a number, or so large that its ticks would be.
    #[error("panel {panel}: the range {from:?} to {to:?} of the {axis} axis is not finite, or longer than 1e300")]
    NonFiniteRange {
        /// The panel.
        panel: usize,
        /// The axis.
        axis: AxisName,
        /// The lower bound.
        from: f64,
        /// The upper bound.
        to: f64,
    },
    /// A range has no length, runs backwards, or is too short to be told from a point.
    #[error("panel {panel}: the range {from:?} to {to:?} of the {axis} axis is empty")]
    EmptyRange {
        /// The panel.
        panel: usize,
        /// The axis.
        axis: AxisName,
        /// The lower bound.
        from: f64,
        /// The upper bound.
        to: f64,
    },
    /// A datum is infinite or not a number.
    #[error("panel {panel}: point {point} of {mark} is ({x}, {y}), which is not finite")]
    NonFiniteData {
        /// The panel.
        panel: usize,
        /// What the datum belongs to: its label, or its kind and place.
        mark: String,
        /// The place of the point, counted from 1 over all polylines.
        point: usize,
        /// Its abscissa.
        x: f64,
        /// Its ordinate.
        y: f64,
    },
    /// A level is infinite or not a number.
    #[error("panel {panel}: level {level} is {value}, which is not finite")]
    NonFiniteLevel {
        /// The panel.
        panel: usize,
        /// The place of the level in order of size, counted from 1.
        level: usize,
        /// The level.
        value: f64,
    },
    /// A node or the end of an edge is infinite or not a number.
    #[error("diagram {diagram}: the point ({x}, {y}) is not finite")]
    NonFiniteNode {
        /// The diagram, counted from 1.
        diagram: usize,
        /// Its abscissa.
        x: f64,
        /// Its ordinate.
        y: f64,
    },
    /// A logarithmic axis is asked to show zero or a negative number.
    #[error("panel {panel}: the logarithmic {axis} axis cannot show {value}")]
    NonPositive {
        /// The panel.
        panel: usize,
        /// The axis.
        axis: AxisName,
        /// The number.
        value: f64,
    },
    /// A text is no figure file.
    #[error("no figure file: {problem}")]
    File {
        /// What is wrong, and where.
        problem: String,
    },
    /// A file of a font family holds no font.
    #[error("a file of the font family {family} is not a TrueType or OpenType font")]
    Font {
        /// The family.
        family: String,
    },
    /// A picture would have no pixels or too many.
    #[error(
        "{dots_per_inch} dots per inch make a picture of {width} × {height} pixels; 1 to {most} each way can be drawn"
    )]
    Resolution {
        /// The resolution asked for.
        dots_per_inch: f64,
        /// The width in pixels.
        width: f64,
        /// The height in pixels.
        height: f64,
        /// The largest width or height.
        most: u32,
    },
    /// A file cannot be put together.
    #[error("the {format} file cannot be written: {reason}")]
    Encoding {
        /// PNG or PDF.
        format: &'static str,
        /// What stands in the way.
        reason: String,
    },
}
