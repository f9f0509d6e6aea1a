//! Appearance of figures: size, font, style, title, legend, ranges, labels.

use std::ops::RangeInclusive;

use hemiola::figure::{Drawing, Figure, Font, Legend, Style, escaped};
use pyo3::prelude::*;

use crate::errors::refused;

/// Changes to the appearance of a figure.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FigureChanges {
    /// Width in millimeters.
    width: Option<f64>,
    height: Option<f64>,
    font: Option<String>,
    style: Option<String>,
    title: Option<String>,
    legend: Option<String>,
    /// Number of panels side by side.
    columns: Option<usize>,
    x: Option<(f64, f64)>,
    y: Option<(f64, f64)>,
    /// Labels of methods in legends, by id.
    labels: Vec<(String, String)>,
}

/// Valid lengths in millimeters: smaller figures are illegible, and larger ones exceed the page size of PDF files.
const LENGTHS: RangeInclusive<f64> = 1.0..=5080.0;
/// Valid numbers of panels side by side.
const COLUMNS: RangeInclusive<usize> = 1..=100;

fn length(name: &str, millimeters: f64) -> PyResult<f64> {
    if LENGTHS.contains(&millimeters) {
        return Ok(millimeters);
    }
    let (least, most) = (LENGTHS.start(), LENGTHS.end());
    Err(refused(format!("found {name} {millimeters:e}; expected {least} to {most} millimeters")))
}

fn range(name: &str, (from, to): (f64, f64)) -> PyResult<(f64, f64)> {
    if from < to && (to - from).is_finite() {
        return Ok((from, to));
    }
    Err(refused(format!("found {name} {from} to {to}; expected two finite numbers, the smaller one first")))
}

impl FigureChanges {
    /// Applies the appearance to a drawing.
    pub(crate) fn of(&self, drawing: Drawing) -> PyResult<Drawing> {
        let drawing = match drawing {
            Drawing::Figure(figure) => Drawing::Figure(self.figure(figure)?),
            gallery @ Drawing::Gallery(_) => gallery,
        };
        let drawing = match self.font.as_deref() {
            None => drawing,
            Some("sans") => drawing.font(Font::Sans),
            Some("serif") => drawing.font(Font::Serif),
            Some(other) => return Err(refused(format!("found the font {other:?}; expected sans or serif"))),
        };
        Ok(match self.width {
            Some(width) => drawing.width(length("width", width)?),
            None => drawing,
        })
    }

    fn figure(&self, figure: Figure) -> PyResult<Figure> {
        let mut figure = figure.relabeled(|label| self.named(label));
        match self.style.as_deref() {
            None => {}
            Some("color") => figure = figure.style(Style::Color),
            Some("monochrome") => figure = figure.style(Style::Monochrome),
            Some(other) => return Err(refused(format!("found the style {other:?}; expected color or monochrome"))),
        }
        if let Some(height) = self.height {
            figure = figure.height(length("height", height)?);
        }
        if let Some(title) = &self.title {
            figure = figure.title(title);
        }
        if let Some(place) = self.legend.as_deref() {
            figure = figure.legend(match place {
                "best" => Legend::Auto,
                "below" => Legend::Below,
                "right" => Legend::Right,
                "none" => Legend::Hidden,
                other => {
                    return Err(refused(format!("found the legend {other:?}; expected best, below, right or none")));
                }
            });
        }
        match self.columns {
            None => {}
            Some(columns) if !COLUMNS.contains(&columns) => {
                return Err(refused(format!("found {columns} columns; expected 1 to {}", COLUMNS.end())));
            }
            Some(columns) => figure = figure.columns(columns),
        }
        if let Some(x) = self.x {
            let (from, to) = range("x", x)?;
            figure = figure.x_range(from, to);
        }
        if let Some(y) = self.y {
            let (from, to) = range("y", y)?;
            figure = figure.y_range(from, to);
        }
        Ok(figure)
    }

    /// Replaces the method id at the beginning of a label by its text; uses the longest matching id.
    fn named(&self, label: &str) -> String {
        let called = self.labels.iter().filter_map(|(id, text)| {
            let rest = label.strip_prefix(escaped(id).as_str())?;
            (rest.is_empty() || rest.starts_with([',', ' '])).then(|| (id.len(), format!("{text}{rest}")))
        });
        called.max_by_key(|(length, _)| *length).map_or_else(|| label.to_owned(), |(_, text)| text)
    }
}
