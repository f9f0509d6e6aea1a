//! Turns a minimum in doubles into a method: coefficients are refined in exact arithmetic and written as decimals.

use dashu::rational::RBig;
use hemiola_polynomial::Axis;
use hemiola_tableau::{Method, MethodError, Precision};

use crate::error::DesignError;
use crate::optimize::descent::Minimum;
use crate::optimize::problem::Problem;
use crate::pair::decimals::DECIMALS;
use crate::pair::first_same_as_last::with_last_stage;
use crate::proof::certificate::{Certificate, ProofStatus};
use crate::proof::gap::ProofGap;
use crate::refinement::newton::refined;
use crate::refinement::regular::refine_to_regular;
use crate::specification::definition::Specification;
use crate::specification::method::{ExtraWeights, method};
use crate::specification::preference::Preference;
use crate::weights::dense_output::dense;
use crate::weights::embedded::embedded;

/// A finished design.
#[derive(Clone, Debug)]
pub struct Design {
    /// The method, with coefficients of 50 decimals.
    pub method: Method,
    /// The certificate of the method.
    pub certificate: Certificate,
    /// The stages at which the slow partition is evaluated, from 0.
    pub slow_stages: Vec<usize>,
    /// The 2-norm of the principal error coefficients.
    pub error_norm: f64,
    /// The largest coefficient in absolute value.
    pub largest_coefficient: f64,
    /// The number of starts tried.
    pub tried: usize,
    /// The number of starts that satisfied all conditions.
    pub solved: usize,
    /// Whether the search was interrupted in its starts or its descents. Repeating the search may then give another
    /// method.
    pub interrupted: bool,
    /// Whether the descent ended at a minimum rather than at its step limit.
    pub converged: bool,
    /// The reason why the certificate has no proof; `None` if it has one.
    pub gap: Option<ProofGap>,
    /// The balance of error and internal amplification, if the search chose it.
    pub internal: Option<InternalTradeOff>,
    /// The balance of error and slow stability limit, if the search chose it.
    pub slow_limit: Option<SlowTradeOff>,
    /// The choice by the rule of the specification, if it has one.
    pub preferred: Option<PreferredChoice>,
}

/// The error and the stability limit of the slow partition of one minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowBalance {
    /// The weighted norm of the error coefficients in the objective.
    pub error: f64,
    /// The limit of the slow partition along the axis of the fast one.
    pub limit: f64,
}

/// The chosen balance of error and slow stability limit, and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowTradeOff {
    /// The axis of the fast partition.
    pub axis: Axis,
    /// The largest limit of the slow evaluations at this order.
    pub optimum: f64,
    /// The smallest desired fraction of this limit.
    pub fraction: f64,
    /// The error of the pair found from the errors alone; its limit, or that of the design if the desired limit is not
    /// chosen.
    pub plain: SlowBalance,
    /// The pair nearest to the desired limit, or the design if it is chosen; `None` if the search found none within the
    /// bounds.
    pub wished: Option<SlowBalance>,
    /// Whether the design is the second of these minima; otherwise its error is too large, or it does not reach the
    /// limit.
    pub is_chosen: bool,
}

/// The error and the internal amplification of one minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InternalBalance {
    /// The weight of internal stability in the objective.
    pub weight: f64,
    /// The weighted norm of the error coefficients in the objective.
    pub error: f64,
    /// The [internal amplification](hemiola_stability::internal_amplification) of the fast partition along the axis of its polynomial.
    pub amplification: f64,
}

/// The chosen balance of error and internal amplification, and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InternalTradeOff {
    /// The largest desired amplification.
    pub bound: f64,
    /// The minimum of the error alone.
    pub plain: InternalBalance,
    /// The design.
    pub chosen: InternalBalance,
    /// A more robust pair whose error is too large, if the design exceeds the bound.
    pub refused: Option<InternalBalance>,
}

/// The choice of a design by the rule of its specification, and its neighbors.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferredChoice {
    /// The rule.
    pub preference: Preference,
    /// The axis of the fast polynomial, on which profiles are compared.
    pub axis: Axis,
    /// The number of sets of slow stages that were tried.
    pub sets: usize,
    /// The design.
    pub chosen: PreferredPair,
    /// The pair with the smallest error that was found.
    pub smallest: PreferredPair,
    /// The best pair with other slow stages, if there is one.
    pub neighbor: Option<PreferredPair>,
}

/// A pair among which the rule chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferredPair {
    /// The stages at which the slow partition is evaluated, from 0.
    pub slow_stages: Vec<usize>,
    /// The norm of the principal error coefficients.
    pub error: f64,
    /// The practical profile at the coupling strength of the rule; zero without limits to compare with.
    pub profile: f64,
    /// The internal amplification of the fast partition along its axis.
    pub amplification: f64,
}

