//! The certificate and its proof.

use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method};

use super::equation::CertifiedEquation;
use super::system::ImplicitSystem;
use crate::error::DesignError;
use crate::implicit::specification::ImplicitSpecification;
use crate::pair::place::CoefficientIndex;
use crate::proof::certificate::digest::digest;
use crate::proof::krawczyk::{Enclosure, enclosed};
use crate::refinement::decimals::refined;

/// Decimals of the approximate solution, far more than those of the table.
pub(super) const SOLUTION_DECIMALS: usize = 80;

/// A proof that an implicit method with exactly the claimed properties lies within a few units of the last decimals.
///
/// The properties are the order, the order of the embedded weights, stage order two where implicit partitions are evaluated,
/// shared weights and abscissae, and R(∞) = 0. The unknowns are the coefficients of the design, each with all its positions.
/// Krawczyk's operator encloses a solution of independent equations; `scripts/check-certificate` repeats this in fractions,
/// derives all other conditions, and proves |R(iy)| ≤ 1 for the enclosed method.
///
/// ```
/// use hemiola_design::{ImplicitKind, ImplicitSpecification, design_implicit};
/// let specification = ImplicitSpecification { starts: 6, ..ImplicitSpecification::new(ImplicitKind::Alone, &[3], 2) };
/// let certificate = design_implicit(&specification, "mine", &())?.certificate.ok_or("no proof")?;
/// assert!(certificate.radius < 1e-48 && certificate.contraction <= 0.5);
/// assert_eq!(certificate.to_json()?["format"], "hemiola-implicit-certificate/1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ImplicitCertificate {
    /// The id of the method.
    pub method: String,
    /// The digest of its exact coefficients.
    pub table: String,
    /// The order p.
    pub order: usize,
    /// The order of the embedded weights.
    pub embedded_order: Option<usize>,
    /// The stage order of implicit partitions at the stages at which they are evaluated.
    pub stage_order: usize,
    /// An approximate solution with more decimals than the table.
    pub solution: Vec<RBig>,
    /// A bound of the distance between the exact solution and the table, unknown by unknown.
    pub radius: f64,
    /// A bound of the residuals at the approximate solution.
    pub residual: f64,
    /// A bound of ‖I − G′R‖ over the ball, at most ½.
    pub contraction: f64,
    /// The positions of each unknown.
    pub(super) unknowns: Vec<Vec<CoefficientIndex>>,
    /// The equations imposed.
    pub(super) equations: Vec<CertifiedEquation>,
    /// The numbers of partitions and stages.
    pub(super) partitions: usize,
    pub(super) stages: usize,
}

impl ImplicitCertificate {
    /// Proves the properties of a finished design; `None` if no solution could be enclosed.
    ///
    /// `at_infinity` has |R̂(∞)| of the embedded weights of each implicit partition.
    pub(crate) fn new(
        specification: &ImplicitSpecification,
        method: &Method,
        at_infinity: &[Option<f64>],
    ) -> Result<Option<Self>, DesignError> {
        let system = ImplicitSystem::new(specification, method, at_infinity)?;
        let x = system.values();
        let start = x.iter().map(crate::pair::decimals::rational).collect();
        let solution = refined(start, &system.middle(&x), SOLUTION_DECIMALS, |x| system.residuals(x));
        let Some(solution) = solution else { return Ok(None) };
        // State more than the smallest radius: another program may compute slightly less sharp bounds.
        let Some(enclosure) = enclosure(&system, &x, &solution) else { return Ok(None) };
        let Enclosure { radius, residual, contraction, .. } = enclosure;
        Ok(Some(Self {
            method: method.id().to_owned(),
            table: digest(method),
            order: specification.order,
            embedded_order: method.claims().embedded_order,
            stage_order: specification.stage_order,
            solution,
            radius,
            residual: residual * 1.25,
            contraction: (contraction * 1.25 + f64::EPSILON).min(0.5),
            partitions: specification.partitions.len(),
            stages: specification.stages(),
            unknowns: system.unknowns,
            equations: system.equations,
        }))
    }
}

fn enclosure(system: &ImplicitSystem, x: &[Exact], solution: &[RBig]) -> Option<Enclosure> {
    let nearby: Vec<Exact> = solution.iter().cloned().map(Exact::from).collect();
    let size = |x: &Exact| x.to_f64().abs();
    let distance = x.iter().zip(&nearby).map(|(x, y)| size(&(x.clone() - y.clone()))).fold(0.0, f64::max);
    let residuals: Vec<f64> = system.residuals(&nearby).iter().map(size).collect();
    enclosed(&residuals, distance, |radius| system.jacobian(x, radius), |least| least * 1.25)
}
