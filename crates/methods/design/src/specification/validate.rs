//! Checks of a specification without a search.

use hemiola_polynomial::Axis;

use crate::error::{DesignError, require};
use crate::pair::partitions::FAST;
use crate::pair::place::CoefficientIndex;
use crate::specification::definition::{MOST_EFFORT, MOST_STARTS, Specification};
use crate::specification::entry::{Bound, Entry};
use crate::specification::feasible_damping::explained;
use crate::specification::order_barriers::{refuse_impossible_dense, refuse_impossible_embedded};
use crate::specification::solver::DescentSolver;
use crate::specification::stability::{DEFAULT_BAND, Stability, optimal_limit};

impl Specification {
    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// Returns a [`DesignError`] with the theorem, or with the number out of range.
    pub fn validate(&self) -> Result<(), DesignError> {
        // The fields may have changed since `new` checked them.
        Self::new(self.slow, self.fast, Some(self.order))?;
        // The level determines the number of starts, so check it first.
        if let Some(level) = self.effort {
            require((1..=MOST_EFFORT).contains(&level), "the level of effort", &level, "1 to 1000")?;
        }
        require((1..=MOST_STARTS).contains(&self.starts), "the number of starts", &self.starts, "1 to 1000000")?;
        if let Some(stages) = &self.slow_stages {
            let increasing = stages.windows(2).all(|pair| pair[0] < pair[1]);
            let fits = increasing && stages.len() == self.slow && stages.iter().all(|&stage| stage < self.fast);
            let counted: Vec<String> = stages.iter().map(|stage| stage.saturating_add(1).to_string()).collect();
            let expected = "one stage for each slow evaluation, in increasing order, from 1 to the number of fast \
            evaluations";
            require(fits, "the choice of slow stages", &format!("[{}]", counted.join(", ")), expected)?;
        }
        validate_structure(self)?;
        validate_stability(self)?;
        self.objective.validate()?;
        let has_errors_alone = self.objective.has_only_errors()
            && self.objective.internal.is_some()
            && !matches!(self.stability[0], Stability::AtLeast { .. } | Stability::Auto);
        let fits = self.solver != DescentSolver::GaussNewton || has_errors_alone;
        let expected = "a solver that allows terms other than errors, or an objective of errors alone: internal 0 and a free \
            slow polynomial";
        require(fits, "the solver", &self.solver.name(), expected)?;
        self.validate_preference()?;
        if let Some(made_for) = &self.made_for {
            made_for.validate()?;
        }
        let reused = self.structure.first_same_as_last;
        if let Some(wanted) = self.embedded {
            refuse_impossible_embedded(self.slow, self.order, reused, wanted)?;
        }
        if let Some(wanted) = self.dense {
            refuse_impossible_dense(self.slow, self.order, reused, wanted)?;
        }
        for (choice, evaluations) in self.stability.iter().zip([self.slow, self.fast]) {
            let polynomial = choice.polynomial(evaluations, self.order);
            polynomial.map_err(|error| explained(error, choice, evaluations, self.order))?;
        }
        Ok(())
    }
}

/// Checks the choices of both polynomials, apart from the existence of optima.
fn validate_stability(specification: &Specification) -> Result<(), DesignError> {
    let [slow, fast] = &specification.stability;
    let is_slow = |choice: &Stability| matches!(choice, Stability::AtLeast { .. } | Stability::Auto);
    let expected = "\"free\", an optimum on an axis, or coefficients; other choices are for the slow partition only";
    require(!is_slow(fast), "the fast partition's stability polynomial", &"a choice for the slow partition", expected)?;
    for choice in [slow, fast] {
        if let Stability::Optimal { axis, band, .. } = choice {
            let is_used = *axis == Axis::Imaginary || *band == DEFAULT_BAND;
            require(
                *band > 0.0 && *band <= 1.0,
                "the band of the damping",
                band,
                "a fraction of the limit, above 0 and at most 1",
            )?;
            require(is_used, "the band of the damping", band, "0.5 on the real axis, where damping has no band")?;
        }
    }
    let Stability::AtLeast { axis, fraction } = slow else { return Ok(()) };
    require(*fraction > 0.0 && *fraction < 1.0, "the fraction of the slow limit", fraction, "0 < fraction < 1")?;
    // Without free coefficients, the order determines the limit.
    let &Specification { slow, order, .. } = specification;
    require(slow > order, "the number of slow evaluations", &slow, "more than the order, so that the limit is free")?;
    optimal_limit(*axis, slow, order).map(|_| ())
}

fn validate_structure(specification: &Specification) -> Result<(), DesignError> {
    let structure = &specification.structure;
    let bound = structure.largest_coefficient;
    require(bound > 0.0 && bound.is_finite(), "the largest coefficient", &bound, "a positive number")?;
    let sparsity = structure.sparsity;
    require(sparsity >= 0.0 && sparsity.is_finite(), "the sparsity", &sparsity, "a number ≥ 0")?;
    for (entry, bound) in &structure.bounds {
        valid_bound(entry, bound, specification)?;
    }
    refuse_contradictions(specification)
}