/// Counts of a search for the finished design.
#[derive(Clone, Copy)]
pub(crate) struct SearchCounts {
    pub(crate) tried: usize,
    pub(crate) solved: usize,
    pub(crate) interrupted: bool,
}

/// Completes the design from a minimum.
pub(crate) fn refined_design(
    specification: &Specification,
    problem: &Problem,
    slow_stages: &[usize],
    minimum: &Minimum,
    counts: SearchCounts,
) -> Result<Design, DesignError> {
    let SearchCounts { tried, solved, interrupted } = counts;
    let x = refined(&problem.equations, &minimum.x);
    let order = specification.order;
    let [_, fast] = specification.polynomials()?;
    let polynomial: Vec<(usize, RBig)> = fast.into_iter().flatten().enumerate().skip(order + 1).collect();
    let mut tableau = refine_to_regular(&problem.equations, &x, order, &polynomial)?;
    if specification.structure.first_same_as_last {
        tableau = with_last_stage(&tableau);
    }
    // Use all working decimals: with rounded stages, embedded weights would no longer cancel exactly.
    let extra = ExtraWeights {
        b_hat: specification.embedded.map(|wanted| embedded(&tableau, order, wanted)).transpose()?,
        dense: specification.dense.map(|wanted| dense(&tableau, wanted)).transpose()?,
    };
    let method = method(specification, &tableau, &extra, interrupted.then_some(tried))?;
    let certificate = Certificate::new(&method, order, &polynomial)?;
    require_solution(certificate.status)?;
    let is_open = matches!(certificate.status, ProofStatus::Verified { .. });
    let gap = is_open.then(|| ProofGap::of(&method, order, &polynomial)).transpose()?;
    let method = with_precision(method, certificate.status)?;
    Ok(Design {
        method,
        certificate,
        slow_stages: slow_stages.to_vec(),
        error_norm: problem.error_norm(&minimum.x),
        largest_coefficient: minimum.largest_coefficient(),
        tried,
        solved,
        interrupted,
        converged: minimum.converged,
        gap,
        internal: None,
        slow_limit: None,
        preferred: None,
    })
}

/// Sets the precision of a method whose refinement stalled, since its decimals below the remaining residual are not
/// those of a solution.
fn with_precision(method: Method, status: ProofStatus) -> Result<Method, MethodError> {
    let ProofStatus::Verified { decimals } = status else { return Ok(method) };
    let precision = Some(Precision { decimals: decimals.min(DECIMALS as u32) });
    let (partitions, source) = (method.partitions().to_vec(), method.source().clone());
    Method::new(method.id(), method.name(), partitions, method.claims(), precision, source)
}

/// Returns an error if the conditions are not satisfied, as may happen for a solution from an edited checkpoint.
fn require_solution(status: ProofStatus) -> Result<(), DesignError> {
    /// Smallest number of satisfied decimals; descents satisfy all conditions to 1e-13 before the refinement.
    const LEAST: u32 = 12;
    let ProofStatus::Verified { decimals: 0..LEAST } = status else { return Ok(()) };
    Err(DesignError::OutOfRange {
        name: "a solution of the conditions",
        found: "none".to_owned(),
        expected: "a start that satisfies them up to rounding, as searches produce",
    })
}

#[cfg(test)]
mod tests {

    use crate::{DesignError, Search, Specification, Start};

    #[test]
    fn starts_that_solve_nothing_make_no_method() {
        let specification =
            Specification { starts: 1, slow_stages: Some(vec![0, 3]), ..Specification::new(2, 4, None).unwrap() };
        let found = |value: f64| {
            // 2 + 4 weights, and 3 and 6 entries below the diagonals.
            let start = Start { number: 0, solution: Some(vec![value; 15]) };
            Search::new(&specification, vec![start]).unwrap().run(&())
        };
        // The descents find no solution from zero, but would bring a nearby start back to the conditions.
        assert!(matches!(found(0.0), Err(DesignError::OutOfRange { .. })), "{:?}", found(0.0));
    }

    #[test]
    fn zeros_say_what_they_cost() {
        let mut specification = Specification { starts: 12, ..Specification::new(2, 4, None).unwrap() };
        specification.structure.sparsity = 0.1;
        let design = crate::design(&specification, &()).unwrap();
        let note = design.method.source().note.clone().unwrap();
        assert!(note.contains("with coefficients set to zero at its cost"), "{note}");
    }
}
