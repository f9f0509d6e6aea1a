//! What is to be said of a design: residuals, limits, errors, and published pairs to compare with.

use std::path::Path;

use hemiola::design::{Design, DesignFile, Equation, Residual, Specification, Stability, residuals};
use hemiola::order::principal_error_norm;
use hemiola::stability::{CoupledProfile, Limit, coupled_profile, internal_amplification, stability_limit};
use hemiola::tableau::{Method, library};
use num_complex::Complex64;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::certificate;
use crate::output::text;

use super::wish::Wish;

/// The damping and the coupling strengths of the coupled profile.
const DAMPING: f64 = 0.05;
const GAMMAS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.4];
/// The labels of the colours in trees.
const LABELS: [&str; 2] = ["s", "f"];

/// A design with everything that is printed of it.
pub(crate) struct Findings {
    pub(crate) file: DesignFile,
    pub(crate) design: Design,
    pub(crate) conditions: Vec<Condition>,
    /// The limits of the slow part on the imaginary and the negative real axis.
    pub(crate) slow_limits: [f64; 2],
    pub(crate) pair: Pair,
    pub(crate) published: Vec<Pair>,
    /// What was wished of the coupled profile, and what came of it.
    pub(crate) wish: Option<Wish>,
}

/// An equation with its residual, in words.
pub(crate) struct Condition {
    /// The tree, or the polynomial's coefficient.
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) order: usize,
    pub(crate) expected: String,
    pub(crate) residual: f64,
}

/// The numbers by which pairs are compared.
pub(crate) struct Pair {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) error_norm: f64,
    /// The limits of the fast part on the imaginary and the negative real axis.
    pub(crate) fast_limits: [f64; 2],
    pub(crate) largest_coefficient: f64,
    /// The internal amplification of the fast part on the imaginary and the negative real axis, where it has limits there.
    pub(crate) amplifications: [Option<f64>; 2],
    /// `None` where a part has no limit along the damped ray.
    pub(crate) profile: Option<CoupledProfile>,
}

impl Findings {
    pub(crate) fn new(file: &DesignFile, design: Design) -> Result<Self, Failure> {
        let specification = &file.specification;
        let conditions = residuals(specification, &design.method)?.iter().map(Condition::new).collect();
        let slow_limits = limits(&design.method, 0)?;
        let pair = Pair::new(&design.method, specification.order)?;
        let published = published(specification)?;
        let wish = specification.objective.coupling.as_ref().map(|wish| Wish::new(wish, &design.method));
        Ok(Self { file: file.clone(), design, conditions, slow_limits, pair, published, wish })
    }

    pub(crate) fn to_json(&self, files: &[&Path], interrupted: bool) -> Value {
        let Specification { slow, fast, order, stability, seed, starts, .. } = &self.file.specification;
        let damping = match &stability[1] {
            Stability::Optimal { damping, .. } => Some(*damping),
            Stability::Free | Stability::Given(_) => None,
        };
        let condition =
            |c: &Condition| json!({ "name": c.name, "kind": c.kind, "order": c.order, "residual": c.residual });
        let published = |p: &Pair| {
            json!({ "id": p.id, "principal_error_norm": p.error_norm, "fast_imaginary_limit": p.fast_limits[0],
                    "largest_coefficient": p.largest_coefficient })
        };
        json!({
            "id": self.design.method.id(),
            "slow": slow,
            "fast": fast,
            "order": order,
            "damping": damping,
            "seed": seed,
            "starts": starts,
            "solved": self.design.solved,
            "interrupted": interrupted,
            "slow_stages": self.slow_stages(),
            "principal_error_norm": self.design.error_norm,
            "largest_coefficient": self.design.largest_coefficient,
            "imaginary_limits": [self.slow_limits[0], self.pair.fast_limits[0]],
            "real_limits": [self.slow_limits[1], self.pair.fast_limits[1]],
            "wish": self.wish.as_ref().map(Wish::to_json),
            "certificate": certificate::to_json(&self.design.certificate),
            "conditions": self.conditions.iter().map(condition).collect::<Vec<_>>(),
            "published": self.published.iter().map(published).collect::<Vec<_>>(),
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }

    /// The stages at which the slow part is evaluated, counted from 1.
    pub(crate) fn slow_stages(&self) -> Vec<usize> {
        self.design.slow_stages.iter().map(|stage| stage + 1).collect()
    }
}

impl Condition {
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

impl Pair {
    fn new(method: &Method, order: usize) -> Result<Self, Failure> {
        let tableau = method.to_f64();
        let problem = |problem| Failure::Order { id: method.id().to_owned(), problem };
        let amplification = |axis| internal_amplification(method, 1, axis);
        let entries = tableau.partitions.iter().flat_map(|b| b.a.iter().flatten().chain(&b.b));
        Ok(Self {
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            error_norm: principal_error_norm(&method.exact(), order).map_err(problem)?,
            fast_limits: limits(method, 1)?,
            largest_coefficient: entries.map(|x| x.abs()).fold(0.0, f64::max),
            amplifications: [amplification(Complex64::I)?, amplification(Complex64::new(-1.0, 0.0))?],
            profile: coupled_profile(method, DAMPING, &GAMMAS).ok(),
        })
    }
}

pub(crate) fn limits(method: &Method, partition: usize) -> Result<[f64; 2], Failure> {
    let along = |direction| stability_limit(method, partition, direction).map(Limit::value);
    Ok([along(Complex64::I)?, along(Complex64::new(-1.0, 0.0))?])
}

/// The explicit pairs of the embedded library that need as many evaluations for the same order. A user's own pairs are not
/// published, and a file of theirs that cannot be read must not cost a design.
fn published(specification: &Specification) -> Result<Vec<Pair>, Failure> {
    let mut found = Vec::new();
    for id in library::ids() {
        let method = library::method(id)?;
        let tableau = method.to_f64();
        let evaluations: Vec<usize> = tableau.partitions.iter().map(|b| b.evaluated_stages().len()).collect();
        let alike = evaluations == [specification.slow, specification.fast] && tableau.is_explicit();
        if alike && method.claims().order == Some(specification.order) {
            found.push(Pair::new(&method, specification.order)?);
        }
    }
    Ok(found)
}
