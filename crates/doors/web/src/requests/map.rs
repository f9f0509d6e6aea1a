//! Stability maps as pictures and as files: `hemiola map`.

use hemiola_figure::{Drawing, Figure, Style, escaped};
use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola_stability::Window;
use hemiola_tableau::Method;
use serde::{Deserialize, Serialize};

use crate::canvas::Picture;
use crate::subject::Subject;
use crate::wording::message;

/// Default number of cells in each direction, as on the command line.
const CELLS: usize = 400;

#[derive(Deserialize)]
pub(crate) struct MapQuestion {
    subject: Subject,
    /// Further methods of the library, overlaid.
    #[serde(default)]
    with: Vec<String>,
    /// Slice in the notation of `hemiola map --slice`.
    slice: String,
    show: String,
    /// Horizontal range of the window; `None` for an automatic range around the regions.
    x: Option<(f64, f64)>,
    y: Option<(f64, f64)>,
    cells: Option<usize>,
    /// Width in millimeters; `None` for one column.
    width: Option<f64>,
    /// Format of a file, to be returned instead of a picture.
    format: Option<Format>,
    #[serde(default)]
    monochrome: bool,
    /// Whether an automatic window is made square, so that the picture keeps its size when the window changes.
    #[serde(default)]
    square: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    Svg,
    Tex,
    Json,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MapAnswer {
    Picture { picture: Picture, x: (f64, f64), y: (f64, f64), areas: Vec<f64>, names: Vec<String> },
    File(String),
}

impl MapQuestion {
    pub(crate) fn answer(&self) -> Result<MapAnswer, String> {
        let mut methods = vec![self.subject.method()?];
        for id in &self.with {
            methods.push(Subject::of_library(id).method()?);
        }
        let schemes: Vec<MapScheme> = methods.iter().map(MapScheme::method).collect();
        let slice: Slice = self.slice.parse().map_err(message)?;
        let view = View { cells: self.cells.unwrap_or(CELLS).clamp(2, 1000), x: self.x, y: self.y };
        let (slices, show) = ([slice], quantity(&self.show)?);
        let map = |view| StabilityMap::new(&schemes, &slices, show, view).map_err(message);
        let fitted = map(view)?;
        let map =
            if self.square && self.format.is_none() && view.x.is_none() && view.y.is_none() && slices[0].is_complex() {
                map(squared(view, fitted.window()))?
            } else {
                fitted
            };
        let drawing = self.presented(map.sample(&()).map_err(message)?.figure(), &methods);
        if let Some(format) = self.format {
            return file(&drawing, format).map(MapAnswer::File);
        }
        let (window, names) = (map.window(), map.names().into_iter().map(str::to_owned).collect());
        // Areas require another pass along the boundaries, so they are skipped while the user moves the picture.
        let areas = if self.cells.is_none() { map.areas() } else { Vec::new() };
        Ok(MapAnswer::Picture { picture: Picture::new(&drawing)?, x: window.x, y: window.y, areas, names })
    }

    fn presented(&self, figure: Figure, methods: &[Method]) -> Drawing {
        let figure = figure.relabeled(|label| named(label, methods));
        let figure = if self.monochrome { figure.style(Style::Monochrome) } else { figure };
        let drawing = Drawing::from(figure);
        match self.width {
            Some(width) => drawing.width(width),
            None => drawing,
        }
    }
}

/// Enlarges the window of a view to a square.
fn squared(view: View, Window { x, y, .. }: Window) -> View {
    let half = 0.5 * (x.1 - x.0).max(y.1 - y.0);
    let about = |(low, high): (f64, f64)| Some((0.5 * (low + high) - half, 0.5 * (low + high) + half));
    View { x: about(x), y: about(y), ..view }
}

/// Returns a drawing as the text of a file.
pub(crate) fn file(drawing: &Drawing, format: Format) -> Result<String, String> {
    match format {
        Format::Svg => Ok(drawing.scene().map_err(message)?.to_svg()),
        Format::Tex => Ok(drawing.scene().map_err(message)?.to_tikz()),
        Format::Json => drawing.to_json().map_err(message),
    }
}

/// Replaces the method id at the beginning of a label by the method's name.
fn named(label: &str, methods: &[Method]) -> String {
    let mut known: Vec<(String, String)> =
        methods.iter().map(|method| (escaped(method.id()), escaped(method.name()))).collect();
    // The longest id comes first, because `rk4` is a prefix of other ids.
    known.sort_by_key(|(id, _)| std::cmp::Reverse(id.len()));
    let rest = |id: &str| label.strip_prefix(id).filter(|rest| rest.is_empty() || rest.starts_with([',', ' ']));
    known.iter().find_map(|(id, name)| Some(format!("{name}{}", rest(id)?))).unwrap_or_else(|| label.to_owned())
}

fn quantity(name: &str) -> Result<MapQuantity, String> {
    Ok(match name {
        "region" => MapQuantity::Region,
        "modulus" => MapQuantity::Modulus,
        "eigenvalues" => MapQuantity::Eigenvalues,
        "order-star" => MapQuantity::OrderStar,
        "growth" => MapQuantity::Growth,
        "error" => MapQuantity::Error,
        "internal" => MapQuantity::Internal,
        "embedded" => MapQuantity::Embedded,
        _ => {
            return Err(format!(
                "found {name:?}; expected region, modulus, eigenvalues, order-star, growth, error, internal or embedded"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(slice: &str, format: Option<Format>) -> MapQuestion {
        let (subject, with) = (Subject::of_library("mprk-p3"), vec!["rk4".to_owned()]);
        let (slice, show) = (slice.to_owned(), "region".to_owned());
        MapQuestion {
            subject,
            with,
            slice,
            show,
            x: None,
            y: None,
            cells: Some(40),
            width: None,
            format,
            monochrome: false,
            square: true,
        }
    }

    #[test]
    fn pictures_and_files_show_the_methods_by_name() {
        let MapAnswer::Picture { picture, x, .. } = question("coupled:kappa=2,g=0.04", None).answer().unwrap() else {
            panic!("no file was asked for")
        };
        assert!(x.0 < x.1 && format!("{picture:?}").contains("Classical"));
        let MapAnswer::File(svg) = question("coupled:kappa=2,g=0.04", Some(Format::Svg)).answer().unwrap() else {
            panic!("a file was asked for")
        };
        assert!(svg.starts_with("<svg") && !svg.contains(">rk4<"));
    }

    #[test]
    fn slices_that_cannot_be_read_are_refused() {
        assert!(question("coupled:kappa=x", None).answer().err().unwrap().contains("kappa"));
    }
}