/// Returns an error for requirements that contradict each other by a theorem.
fn refuse_contradictions(specification: &Specification) -> Result<(), DesignError> {
    let Specification { slow, fast, slow_stages, structure, .. } = specification;
    let impossible = |wish: String, theorem| Err(DesignError::Impossible { wish, theorem });
    if structure.bounds.is_empty() && structure.largest_coefficient * (*slow as f64) < 1.0 {
        let wish = format!("{slow} slow weights up to {}", structure.largest_coefficient);
        return impossible(wish, "the weights of each partition must sum to one, the condition of order 1");
    }
    if *slow == 1 && *fast > 1 && structure.shared_abscissae && structure.shared_weights {
        let wish = format!("shared abscissae and shared weights with one slow and {fast} fast evaluations");
        return impossible(
            wish,
            "shared abscissae require a slow first stage, and shared weights require a slow last stage",
        );
    }
    let Some(stages) = slow_stages.as_deref().filter(|stages| !structure.allows_slow_stages(stages, *fast)) else {
        return Ok(());
    };
    let counted: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
    let wish = |what: &str| format!("{what} with the slow stages {}", counted.join(", "));
    if structure.shared_abscissae && stages[0] != 0 {
        return impossible(
            wish("shared abscissae"),
            "the slow abscissae vanish up to the first slow stage, and fast stages with vanishing abscissae repeat \
             the first fast evaluation",
        );
    }
    impossible(
        wish("shared weights"),
        "fast weights vanish where the slow partition is not evaluated, and without a weight the last stage has no effect",
    )
}

/// Checks that a bound is valid for the pair.
fn valid_bound(entry: &Entry, bound: &Bound, specification: &Specification) -> Result<(), DesignError> {
    /// Largest denominator q: equations q·x = p are solved to about 1e-13, like the order conditions.
    const LARGEST_DENOMINATOR: u32 = 1000;
    let Specification { fast, slow_stages, .. } = specification;
    let Entry { partition, row, column } = *entry;
    let exists = partition <= FAST && row.is_none_or(|row| row < *fast && column < row) && column < *fast;
    require(exists, "a bounded coefficient", entry, "a weight, or an entry of A below the diagonal")?;
    let is_evaluated = partition == FAST || slow_stages.as_ref().is_some_and(|stages| stages.contains(&column));
    let expected = "a coefficient at one of the given slow stages, or bounds that allow zero";
    require(is_evaluated || bound.allows_zero(), "a bounded coefficient", entry, expected)?;
    let structure = &specification.structure;
    let place = CoefficientIndex { partition, row: row.unwrap_or(*fast), column };
    let slow = slow_stages.clone().unwrap_or_else(|| (0..*fast).collect());
    let is_unknown = bound.allows_zero() || structure.allows(&place, *fast, &slow);
    require(
        is_unknown,
        "a bounded coefficient",
        entry,
        "a coefficient that the other requirements do not set to zero",
    )?;
    match bound {
        Bound::Fixed(value) => {
            let small = value.denominator() <= &LARGEST_DENOMINATOR.into() && value.to_f64().value().abs() <= 1e3;
            require(
                small,
                "a fixed coefficient",
                value,
                "a fraction of modulus at most 1000 with a denominator up to 1000",
            )
        }
        Bound::Between(low, high) => {
            let (found, expected) = (format!("[{low}, {high}]"), "two finite numbers, the smaller one first");
            require(low < high && low.is_finite() && high.is_finite(), "the bounds of a coefficient", &found, expected)
        }
    }
}

#[cfg(test)]
mod tests {
    use dashu::rational::RBig;

    use super::*;
    use crate::Structure;

    fn wish(change: impl FnOnce(&mut Structure)) -> Structure {
        let mut structure = Structure::default();
        change(&mut structure);
        structure
    }

    #[test]
    fn no_starts_and_billions_of_them_are_refused() {
        let with = |starts| Specification { starts, ..Specification::new(2, 5, None).unwrap() }.validate();
        assert!(with(1).is_ok() && with(MOST_STARTS).is_ok());
        for starts in [0, MOST_STARTS + 1, usize::MAX] {
            let refused = with(starts).unwrap_err();
            assert!(matches!(refused, DesignError::OutOfRange { name: "the number of starts", .. }), "{refused}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let base = Specification::new(2, 5, None).unwrap();
        let refused = |structure: Structure, slow_stages: Option<Vec<usize>>| {
            let specification = Specification { structure, slow_stages, ..base.clone() };
            match specification.validate() {
                Err(DesignError::Impossible { wish, .. }) => wish,
                other => panic!("{other:?}"),
            }
        };
        let abscissae = wish(|s| s.shared_abscissae = true);
        assert_eq!(refused(abscissae.clone(), Some(vec![1, 4])), "shared abscissae with the slow stages 2, 5");
        let weights = wish(|s| s.shared_weights = true);
        assert_eq!(refused(weights.clone(), Some(vec![0, 2])), "shared weights with the slow stages 1, 3");
        assert_eq!(refused(wish(|s| s.largest_coefficient = 0.4), None), "2 slow weights up to 0.4");
        for (structure, stages) in [(abscissae, vec![0, 3]), (weights, vec![1, 4])] {
            let good = Specification { structure, slow_stages: Some(stages), ..base.clone() };
            assert!(good.validate().is_ok());
        }
        let both = wish(|s| (s.shared_abscissae, s.shared_weights) = (true, true));
        let one = Specification { structure: both, ..Specification::new(1, 3, None).unwrap() };
        assert!(matches!(one.validate(), Err(DesignError::Impossible { .. })));
        for (entry, bound) in [
            ("fast.a[2][2]", Bound::Fixed(RBig::ZERO)),
            ("fast.b[6]", Bound::Fixed(RBig::ZERO)),
            ("slow.b[2]", Bound::Fixed(RBig::ONE)),
            ("fast.b[2]", Bound::Between(1.0, 0.5)),
            ("fast.b[2]", Bound::Between(0.0, f64::NAN)),
            ("fast.b[2]", Bound::Fixed(RBig::from_parts(1.into(), 1001u32.into()))),
        ] {
            let structure = wish(|s| s.bounds = [(entry.parse().unwrap(), bound)].into());
            let bad = Specification { structure, stability: [Stability::Free, Stability::Free], ..base.clone() };
            assert!(matches!(bad.validate(), Err(DesignError::OutOfRange { .. })), "{entry}");
        }
    }
}
