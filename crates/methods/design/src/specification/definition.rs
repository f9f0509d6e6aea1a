//! The specification of a design.

use dashu::rational::RBig;
use hemiola_polynomial::Axis;

use crate::error::{DesignError, require};
use crate::pair::partitions::{FAST, MOST_STAGES, SLOW};
use crate::specification::made_for::TargetSystems;
use crate::specification::objective::Objective;
use crate::specification::order_barriers::{STAGES_FOR_ORDER, highest_order};
use crate::specification::preference::Preference;
use crate::specification::slow_places::{slow_places, starts_for_each, subsets};
use crate::specification::solver::DescentSolver;
use crate::specification::stability::{DEFAULT_BAND, Stability};
use crate::specification::structure::Structure;

/// Largest number of starts; the results of all starts are stored until the search ends.
pub(crate) const MOST_STARTS: usize = 1_000_000;
/// Largest level of effort, at which searches take hours.
pub(crate) const MOST_EFFORT: usize = 1000;

/// A dual-rate pair to be designed: the evaluations of each partition, the order, requirements on the coefficients,
/// and the function to minimize.
#[derive(Clone, Debug, PartialEq)]
pub struct Specification {
    /// The number of slow evaluations in a step.
    pub slow: usize,
    /// The number of fast evaluations in a step, equal to the number s of stages.
    pub fast: usize,
    /// The order p of the pair.
    pub order: usize,
    /// The choices of the stability polynomials of the slow and of the fast partition.
    pub stability: [Stability; 2],
    /// The stages at which the slow partition is evaluated, from 0; `None` to search for them.
    pub slow_stages: Option<Vec<usize>>,
    /// Requirements on the coefficients beyond the order conditions.
    pub structure: Structure,
    /// The order of the embedded weights b̂ for step control; `None` for none.
    pub embedded: Option<usize>,
    /// The order of the dense output; `None` for none.
    pub dense: Option<usize>,
    /// The function to minimize.
    pub objective: Objective,
    /// The choice among methods whose errors are nearly the smallest; `None` for the smallest error alone.
    pub preference: Option<Preference>,
    /// Systems for which the pair is made: a final descent minimizes the errors measured on them.
    pub made_for: Option<TargetSystems>,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts.
    pub starts: usize,
    /// The level of effort of a race, in which all starts descend a few steps and only the better ones continue; `None`
    /// to descend from every start until it can be ranked.
    pub effort: Option<usize>,
    /// The solver of the descents.
    pub solver: DescentSolver,
}

impl Specification {
    /// Specifies a pair of the given order, by default the highest that `slow` evaluations allow.
    ///
    /// The fast partition has the optimal polynomial for the imaginary axis, and the principal error norm is
    /// minimized.
    ///
    /// # Errors
    /// Returns a [`DesignError`] if no such pair can exist.
    ///
    /// ```
    /// use hemiola_design::Specification;
    /// let specification = Specification::new(2, 5, None).unwrap();
    /// assert_eq!(specification.order, 2);
    /// assert!(Specification::new(2, 5, Some(3)).is_err());
    /// ```
    pub fn new(slow: usize, fast: usize, order: Option<usize>) -> Result<Self, DesignError> {
        require(slow >= 1, "the number of slow evaluations", &slow, "at least 1")?;
        require(fast >= slow, "the number of fast evaluations", &fast, "at least the number of slow evaluations")?;
        require(fast <= MOST_STAGES, "the number of fast evaluations", &fast, "at most 24")?;
        let order = order.unwrap_or_else(|| highest_order(slow));
        require((1..=STAGES_FOR_ORDER.len()).contains(&order), "the order", &order, "an order from 1 to 8")?;
        let needed = STAGES_FOR_ORDER[order - 1];
        if slow < needed {
            return Err(DesignError::OrderTooHigh { order, slow, needed });
        }
        // If the number of stages equals the order, the polynomial is determined.
        let optimal = Stability::Optimal { axis: Axis::Imaginary, damping: 0.0, band: DEFAULT_BAND };
        let fast_stability = if fast == order { Stability::Free } else { optimal };
        let mut specification = Self {
            slow,
            fast,
            order,
            stability: [Stability::Free, fast_stability],
            slow_stages: None,
            structure: Structure::default(),
            embedded: None,
            dense: None,
            objective: Objective::default(),
            preference: None,
            made_for: None,
            seed: 1,
            starts: 1,
            effort: None,
            solver: DescentSolver::default(),
        };
        // Small systems are quick to solve and have several basins; every choice of slow stages needs a few starts.
        let (least, for_each_choice) = match order {
            ..=2 => (96, 5),
            3 => (80 * (fast - 2), 10),
            4 if fast <= 6 => (320, 10),
            // With half as many starts, two seeds of ten miss the error of the best basin of 4–8 by more than 1 %.
            // Larger pairs take minutes.
            4 if fast <= 8 => (1920, 10),
            4 => (960, 10),
            _ => (48, 4),
        };
        specification.starts = least.max(for_each_choice * specification.slow_stage_choices().len());
        Ok(specification)
    }

