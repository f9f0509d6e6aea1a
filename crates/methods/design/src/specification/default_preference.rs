//! The pairs for which a rule chooses among small errors.

use hemiola_polynomial::Axis;

use crate::error::{DesignError, require};
use crate::pair::partitions::FAST;
use crate::specification::definition::Specification;
use crate::specification::preference::Preference;
use crate::specification::stability::Stability;
use crate::specification::structure::Structure;

/// Highest order that the rule covers; designs of higher orders minimize the error alone.
const HIGHEST: usize = 4;
/// Bound on the coefficients of pairs as they come, where a rule chooses. A bound of one costs up to a tenth of the error
/// at order four, and the amplification is bounded by itself.
const LARGEST: f64 = 1.5;

impl Specification {
    /// Returns the rule of a pair as it comes, or `None` for the smallest error alone.
    ///
    /// It has a rule if its order is the number of slow evaluations and its fast evaluations are many: at least seven at
    /// orders two and three, twelve at order four, on the imaginary axis. Objectives other than the principal error and
    /// requirements on the coefficients other than their bound leave no choice.
    ///
    /// ```
    /// use hemiola_design::Specification;
    /// assert!(Specification::new(3, 9, None)?.default_preference().is_some());
    /// assert!(Specification::new(6, 9, None)?.default_preference().is_none());
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn default_preference(&self) -> Option<Preference> {
        let Stability::Optimal { axis, .. } = &self.stability[FAST] else { return None };
        // Elsewhere, the search over single coefficients finds pairs with as good errors. With more slow evaluations than
        // the order, the slow limit is free, which the rule does not compare.
        let is_many = matches!((self.order, self.fast), (1, 2) | (2 | 3, 7..) | (4, 12..));
        let is_better = *axis == Axis::Imaginary && is_many;
        let is_default = is_better && self.slow == self.order;
        (is_default && self.allows_preference()).then(|| Preference::new(self.fast, *axis))
    }

    /// Sets the rule of a pair as it comes, if it has one, and the bound on its coefficients.
    ///
    /// ```
    /// use hemiola_design::Specification;
    /// let specification = Specification::new(3, 9, None)?.with_default_preference();
    /// assert_eq!((specification.preference.map(|rule| rule.gamma), specification.structure.largest_coefficient), (Some(0.1), 1.5));
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn with_default_preference(mut self) -> Self {
        self.preference = self.default_preference();
        if self.preference.is_some() && self.structure.largest_coefficient == Structure::default().largest_coefficient {
            self.structure.largest_coefficient = LARGEST;
        }
        self
    }

    /// Returns whether a rule can choose among pairs: the search for it has a fixed fast polynomial, and no other
    /// requirements.
    fn allows_preference(&self) -> bool {
        let Self { order, fast, stability, structure, objective, made_for, .. } = self;
        let Structure { largest_coefficient, first_same_as_last, .. } = *structure;
        let plain = Structure { largest_coefficient, first_same_as_last, ..Structure::default() };
        let is_free = matches!(stability[0], Stability::Free | Stability::Auto);
        let is_optimal = matches!(stability[FAST], Stability::Optimal { .. });
        *order <= HIGHEST
            && fast > order
            && is_free
            && is_optimal
            && *structure == plain
            && objective.is_error_alone()
            && made_for.is_none()
    }

    pub(crate) fn validate_preference(&self) -> Result<(), DesignError> {
        let Some(Preference { margin, gamma, tie, amplification }) = self.preference else { return Ok(()) };
        require((0.0..=1.0).contains(&margin), "the margin of the error", &margin, "a fraction from 0 to 1")?;
        require(gamma > 0.0 && gamma < 0.5, "the coupling strength of the preference", &gamma, "0 < γ < 0.5")?;
        require((0.0..=1.0).contains(&tie), "the tie of profiles", &tie, "a fraction from 0 to 1")?;
        require(
            amplification > 0.0 && amplification.is_finite(),
            "the largest amplification",
            &amplification,
            "a positive number",
        )?;
        let expected = "none, unless the order is at most 4 and below the number of fast evaluations, the fast polynomial \
                        is optimal, the slow one free or auto, the objective the error alone, and no coefficient is \
                        restricted except by a common bound";
        require(self.allows_preference(), "the preference", &"given", expected)
    }
}
