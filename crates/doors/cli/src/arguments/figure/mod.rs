//! Appearance of figures: the options shared by all commands that draw.

mod label;

use std::path::Path;
use std::str::FromStr;

use clap::Args;
use fontdb::{Database, Family, Query};
#[cfg(feature = "plotters")]
use hemiola::figure::Scene;
use hemiola::figure::{Drawing, Figure, Font, FontFamily, Legend, Style};
use thiserror::Error;

use label::{LabelArg, Labels};

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::format::FigureFormat;
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::OptionError;
use crate::arguments::{curves, number};
use crate::failure::{CommandError, Failure};
use crate::output::writer::write;

/// Grid with too little room for the panels of a figure.
#[derive(Debug, Error)]
#[error("--panels {columns}x{rows}: the grid is too small; expected room for {panels} panels")]
struct PanelGridError {
    columns: usize,
    rows: usize,
    panels: usize,
}

impl CommandError for PanelGridError {}

/// Default resolution in dots per inch, as journals require for color figures.
const DOTS_PER_INCH: f64 = 300.0;

/// Largest length in millimeters: pages of PDF files are at most 200 inches long.
const LONGEST: f64 = 5080.0;

/// Millimeters per inch and per point.
const INCH: f64 = 25.4;
const POINT: f64 = INCH / 72.0;

/// Options for the appearance of a figure.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Figures")]
pub(crate) struct FigureArgs {
    /// Width: one or two journal columns, or a length in mm, cm, in or pt [default: to fit the panels]
    #[arg(long, value_name = "one|two|LENGTH")]
    width: Option<Length>,

    /// Height of the page: a length in mm, cm, in or pt [default: to fit the panels]
    #[arg(long, value_name = "LENGTH")]
    height: Option<Length>,

    /// Resolution of a PNG file in dots per inch [default: 300]
    #[arg(long, value_name = "DPI", value_parser = number::resolution)]
    dpi: Option<f64>,

    /// Color, or black and white [default: color]
    #[arg(long, value_name = "STYLE", value_parser = choice::<Style>())]
    style: Option<Style>,

    /// Font: sans, serif, or a font family on this machine [default: sans]
    ///
    /// sans is DejaVu Sans, serif is Computer Modern.
    #[arg(long, value_name = "sans|serif|FAMILY", value_parser = font)]
    font: Option<Font>,

    /// Title above all panels
    ///
    /// In the title, *x* is italic, _{…} a subscript and ^{…} a superscript.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Label of a method in legends (repeatable)
    ///
    /// METHOD is the id or name of the method, or its current text in the legend. The label of the only method of a
    /// figure whose legend does not name it becomes the title.
    #[arg(long = "label", value_name = "METHOD=TEXT")]
    labels: Vec<LabelArg>,

    /// Position of the legend
    #[arg(long, value_name = "PLACE", value_parser = choice::<Legend>())]
    legend: Option<Legend>,

    /// Number of columns and rows of panels
    #[arg(long, value_name = "COLSxROWS")]
    panels: Option<PanelGrid>,

    /// Range of the horizontal axis
    #[arg(long, num_args = 2, value_names = ["A", "B"], value_parser = number::real)]
    xrange: Option<Vec<f64>>,

    /// Range of the vertical axis
    #[arg(long, num_args = 2, value_names = ["A", "B"], value_parser = number::real)]
    yrange: Option<Vec<f64>>,

    /// Write the boundaries, curves and points of the figure as data, in addition to the figure
    #[arg(long, value_name = "F.csv|F.json")]
    curves: Option<OutputFile>,

    /// Write a .tex file as a complete document instead of a fragment for \input
    #[arg(long)]
    standalone: bool,
}

/// Length in millimeters.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Length(f64);

impl Choices for Style {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Color, "color", "Colors that color-blind readers can distinguish, with dash patterns"),
        (Self::Color, "colour", ""),
        (Self::Monochrome, "monochrome", "Black, grays and dash patterns"),
    ];
}

impl Choices for Legend {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Auto, "best", "Automatic: a free corner of the panel, or outside if there is none"),
        (Self::Below, "below", "One legend below all panels"),
        (Self::Right, "right", "Right of each panel"),
        (Self::Hidden, "none", "No legend"),
    ];
}

/// Columns and rows of panels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PanelGrid {
    columns: usize,
    rows: usize,
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let units = [("mm", 1.0), ("cm", 10.0), ("in", INCH), ("pt", POINT)];
        let length = match text {
            "one" => Some(Figure::ONE_COLUMN),
            "two" => Some(Figure::TWO_COLUMNS),
            _ => {
                let with_unit = units.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size)));
                let (number, size) = with_unit.unwrap_or((text, 1.0));
                number.trim().parse().ok().map(|number: f64| number * size)
            }
        };
        let length = length.filter(|length| *length > 0.0 && *length <= LONGEST);
        length.map(Self).ok_or_else(|| {
            format!("expected `one`, `two` or a length up to {LONGEST} mm such as 85, 85mm, 3.5in or 240pt")
        })
    }
}

