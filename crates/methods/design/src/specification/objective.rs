//! The objective of a design.

use hemiola_order::{NodeKind, Tree};
use serde::Serialize;

use crate::error::{DesignError, require};
use crate::pair::partitions::SLOW;

/// Largest weight and step size; they are squared and multiplied, and larger ones would overflow.
const LARGEST: f64 = 1e9;

/// The objective: half a weighted sum of squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// The weights of the principal error coefficients: those of the slow partition alone, of the fast partition alone,
    /// and of trees with both partitions.
    pub error: [f64; 3],
    /// The intended step sizes h|λ| of the slow and of the fast partition. Errors of order p + 1 and p + 2 are weighted
    /// by a factor h|λ| for every node of a tree. `None` denotes the limit h → 0: errors of order p + 1 with factors
    /// one.
    pub step: Option<[f64; 2]>,
    /// The weight of all coefficients.
    pub coefficients: f64,
    /// The weight of the internal stability polynomials Q_j(z) of the fast partition, along the axis of its
    /// polynomial up to its limit. They propagate perturbations of the stages to the step (Ketcheson, Lóczi &
    /// Parsani 2014). `None` lets the search choose it if the objective has only errors
    /// ([`InternalTradeOff`](crate::InternalTradeOff)); otherwise it is zero.
    pub internal: Option<f64>,
    /// The requested coupled profile.
    pub coupling: Option<Coupling>,
}

/// The requested [coupled profile](hemiola_stability::coupled_profile), for symmetric couplings and practical
/// growth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Coupling {
    /// The damping ratio ζ of both partitions.
    pub damping: f64,
    /// The coupling strengths γ.
    pub gammas: Vec<f64>,
    /// The requested profile at each of them.
    pub profile: Vec<f64>,
    /// The weight of the shortfall.
    pub weight: f64,
}

impl Default for Objective {
    /// Returns the principal error norm.
    fn default() -> Self {
        Self { error: [1.0; 3], step: None, coefficients: 0.0, internal: Some(0.0), coupling: None }
    }
}

impl Objective {
    /// Returns whether the objective is the principal error norm, apart from terms whose weight the search may choose.
    pub(crate) fn is_error_alone(&self) -> bool {
        Self { internal: Some(self.internal.unwrap_or(0.0)), ..self.clone() } == Self::default()
    }

    /// Returns the weighted error that counts as zero, the accuracy of descents.
    pub(crate) fn negligible_error(&self) -> f64 {
        1e-9 * self.error.into_iter().fold(0.0, f64::max)
    }

    /// Returns whether no term other than errors has a given weight.
    pub(crate) fn has_only_errors(&self) -> bool {
        self.coefficients == 0.0 && self.internal.unwrap_or(0.0) == 0.0 && self.coupling.is_none()
    }

    /// Returns the weight of the error coefficient (Φ − 1/γ)/σ of a tree.
    pub(crate) fn factor(&self, tree: &Tree, order: usize) -> f64 {
        let slow = count_nodes(tree, SLOW);
        let (slow, fast) = (slow, tree.order() - slow);
        let class = match (slow, fast) {
            (_, 0) => 0,
            (0, _) => 1,
            _ => 2,
        };
        let step = self.step.map_or(1.0, |[s, f]| {
            // Normalize by the larger step, since only ratios matter relative to the other terms.
            let largest = s.max(f);
            let excess = (slow + fast) as i32 - order as i32 - 1;
            (s / largest).powi(slow as i32) * (f / largest).powi(fast as i32) * largest.powi(excess)
        });
        self.error[class] * step
    }

    pub(crate) fn validate(&self) -> Result<(), DesignError> {
        let weights = self.error.iter().chain([&self.coefficients]).chain(&self.internal);
        for weight in weights.chain(self.coupling.iter().map(|coupling| &coupling.weight)) {
            require((0.0..=LARGEST).contains(weight), "a weight of the objective", weight, "a number from 0 to 1e9")?;
        }
        let ranks = self.error.iter().any(|weight| *weight > 0.0);
        require(ranks, "the largest weight of the errors", &0, "a positive number: starts are ranked by their errors")?;
        for step in self.step.iter().flatten() {
            require(*step > 0.0 && *step <= LARGEST, "an intended step", step, "a positive number up to 1e9")?;
        }
        let Some(Coupling { damping, gammas, profile, .. }) = &self.coupling else { return Ok(()) };
        require((0.0..1.0).contains(damping), "the damping of the profile", damping, "0 ≤ ζ < 1")?;
        require(!gammas.is_empty(), "the number of coupling strengths", &0, "at least 1")?;
        let lengths = format!("{} and {}", gammas.len(), profile.len());
        require(
            gammas.len() == profile.len(),
            "the number of coupling strengths and of profiles",
            &lengths,
            "as many",
        )?;
        for gamma in gammas {
            require(*gamma > 0.0 && *gamma < 1.0, "a coupling strength", gamma, "0 < γ < 1")?;
        }
        for value in profile {
            require(*value > 0.0 && *value <= 2.0, "a profile", value, "a positive number up to 2")?;
        }
        Ok(())
    }
}

/// Counts the nodes of a color.
fn count_nodes(tree: &Tree, color: usize) -> usize {
    let own = usize::from(tree.kind() == NodeKind::Partition(color));
    own + tree.children().iter().map(|child| count_nodes(child, color)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_made_small_is_refused() {
        let coupling = Coupling { damping: 0.05, gammas: vec![0.1], profile: vec![0.9], weight: 1.0 };
        let with = |coupling| Objective { coupling: Some(coupling), ..Objective::default() };
        assert!(Objective::default().validate().is_ok() && with(coupling.clone()).validate().is_ok());
        for (bad, said) in [
            (Objective { error: [0.0; 3], coefficients: 1.0, ..Objective::default() }, "ranked"),
            (Objective { error: [1e300, 1.0, 1.0], ..Objective::default() }, "1e9"),
            (Objective { internal: Some(1e200), ..Objective::default() }, "1e9"),
            (Objective { step: Some([1e300, 1.0]), ..Objective::default() }, "an intended step"),
            (with(Coupling { weight: f64::INFINITY, ..coupling.clone() }), "1e9"),
            (with(Coupling { gammas: Vec::new(), profile: Vec::new(), ..coupling.clone() }), "at least 1"),
            (with(Coupling { profile: Vec::new(), ..coupling }), "as many"),
        ] {
            let error = bad.validate().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn errors_at_a_step_count_by_their_nodes() {
        let objective = Objective { step: Some([0.5, 2.0]), ..Objective::default() };
        let factor = |text: &str| objective.factor(&Tree::parse(text, &["s", "f"]).unwrap(), 2);
        // The factor is sˢfᶠ/max(s, f)³ for s slow and f fast nodes.
        assert!((factor("[[τ_s]_f]_f") - 0.25).abs() < 1e-15 && (factor("[[τ_f]_f]_f") - 1.0).abs() < 1e-15);
        assert!((factor("[[[τ_s]_s]_f]_f") - 0.125).abs() < 1e-15);
        // Powers of the step sizes themselves would underflow.
        let tiny = Objective { step: Some([1e-200, 1e-200]), ..Objective::default() };
        let tree = Tree::parse("[[τ_s]_f]_f", &["s", "f"]).unwrap();
        assert!((tiny.factor(&tree, 2) - 1.0).abs() < 1e-15);
    }
}
