//! Races with more effort begin with those of less, so that they never end at a larger error.

use std::sync::PoisonError;

use hemiola_number::Progress;

use crate::search::multistart::{Candidate, Search};
use crate::specification::definition::Specification;

impl Search<'_> {
    /// Returns the same race at a quarter of its level of effort; `None` at the lowest level.
    pub(crate) fn less_effort(&self) -> Option<Specification> {
        let level = self.specification.effort.filter(|level| self.plan.is_race && *level > 1)?;
        let less = (level / 4).max(1);
        let starts = (self.specification.starts * less / level).max(1);
        Some(Specification { effort: Some(less), starts, ..self.specification.clone() })
    }

    /// Returns the minima of a race with less effort, whose starts count as finished here.
    ///
    /// Hops lead elsewhere from other minima, so more starts alone could end at a larger error.
    pub(crate) fn minima_of(&self, less: &Specification, progress: &dyn Progress) -> Vec<Candidate> {
        let earlier = self.done().into_iter().filter(|start| start.number < less.starts).collect();
        let Ok(search) = Search::new(less, earlier) else { return Vec::new() };
        let search = search.with_executor(self.crew);
        let (minima, _) = search.minima(progress);
        self.done.lock().unwrap_or_else(PoisonError::into_inner).extend(search.done());
        minima
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_effort_never_ends_at_a_larger_error() {
        let errors = [1, 2, 5].map(|level| {
            let specification = Specification::new(4, 6, None).unwrap().with_effort(level);
            let specification = Specification { starts: 24 * level, ..specification };
            let (minima, _) = Search::new(&specification, Vec::new()).unwrap().minima(&());
            minima[0].minimum.merit
        });
        // Descents to the same minimum end within 1e-9 of each other.
        assert!(errors.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{errors:?}");
    }
}
