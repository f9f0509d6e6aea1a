//! Formats of figures, by file extension.

use std::path::{Path, PathBuf};

use hemiola::figure::{Drawing, FigureError};
use thiserror::Error;

use crate::failure::{CommandError, Failure};
use crate::output::writer::{WriteError, ending};

/// File whose format this build cannot write.
#[derive(Debug, Error)]
#[error("{option} {file}: this build cannot write {}; rebuild with --features {feature}", .feature.to_uppercase())]
struct MissingFormat {
    option: &'static str,
    file: PathBuf,
    feature: String,
}

impl CommandError for MissingFormat {}

impl CommandError for FigureError {}

/// Optional formats by extension, which is also the name of their Cargo feature.
const OPTIONAL: [&str; 2] = ["pdf", "png"];

/// Supported file extensions of figures, for help texts.
pub(crate) const VALUE_NAME: &str = "F.svg|F.pdf|F.png|F.tex|F.json";

/// Format of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureFormat {
    Svg,
    Tex,
    Json,
    #[cfg(feature = "pdf")]
    Pdf,
    #[cfg(feature = "png")]
    Png,
}

impl FigureFormat {
    /// Returns the format of a file extension.
    pub(crate) fn of(option: &'static str, file: &Path) -> Result<Self, Failure> {
        match ending(file, "svg") {
            Some("svg") => Ok(Self::Svg),
            Some("tex") => Ok(Self::Tex),
            Some("json") => Ok(Self::Json),
            #[cfg(feature = "pdf")]
            Some("pdf") => Ok(Self::Pdf),
            #[cfg(feature = "png")]
            Some("png") => Ok(Self::Png),
            Some(ending) if OPTIONAL.contains(&ending) => {
                Err(MissingFormat { option, file: file.to_owned(), feature: ending.to_owned() }.into())
            }
            _ => Err(WriteError::Ending { option, file: file.to_owned(), expected: ".svg, .pdf, .png, .tex or .json" }
                .into()),
        }
    }

    /// Rejects unsupported file extensions before anything is computed.
    pub(crate) fn expect(option: &'static str, file: Option<&Path>) -> Result<(), Failure> {
        file.map_or(Ok(()), |file| Self::of(option, file).map(|_| ()))
    }

    /// Renders a drawing in this format. `dpi` is the resolution of PNG files; `standalone` makes .tex files complete
    /// documents.
    #[cfg_attr(not(feature = "png"), expect(unused_variables, reason = "only PNG files have a resolution"))]
    pub(crate) fn contents(self, drawing: &Drawing, dpi: f64, standalone: bool) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Json => Ok(drawing.to_json()?.into_bytes()),
            Self::Svg => Ok(drawing.scene()?.to_svg().into_bytes()),
            Self::Tex if standalone => Ok(drawing.scene()?.to_tikz_document().into_bytes()),
            Self::Tex => Ok(drawing.scene()?.to_tikz().into_bytes()),
            #[cfg(feature = "pdf")]
            Self::Pdf => Ok(drawing.scene()?.to_pdf()?),
            #[cfg(feature = "png")]
            Self::Png => Ok(drawing.scene()?.to_png(dpi)?),
        }
    }
}
