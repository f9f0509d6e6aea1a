//! Unfinished searches, `hemiola-search/1`: a design with the starts that are done.

use hemiola_tableau::MethodError;
use hemiola_tableau::json::{self, Object};
use serde::Deserialize;

use crate::error::DesignError;
use crate::file::design_file::DesignFile;
use crate::file::read::RawDesign;
use crate::search::multistart::Start;

/// The format's name, the first field of every file.
const FORMAT: &str = "hemiola-search/1";

/// What a search has done.
///
/// ```
/// use hemiola_design::{Checkpoint, DesignFile, Search, Specification};
/// use std::ops::ControlFlow;
/// let design = DesignFile::new(Specification { starts: 4, ..Specification::new(1, 3, None)? });
/// let search = Search::new(&design.specification, Vec::new())?;
/// search.run(|_| ControlFlow::Continue(()))?;
/// let checkpoint = Checkpoint { done: search.done(), design: design.clone() };
/// assert_eq!(Checkpoint::from_json(checkpoint.to_json().as_bytes(), "a.search.json")?, checkpoint);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The design.
    pub design: DesignFile,
    /// The starts that are done.
    pub done: Vec<Start>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCheckpoint {
    format: String,
    design: Object<RawDesign>,
    done: Vec<Start>,
}

impl Checkpoint {
    /// Reads a checkpoint from the text of a file; `origin` names it in errors.
    ///
    /// # Errors
    /// [`DesignError`] with the file and the place in it.
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, DesignError> {
        let Object(RawCheckpoint { format, design, done }) = json::read_long(text, origin)?;
        if format != FORMAT {
            let (file, path) = (origin.to_owned(), "format".to_owned());
            let (found, expected) = (format!("{format:?}"), format!("{FORMAT:?}"));
            return Err(MethodError::Invalid { file, path, found, expected }.into());
        }
        Ok(Self { design: design.0.design(None, origin)?, done })
    }

    /// The checkpoint as the text of a file: one start a line. Doubles are written so that they are read as they were.
    #[must_use]
    pub fn to_json(&self) -> String {
        let start = |start: &Start| {
            let solution = start.solution.as_ref().map_or_else(|| "null".to_owned(), |x| format!("{x:?}"));
            format!("    {{ \"number\": {}, \"solution\": {solution} }}", start.number)
        };
        let starts: Vec<String> = self.done.iter().map(start).collect();
        let design = self.design.to_json().trim_end().replace('\n', "\n  ");
        format!(
            "{{\n  \"format\": {FORMAT:?},\n  \"design\": {design},\n  \"done\": [\n{}\n  ]\n}}\n",
            starts.join(",\n")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Specification;

    #[test]
    fn long_searches_can_go_on() {
        let design = DesignFile::new(Specification { starts: 100_000, ..Specification::new(2, 4, None).unwrap() });
        let done = (0..30_000).map(|number| Start { number, solution: Some(vec![1.0 / 3.0; 15]) }).collect();
        let checkpoint = Checkpoint { design, done };
        let text = checkpoint.to_json();
        // More than a method file may have.
        assert!(text.len() > 8 << 20);
        assert!(Checkpoint::from_json(text.as_bytes(), "long.search.json").unwrap() == checkpoint);
    }
}
