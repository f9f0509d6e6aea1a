//! What is to be said of a design: residuals, limits, errors, and published pairs to compare with.

use std::path::Path;

use hemiola::design::{Design, Specification};
use hemiola::order::{Grammar, Kind, Stages, Tree, Trees, Weights, principal_error_norm};
use hemiola::stability::{CoupledProfile, Limit, coupled_profile, stability_limit};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Exact, Method, dot};
use num_complex::Complex64;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The damping and the coupling strengths of the coupled profile.
const DAMPING: f64 = 0.05;
const GAMMAS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.4];
/// The labels of the colours in trees.
const LABELS: [&str; 2] = ["s", "f"];

/// A design with everything that is printed of it.
pub(super) struct Findings {
    pub(super) specification: Specification,
    pub(super) design: Design,
    pub(super) conditions: Vec<Condition>,
    /// The limits on the imaginary and the negative real axis, for each partition.
    pub(super) limits: Vec<[f64; 2]>,
    pub(super) profile: Option<CoupledProfile>,
    pub(super) published: Vec<Published>,
}

/// An equation with its residual, evaluated exactly from the coefficients in the file.
pub(super) struct Condition {
    /// The tree, or the polynomial's coefficient.
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) order: usize,
    /// The number that the left-hand side is to be.
    pub(super) expected: String,
    pub(super) residual: f64,
}

/// A pair of the library with as many evaluations and the same order.
pub(super) struct Published {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) error_norm: f64,
    pub(super) fast_limit: f64,
    pub(super) largest_coefficient: f64,
}

impl Findings {
    pub(super) fn new(specification: &Specification, design: Design, library: &Library) -> Result<Self, Failure> {
        let method = &design.method;
        let conditions = conditions(specification, method)?;
        let limits = (0..2).map(|partition| limits(method, partition)).collect::<Result<_, _>>()?;
        // A pair without a limit along the damped ray has no profile: that is worth no error.
        let profile = coupled_profile(method, DAMPING, &GAMMAS).ok();
        let published = published(specification, library)?;
        Ok(Self { specification: specification.clone(), design, conditions, limits, profile, published })
    }

    pub(super) fn to_json(&self, files: &[&Path], interrupted: bool) -> Value {
        let Specification { slow, fast, order, seed, starts, .. } = &self.specification;
        let condition =
            |c: &Condition| json!({ "name": c.name, "kind": c.kind, "order": c.order, "residual": c.residual });
        let published = |p: &Published| {
            json!({ "id": p.id, "principal_error_norm": p.error_norm, "fast_imaginary_limit": p.fast_limit,
                    "largest_coefficient": p.largest_coefficient })
        };
        json!({
            "id": self.design.method.id(),
            "slow": slow,
            "fast": fast,
            "order": order,
            "seed": seed,
            "starts": starts,
            "solved": self.design.solved,
            "interrupted": interrupted,
            "slow_stages": self.slow_stages(),
            "principal_error_norm": self.design.error_norm,
            "largest_coefficient": self.design.largest_coefficient,
            "imaginary_limits": self.limits.iter().map(|[imaginary, _]| imaginary).collect::<Vec<_>>(),
            "real_limits": self.limits.iter().map(|[_, real]| real).collect::<Vec<_>>(),
            "conditions": self.conditions.iter().map(condition).collect::<Vec<_>>(),
            "published": self.published.iter().map(published).collect::<Vec<_>>(),
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }

    /// The stages at which the slow part is evaluated, counted from 1.
    pub(super) fn slow_stages(&self) -> Vec<usize> {
        self.design.slow_stages.iter().map(|stage| stage + 1).collect()
    }
}

/// Every order and coupling condition, then the coefficients of the fast part's polynomial beyond the order.
fn conditions(specification: &Specification, method: &Method) -> Result<Vec<Condition>, Failure> {
    let order = specification.order;
    let problem = |problem| Failure::Order { id: method.id().to_owned(), problem };
    let trees = Trees::new(&Grammar::partitioned(2), order).map_err(problem)?;
    let exact = method.exact();
    let mut weights = Weights::new(&trees, &exact, Stages::Solved);
    let ids = (1..=order).flat_map(|n| trees.of_order(n));
    let mut conditions: Vec<Condition> = ids
        .map(|id| {
            let tree = trees.tree(id);
            Condition {
                name: tree.text(&LABELS),
                kind: kind(&tree),
                order: tree.order(),
                expected: Exact::from_ratio(1, tree.density()).to_string(),
                residual: weights.residual(id).to_f64(),
            }
        })
        .collect();
    let fast = &exact.partitions[1];
    let mut power = vec![Exact::from(1); fast.stages()];
    for (k, beta) in specification.polynomial.iter().enumerate().skip(1) {
        if k > order {
            let residual = (dot(&fast.b, &power) - Exact::from(beta.clone())).to_f64();
            let (name, kind) = (format!("β{k} of the fast polynomial"), "stability");
            conditions.push(Condition { name, kind, order: k, expected: beta.to_string(), residual });
        }
        power = fast.times(&power);
    }
    Ok(conditions)
}

fn kind(tree: &Tree) -> &'static str {
    match tree.kind() {
        Kind::Partition(0) if tree.is_monochromatic(0) => "slow",
        Kind::Partition(1) if tree.is_monochromatic(1) => "fast",
        _ => "coupling",
    }
}

fn limits(method: &Method, partition: usize) -> Result<[f64; 2], Failure> {
    let along = |direction| stability_limit(method, partition, direction).map(Limit::value);
    Ok([along(Complex64::I)?, along(Complex64::new(-1.0, 0.0))?])
}

/// The library's explicit pairs that need as many evaluations for the same order.
fn published(specification: &Specification, library: &Library) -> Result<Vec<Published>, Failure> {
    let mut found = Vec::new();
    for id in library.ids()? {
        let method = library.load(&id)?;
        let tableau = method.to_f64();
        let evaluations: Vec<usize> = tableau.partitions.iter().map(|b| b.evaluated_stages().len()).collect();
        let alike = evaluations == [specification.slow, specification.fast] && tableau.is_explicit();
        if !alike || method.claims().order != Some(specification.order) {
            continue;
        }
        let problem = |problem| Failure::Order { id: id.clone(), problem };
        let entries = tableau.partitions.iter().flat_map(|b| b.a.iter().flatten().chain(&b.b));
        found.push(Published {
            name: method.name().to_owned(),
            error_norm: principal_error_norm(&tableau, specification.order).map_err(problem)?,
            fast_limit: limits(&method, 1)?[0],
            largest_coefficient: entries.map(|x| x.abs()).fold(0.0, f64::max),
            id,
        });
    }
    Ok(found)
}
