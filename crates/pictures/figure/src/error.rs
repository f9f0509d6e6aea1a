//! Errors in a figure.

use std::fmt;

/// One of the two axes of a panel, as named in error messages.
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

/// Reason why a figure cannot be drawn. Panels are counted from 1.
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
        /// Requested width.
        millimeters: f64,
    },
    /// The height is zero, negative or not a number.
    #[error("the figure is {millimeters} mm high; a positive height is needed")]
    Height {
        /// Requested height.
        millimeters: f64,
    },
    /// The height leaves no room for the plots.
    #[error("the figure is {millimeters} mm high; its panels with their labels need {least:.1} mm")]
    TooLow {
        /// Requested height.
        millimeters: f64,
        /// Smallest possible height.
        least: f64,
    },
    /// The width leaves no room for the panels side by side.
    #[error("the figure is {millimeters} mm wide; {columns} panels in a row need {least} mm")]
    TooNarrow {
        /// Requested width.
        millimeters: f64,
        /// The number of panels in a row.
        columns: usize,
        /// Smallest width for this number of panels.
        least: f64,
    },
    /// A bound of a range is not finite, or the range is longer than 1e300.
    #[error("panel {panel}: the range {from:?} to {to:?} of the {axis} axis is not finite, or longer than 1e300")]
    NonFiniteRange {
        /// Number of the panel.
        panel: usize,
        /// The axis.
        axis: AxisName,
        /// The lower bound.
        from: f64,
        /// The upper bound.
        to: f64,
    },
    /// A range is empty, reversed, or too short to distinguish its ends.
    #[error("panel {panel}: the range {from:?} to {to:?} of the {axis} axis is empty")]
    EmptyRange {
        /// Number of the panel.
        panel: usize,
        /// The axis.
        axis: AxisName,
        /// The lower bound.
        from: f64,
        /// The upper bound.
        to: f64,
    },
    /// A data point is infinite or not a number.
    #[error("panel {panel}: point {point} of {mark} is ({x}, {y}), which is not finite")]
    NonFiniteData {
        /// Number of the panel.
        panel: usize,
        /// Mark with the data point: its label, or its kind and position.
        mark: String,
        /// Number of the point, counted from 1 over all polylines.
        point: usize,
        /// Its abscissa.
        x: f64,
        /// Its ordinate.
        y: f64,
    },
    /// A level is infinite or not a number.
    #[error("panel {panel}: level {level} is {value}, which is not finite")]
    NonFiniteLevel {
        /// Number of the panel.
        panel: usize,
        /// Number of the level in increasing order, counted from 1.
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
    /// A logarithmic axis has to show zero or a negative number.
    #[error("panel {panel}: the logarithmic {axis} axis cannot show {value}")]
    NonPositive {
        /// Number of the panel.
        panel: usize,
        /// The axis.
        axis: AxisName,
        /// The number.
        value: f64,
    },
    /// The text is not a valid figure file.
    #[error("invalid figure file: {problem}")]
    File {
        /// Description and location of the error.
        problem: String,
    },
    /// A font file cannot be parsed.
    #[error("a file of the font family {family} is not a TrueType or OpenType font")]
    Font {
        /// The family.
        family: String,
    },
    /// The image would have no pixels or too many.
    #[error(
        "{dots_per_inch} dots per inch give a picture of {width} × {height} pixels; expected 1 to {most} pixels in \
         each direction"
    )]
    Resolution {
        /// Requested resolution.
        dots_per_inch: f64,
        /// The width in pixels.
        width: f64,
        /// The height in pixels.
        height: f64,
        /// The largest width or height.
        most: u32,
    },
    /// A file cannot be encoded.
    #[error("the {format} file cannot be written: {reason}")]
    Encoding {
        /// Format of the file: PNG or PDF.
        format: &'static str,
        /// Reason of the failure.
        reason: String,
    },
}