    /// Sets the level of effort, at least 1: the starts race, and their number is proportional to the level.
    ///
    /// A race finds pairs as good as those of a search that follows all starts, in a fraction of the time, and gives
    /// the same pair each time. There is no race if the objective has terms other than errors or the pair is made for a
    /// system, since the errors of the starts do not predict the result; the level then only multiplies the number of
    /// starts.
    ///
    /// ```
    /// use hemiola_design::Specification;
    /// let once = Specification::new(4, 7, None)?.with_effort(1);
    /// assert_eq!(once.clone().with_effort(3).starts, 3 * once.starts);
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn with_effort(mut self, level: usize) -> Self {
        let races = self.objective.has_only_errors()
            && self.made_for.is_none()
            && !matches!(self.stability[SLOW], Stability::AtLeast { .. });
        // Keep a level out of range, so that the error of `validate` names it.
        self.effort = Some(level).filter(|level| races || !(1..=MOST_EFFORT).contains(level));
        let starts = self.effort.map_or(self.starts, |_| racing_starts(&self));
        self.starts = level.saturating_mul(starts).min(MOST_STARTS);
        self
    }

    /// Returns the coefficients β₀ … of the polynomials prescribed for the slow and the fast partition; `None` for
    /// free ones.
    ///
    /// # Errors
    /// Returns [`DesignError::Polynomial`] if there is no optimum, and [`DesignError::OutOfRange`] if a given
    /// polynomial does not match the order or has too many coefficients.
    pub fn polynomials(&self) -> Result<[Option<Vec<RBig>>; 2], DesignError> {
        let [slow, fast] = &self.stability;
        Ok([slow.polynomial(self.slow, self.order)?, fast.polynomial(self.fast, self.order)?])
    }

    /// Describes the objective and the fast polynomial in words.
    pub(crate) fn description(&self) -> String {
        let polynomial = match &self.stability[FAST] {
            Stability::Given(_) => "given".to_owned(),
            Stability::Optimal { axis, damping, band } => {
                let damped = match (*damping, *band) {
                    (0.0, _) => String::new(),
                    (damping, DEFAULT_BAND) => format!(" with damping {damping}"),
                    (damping, band) => format!(" with damping {damping} from {band} times the limit on"),
                };
                format!("optimal for the {axis}{damped}")
            }
            Stability::Free | Stability::AtLeast { .. } | Stability::Auto => "free".to_owned(),
        };
        let slow = match &self.stability[SLOW] {
            Stability::AtLeast { axis, fraction } => {
                format!(", and the slow part's limit at least {fraction} of the largest one on the {axis}")
            }
            _ => String::new(),
        };
        let small = if let Some(TargetSystems { training, error, .. }) = &self.made_for {
            format!("Made for {} at an error of {error}", training.join("; "))
        } else if let Some(Preference { margin, gamma, .. }) = self.preference {
            let percent = 100.0 * margin;
            format!(
                "The best coupled profile found at γ = {gamma} within {percent} % of the smallest principal error norm"
            )
        } else if self.objective.is_error_alone() {
            "The smallest principal error norm found".to_owned()
        } else {
            "The smallest objective found".to_owned()
        };
        let zeros = if self.structure.sparsity > 0.0 { ", with coefficients set to zero at its cost" } else { "" };
        format!("{small}{zeros}; the fast part's stability polynomial is {polynomial}{slow}.")
    }

