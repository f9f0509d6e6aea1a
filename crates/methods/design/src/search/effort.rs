//! Levels of effort: a race with more effort begins with the minima of a race with less.

use hemiola_number::Progress;

use crate::search::multistart::{Candidate, Search};
use crate::search::part::SearchShare;
use crate::specification::definition::Specification;

/// Ratio of successive levels of effort, 1, 4, 16, …. Each level includes the previous one.
const RATIO: usize = 4;

impl Search<'_> {
    /// Returns this race at the next lower power of four of its effort; `None` at the lowest level.
    pub(crate) fn less_effort(&self) -> Option<Specification> {
        let level = self.specification.effort.filter(|level| self.plan.is_race && *level > 1)?;
        let less = RATIO.pow((level - 1).ilog(RATIO));
        let starts = (self.specification.starts * less / level).max(1);
        Some(Specification { effort: Some(less), starts, ..self.specification.clone() })
    }

    /// Returns the number of starts of this race at the lowest level of effort.
    pub(crate) fn least_starts(&self) -> usize {
        self.specification.starts / self.specification.effort.unwrap_or(1).max(1)
    }

    /// Returns the minima of a race with less effort over the same starts, given the `first` minima.
    ///
    /// From other minima, hops lead elsewhere; more starts alone could therefore end at a larger error.
    pub(crate) fn minima_of(
        &self,
        less: &Specification,
        first: Vec<Candidate>,
        progress: &dyn Progress,
    ) -> Vec<Candidate> {
        // Only the starts of this search are saved if the program is killed, so try them here.
        if self.try_starts(SearchShare::WHOLE, less.starts, progress) {
            self.cut();
            return first;
        }
        let earlier = self.done().into_iter().filter(|start| start.number < less.starts).collect();
        let Ok(search) = Search::new(less, earlier) else { return first };
        let search = search.with_executor(self.executor);
        let (minima, _) = search.minima_after(first, progress);
        if search.is_cut() {
            self.cut();
        }
        minima
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_number::Update;
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    use crate::search::progress::DESCENTS;

    fn race(level: usize) -> Specification {
        let specification = Specification::new(4, 6, None).unwrap().with_effort(level);
        Specification { starts: 24 * level, ..specification }
    }

    fn smallest(level: usize) -> f64 {
        Search::new(&race(level), Vec::new()).unwrap().minima(&()).0[0].minimum.merit
    }

    #[test]
    fn powers_of_four_include_each_other() {
        let less = |level: usize| {
            let specification = race(level);
            let search = Search::new(&specification, Vec::new()).unwrap();
            search.less_effort().map(|less| (less.effort.unwrap(), less.starts))
        };
        assert_eq!([1, 2, 4].map(less), [None, Some((1, 24)), Some((1, 24))]);
        assert_eq!([5, 16, 17].map(less), [Some((4, 96)), Some((4, 96)), Some((16, 384))]);
    }

    #[test]
    fn more_effort_never_ends_at_a_larger_error() {
        let errors = [1, 4, 5].map(smallest);
        // Descents to the same minimum end within 1e-9 of each other.
        assert!(errors.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{errors:?}");
        assert!(smallest(2) <= errors[0] * (1.0 + 1e-9));
    }

    #[test]
    fn starts_of_a_race_with_less_effort_can_be_saved() {
        let specification = race(4);
        let search = Search::new(&specification, Vec::new()).unwrap();
        let saved = Mutex::new(None);
        let see = |update: Update<'_>| {
            if update.phase == DESCENTS {
                saved.lock().unwrap().get_or_insert_with(|| search.done().len());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        search.minima(&see);
        assert_eq!(*saved.lock().unwrap(), Some(24));
    }
}
