//! What a design makes small.

use hemiola_order::{Kind, Tree};

use crate::coupling::Coupled;
use crate::error::DesignError;
use crate::forests::Coefficients;
use crate::internal::Internal;
use crate::pattern::SLOW;
use crate::specification::{Specification, require};

/// One share of what is made small.
pub(crate) trait Term: Sync {
    fn value(&self, at: &Coefficients) -> f64;

    /// Adds the derivatives of [`value`](Self::value).
    fn add_gradient(&self, at: &Coefficients, gradient: &mut Coefficients);

    /// A term with the same values near a point, cheaper if possible.
    fn near(&self, at: &Coefficients) -> Box<dyn Term>;
}

/// Half the sum of squares of what is made small, each with its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Weights of the principal error coefficients of the slow part alone, of the fast part alone, and of those in which both
    /// occur.
    pub error: [f64; 3],
    /// The intended step h|λ| of the slow and of the fast part. Errors of order p + 1 and p + 2 then count with a factor h|λ| for
    /// every node of a tree, where `None` means the limit h → 0: errors of order p + 1 with factors one.
    pub step: Option<[f64; 2]>,
    /// The weight of all coefficients.
    pub coefficients: f64,
    /// The weight of the internal stability polynomials Q_j(z) of the fast part, which carry perturbations of stages into the
    /// step, along the imaginary axis up to its limit (Ketcheson, Lóczi & Parsani 2014).
    pub internal: f64,
    /// The coupled profile.
    pub coupling: Option<Coupling>,
}

/// A wish for the coupled profile: the least t*/t₀ over frequency ratios and both signs of a real coupling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coupling {
    /// The damping ratio ζ of both parts.
    pub damping: f64,
    /// Coupling strengths γ.
    pub gammas: Vec<f64>,
    /// The profile that is wanted at each.
    pub profile: Vec<f64>,
    /// The weight of what is missing.
    pub weight: f64,
}

impl Default for Objective {
    /// The principal error norm.
    fn default() -> Self {
        Self { error: [1.0; 3], step: None, coefficients: 0.0, internal: 0.0, coupling: None }
    }
}

impl Objective {
    /// The weight of the error coefficient (Φ − 1/γ)/σ of a tree.
    pub(crate) fn factor(&self, tree: &Tree, order: usize) -> f64 {
        let slow = nodes(tree, SLOW);
        let (slow, fast) = (slow, tree.order() - slow);
        let class = match (slow, fast) {
            (_, 0) => 0,
            (0, _) => 1,
            _ => 2,
        };
        let step = self.step.map_or(1.0, |[s, f]| {
            // Only ratios matter beside other objectives: the largest principal error counts in full.
            s.powi(slow as i32) * f.powi(fast as i32) / s.max(f).powi(order as i32 + 1)
        });
        self.error[class] * step
    }

    /// The terms beside the errors.
    pub(crate) fn other_terms(&self, specification: &Specification) -> Result<Vec<Box<dyn Term>>, DesignError> {
        let mut terms: Vec<Box<dyn Term>> = Vec::new();
        if self.coefficients > 0.0 {
            terms.push(Box::new(Size { weight: self.coefficients }));
        }
        if self.internal > 0.0 {
            terms.push(Box::new(Internal::new(self.internal, specification)?));
        }
        if let Some(wish) = &self.coupling {
            terms.push(Box::new(Coupled::new(wish, specification)?));
        }
        Ok(terms)
    }

    pub(crate) fn validate(&self) -> Result<(), DesignError> {
        let weights = self.error.iter().chain([&self.coefficients, &self.internal]);
        for weight in weights.chain(self.coupling.iter().map(|coupling| &coupling.weight)) {
            require(*weight >= 0.0 && weight.is_finite(), "a weight of the objective", weight, "a number ≥ 0")?;
        }
        for step in self.step.iter().flatten() {
            require(*step > 0.0 && step.is_finite(), "an intended step", step, "a positive number")?;
        }
        let Some(Coupling { damping, gammas, profile, .. }) = &self.coupling else { return Ok(()) };
        require((0.0..1.0).contains(damping), "the damping of the profile", damping, "0 ≤ ζ < 1")?;
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
            require(*value > 0.0 && *value <= 2.0, "a profile", value, "a number above 0, at most 2")?;
        }
        Ok(())
    }
}

/// The number of nodes of a colour.
fn nodes(tree: &Tree, colour: usize) -> usize {
    let own = usize::from(tree.kind() == Kind::Partition(colour));
    own + tree.children().iter().map(|child| nodes(child, colour)).sum::<usize>()
}

/// Half the weighted sum of the squares of all coefficients.
#[derive(Clone)]
struct Size {
    weight: f64,
}

impl Term for Size {
    fn value(&self, at: &Coefficients) -> f64 {
        at.entries.iter().map(|x| (self.weight * x).powi(2)).sum::<f64>() / 2.0
    }

    fn add_gradient(&self, at: &Coefficients, gradient: &mut Coefficients) {
        gradient.entries.iter_mut().zip(&at.entries).for_each(|(sum, x)| *sum += self.weight * self.weight * x);
    }

    fn near(&self, _: &Coefficients) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}
