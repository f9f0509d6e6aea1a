//! A gallery: a page with a grid of small diagrams.

use serde::{Deserialize, Serialize};

use super::diagram::{Diagram, Measured};
use super::key::GalleryKey;
use super::node::{NODE, NodeStyle};
use crate::error::FigureError;
use crate::figure::Figure;
use crate::layout::{EDGE, points};
use crate::scene::{Layer, Scene};
use crate::text::{Anchor, Font, Label, Text, size};

/// Length of a diagram's unit, unless a wide diagram requires a smaller one.
const UNIT: f64 = 11.0;
/// Gaps between diagrams.
const COLUMN_GAP: f64 = 12.0;
const ROW_GAP: f64 = 14.0;
/// Smallest width of a page, in millimeters.
const LEAST_WIDTH: f64 = 25.0;
/// Gap above the key, and height of the note including the gap above it.
const KEY_GAP: f64 = 6.0;
const NOTE: f64 = 12.0;

/// A page with a grid of diagrams and a key of the kinds of nodes at the end.
///
/// The width of the diagrams and their captions determines the number of columns.
///
/// ```
/// use hemiola_figure::{Diagram, Fill, Gallery, Marker, NodeStyle};
///
/// let slow = NodeStyle::default();
/// let fast = NodeStyle { marker: Marker::Circle, fill: Fill::Open };
/// let tree = Diagram::new().edge([0.0, 0.0], [0.0, 1.0]).node([0.0, 0.0], slow).node([0.0, 1.0], fast);
/// let svg = Gallery::one_column().diagram(tree.caption("1/*γ* = 1/2")).key(slow, "slow").key(fast, "fast").to_svg()?;
/// assert!(svg.contains("slow") && svg.contains("fast"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gallery {
    width: f64,
    description: String,
    diagrams: Vec<Diagram>,
    key: Vec<(NodeStyle, String)>,
    note: String,
    #[serde(skip)]
    font: Font,
}

/// Grid of a gallery: the number of diagrams per row, the width of a cell, and the common unit.
struct Grid {
    columns: usize,
    pitch: f64,
    unit: f64,
}

impl Default for Gallery {
    fn default() -> Self {
        Self::one_column()
    }
}

impl Gallery {
    /// Creates a page without diagrams, `width` millimeters wide.
    #[must_use]
    pub fn new(width: f64) -> Self {
        Self {
            width,
            description: "Diagrams".to_owned(),
            diagrams: Vec::new(),
            key: Vec::new(),
            note: String::new(),
            font: Font::Sans,
        }
    }

    /// Creates a page as wide as one column of a journal.
    #[must_use]
    pub fn one_column() -> Self {
        Self::new(Figure::ONE_COLUMN)
    }

    /// Creates a page as wide as two columns of a journal.
    #[must_use]
    pub fn two_columns() -> Self {
        Self::new(Figure::TWO_COLUMNS)
    }

    /// Sets the width in millimeters.
    #[must_use]
    pub fn width(mut self, millimeters: f64) -> Self {
        self.width = millimeters;
        self
    }

    /// Sets the font.
    #[must_use]
    pub fn font(mut self, font: Font) -> Self {
        self.font = font;
        self
    }

    pub(crate) fn own_font(&self) -> &Font {
        &self.font
    }

    /// Sets the description for readers who cannot see the page.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a diagram.
    #[must_use]
    pub fn diagram(mut self, diagram: Diagram) -> Self {
        self.diagrams.push(diagram);
        self
    }

    /// Adds an entry to the key below the diagrams; the label may use markup.
    #[must_use]
    pub fn key(mut self, style: NodeStyle, label: impl Into<String>) -> Self {
        self.key.push((style, label.into()));
        self
    }

    /// Sets a line of text below everything else; it may use markup.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Lays out the page, independently of the format. Equal galleries give equal scenes.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no diagrams, if the width is too small or not positive, or if a node is not
    /// finite.
    pub fn scene(&self) -> Result<Scene, FigureError> {
        if self.diagrams.is_empty() {
            return Err(FigureError::NoDiagrams);
        }
        if !(self.width > 0.0 && self.width.is_finite()) {
            return Err(FigureError::Width { millimeters: self.width });
        }
        if self.width < LEAST_WIDTH {
            return Err(FigureError::TooNarrow { millimeters: self.width, columns: 1, least: LEAST_WIDTH });
        }
        let diagrams = (1..).zip(&self.diagrams).map(|(number, diagram)| diagram.measure(number, &self.font));
        let diagrams: Vec<Measured<'_>> = diagrams.collect::<Result<_, _>>()?;
        let width = points(self.width);
        let mut content = Layer::default();
        let mut top = draw_grid(&diagrams, &Grid::new(&diagrams, width - 2.0 * EDGE), &mut content);
        if !self.key.is_empty() {
            top = GalleryKey::new(&self.key, width, &self.font).draw(top + KEY_GAP, &mut content);
        }
        top = self.draw_note(width, top, &mut content);
        Ok(Scene {
            size: [width, top + EDGE],
            name: self.description.clone(),
            description: self.description.clone(),
            font: self.font.clone(),
            content,
        })
    }

