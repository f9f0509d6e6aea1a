//! The first method of a race, reported long before the race ends.

use hemiola_number::{Progress, Update};

use crate::proof::certificate::ProofStatus;
use crate::search::multistart::{Candidate, Search};
use crate::search::part::SearchShare;
use crate::search::plan::basins;
use crate::search::progress::FIRST_METHOD;

/// Number of starts for the first method.
const FIRST_STARTS: usize = 12;
/// Numbers of these starts that descend into their basins, and to the minimum.
const FOLLOWED: [usize; 2] = [4, 2];

impl Search<'_> {
    /// Returns the minima of the first starts of a race, and reports the error norm of the best pair and whether it is
    /// proved. Returns none without a race, in a short race, or after an interruption.
    pub(crate) fn first_minima(&self, progress: &dyn Progress) -> Vec<Candidate> {
        let is_short = self.least_starts() <= 4 * FIRST_STARTS;
        if !self.plan.is_race || is_short || self.try_starts(SearchShare::WHOLE, FIRST_STARTS, progress) {
            return Vec::new();
        }
        let (candidates, solved) = self.ranked(FIRST_STARTS);
        let minima = self.descended(candidates, &basins(FOLLOWED), progress);
        if let Ok(design) = self.first_finished(&minima, solved) {
            let is_proved = !matches!(design.certificate.status, ProofStatus::Verified { .. });
            let values = [("error norm", design.error_norm), ("proved", f64::from(is_proved))];
            // The next phase notices an interruption again, and completes the best pair so far.
            let _ = progress.report(Update { phase: FIRST_METHOD, done: 1, total: Some(1), values: &values });
        }
        minima
    }
}
