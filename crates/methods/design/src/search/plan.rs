//! The plan of a search: how far every start descends, and how many of the best descend further.

use crate::optimize::descent::FINAL;
use crate::optimize::restore::RESTORE_ITERATIONS;
use crate::specification::definition::Specification;

/// Steps and relative gain of descents that rank starts.
const RANKING: (usize, f64) = (30, 1e-3);
/// Steps and relative gain of descents that distinguish basins.
pub(crate) const COARSE: (usize, f64) = (120, 1e-6);
/// Numbers of ranked starts that descend into their basins, and of those that continue to the minimum.
const FOLLOWED: [usize; 2] = [32, 8];
/// Smaller numbers for an interrupted search, whose user is waiting.
const FOLLOWED_IF_INTERRUPTED: [usize; 2] = [2, 1];

/// Steps and relative gain of the first descents of a race.
const FIRST_HEAT: (usize, f64) = (4, 1e-3);
/// Steps and relative gain of the descents between the first and those that distinguish basins.
pub(crate) const SECOND_HEAT: (usize, f64) = (12, 1e-3);
/// One in this number of starts takes part in the second heat of a race.
const PER_HEAT: usize = 8;
/// Smallest number of starts in the second heat.
const LEAST_HEAT: usize = 20;
/// Numbers of starts that a race follows into their basins and to the minimum, of rounds of hops, and of minima from
/// which each round begins.
const RACED: [usize; 4] = [10, 4, 5, 3];
/// Larger numbers for small pairs of order four, which are quick and have many basins.
const RACED_IF_SMALL: [usize; 4] = [24, 4, 5, 6];
/// Smaller numbers for large pairs of order five, whose descents take half a second each and often end at the same
/// minimum.
const RACED_IF_LARGE: [usize; 4] = [10, 2, 0, 0];
/// Number of hops from each minimum in a round.
const HOPS: usize = 4;
/// Number of iterations within which most successful starts reach the conditions.
const RACING_ITERATIONS: usize = 80;

/// A round of descents: the number of candidates that take part, the steps of each and their relative gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heat {
    pub(crate) most: usize,
    pub(crate) effort: (usize, f64),
}

/// Rounds of hops from minima to others nearby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hops {
    pub(crate) rounds: usize,
    /// The number of minima from which each round begins.
    pub(crate) parents: usize,
    /// The number of hops from each of them.
    pub(crate) each: usize,
    /// The descents after the hops.
    pub(crate) heat: Heat,
}

/// The lengths of the descents of a search, and the numbers of candidates that take part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SearchPlan {
    /// Whether the starts race.
    pub(crate) is_race: bool,
    /// The largest number of iterations for the restoration of a start to the conditions.
    pub(crate) iterations: usize,
    /// Steps and relative gain of the descent of every start.
    pub(crate) ranking: (usize, f64),
    /// The rounds of descents that follow, each from the best of the previous round.
    pub(crate) heats: Vec<Heat>,
    /// The hops from the ends of these descents, and the last descents.
    pub(crate) hops: Option<(Hops, Heat)>,
}

impl SearchPlan {
    /// Returns the plan of a search.
    ///
    /// There is no race if the objective has other terms, because the ranking by errors does not predict them.
    pub(crate) fn new(specification: &Specification, has_others: bool) -> Self {
        let Some(level) = specification.effort.filter(|_| !has_others) else {
            let heats = basins(FOLLOWED);
            return Self { is_race: false, iterations: RESTORE_ITERATIONS, ranking: RANKING, heats, hops: None };
        };
        let counts = match (specification.order, specification.fast) {
            (4, ..=8) => RACED_IF_SMALL,
            (5.., 11..) => RACED_IF_LARGE,
            _ => RACED,
        };
        let [coarse, last, _, parents] = counts.map(|count| level.saturating_mul(count));
        let second = specification.starts.div_ceil(PER_HEAT).max(LEAST_HEAT);
        let heats = vec![Heat { most: second, effort: SECOND_HEAT }, Heat { most: coarse, effort: COARSE }];
        let heat = Heat { most: parents.saturating_mul(HOPS), effort: COARSE };
        let hops = Hops { rounds: counts[2], parents, each: HOPS, heat };
        Self {
            is_race: true,
            iterations: RACING_ITERATIONS,
            ranking: FIRST_HEAT,
            heats,
            hops: Some((hops, Heat { most: last, effort: FINAL })),
        }
    }

    /// Returns the descents after an interrupted search.
    pub(crate) fn in_haste() -> Vec<Heat> {
        basins(FOLLOWED_IF_INTERRUPTED)
    }
}

/// Returns descents into the basins of some candidates, and to the minima of the best of these.
pub(crate) fn basins([coarse, last]: [usize; 2]) -> Vec<Heat> {
    vec![Heat { most: coarse, effort: COARSE }, Heat { most: last, effort: FINAL }]
}
