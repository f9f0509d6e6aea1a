//! The specification of a family: levels, order and spectrum.

use hemiola_polynomial::Spectrum;

use crate::error::{DesignError, require};
use crate::specification::definition::MOST_STARTS;

/// Largest number of levels of a family.
const MOST_LEVELS: usize = 10;
/// Largest number of evaluations of a level.
const MOST_EVALUATIONS: usize = 32;

/// A family of methods over the same stages, any two of which may be neighbors on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilySpecification {
    /// The evaluations of each level, from many to few.
    pub levels: Vec<usize>,
    /// The order: two, three or four.
    pub order: usize,
    /// The spectrum for which the steps of all levels are maximized.
    pub spectrum: Spectrum,
    /// The share of the optimal step of each level that must be kept while errors are reduced.
    pub share: f64,
    /// The damping η: levels are fitted with |R(z)| ≤ 1 − η(1 − e^{Re z}), which leaves room between the points of a
    /// sampled spectrum, except near the imaginary axis.
    pub damping: f64,
    /// The names of systems on which the coupled step of any levels is to be at least the smallest limit of the
    /// decoupled parts.
    pub systems: Vec<String>,
    /// Whether every stage may use only the first and the previous stage.
    pub chain: bool,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts.
    pub starts: usize,
}

impl FamilySpecification {
    /// Specifies a family with default requirements.
    ///
    /// ```
    /// use hemiola_design::FamilySpecification;
    /// let family = FamilySpecification::new(vec![8, 5, 3], 3, "dg:2".parse()?);
    /// family.validate()?;
    /// assert!(FamilySpecification { order: 4, ..family }.validate().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(levels: Vec<usize>, order: usize, spectrum: Spectrum) -> Self {
        Self {
            levels,
            order,
            spectrum,
            share: 0.95,
            damping: 0.0,
            systems: Vec::new(),
            chain: false,
            seed: 1,
            starts: 24,
        }
    }

    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] with the invalid number, and [`DesignError::Impossible`] if no chain has
    /// the order.
    pub fn validate(&self) -> Result<(), DesignError> {
        let Self { levels, order, share, damping, starts, .. } = self;
        let listed = || levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        require((2..=4).contains(order), "the order of the family", order, "two, three or four")?;
        let count = (2..=MOST_LEVELS).contains(&levels.len());
        require(count, "the list of levels", &listed(), "two to ten levels")?;
        let falls = levels.windows(2).all(|pair| pair[0] > pair[1]);
        require(falls, "the list of levels", &listed(), "evaluations in decreasing order, without repetition")?;
        let fits = levels.iter().all(|level| (*order..=MOST_EVALUATIONS).contains(level));
        require(fits, "the list of levels", &listed(), "at least as many evaluations as the order, and at most 32")?;
        require(*share > 0.0 && *share <= 1.0, "the share of the optimum", share, "a number above 0, at most 1")?;
        require((0.0..=0.5).contains(damping), "the damping of the levels", damping, "a number from 0 to 0.5")?;
        require((1..=MOST_STARTS).contains(starts), "the number of starts", starts, "1 to 1000000")?;
        if self.chain && *order == 4 && levels.last() == Some(&4) {
            return Err(DesignError::Impossible {
                wish: "a chain of order four with a level of four evaluations".to_owned(),
                theorem: "its weights use the abscissa 0 and two others, so that four stages leave no third row for \
                coupling: the condition Σ b_i α_i α_{i−1} c_{i−2} = 1/24 for all pairs of levels needs one more stage",
            });
        }
        Ok(())
    }

    /// Returns the fewest evaluations of a level.
    pub(crate) fn fewest(&self) -> usize {
        self.levels.last().copied().unwrap_or_default()
    }
}
