//! A figure or a gallery.

use serde::{Deserialize, Serialize};

use crate::diagrams::Gallery;
use crate::error::FigureError;
use crate::figure::Figure;
use crate::scene::Scene;
use crate::text::Font;

/// Content of a page: panels with axes, or diagrams without.
///
/// ```
/// use hemiola_figure::{Axis, Drawing, Figure, Font, Panel};
///
/// let drawing = Drawing::from(Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))));
/// let scene = drawing.width(178.0).font(Font::Serif).scene()?;
/// assert!(scene.size()[0] > 500.0);
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drawing {
    /// Panels.
    Figure(Figure),
    /// Diagrams.
    Gallery(Gallery),
}

impl From<Figure> for Drawing {
    fn from(figure: Figure) -> Self {
        Self::Figure(figure)
    }
}

impl From<Gallery> for Drawing {
    fn from(gallery: Gallery) -> Self {
        Self::Gallery(gallery)
    }
}

impl Drawing {
    /// Sets the width in millimeters.
    #[must_use]
    pub fn width(self, millimeters: f64) -> Self {
        match self {
            Self::Figure(figure) => Self::Figure(figure.width(millimeters)),
            Self::Gallery(gallery) => Self::Gallery(gallery.width(millimeters)),
        }
    }

    /// Sets the font.
    #[must_use]
    pub fn font(self, font: Font) -> Self {
        match self {
            Self::Figure(figure) => Self::Figure(figure.font(font)),
            Self::Gallery(gallery) => Self::Gallery(gallery.font(font)),
        }
    }

    /// Returns the font.
    pub(crate) fn own_font(&self) -> &Font {
        match self {
            Self::Figure(figure) => figure.own_font(),
            Self::Gallery(gallery) => gallery.own_font(),
        }
    }

    /// Lays out the drawing, independently of the format.
    ///
    /// # Errors
    ///
    /// Returns an error if the drawing is invalid: see [`Figure::scene`] and [`Gallery::scene`].
    pub fn scene(&self) -> Result<Scene, FigureError> {
        match self {
            Self::Figure(figure) => figure.scene(),
            Self::Gallery(gallery) => gallery.scene(),
        }
    }
}
