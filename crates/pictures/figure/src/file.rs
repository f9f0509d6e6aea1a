//! Figure files: drawings as JSON, which can be drawn again without recomputing the data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::drawing::Drawing;
use crate::error::FigureError;
use crate::text::Font;

/// Name and version of the format.
const FORMAT: &str = "hemiola-figure/1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    /// The name of the font, unless it is DejaVu Sans.
    #[serde(default)]
    font: Option<String>,
    drawing: Drawing,
}

impl Drawing {
    /// Serializes the drawing as a figure file. It names the font; the files of a user-defined family are not included.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Curve, Drawing, Figure, Panel};
    ///
    /// let panel = Panel::new(Axis::new("*t*"), Axis::new("*y*")).curve(Curve::new().open([[0.0, 1.0], [1.0, 0.1]]));
    /// let drawing = Drawing::from(Figure::one_column().panel(panel));
    /// assert_eq!(Drawing::from_json(&drawing.to_json()?)?, drawing);
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a data point is not finite.
    pub fn to_json(&self) -> Result<String, FigureError> {
        self.scene()?;
        let problem = |error: serde_json::Error| FigureError::File { problem: error.to_string() };
        let font = Some(self.own_font()).filter(|font| **font != Font::Sans).map(|font| font.name().to_owned());
        let file = File { format: FORMAT.to_owned(), font, drawing: self.clone() };
        let mut value = serde_json::to_value(file).map_err(problem)?;
        prune(&mut value);
        Ok(format!("{value:#}\n"))
    }

    /// Reads the text of a figure file. It does not check that the drawing can be laid out; [`scene`](Self::scene)
    /// does.
    ///
    /// # Errors
    ///
    /// Returns [`FigureError::File`] with the description and location of the error; it is also an error if the font is
    /// neither `sans` nor `serif`.
    pub fn from_json(text: &str) -> Result<Self, FigureError> {
        Self::from_json_with_fonts(text, |_| Err("expected `sans` or `serif`".to_owned()))
    }

    /// Reads the text of a figure file like [`from_json`](Self::from_json), and its font by `family` if it is neither
    /// `sans` nor `serif`.
    ///
    /// ```
    /// use hemiola_figure::{Drawing, Figure, Font, Panel};
    ///
    /// let text = Drawing::from(Figure::one_column().panel(Panel::default()).font(Font::Serif)).to_json()?;
    /// let text = text.replace("serif", "Garamond");
    /// assert!(Drawing::from_json(&text).is_err());
    /// let drawing = Drawing::from_json_with_fonts(&text, |name| match name {
    ///     "Garamond" => Ok(Font::Serif),
    ///     _ => Err("unknown".to_owned()),
    /// })?;
    /// assert_eq!(drawing, Figure::one_column().panel(Panel::default()).font(Font::Serif).into());
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`FigureError::File`] with the description and location of the error, or the problem that `family` reports.
    pub fn from_json_with_fonts(
        text: &str,
        family: impl FnOnce(&str) -> Result<Font, String>,
    ) -> Result<Self, FigureError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let file: File = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| FigureError::File { problem: format!("{}: {}", error.path(), error.inner()) })?;
        reader.end().map_err(|error| FigureError::File { problem: error.to_string() })?;
        if file.format != FORMAT {
            let problem = format!("format: `{}`, expected `{FORMAT}`", file.format);
            return Err(FigureError::File { problem });
        }
        let font = match file.font.as_deref() {
            None | Some("sans") => Font::Sans,
            Some("serif") => Font::Serif,
            Some(name) => {
                family(name).map_err(|problem| FigureError::File { problem: format!("font: `{name}`: {problem}") })?
            }
        };
        Ok(file.drawing.font(font))
    }
}

