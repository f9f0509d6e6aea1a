//! Results of a design: residuals, limits, errors, and published pairs for comparison.

use std::path::Path;

use hemiola::design::findings::{DampingCost, PairNumbers, ProfileComparison, limits, published_pairs};
use hemiola::design::{Design, DesignFile, Equation, Residual, Specification, Stability, residuals};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::text;

use super::balance;
use super::made_for::RunComparison;
use super::profile_table;

/// Labels of the colors in trees.
const LABELS: [&str; 2] = ["s", "f"];

/// Design with all reported results.
pub(crate) struct DesignResults {
    pub(crate) file: DesignFile,
    pub(crate) design: Design,
    pub(crate) conditions: Vec<ConditionText>,
    /// Limits of the slow partition on the imaginary and the negative real axis.
    pub(crate) slow_limits: [f64; 2],
    pub(crate) pair: PairNumbers,
    /// Cost of the damping of the fast polynomial, if it is more than a tenth of the limit.
    pub(crate) damping: Option<DampingCost>,
    pub(crate) published: Vec<PairNumbers>,
    /// Target and result of the coupled profile.
    pub(crate) wish: Option<ProfileComparison>,
    /// Evaluations that the pair needs on the runs that it was designed for.
    pub(crate) compared: Option<RunComparison>,
}

/// Equation with its residual, as text.
pub(crate) struct ConditionText {
    /// Tree, or coefficient of the polynomial.
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) order: usize,
    pub(crate) expected: String,
    pub(crate) residual: f64,
}

impl DesignResults {
    pub(crate) fn new(file: &DesignFile, design: Design) -> Result<Self, Failure> {
        let specification = &file.specification;
        let conditions = residuals(specification, &design.method)?.iter().map(ConditionText::new).collect();
        let slow_limits = limits(&design.method, 0)?;
        let damping = DampingCost::new(specification);
        let pair = PairNumbers::new(&design.method, specification.order)?;
        let published = published_pairs(specification)?;
        let wish = specification.objective.coupling.as_ref().map(|wish| ProfileComparison::new(wish, &design.method));
        Ok(Self { file: file.clone(), design, conditions, slow_limits, pair, damping, published, wish, compared: None })
    }

    pub(crate) fn to_json(&self, files: &[&Path], interrupted: bool) -> Value {
        let Specification { slow, fast, order, stability, seed, starts, .. } = &self.file.specification;
        let [damping, band] = match &stability[1] {
            Stability::Optimal { damping, band, .. } => [Some(*damping), Some(*band).filter(|_| *damping > 0.0)],
            _ => [None, None],
        };
        let condition =
            |c: &ConditionText| json!({ "name": c.name, "kind": c.kind, "order": c.order, "residual": c.residual });
        let published = |p: &PairNumbers| {
            json!({ "id": p.id, "principal_error_norm": p.error_norm, "fast_imaginary_limit": p.fast_limits[0],
                    "largest_coefficient": p.largest_coefficient })
        };
        json!({
            "id": self.design.method.id(),
            "slow": slow,
            "fast": fast,
            "order": order,
            "damping": damping,
            "band": band,
            "seed": seed,
            "starts": (*starts).max(self.design.tried),
            "solved": self.design.solved,
            "interrupted": interrupted,
            "slow_stages": self.slow_stages(),
            "principal_error_norm": self.design.error_norm,
            "largest_coefficient": self.design.largest_coefficient,
            "abscissae": self.pair.abscissae,
            "damping_cost": self.damping.as_ref().map(balance::damping_to_json),
            "internal": self.design.internal.as_ref().map(balance::to_json),
            "preferred": self.design.preferred.as_ref().map(balance::choice_to_json),
            "slow_limit": self.design.slow_limit.as_ref().map(balance::slow_to_json),
            "imaginary_limits": [self.slow_limits[0], self.pair.fast_limits[0]],
            "real_limits": [self.slow_limits[1], self.pair.fast_limits[1]],
            "made_for": self.compared.as_ref().map(RunComparison::to_json),
            "wish": self.wish.as_ref().map(profile_table::to_json),
            "certificate": self.design.certificate.to_json(),
            "unproved": self.design.gap.map(|gap| gap.to_string()),
            "conditions": self.conditions.iter().map(condition).collect::<Vec<_>>(),
            "published": self.published.iter().map(published).collect::<Vec<_>>(),
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }

    /// Returns the stages at which the slow partition is evaluated, counted from 1.
    pub(crate) fn slow_stages(&self) -> Vec<usize> {
        self.design.slow_stages.iter().map(|stage| stage + 1).collect()
    }
}

impl ConditionText {
    fn new(residual: &Residual) -> Self {
        let (name, kind, order) = match &residual.equation {
            Equation::Order(tree) => (tree.text(&LABELS), "order", tree.order()),
            Equation::Coupling(tree) => (tree.text(&LABELS), "coupling", tree.order()),
            Equation::Polynomial(partition, power) => {
                let part = ["slow", "fast"][*partition];
                (format!("β{power} of the {part} polynomial"), "stability", *power)
            }
        };
        Self { name, kind, order, expected: text::exact(&residual.expected), residual: residual.residual }
    }
}
