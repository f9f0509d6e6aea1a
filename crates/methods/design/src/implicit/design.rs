//! The design of a diagonally implicit method from its specification.

use dashu::rational::RBig;
use hemiola_number::Progress;
use hemiola_order::{CheckOptions, OrderCheck, PrincipalError, principal_error, stage_order};
use hemiola_stability::{joint_extent, modulus_at_infinity, sector_angle};
use hemiola_tableau::Method;

use crate::error::{DesignError, require};
use crate::implicit::certificate::ImplicitCertificate;
use crate::implicit::descent::restore;
use crate::implicit::embedded::with_embedded;
use crate::implicit::evaluated::choices;
use crate::implicit::method::{assemble, finished, with_dense, with_extent};
use crate::implicit::problem::Problem;
use crate::implicit::search::{Minimum, followed, search};
use crate::implicit::specification::{Gamma, ImplicitSpecification};
use crate::polish::equations::PolishEquations;
use crate::polish::layout::DecimalUnknowns;
use crate::polish::{PolishEnclosure, PolishOptions, polish_equations};

/// Margins of the stability at the sampled points that are tried until the proof succeeds.
const MARGINS: [f64; 4] = [0.0, 1e-4, 1e-3, 1e-2];
/// Steps of a descent after a change.
const STEPS: usize = 300;
/// Largest extent of the joint region that is looked for, as a multiple of the requested one.
const SEARCHED: f64 = 4.0;
/// Denominator of a rounded diagonal entry.
const SHORT: u32 = 1000;

/// The stability of an implicit partition, proved for the written coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct ImplicitStability {
    /// The index of the partition.
    pub partition: usize,
    /// The largest α in degrees such that the partition is A(α)-stable: 90 for A-stability; `None` if there is none.
    pub angle: Option<f64>,
    /// |R(∞)|, which is exactly zero at the certified solution and zero to the written digits in the table.
    pub at_infinity: Option<f64>,
    /// The angle and |R(∞)| of the embedded weights.
    pub embedded: Option<(Option<f64>, Option<f64>)>,
}

/// A finished diagonally implicit method.
#[derive(Clone, Debug)]
pub struct ImplicitDesign {
    /// The method. Its diagonal is a fraction if it is fixed or could be rounded; all other coefficients have fifty
    /// decimals.
    pub method: Method,
    /// The principal error.
    pub error: PrincipalError,
    /// The stage order of the method: the lowest of all partitions.
    pub stage_order: usize,
    /// The stability of each implicit partition.
    pub stability: Vec<ImplicitStability>,
    /// The extent of the joint region for which |R| ≤ 1.001 is proved, up to four times the requested one; `None` if none is
    /// requested or could be proved. The search itself samples |R| ≤ 1.
    pub joint: Option<f64>,
    /// The largest modulus of a coefficient of A and b.
    pub largest: f64,
    /// The proof that a solution of independent equations lies nearby. `scripts/check-certificate` derives from them that this
    /// solution has exactly the order, the stage order and R(∞) = 0.
    pub certificate: Option<ImplicitCertificate>,
    /// The number of starts that satisfied the equations.
    pub solved: usize,
}

/// Designs a diagonally implicit method with as small a principal error as the search finds.
///
/// Newton's method takes each start to a solution of the equations, and damped Gauss–Newton steps in the tangent space
/// descend from there. The best minimum whose A-stability is proved exactly is refined to fifty decimals. `id` becomes
/// the id of the method. `progress` receives the finished starts.
///
/// ```
/// use hemiola_design::{ImplicitKind, ImplicitSpecification, design_implicit};
/// let specification = ImplicitSpecification { starts: 6, ..ImplicitSpecification::new(ImplicitKind::Alone, &[3], 2) };
/// let design = design_implicit(&specification, "mine", &())?;
/// assert_eq!(design.stability[0].angle, Some(90.0));
/// assert_eq!(design.stability[0].at_infinity, Some(0.0));
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if the specification is invalid or no start leads to an L-stable solution.
pub fn design_implicit(
    specification: &ImplicitSpecification,
    id: &str,
    progress: &dyn Progress,
) -> Result<ImplicitDesign, DesignError> {
    specification.validate()?;
    let (minima, solved) = search(specification, &choices(specification), progress)?;
    for minimum in minima {
        if let Some((method, proof)) = stable(specification, id, minimum)? {
            return finish(specification, &method, proof, solved);
        }
    }
    Err(DesignError::NotFound { starts: specification.starts, seed: specification.seed, solved })
}

/// Returns the refined method of a minimum with the smallest margin that makes it A-stable.
fn stable(
    specification: &ImplicitSpecification,
    id: &str,
    mut minimum: Minimum,
) -> Result<Option<(Method, Option<PolishEnclosure>)>, DesignError> {
    for margin in MARGINS {
        minimum.problem.margin = margin;
        minimum = followed(minimum, STEPS);
        let rounded = with_short_diagonal(specification, &minimum)?;
        for minimum in rounded.iter().chain([&minimum]) {
            let Some((method, proof)) = refined(specification, id, minimum)? else { continue };
            let mut is_stable = true;
            for partition in specification.implicit() {
                is_stable &= sector_angle(&method, partition)? == Some(90.0);
            }
            if is_stable {
                return Ok(Some((method, proof)));
            }
        }
    }
    Ok(None)
}

