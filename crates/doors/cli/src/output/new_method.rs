//! Methods derived from others, with an id from their file name.

use std::path::Path;

use hemiola::tableau::{Method, is_id};

use crate::arguments::output_file::{OutputFile, is_stream};
use crate::arguments::usage::OptionError;
use crate::failure::Failure;
use crate::output::writer::{expect_ending, write};

/// Returns the id given by the file name, checked before anything is computed.
pub(crate) fn id(output: Option<&Path>) -> Result<Option<String>, Failure> {
    expect_ending("--output", output, ".json")?;
    // The name of a stream is not an id.
    let Some(file) = output.filter(|file| !is_stream(file)) else { return Ok(None) };
    let stem = file.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_id(stem));
    let stem = stem.ok_or_else(|| OptionError::NoId { file: file.to_owned() })?;
    Ok(Some(stem.to_owned()))
}

/// Gives the method the id of its file.
pub(crate) fn named(method: Method, id: Option<&str>) -> Result<Method, Failure> {
    Ok(match id {
        Some(id) => method.with_id(id)?,
        None => method,
    })
}

/// Writes the method file, if one is requested.
pub(crate) fn save(method: &Method, output: Option<&OutputFile>) -> Result<(), Failure> {
    output.map_or(Ok(()), |file| write(file, method.to_json().as_bytes()))
}
