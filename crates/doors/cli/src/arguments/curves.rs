//! Data of a figure as a file, in the units of its axes.

use std::fmt::Write;
use std::path::Path;

use hemiola::figure::{Drawing, MarkData};
use serde::Serialize;

use crate::arguments::usage::OptionError;
use crate::failure::Failure;
use crate::output::writer::{WriteError, ending};

const OPTION: &str = "--curves";
const ENDINGS: &str = ".csv or .json";

/// One line, polygon or set of points.
#[derive(Serialize)]
struct CurveEntry<'a> {
    panel: usize,
    kind: &'a str,
    label: &'a str,
    closed: bool,
    points: &'a [[f64; 2]],
}

impl<'a> From<&'a MarkData> for CurveEntry<'a> {
    fn from(mark: &'a MarkData) -> Self {
        let MarkData { panel, kind, label, closed, points } = mark;
        Self { panel: *panel, kind, label, closed: *closed, points }
    }
}

/// Rejects a file that is neither CSV nor JSON.
pub(super) fn expect(file: &Path) -> Result<(), Failure> {
    match ending(file, "csv") {
        Some("csv" | "json") => Ok(()),
        _ => Err(WriteError::Ending { option: OPTION, file: file.to_owned(), expected: ENDINGS }.into()),
    }
}

/// Formats the data as required by the extension of the file.
pub(super) fn contents(file: &Path, drawing: &Drawing) -> Result<String, Failure> {
    let Drawing::Figure(figure) = drawing else {
        return Err(OptionError::Contradiction { option: OPTION, with: "a figure with axes" }.into());
    };
    let data = figure.data();
    match ending(file, "csv") {
        Some("csv") => Ok(csv(&data)),
        Some("json") => Ok(json(&data)),
        _ => Err(WriteError::Ending { option: OPTION, file: file.to_owned(), expected: ENDINGS }.into()),
    }
}

/// Writes one row per point; `line` numbers the lines and polygons of the figure.
fn csv(data: &[MarkData]) -> String {
    let mut text = "panel,kind,label,line,closed,x,y\n".to_owned();
    for (line, mark) in (1..).zip(data) {
        let label = mark.label.replace('"', "\"\"");
        for [x, y] in &mark.points {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{},{},\"{label}\",{line},{},{x},{y}", mark.panel, mark.kind, mark.closed);
        }
    }
    text
}

fn json(data: &[MarkData]) -> String {
    let entries: Vec<CurveEntry<'_>> = data.iter().map(CurveEntry::from).collect();
    // Serialization of numbers and strings cannot fail.
    serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n"
}