impl FromStr for PanelGrid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once(['x', '×']).and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
        match parts {
            Some((columns, rows)) if columns > 0 && rows > 0 => Ok(Self { columns, rows }),
            _ => Err("expected columns and rows, such as 2x3".to_owned()),
        }
    }
}

impl FigureArgs {
    /// Returns the requested horizontal range, if any.
    pub(crate) fn xrange(&self) -> Result<Option<(f64, f64)>, Failure> {
        range("--xrange", self.xrange.as_deref())
    }

    /// Returns the requested vertical range, if any.
    pub(crate) fn yrange(&self) -> Result<Option<(f64, f64)>, Failure> {
        range("--yrange", self.yrange.as_deref())
    }

    /// Rejects unsupported file extensions and invalid uses of `--standalone` before anything is computed.
    pub(crate) fn check(&self, option: &'static str, file: Option<&Path>) -> Result<(), Failure> {
        self.check_document(file)?;
        self.check_files(option, file)
    }

    /// Rejects `--standalone` without a .tex file.
    pub(crate) fn check_document(&self, file: Option<&Path>) -> Result<(), Failure> {
        let is_tex = file.is_some_and(|file| file.extension().is_some_and(|ending| ending == "tex"));
        if self.standalone && !is_tex {
            return Err(OptionError::Contradiction { option: "--standalone", with: "a .tex file" }.into());
        }
        Ok(())
    }

    /// Rejects unsupported file extensions.
    pub(crate) fn check_files(&self, option: &'static str, file: Option<&Path>) -> Result<(), Failure> {
        if let Some(curves) = &self.curves {
            curves::expect(curves)?;
        }
        FigureFormat::expect(option, file)
    }

    /// Returns whether .tex files are standalone documents.
    pub(crate) fn is_document(&self) -> bool {
        self.standalone
    }

    /// Returns the same options without ranges, for figures computed for these ranges.
    pub(crate) fn without_ranges(&self) -> Self {
        Self { xrange: None, yrange: None, ..self.clone() }
    }

    /// Returns the same options without labels, for figures that name no methods beside one that does.
    pub(crate) fn without_labels(&self) -> Self {
        Self { labels: Vec::new(), ..self.clone() }
    }

    /// Rejects labels where no figure names methods.
    pub(crate) fn expect_no_labels(&self) -> Result<(), Failure> {
        if self.labels.is_empty() {
            return Ok(());
        }
        Err(OptionError::Contradiction { option: "--label", with: "a figure that names methods" }.into())
    }

    /// Writes a drawing with these options in the format of its file, and its data. `names` are ids and names of the
    /// methods.
    pub(crate) fn write(
        &self,
        option: &'static str,
        file: &Path,
        drawing: impl Into<Drawing>,
        names: &[(String, String)],
    ) -> Result<(), Failure> {
        let drawing = self.presented(drawing.into(), names)?;
        let format = FigureFormat::of(option, file)?;
        if let Some(curves) = &self.curves {
            write(curves, curves::contents(curves, &drawing)?.as_bytes())?;
        }
        write(file, &format.contents(&drawing, self.dpi.unwrap_or(DOTS_PER_INCH), self.standalone)?)
    }

    /// Returns the requested resolution in dots per inch, if any.
    #[cfg(all(feature = "gif", feature = "motion"))]
    pub(crate) fn dpi(&self) -> Option<f64> {
        self.dpi
    }

    /// Finds the font family that a figure file names, unless another font is requested.
    pub(crate) fn font_of_file(&self, family: &str) -> Result<Font, String> {
        self.font.clone().map_or_else(|| installed(family).map(Font::Family), Ok)
    }

    /// Lays out a figure with these options.
    #[cfg(all(feature = "gif", feature = "motion"))]
    pub(crate) fn scene(&self, figure: Figure) -> Result<Scene, Failure> {
        Ok(self.presented(figure.into(), &[])?.scene()?)
    }

    /// Lays out a drawing with these options for a terminal with this number of columns.
    #[cfg(feature = "plotters")]
    pub(crate) fn fitted(
        &self,
        drawing: Drawing,
        names: &[(String, String)],
        columns: usize,
    ) -> Result<Scene, Failure> {
        let drawing = self.presented(drawing, names)?;
        let (scene, widest) = (drawing.scene()?, Scene::TERMINAL_COLUMN * columns as f64);
        if scene.size()[0] <= widest { Ok(scene) } else { Ok(drawing.width(POINT * widest).scene()?) }
    }