    /// Returns the page as the text of an SVG file; short for [`Scene::to_svg`].
    ///
    /// # Errors
    ///
    /// Same as [`scene`](Self::scene).
    pub fn to_svg(&self) -> Result<String, FigureError> {
        Ok(self.scene()?.to_svg())
    }

    fn draw_note(&self, width: f64, top: f64, layer: &mut Layer) -> f64 {
        let label = Label::new(&self.note, &self.font);
        if label.is_blank() {
            return top;
        }
        let at = [0.5 * width, top + NOTE];
        let size = label.fitted_size(size::LEGEND, width - 2.0 * EDGE);
        layer.text(Text::new(label, Anchor::Middle, at, size));
        top + NOTE + 0.3 * size
    }
}

impl Grid {
    fn new(diagrams: &[Measured<'_>], room: f64) -> Self {
        let widest = diagrams.iter().map(|diagram| diagram.extent[0]).fold(0.0, f64::max);
        let unit = if widest > 0.0 { UNIT.min((room - NODE) / widest) } else { UNIT };
        let captions = diagrams.iter().map(Measured::caption_width).fold(0.0, f64::max);
        let cell = captions.max(unit * widest + NODE).min(room);
        let most = ((room + COLUMN_GAP) / (cell + COLUMN_GAP)) as usize;
        let rows = diagrams.len().div_ceil(most.max(1));
        // The smallest number of columns for this number of rows: five diagrams are arranged as 3 + 2, not 4 + 1.
        let columns = diagrams.len().div_ceil(rows);
        Self { columns, pitch: room / columns as f64, unit }
    }
}

/// Draws the rows from the top and returns the lower end of the last. All drawings of a row share a base line.
fn draw_grid(diagrams: &[Measured<'_>], grid: &Grid, layer: &mut Layer) -> f64 {
    let mut top = EDGE;
    for (number, row) in diagrams.chunks(grid.columns).enumerate() {
        top += if number == 0 { 0.0 } else { ROW_GAP };
        let base = top + row.iter().map(|diagram| diagram.height(grid.unit)).fold(0.0, f64::max);
        for (k, diagram) in row.iter().enumerate() {
            let middle = EDGE + grid.pitch * (k as f64 + 0.5);
            layer.group("diagram", |layer| diagram.draw([middle, base], grid.unit, grid.pitch, layer));
        }
        top = base + row.iter().map(Measured::caption_height).fold(0.0, f64::max);
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(x: f64) -> Diagram {
        Diagram::new().node([x, 0.0], NodeStyle::default())
    }

    fn columns(captions: &[&str], millimeters: f64) -> usize {
        let diagrams: Vec<Diagram> = captions.iter().map(|caption| node(0.0).caption(*caption)).collect();
        let measured: Vec<Measured<'_>> =
            diagrams.iter().map(|diagram| diagram.measure(1, &Font::Sans).unwrap()).collect();
        Grid::new(&measured, points(millimeters)).columns
    }

    #[test]
    fn captions_decide_how_many_stand_in_a_row() {
        assert_eq!(columns(&["a caption of some length"; 5], 85.0), 2);
        assert_eq!(columns(&["a caption of some length"; 5], 178.0), 5);
        assert_eq!(columns(&["a caption of some length"; 6], 150.0), 3);
        let long = "a caption that is longer than any journal is wide, as texts of trees of order twenty may well be";
        assert_eq!(columns(&[long, "short"], 85.0), 1);
    }

    #[test]
    fn a_wide_diagram_is_drawn_smaller_and_stays_on_the_page() {
        let wide = (0..100).fold(Diagram::new(), |wide, k| wide.node([f64::from(k), 0.0], NodeStyle::default()));
        let measured = [wide.measure(1, &Font::Sans).unwrap()];
        let grid = Grid::new(&measured, 200.0);
        assert!((grid.unit * 99.0 + NODE - 200.0).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_drawn_is_named() {
        assert_eq!(Gallery::one_column().to_svg(), Err(FigureError::NoDiagrams));
        let fault = Gallery::one_column().diagram(node(0.0)).diagram(node(f64::INFINITY)).to_svg();
        assert_eq!(fault, Err(FigureError::NonFiniteNode { diagram: 2, x: f64::INFINITY, y: 0.0 }));
        assert!(matches!(Gallery::new(f64::NAN).diagram(node(0.0)).to_svg(), Err(FigureError::Width { .. })));
        assert!(matches!(Gallery::new(5.0).diagram(node(0.0)).to_svg(), Err(FigureError::TooNarrow { .. })));
    }
}
