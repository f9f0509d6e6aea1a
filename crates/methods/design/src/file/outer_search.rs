//! Files of unfinished outer searches, `hemiola-tuning/1`: the design and the limits of the search, then its state.

use crate::file::design_file::DesignFile;
use crate::search::tuning::TuningLimits;

/// The name of the format, the first line of every file.
const FORMAT: &str = "hemiola-tuning/1";

impl DesignFile {
    /// Returns the file of an outer search that starts from this design, with the state reported by
    /// [`tune`](crate::tune).
    ///
    /// ```
    /// use hemiola_design::{DesignFile, Specification, TuningLimits};
    /// let design = DesignFile::new(Specification::new(2, 4, None)?);
    /// let tuning = TuningLimits { price: 1.5, iterations: 40 };
    /// let file = design.outer_search(tuning, b"state");
    /// assert_eq!(design.outer_state(tuning, &file), Some(&b"state"[..]));
    /// // The state of one search is none of another.
    /// assert_eq!(design.outer_state(TuningLimits { price: 2.0, ..tuning }, &file), None);
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn outer_search(&self, tuning: TuningLimits, state: &[u8]) -> Vec<u8> {
        [&self.heading(tuning), state].concat()
    }

    /// Returns the state in a file of this outer search, or `None` if the file belongs to another search.
    #[must_use]
    pub fn outer_state<'a>(&self, tuning: TuningLimits, file: &'a [u8]) -> Option<&'a [u8]> {
        file.strip_prefix(&self.heading(tuning)[..])
    }

    /// Returns the heading of the file, which contains everything that the outer search depends on.
    fn heading(&self, TuningLimits { price, iterations }: TuningLimits) -> Vec<u8> {
        format!("{FORMAT}\n{}price {price}, iterations {iterations}\n", self.to_json()).into_bytes()
    }
}
