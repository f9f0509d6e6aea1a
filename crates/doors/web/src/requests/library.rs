//! The methods of the library, for selection.

use hemiola_tableau::{Butcher, library as embedded};
use serde::Serialize;

use crate::wording::message;

/// A method of the library with its searchable properties.
#[derive(Serialize)]
pub(crate) struct LibraryEntry {
    id: &'static str,
    name: String,
    also: Vec<&'static str>,
    partitions: usize,
    stages: usize,
    order: Option<usize>,
    explicit: bool,
}

pub(crate) fn library() -> Result<Vec<LibraryEntry>, String> {
    embedded::ids().map(entry).collect()
}

fn entry(id: &'static str) -> Result<LibraryEntry, String> {
    let method = embedded::method(id).map_err(message)?;
    Ok(LibraryEntry {
        id,
        name: method.name().to_owned(),
        also: embedded::aliases(id).collect(),
        partitions: method.partitions().len(),
        stages: method.stages(),
        order: method.claims().order,
        explicit: method.to_f64().partitions.iter().all(Butcher::is_explicit),
    })
}
