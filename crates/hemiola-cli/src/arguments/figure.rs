//! Figure output: SVG, PDF or PNG, with its width and style.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use hemiola::figure::{Figure, Style};
use serde::Serialize;

use crate::arguments::number;
use crate::failure::Failure;
use crate::output::writer::{Output, write};

/// The default resolution in dots per inch, which journals ask for in color figures.
const DOTS_PER_INCH: f64 = 300.0;

/// Pages of PDF files are at most 200 inches wide.
const WIDEST: f64 = 5080.0;

/// The formats that a build may do without, by their endings, which are the names of their features.
const OPTIONAL: [&str; 2] = ["pdf", "png"];

/// Where a figure goes and what it looks like.
#[derive(Args)]
pub(crate) struct FigureArgs {
    /// The figure file to write; the extension selects the format
    #[arg(long, value_name = "F.svg|F.pdf|F.png")]
    pub(crate) output: PathBuf,

    /// The width: one or two journal columns, or millimeters [default: as wide as the panels need]
    #[arg(long, value_name = "one|two|MM")]
    width: Option<Width>,

    /// Color, or black and white
    #[arg(long, value_name = "STYLE", default_value = "color")]
    style: Look,

    /// The resolution of a PNG file in dots per inch
    #[arg(long, value_name = "DPI", default_value_t = DOTS_PER_INCH, value_parser = number::resolution)]
    dpi: f64,
}

/// The width of a figure in millimeters.
#[derive(Clone, Copy, PartialEq)]
struct Width(f64);

/// The style of a figure.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Look {
    /// Colors that color-blind readers can distinguish, with dash patterns
    #[value(alias = "colour")]
    Color,
    /// Black, grays and dash patterns
    Monochrome,
}

impl FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "one" => Ok(Self(Figure::ONE_COLUMN)),
            "two" => Ok(Self(Figure::TWO_COLUMNS)),
            _ => {
                let width = text.parse().ok().filter(|width: &f64| *width > 0.0 && *width <= WIDEST);
                width.map(Self).ok_or_else(|| format!("expected `one`, `two` or a width in millimeters up to {WIDEST}"))
            }
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    methods: &'a [String],
    output: String,
}

impl FigureArgs {
    /// Checks the file format before anything is computed.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        Format::of("--output", &self.output).map(|_| ())
    }

    /// Writes a figure with this width and style.
    pub(crate) fn write(&self, figure: Figure) -> Result<(), Failure> {
        let figure = match self.width {
            Some(Width(millimeters)) => figure.width(millimeters),
            None => figure,
        };
        let style = match self.style {
            Look::Color => Style::Color,
            Look::Monochrome => Style::Monochrome,
        };
        let format = Format::of("--output", &self.output)?;
        write(&self.output, &format.contents(figure.style(style).to_svg()?, self.dpi)?)
    }

    /// Reports the file written, as JSON with the methods or as one line.
    pub(crate) fn announce(&self, json: bool, methods: &[String], output: &mut Output) -> Result<(), Failure> {
        if json {
            return output.json(&Report { methods, output: self.output.display().to_string() });
        }
        output.line(&format!("wrote {}", self.output.display()))
    }
}

/// The format of a figure, from its file extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    #[cfg(feature = "pdf")]
    Pdf,
    #[cfg(feature = "png")]
    Png,
}

impl Format {
    fn of(option: &'static str, file: &Path) -> Result<Self, Failure> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Self::Svg),
            #[cfg(feature = "pdf")]
            Some("pdf") => Ok(Self::Pdf),
            #[cfg(feature = "png")]
            Some("png") => Ok(Self::Png),
            Some(ending) if OPTIONAL.contains(&ending) => {
                Err(Failure::NotBuilt { option, file: file.to_owned(), feature: ending.to_owned() })
            }
            _ => Err(Failure::WrongEnding { option, file: file.to_owned(), expected: ".svg, .pdf or .png" }),
        }
    }

    #[cfg_attr(not(feature = "png"), expect(unused_variables, reason = "only PNG files have a resolution"))]
    fn contents(self, svg: String, dpi: f64) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            #[cfg(feature = "pdf")]
            Self::Pdf => Ok(hemiola::figure::to_pdf(&svg)?),
            #[cfg(feature = "png")]
            Self::Png => Ok(hemiola::figure::to_png(&svg, dpi)?),
        }
    }
}

/// Refuses a file extension that is no figure format.
pub(crate) fn expect_figure(option: &'static str, file: Option<&Path>) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| Format::of(option, file).map(|_| ()))
}

/// Writes a finished SVG in the format of its file.
pub(crate) fn write_svg(option: &'static str, file: &Path, svg: String) -> Result<(), Failure> {
    write(file, &Format::of(option, file)?.contents(svg, DOTS_PER_INCH)?)
}