    /// Returns the choices of slow stages to search: the given one, or all suitable ones if there are few, or an
    /// even distribution.
    pub(crate) fn slow_stage_choices(&self) -> Vec<Vec<usize>> {
        const FEW: usize = 36;
        if let Some(stages) = &self.slow_stages {
            return vec![stages.clone()];
        }
        if let (Some(_), Stability::Optimal { axis, .. }) = (self.preference, &self.stability[FAST]) {
            return slow_places([self.slow, self.fast], self.order, *axis);
        }
        let spread = |k: usize| (2 * k * (self.fast - 1) + self.slow - 1) / (2 * (self.slow - 1));
        let even: Vec<usize> = if self.slow == 1 { vec![self.fast / 2] } else { (0..self.slow).map(spread).collect() };
        let all = if self.effort.is_some() && self.order >= 4 {
            balanced_choices(self.slow, self.fast, FEW + 1)
        } else {
            subsets(self.fast, self.slow, FEW + 1)
        };
        if all.len() > FEW {
            return vec![even];
        }
        all.into_iter().filter(|choice| self.structure.allows_slow_stages(choice, self.fast)).collect()
    }
}

/// Returns the first `most` choices of at least two slow stages from the first stage to the last whose gaps differ by
/// at most one.
///
/// From order four on, pairs with other choices rarely satisfy the conditions, or have errors larger by a third: the
/// slow partition alone determines most abscissae, and the fast stages between them are equally useful.
fn balanced_choices(slow: usize, fast: usize, most: usize) -> Vec<Vec<usize>> {
    let (gaps, length) = (slow - 1, fast - 1);
    let (short, longer) = (length / gaps, length % gaps);
    let choice = |longer: Vec<usize>| {
        let gap = |k: usize| short + usize::from(longer.contains(&k));
        (0..slow).map(|k| (0..k).map(gap).sum()).collect()
    };
    subsets(gaps, longer, most).into_iter().map(choice).collect()
}

/// Returns the number of starts of a race with the least effort.
///
/// For small systems each start is cheap. For large systems the descents dominate the cost, so a race has fewer starts
/// and more hops.
fn racing_starts(specification: &Specification) -> usize {
    /// Numbers of starts for the pairs of order five with the fewest fast stages, and for those with more.
    const ORDER_FIVE: [usize; 3] = [600, 150, 60];
    if specification.preference.is_some() {
        let sets = specification.slow_stage_choices().len();
        return sets * starts_for_each(specification.order, specification.fast);
    }
    match (specification.order, specification.fast) {
        (..=3, _) => specification.starts,
        (4, ..=8) => 400,
        (4, 9) => 200,
        (4, _) => 80,
        (_, fast) => ORDER_FIVE[fast.saturating_sub(8).min(2)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_complete_and_bounded() {
        assert_eq!(subsets(5, 2, 100).len(), 10);
        assert_eq!(subsets(4, 4, 100), [[0, 1, 2, 3]]);
        assert_eq!(subsets(12, 6, 21).len(), 21);
    }

    #[test]
    fn balanced_choices_have_even_distances() {
        let counted = |slow, fast| -> Vec<Vec<usize>> {
            let choices = balanced_choices(slow, fast, 100);
            choices.iter().map(|choice| choice.iter().map(|stage| stage + 1).collect()).collect()
        };
        assert_eq!(counted(4, 7), [[1, 3, 5, 7]]);
        assert_eq!(counted(4, 8), [[1, 4, 6, 8], [1, 3, 6, 8], [1, 3, 5, 8]]);
        // The choices of the library's pairs, which searches over all choices found.
        assert!(counted(4, 6).contains(&vec![1, 3, 5, 6]) && counted(6, 8).contains(&vec![1, 3, 5, 6, 7, 8]));
    }

    #[test]
    fn impossible_specifications_name_the_theorem() {
        let error = Specification::new(5, 8, Some(5)).unwrap_err();
        assert!(error.to_string().contains("expected at least 6"));
        assert!(matches!(Specification::new(0, 5, None), Err(DesignError::OutOfRange { .. })));
        assert!(matches!(Specification::new(5, 2, None), Err(DesignError::OutOfRange { .. })));
    }

    #[test]
    fn even_spreads_reach_both_ends() {
        let specification = Specification::new(4, 10, None).unwrap();
        assert_eq!(specification.slow_stage_choices(), [[0, 3, 6, 9]]);
    }
}