/// Descends with the diagonal entry rounded to a short fraction; `None` if the equations determine it.
fn with_short_diagonal(
    specification: &ImplicitSpecification,
    minimum: &Minimum,
) -> Result<Option<Minimum>, DesignError> {
    let Some(gamma) = minimum.problem.layout.gamma else { return Ok(None) };
    // A fixed entry would apply to all partitions.
    if specification.implicit().count() > 1 {
        return Ok(None);
    }
    let short = RBig::from_parts(((minimum.x[gamma] * f64::from(SHORT)).round() as i64).into(), SHORT.into());
    let fixed = ImplicitSpecification { gamma: Gamma::Fixed(short), ..specification.clone() };
    let mut problem = Problem::new(&fixed, minimum.problem.layout.evaluated.clone())?;
    problem.margin = minimum.problem.margin;
    problem.error_scale = minimum.problem.error_scale;
    let x = problem.layout.values(&minimum.problem.layout.doubles(&minimum.x));
    let Some(x) = restore(&problem, x, 20) else { return Ok(None) };
    let merit = problem.merit(&x);
    let found = followed(Minimum { problem, x, merit }, STEPS);
    // If the equations determine the diagonal, rounding it leads to a different solution.
    Ok(Some(found).filter(|found| found.merit < 1.2 * minimum.merit + 1e-6))
}

/// Refines a minimum to fifty decimals.
fn refined(
    specification: &ImplicitSpecification,
    id: &str,
    minimum: &Minimum,
) -> Result<Option<(Method, Option<PolishEnclosure>)>, DesignError> {
    let method = assemble(specification, id, &minimum.problem.layout, &minimum.x)?;
    let layout = DecimalUnknowns::new(&method, true);
    if layout.unknowns.is_empty() {
        // All coefficients are already exact.
        return Ok(Some((method, None)));
    }
    let equations = PolishEquations { layout: &layout, all: minimum.problem.equations.clone() };
    let options = PolishOptions { order: specification.order, decimals: 50, nearest: true };
    let polished = polish_equations(&method, &equations, options).ok();
    Ok(polished.map(|polished| (polished.method, polished.proof)))
}

/// Adds embedded weights and determines all properties.
fn finish(
    specification: &ImplicitSpecification,
    method: &Method,
    proof: Option<PolishEnclosure>,
    solved: usize,
) -> Result<ImplicitDesign, DesignError> {
    let radius = proof.map(|proof| proof.radius);
    let mut method = finished(specification, method, None, radius)?;
    if specification.embedded {
        method = with_embedded(specification, method, radius)?;
    }
    if let Some(order) = specification.dense {
        method = with_dense(method, order)?;
    }
    // An independent check: its conditions are not merged, and it shares no code with the equations of the search.
    let options = CheckOptions { highest_order: specification.order, ..CheckOptions::default() };
    let found = OrderCheck::new(&method, options)?.order();
    require(found >= specification.order, "the order of the finished method", &found, "the order of the design")?;
    let tableau = method.exact();
    let error = principal_error(&tableau, specification.order)?;
    let entries = tableau.partitions.iter().flat_map(|part| part.a.iter().flatten().chain(&part.b));
    let largest = entries.map(|x| x.to_f64().abs()).fold(0.0, f64::max);
    let mut stability = Vec::new();
    for partition in specification.implicit() {
        let at_infinity = |method: &Method| -> Result<Option<f64>, DesignError> {
            Ok(modulus_at_infinity(method, partition)?.map(|modulus| modulus.to_f64()))
        };
        let embedded = match method.embedded() {
            Some(embedded) => Some((sector_angle(&embedded, partition)?, at_infinity(&embedded)?)),
            None => None,
        };
        let angle = sector_angle(&method, partition)?;
        stability.push(ImplicitStability { partition, angle, at_infinity: at_infinity(&method)?, embedded });
    }
    let stage_order = stage_order(&method);
    let limits: Vec<Option<f64>> =
        stability.iter().map(|part: &ImplicitStability| part.embedded.and_then(|(_, limit)| limit)).collect();
    let certificate = ImplicitCertificate::new(specification, &method, &limits)?;
    // The sides of a smaller wedge are no whole circles.
    let is_known = specification.joint > 0.0 && specification.joint_wedge >= 90.0;
    let joint = if is_known { joint_extent(&method.to_f64(), SEARCHED * specification.joint)? } else { None };
    if let Some(extent) = joint {
        // Joint regions of different sizes give different methods.
        method = with_extent(specification, &method, extent)?;
    }
    Ok(ImplicitDesign { method, error, stage_order, stability, joint, largest, certificate, solved })
}