    /// Applies these options to a drawing.
    fn presented(&self, drawing: Drawing, names: &[(String, String)]) -> Result<Drawing, Failure> {
        let drawing = match drawing {
            Drawing::Figure(figure) => Drawing::Figure(self.presented_figure(figure, names)?),
            gallery @ Drawing::Gallery(_) => {
                self.check_for_diagrams()?;
                gallery
            }
        };
        let drawing = match &self.font {
            Some(font) => drawing.font(font.clone()),
            None => drawing,
        };
        Ok(match self.width {
            Some(Length(millimeters)) => drawing.width(millimeters),
            None => drawing,
        })
    }

    /// Rejects options that have no meaning for diagrams, such as trees.
    fn check_for_diagrams(&self) -> Result<(), Failure> {
        let given = [
            ("--label", !self.labels.is_empty()),
            ("--title", self.title.is_some()),
            ("--legend", self.legend.is_some()),
            ("--style", self.style.is_some()),
            ("--height", self.height.is_some()),
            ("--panels", self.panels.is_some()),
            ("--xrange", self.xrange.is_some()),
            ("--yrange", self.yrange.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some(&(option, _)) => Err(OptionError::Contradiction { option, with: "a figure with axes" }.into()),
            None => Ok(()),
        }
    }

    fn presented_figure(&self, figure: Figure, names: &[(String, String)]) -> Result<Figure, Failure> {
        let mut figure = Labels::new(&self.labels, names, &figure)?.applied(figure);
        if let Some(look) = self.style {
            figure = figure.style(look);
        }
        if let Some(Length(millimeters)) = self.height {
            figure = figure.height(millimeters);
        }
        if let Some(title) = &self.title {
            figure = figure.title(title);
        }
        if let Some(place) = self.legend {
            figure = figure.legend(place);
        }
        if let Some(PanelGrid { columns, rows }) = self.panels {
            if columns * rows < figure.panels() {
                return Err(PanelGridError { columns, rows, panels: figure.panels() }.into());
            }
            figure = figure.columns(columns);
        }
        if let Some((from, to)) = self.xrange()? {
            figure = figure.x_range(from, to);
        }
        if let Some((from, to)) = self.yrange()? {
            figure = figure.y_range(from, to);
        }
        Ok(figure)
    }
}

/// Reads `sans`, `serif` or the name of a font family, and searches this machine for its files.
fn font(text: &str) -> Result<Font, String> {
    match text {
        "sans" => Ok(Font::Sans),
        "serif" => Ok(Font::Serif),
        family => installed(family).map(Font::Family),
    }
}

fn installed(family: &str) -> Result<FontFamily, String> {
    let mut faces = Database::new();
    faces.load_system_fonts();
    let missing =
        || format!("no font family `{family}` on this machine; expected `sans`, `serif` or an installed family");
    let face = |style| {
        let query = Query { families: &[Family::Name(family)], style, ..Query::default() };
        let id = faces.query(&query)?;
        faces.with_face_data(id, |data, index| (data.to_vec(), index))
    };
    let upright = face(fontdb::Style::Normal).ok_or_else(missing)?;
    let italic = face(fontdb::Style::Italic).ok_or_else(missing)?;
    FontFamily::new(family, upright, italic).map_err(|error| error.to_string())
}

/// Checks that the ends of a range increase.
fn range(option: &'static str, bounds: Option<&[f64]>) -> Result<Option<(f64, f64)>, Failure> {
    match bounds {
        Some(&[from, to]) if from < to => Ok(Some((from, to))),
        Some(&[from, to]) => Err(OptionError::EmptyRange { option, ends: [from, to] }.into()),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        let length = |text: &str| text.parse::<Length>().map(|Length(millimeters)| millimeters);
        for (text, expected) in
            [("one", 85.0), ("two", 178.0), ("90", 90.0), ("9cm", 90.0), ("1 in", 25.4), ("72pt", 25.4)]
        {
            assert!((length(text).unwrap() - expected).abs() < 1e-12, "{text}");
        }
        for text in ["", "three", "-1", "0mm", "1e9", "nan", "5 ft"] {
            assert!(length(text).is_err(), "{text}");
        }
    }

    #[test]
    fn grids_have_columns_and_rows() {
        assert_eq!("2x3".parse(), Ok(PanelGrid { columns: 2, rows: 3 }));
        for text in ["2", "0x1", "x", "2x", "axb"] {
            assert!(text.parse::<PanelGrid>().is_err(), "{text}");
        }
    }
}
