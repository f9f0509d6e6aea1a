//! Files of unfinished searches, `hemiola-search/1`: a design with its finished starts.

use hemiola_tableau::MethodError;
use hemiola_tableau::json::{self, OneLine, StrictObject};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::DesignError;
use crate::file::design_file::DesignFile;
use crate::file::read::RawDesign;
use crate::search::multistart::Start;

/// The name of the format, the first field of every file.
const FORMAT: &str = "hemiola-search/1";

/// The state of an unfinished search.
///
/// ```
/// use hemiola_design::{Checkpoint, DesignFile, Search, Specification};
/// let design = DesignFile::new(Specification { starts: 4, ..Specification::new(1, 3, None)? });
/// let search = Search::new(&design.specification, Vec::new())?;
/// search.run(&())?;
/// let checkpoint = Checkpoint { done: search.done(), design: design.clone() };
/// assert_eq!(Checkpoint::from_json(checkpoint.to_json().as_bytes(), "a.search.json")?, checkpoint);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The design.
    pub design: DesignFile,
    /// The finished starts.
    pub done: Vec<Start>,
}

#[derive(Serialize)]
struct CheckpointText<Design> {
    format: &'static str,
    design: Design,
    done: Vec<OneLine<StartText>>,
}

#[derive(Serialize)]
struct StartText {
    number: usize,
    solution: Option<Box<RawValue>>,
}

impl StartText {
    /// Writes the solution as Rust formats doubles, with a point or an exponent.
    fn new(start: &Start) -> Self {
        let solution = start.solution.as_ref().and_then(|x| RawValue::from_string(format!("{x:?}")).ok());
        Self { number: start.number, solution }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCheckpoint {
    format: String,
    design: StrictObject<RawDesign>,
    done: Vec<Start>,
}

impl Checkpoint {
    /// Reads a checkpoint from the text of a file; `origin` names the file in errors.
    ///
    /// # Errors
    /// Returns a [`DesignError`] with the file and the path in it.
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, DesignError> {
        let StrictObject(RawCheckpoint { format, design, done }) = json::read_long(text, origin)?;
        if format != FORMAT {
            let (file, path) = (origin.to_owned(), "format".to_owned());
            let (found, expected) = (format!("{format:?}"), format!("{FORMAT:?}"));
            return Err(MethodError::Invalid { file, path, found, expected }.into());
        }
        Ok(Self { design: design.0.design(None, origin)?, done })
    }

    /// Writes the checkpoint as the text of a file, one start per line. Doubles are read back unchanged.
    #[must_use]
    pub fn to_json(&self) -> String {
        let done = self.done.iter().map(|start| OneLine(StartText::new(start))).collect();
        json::text(&CheckpointText { format: FORMAT, design: self.design.written(), done })
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
        // Larger than the limit for method files.
        assert!(text.len() > 8 << 20);
        assert!(Checkpoint::from_json(text.as_bytes(), "long.search.json").unwrap() == checkpoint);
    }
}
