//! What the coefficients of a design are to satisfy beside the conditions.

use crate::error::DesignError;
use crate::pattern::{FAST, Form, Place};
use crate::specification::{Specification, require};

/// Wishes for the coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// The largest coefficient allowed, in absolute value.
    pub largest_coefficient: f64,
    /// cˢ = cᶠ at every stage.
    pub shared_abscissae: bool,
    /// bˢ = bᶠ: the fast weights vanish where the slow part is not evaluated.
    pub shared_weights: bool,
    /// One more stage with the rows bˢ and bᶠ, whose evaluations are those of the next step's first stage: it costs nothing,
    /// and embedded weights and dense output may use it.
    pub first_same_as_last: bool,
    /// All weights are non-negative.
    pub non_negative_weights: bool,
    /// All abscissae lie in the step: 0 ≤ c ≤ 1.
    pub abscissae_in_step: bool,
    /// Every part's abscissae do not decrease from each stage that it is evaluated at to the next.
    pub increasing_abscissae: bool,
    /// Every fast stage leans on the one before it and on the first alone (Vermeire 2019): two numbers a stage.
    pub fast_chain: bool,
    /// Coefficients are set to zero, the smallest first, as long as the objective grows by no more than this part in all;
    /// zero leaves all coefficients as they are.
    pub sparsity: f64,
}

impl Default for Structure {
    /// Coefficients up to one, and nothing else.
    fn default() -> Self {
        Self {
            largest_coefficient: 1.0,
            shared_abscissae: false,
            shared_weights: false,
            first_same_as_last: false,
            non_negative_weights: false,
            abscissae_in_step: false,
            increasing_abscissae: false,
            fast_chain: false,
            sparsity: 0.0,
        }
    }
}

impl Structure {
    pub(crate) fn validate(&self, _specification: &Specification) -> Result<(), DesignError> {
        let bound = self.largest_coefficient;
        require(bound > 0.0 && bound.is_finite(), "the largest coefficient", &bound, "a positive number")?;
        let sparsity = self.sparsity;
        require(sparsity >= 0.0 && sparsity.is_finite(), "the sparsity", &sparsity, "a number that is not negative")
    }

    /// Whether a coefficient is an unknown at all.
    pub(crate) fn allows(&self, place: &Place, stages: usize, slow_stages: &[usize]) -> bool {
        let Place { partition, row, column } = *place;
        match (row == stages, partition) {
            (true, FAST) => !self.shared_weights || slow_stages.contains(&column),
            (false, FAST) => !self.fast_chain || column == 0 || column + 1 == row,
            _ => true,
        }
    }

    /// Linear forms of the unknowns that are zero.
    pub(crate) fn equalities(&self, places: &[Place], stages: usize) -> Vec<Form> {
        let _ = (places, stages);
        Vec::new()
    }

    /// Linear forms of the unknowns that are not positive, the bounds on single coefficients among them.
    pub(crate) fn inequalities(&self, places: &[Place], stages: usize) -> Vec<Form> {
        let _ = stages;
        let bound = |j: usize, sign: f64| Form { terms: vec![(j, sign)], right: self.largest_coefficient };
        (0..places.len()).flat_map(|j| [bound(j, 1.0), bound(j, -1.0)]).collect()
    }
}
