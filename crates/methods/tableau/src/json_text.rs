//! Layout of JSON files: one field per line, except for values marked as [`OneLine`].

use std::io;

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::ser::Formatter;
use serde_json::value::RawValue;

/// A value that is always written on one line: `{ "order": 4 }`, `[1, 0.5]`. Whole numbers have no decimal point.
///
/// ```
/// use hemiola_tableau::json::{OneLine, text};
/// let rows = [OneLine([1.0, 0.5]), OneLine([1e-9, 3.0])];
/// assert_eq!(text(&rows), "[\n  [1, 0.5],\n  [1e-9, 3]\n]\n");
/// ```
pub struct OneLine<T>(
    /// The value.
    pub T,
);

impl<T: Serialize> Serialize for OneLine<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = Vec::new();
        self.0
            .serialize(&mut serde_json::Serializer::with_formatter(&mut line, OneLineFormatter))
            .map_err(Error::custom)?;
        let line = String::from_utf8(line).map_err(Error::custom)?;
        RawValue::from_string(line).map_err(Error::custom)?.serialize(serializer)
    }
}

/// Formats a value as the text of a file, with two blanks for each level.
///
/// # Panics
/// If JSON cannot represent the type of the value, such as a map whose keys are not strings.
#[must_use]
pub fn text(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("a value that JSON can represent");
    text.push('\n');
    text
}

/// A formatter for one line, with blanks after commas and colons and inside braces, but not inside brackets.
struct OneLineFormatter;

impl Formatter for OneLineFormatter {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let text = Value::from(value).to_string();
        writer.write_all(text.strip_suffix(".0").unwrap_or(&text).as_bytes())
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"{ ")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b" }")
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
