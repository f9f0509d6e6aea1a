//! Checks of JSON documents beyond those of serde: objects must be objects, arrays have a maximum length, and
//! errors are short and name their place. All crates read their formats with this module.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

pub use crate::coefficient_reader::CoefficientReader;
pub use crate::json_text::{OneLine, text};
pub use crate::validate::excerpt;

use crate::error::MethodError;
use crate::validate::MOST_STAGES;

/// Maximum size of a file; the largest published method takes about 60 kB.
const LARGEST_FILE: u64 = 8 << 20;

/// Reads a whole document; `origin` names it in errors.
///
/// ```
/// let error = hemiola_tableau::json::read::<Vec<u32>>(b"[1, 2.5]", "mine.json").unwrap_err();
/// assert!(error.to_string().starts_with("mine.json: at [1]: invalid type: floating point"));
/// ```
///
/// # Errors
/// [`MethodError::Json`] with the place in the text, the value found there and the expected value, and
/// [`MethodError::TooLarge`].
pub fn read<'de, T: Deserialize<'de>>(text: &'de [u8], origin: &str) -> Result<T, MethodError> {
    if text.len() as u64 > LARGEST_FILE {
        return Err(too_large(origin, text.len() as u64));
    }
    read_long(text, origin)
}

/// Reads a file written by this software like [`read`], but without a limit on its length.
///
/// # Errors
/// [`MethodError::Json`], as for [`read`].
pub fn read_long<'de, T: Deserialize<'de>>(text: &'de [u8], origin: &str) -> Result<T, MethodError> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        // A dot stands for the whole document, a question mark for an unreadable key.
        let path = shortened(error.path().to_string().trim_end_matches(['.', '?']));
        let path = if path.is_empty() { "the top level".to_owned() } else { path };
        MethodError::Json { file: origin.to_owned(), path, problem: describe_error(error.inner(), text) }
    })?;
    reader.end().map_err(|error| MethodError::Json {
        file: origin.to_owned(),
        path: "the end".to_owned(),
        problem: format!("{}; expected the end of the text", describe_error(&error, text)),
    })?;
    Ok(value)
}

/// Returns whether a text is a JSON object that names a format, such as `hemiola-method/1`, regardless of its file
/// name.
///
/// ```
/// use hemiola_tableau::json::names_format;
/// assert!(names_format(br#" {"format": "hemiola-method/1"}"#, "hemiola-method/1"));
/// assert!(!names_format(b"# hemiola-method/1", "hemiola-method/1"));
/// ```
#[must_use]
pub fn names_format(text: &[u8], format: &str) -> bool {
    let start = text.iter().find(|byte| !byte.is_ascii_whitespace());
    start == Some(&b'{') && text.windows(format.len()).any(|window| window == format.as_bytes())
}

/// Reads a file of at most eight megabytes.
///
/// # Errors
/// [`MethodError::File`] with the error of the operating system, [`MethodError::TooLarge`].
pub fn read_bounded(path: &Path) -> Result<Vec<u8>, MethodError> {
    let origin = path.display().to_string();
    let failed = |source| MethodError::File { file: origin.clone(), source };
    let file = File::open(path).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    if bytes > LARGEST_FILE {
        return Err(too_large(&origin, bytes));
    }
    // Only regular files report a reliable length.
    let mut text = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut text).map_err(failed)?;
    Ok(text)
}

fn too_large(origin: &str, bytes: u64) -> MethodError {
    MethodError::TooLarge { file: origin.to_owned(), bytes, limit: LARGEST_FILE }
}

/// A value written as an object. Serde alone would also accept an array of a struct's fields.
#[derive(Debug, Default)]
pub struct StrictObject<T>(
    /// The value.
    pub T,
);

/// An array no longer than a method can need. The limit matters because items take more memory than their text.
#[derive(Debug, Default)]
pub struct BoundedArray<T>(
    /// The items.
    pub Vec<T>,
);

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = StrictObject<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(StrictObject)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for StrictObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ArrayVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ArrayVisitor<T> {
    type Value = BoundedArray<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            if array.len() == MOST_STAGES {
                return Err(A::Error::custom(format_args!(
                    "found more than {MOST_STAGES} items; expected at most that many"
                )));
            }
            array.push(item);
        }
        Ok(BoundedArray(array))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BoundedArray<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ArrayVisitor(PhantomData))
    }
}

/// Describes the error in a text. `serde_json` does not quote text that is not JSON.
pub(crate) fn describe_error(error: &serde_json::Error, text: &[u8]) -> String {
    let said = shortened(&error.to_string());
    match error.classify() {
        Category::Syntax => format!("found {}: {said}", excerpt(&word(text, error.line(), error.column()))),
        Category::Eof => format!("found the end of the text: {said}"),
        Category::Data | Category::Io => said,
    }
}

/// Returns the word at a line and a column, delimited by blanks, commas, colons and brackets. Both count from 1,
/// in bytes.
fn word(text: &[u8], line: usize, column: usize) -> String {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:[]{}".contains(byte);
    let line = text.split(|&byte| byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let (before, after) = line.split_at(column.saturating_sub(1).min(line.len()));
    let start = before.iter().rposition(is_end).map_or(0, |end| end + 1);
    // The character in question always belongs to the word. The copy is no longer than an excerpt can show.
    let length = 1 + after.iter().skip(1).take(400).take_while(|byte| !is_end(byte)).count();
    let end = line.len().min(before.len() + length);
    String::from_utf8_lossy(&line[start.max(end.saturating_sub(800))..end]).into_owned()
}

/// Shortens a message to its beginning and its end, because it may quote text of any length.
pub(crate) fn shortened(message: &str) -> String {
    const BEGINNING: usize = 100;
    const END: usize = 200;
    let length = message.chars().count();
    if length <= BEGINNING + END {
        return message.to_owned();
    }
    let beginning: String = message.chars().take(BEGINNING).collect();
    let end: String = message.chars().skip(length - END).collect();
    format!("{beginning} … {end}")
}