/// Removes null entries and empty lists and strings, which a reader takes as defaults.
fn prune(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.values_mut().for_each(prune);
            entries.retain(|_, entry| {
                let is_empty = entry.as_array().is_some_and(Vec::is_empty) || entry.as_str().is_some_and(str::is_empty);
                !(entry.is_null() || is_empty)
            });
        }
        Value::Array(entries) => entries.iter_mut().for_each(prune),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Color, Curve, Dash, Diagram, Figure, Gallery, Levels, NodeStyle, Panel, Points, Region, Style};

    fn everything() -> Drawing {
        let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
        let panel = Panel::new(Axis::new("*x*").range(-0.1, 1e-3), Axis::new("*y*").logarithmic().range(1e-9, 1.0))
            .title("all *kinds*")
            .height(0.5)
            .without_zero_lines()
            .curve(Curve::new().open([[0.1 + 0.2, 1e-300]]).closed(square(1.0)).dash(Dash::LongDash).label("curve"))
            .region(Region::new().polygon(square(0.5)).color(Color(1, 2, 255)).opacity(0.3))
            .points(Points::new([[0.5, 0.5]]).names(["one"]).size(2.5))
            .levels(Levels::at_most().level(2.0, [square(2.0)]).level(1.0, [square(1.0)]).ground().center(1.5));
        let figure = Figure::new(120.0).columns(1).title("T").description("D").style(Style::Monochrome).height(90.0);
        figure.panel(panel).panel(Panel::new(Axis::new(""), Axis::new("").whole_numbers()).equal_aspect()).into()
    }

    #[test]
    fn a_file_holds_the_whole_drawing() {
        let positive = r#"{"format": "hemiola-figure/1", "drawing": {"figure": {"panels": [{}]}}}"#;
        assert!(Drawing::from_json(positive).unwrap().scene().is_ok());
        let drawing = everything();
        let file = File { format: FORMAT.to_owned(), font: None, drawing: drawing.clone() };
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(Drawing::from_json(&text), Ok(drawing));
        let node = NodeStyle::default();
        let diagram = Diagram::new().node([0.0, 0.0], node).edge([0.0, 0.0], [1.0, 2.0]).caption("c");
        let gallery = Drawing::from(Gallery::one_column().diagram(diagram).key(node, "slow").note("n"));
        let text = gallery.to_json().unwrap();
        assert_eq!(Drawing::from_json(&text).as_ref(), Ok(&gallery));
        assert_eq!(Drawing::from_json(&text).unwrap().to_json(), Ok(text));
    }

    #[test]
    fn empty_levels_and_lines_are_read_again() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        let levels = Levels::at_most().level(1.0, []).level(2.0, [square]).level(3.0, [Vec::new()]);
        let panel = Panel::default().levels(levels).curve(Curve::new().open([]).open([[0.0, 1.0], [1.0, 0.0]]));
        for font in [Font::Sans, Font::Serif] {
            let drawing = Drawing::from(Figure::default().panel(panel.clone())).font(font);
            assert_eq!(Drawing::from_json(&drawing.to_json().unwrap()), Ok(drawing));
        }
    }

    #[test]
    fn levels_in_any_order_are_sorted() {
        let level = |value: f64| format!(r#"{{"value": {value}, "polygons": []}}"#);
        let text = format!(
            r#"{{"format": "hemiola-figure/1", "drawing": {{"figure": {{"panels": [{{"levels": {{"levels": [{}, {}]}}}}]}}}}}}"#,
            level(2.0),
            level(1.0)
        );
        let drawing = Drawing::from_json(&text).unwrap();
        let levels = Levels::at_least().level(1.0, []).level(2.0, []);
        assert_eq!(drawing, Figure::default().panel(Panel::default().levels(levels)).into());
    }

    #[test]
    fn faults_name_their_places() {
        let fault = |text: &str| Drawing::from_json(text).unwrap_err().to_string();
        let curve =
            r##"{"format": "hemiola-figure/1", "drawing": {"figure": {"panels": [{"curves": [{"color": "red"}]}]}}}"##;
        let message = fault(curve);
        assert!(message.contains("curves[0].color") && message.contains("#RRGGBB"), "{message}");
        assert!(fault(r#"{"format": "hemiola-figure/9", "drawing": {"figure": {}}}"#).contains("hemiola-figure/9"));
        assert!(fault(r#"{"format": "hemiola-figure/1", "drawing": {"figure": {"breadth": 3}}}"#).contains("breadth"));
        assert!(fault("[").contains("invalid figure file"));
    }
}
