//! The objective of a design: the errors and the other terms.

use hemiola_order::Tree;

use crate::conditions::elementary_weights::WeightSystem;
use crate::conditions::equations::Conditions;
use crate::error::DesignError;
use crate::specification::definition::Specification;
use crate::terms::coupled_profile::CoupledProfileTerm;
use crate::terms::internal_stability::InternalStability;
use crate::terms::size::CoefficientSize;
use crate::terms::slow_limit::SlowLimit;
use crate::terms::term::Term;

/// The terms of the objective, independent of the choice of unknowns.
pub(crate) struct Terms {
    /// The principal error coefficients (Φ − 1/γ)/σ.
    pub(crate) principal: WeightSystem,
    /// The error coefficients in the objective, with their weights.
    pub(crate) errors: WeightSystem,
    /// The errors, followed by the conditions.
    pub(crate) lagrangian: WeightSystem,
    /// The terms other than errors.
    pub(crate) others: Vec<Box<dyn Term>>,
}

impl Terms {
    pub(crate) fn new(specification: &Specification, conditions: &Conditions) -> Result<Self, DesignError> {
        let order = specification.order;
        let principal_trees = conditions.trees_of_order(order + 1);
        let mut principal = WeightSystem::default();
        principal.push_trees(&principal_trees, |tree| 1.0 / tree.symmetry() as f64);
        let errors = errors(specification, conditions, principal_trees);
        let mut lagrangian = errors.clone();
        conditions.push_to(&mut lagrangian);
        Ok(Self { principal, errors, lagrangian, others: further_terms(specification)? })
    }
}

/// Returns the errors of order p + 1 and, for an intended step size, of order p + 2.
fn errors(specification: &Specification, conditions: &Conditions, principal: Vec<Tree>) -> WeightSystem {
    let Specification { order, objective, .. } = specification;
    let mut counted = principal;
    if objective.step.is_some() {
        counted.extend(conditions.trees_of_order(order + 2));
    }
    counted.retain(|tree| objective.factor(tree, *order) > 0.0);
    let mut errors = WeightSystem::default();
    errors.push_trees(&counted, |tree| objective.factor(tree, *order) / tree.symmetry() as f64);
    errors
}

/// Returns the terms other than errors.
pub(crate) fn further_terms(specification: &Specification) -> Result<Vec<Box<dyn Term>>, DesignError> {
    let objective = &specification.objective;
    let mut terms: Vec<Box<dyn Term>> = Vec::new();
    if objective.coefficients > 0.0 {
        terms.push(Box::new(CoefficientSize { weight: objective.coefficients }));
    }
    if let Some(weight) = objective.internal.filter(|weight| *weight > 0.0) {
        terms.push(Box::new(InternalStability::new(weight, specification)?));
    }
    if let Some(limit) = SlowLimit::of(specification)? {
        terms.push(Box::new(limit));
    }
    if let Some(wish) = &objective.coupling {
        terms.push(Box::new(CoupledProfileTerm::new(wish, specification)?));
    }
    Ok(terms)
}
