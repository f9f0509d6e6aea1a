//! Figures for a canvas: drawing operations of plotters, recorded for playback in JavaScript.

use std::convert::Infallible;

use hemiola_figure::Drawing;
use plotters::prelude::IntoDrawingArea;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};
use serde::Serialize;

use crate::wording::message;

/// Units per point. Plotters supports only integer units; these are finer than any screen.
const UNITS: f64 = 32.0;
/// Font size of plotters (the height of a line) in ems, and height in ems of the upper left corner of a text above its baseline.
const LINE: f64 = 1.24;
const ASCENT: f64 = 0.76;

/// A figure as pen strokes. Lengths have `units` per point of the page.
#[derive(Debug, Serialize)]
pub(crate) struct Picture {
    units: f64,
    size: [f64; 2],
    /// Rectangles of the plots: left, top, width, height.
    plots: Vec<[f64; 4]>,
    /// Description in words.
    description: String,
    strokes: Vec<Stroke>,
}

/// Recorded stroke. Colors are `[red, green, blue, opacity]`, points are `[x, y, x, y, …]`.
#[derive(Debug, Serialize)]
enum Stroke {
    Line { color: [f64; 4], width: u32, points: Vec<i32> },
    Area { color: [f64; 4], points: Vec<i32> },
    Text { text: String, size: f64, italic: bool, upright: bool, at: [f64; 2] },
}

impl Picture {
    pub(crate) fn new(drawing: &Drawing) -> Result<Self, String> {
        let scene = drawing.scene().map_err(message)?;
        let size = scene.size();
        let mut strokes = Vec::new();
        let recorder = Recorder { size: scene.pixels(UNITS), strokes: &mut strokes };
        scene.draw_on(&recorder.into_drawing_area()).map_err(message)?;
        let plots = scene.plots().into_iter().map(|plot| plot.map(|length| length * UNITS)).collect();
        let description = scene.description().to_owned();
        Ok(Self { units: UNITS, size: size.map(|length| length * UNITS), plots, description, strokes })
    }
}

/// Backend of plotters that records all drawing operations.
struct Recorder<'a> {
    size: (u32, u32),
    strokes: &'a mut Vec<Stroke>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Recorder<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        let (color, width) = (color(style.color()), style.stroke_width());
        self.strokes.push(Stroke::Line { color, width, points: points(path) });
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, vert: I, style: &S) -> Drawn {
        self.strokes.push(Stroke::Area { color: color(style.color()), points: points(vert) });
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, (x, y): BackendCoord) -> Drawn {
        // Figures draw an empty text to determine whether the backend has only pixels.
        if text.is_empty() {
            return Ok(());
        }
        let size = style.size() / LINE;
        let upright = matches!(style.transform(), FontTransform::Rotate270);
        let (x, y, below) = (f64::from(x), f64::from(y), ASCENT * size);
        let at = if upright { [x + below, y] } else { [x, y + below] };
        let italic = matches!(style.style(), FontStyle::Italic);
        self.strokes.push(Stroke::Text { text: text.to_owned(), size, italic, upright, at });
        Ok(())
    }
}

fn color(BackendColor { alpha, rgb: (red, green, blue) }: BackendColor) -> [f64; 4] {
    [f64::from(red), f64::from(green), f64::from(blue), alpha]
}

fn points(path: impl IntoIterator<Item = BackendCoord>) -> Vec<i32> {
    path.into_iter().flat_map(|(x, y)| [x, y]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_figure::{Axis, Curve, Figure, Panel};

    #[test]
    fn a_figure_is_recorded() {
        let panel = Panel::new(Axis::new("*x*"), Axis::new("*y*")).curve(Curve::new().open([[0.0, 1.0], [1.0, 0.0]]));
        let picture = Picture::new(&Figure::one_column().panel(panel).into()).unwrap();
        let texts: Vec<&str> = picture
            .strokes
            .iter()
            .filter_map(|stroke| match stroke {
                Stroke::Text { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert!(texts.contains(&"x") && texts.contains(&"y") && texts.contains(&"0.0"), "{texts:?}");
        assert!(picture.plots.len() == 1 && picture.strokes.iter().any(|stroke| matches!(stroke, Stroke::Line { .. })));
    }
}
