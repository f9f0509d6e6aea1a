//! The design of an SSP method from its specification.

use dashu::rational::RBig;
use hemiola_number::Progress;
use hemiola_stability::monotonicity::{
    MonotonicityRadius, MonotonicityRegion, optimal_threshold_factor, ssp_coefficient,
};
use hemiola_tableau::{Method, Tableau};

use crate::completion::{CompletionOutcome, CompletionRequests, complete};
use crate::error::DesignError;
use crate::polish::{PolishOptions, polish};
use crate::proof::{Certificate, ProofStatus};
use crate::ssp::method::{assemble, named};
use crate::ssp::refine::refine;
use crate::ssp::search::search;
use crate::ssp::specification::SspSpecification;

/// Largest number of maxima whose refinement is tried.
const MOST_REFINEMENTS: usize = 60;

/// A finished SSP method.
#[derive(Clone, Debug)]
pub struct SspDesign {
    /// The method; its coefficients are fractions or have fifty decimals.
    pub method: Method,
    /// The evaluations of each partition in a step: fewer than requested if the search found some to be useless.
    pub evaluations: Vec<usize>,
    /// The SSP coefficient of each partition by itself, proved for the written coefficients.
    pub coefficients: Vec<MonotonicityRadius>,
    /// The upper bound R(s, p) of each coefficient: the largest threshold factor of a polynomial of its degree and
    /// order.
    pub bounds: Vec<MonotonicityRadius>,
    /// The largest r with (r, r) in the region of absolute monotonicity of a pair.
    pub diagonal: Option<MonotonicityRadius>,
    /// The largest r with (r, ratio·r) in this region.
    pub along_ratio: Option<MonotonicityRadius>,
    /// The result for the embedded weights, if requested.
    pub embedded: Option<CompletionOutcome>,
    /// The certificate of the order conditions.
    pub certificate: Certificate,
    /// The proof of the order conditions: that of the certificate or, for a method with one partition, by Krawczyk's
    /// operator.
    pub proof: ProofStatus,
}

impl SspDesign {
    /// Returns the maximized radius: that of the first partition along the ratio, or by itself.
    ///
    /// ```
    /// use hemiola_design::{SspSpecification, design_ssp};
    /// let pair = SspSpecification { by_parts: true, ratio: 2.into(), ..SspSpecification::new(vec![2, 3], 2) };
    /// let design = design_ssp(&pair, "pair", &())?;
    /// // Both partitions reach the bound, s − 1, at once.
    /// assert_eq!(design.coefficients.iter().map(|c| c.value()).collect::<Vec<_>>(), [Some(1.0), Some(2.0)]);
    /// assert_eq!(design.radius(&pair), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn radius(&self, specification: &SspSpecification) -> f64 {
        let value = |radius: &MonotonicityRadius| radius.value().unwrap_or(f64::INFINITY);
        match &self.along_ratio {
            Some(along) if !specification.by_parts => value(along),
            _ => {
                let parts = self.coefficients.iter().zip(specification.direction());
                parts.map(|(radius, d)| value(radius) / d.to_f64().value()).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// Designs an explicit method whose radius of absolute monotonicity is as large as the search finds.
///
/// The unknowns are the coefficients of the canonical Shu–Osher form and the radius (Ketcheson, Macdonald & Gottlieb
/// 2009 solve the same program). Sequential linear programs from random starts maximize the radius, and Newton's method
/// with exact residuals refines the best solution to fifty decimals. `id` becomes the id of the method. `progress`
/// receives the finished starts. If it stops the search, the best method so far is returned.
///
/// ```
/// use hemiola_design::{SspSpecification, design_ssp};
/// let design = design_ssp(&SspSpecification::new(vec![4], 3), "mine", &())?;
/// assert_eq!(design.coefficients[0].value(), Some(2.0));
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if the specification is invalid or no start satisfies the conditions. Missing embedded
/// weights are not an error: see [`SspDesign::embedded`].
pub fn design_ssp(
    specification: &SspSpecification,
    id: &str,
    progress: &dyn Progress,
) -> Result<SspDesign, DesignError> {
    specification.validate()?;
    let threshold = |stages: &usize| optimal_threshold_factor(*stages, specification.order);
    let bounds = specification.evaluations.iter().map(threshold).collect::<Result<Vec<_>, _>>()?;
    let found = search(specification, bound(specification, &bounds), progress)?;
    let solved = found.len();
    let refined = found.into_iter().take(MOST_REFINEMENTS).find_map(|found| {
        let x = refine(&found.form, &found.maximum)?;
        Some(found.form.exact_tableau(&x))
    });
    let not_found = DesignError::NotFound { starts: specification.starts, seed: specification.seed, solved };
    finish(specification, id, &refined.ok_or(not_found)?, bounds)
}

/// Returns an upper bound of the radius of the first partition.
fn bound(specification: &SspSpecification, bounds: &[MonotonicityRadius]) -> f64 {
    let parts = bounds.iter().zip(specification.direction());
    let scaled = parts.filter_map(|(bound, d)| Some(bound.value()? / d.to_f64().value()));
    scaled.fold(f64::INFINITY, f64::min)
}

/// Assembles the method, adds embedded weights and determines all properties.
fn finish(
    specification: &SspSpecification,
    id: &str,
    tableau: &Tableau<hemiola_tableau::Exact>,
    bounds: Vec<MonotonicityRadius>,
) -> Result<SspDesign, DesignError> {
    let mut method = assemble(specification, id, tableau)?;
    let order = specification.order;
    let mut polished = None;
    if specification.evaluations.len() == 1
        && let Ok(found) = polish(&method, PolishOptions { order, decimals: 50, nearest: true })
    {
        method = named(specification, &found.method)?;
        polished = found.proof;
    }
    let mut embedded = None;
    if let Some(wanted) = specification.embedded {
        let requests = CompletionRequests { embedded: Some(wanted), ..CompletionRequests::default() };
        let completion = complete(&method, requests)?;
        if let Some(completed) = completion.method {
            method = completed;
        }
        embedded = completion.embedded;
    }
    let certificate = Certificate::new(&method, order, &[])?;
    let proof = match (certificate.status, polished) {
        (ProofStatus::Verified { .. }, Some(found)) => {
            let (radius, residual, contraction) = (found.radius, found.residual, found.contraction);
            ProofStatus::Enclosed { radius, residual, contraction }
        }
        (status, _) => status,
    };
    let coefficients =
        (0..bounds.len()).map(|partition| ssp_coefficient(&method, partition)).collect::<Result<Vec<_>, _>>()?;
    let region = MonotonicityRegion::new(&method);
    let along = |direction: &[RBig]| (bounds.len() == 2).then(|| region.radius_along(direction)).transpose();
    let diagonal = along(&[RBig::ONE, RBig::ONE])?;
    let along_ratio = along(&specification.direction())?;
    let evaluations = method.exact().partitions.iter().map(|part| part.evaluated_stages().len()).collect();
    Ok(SspDesign { method, evaluations, coefficients, bounds, diagonal, along_ratio, embedded, certificate, proof })
}
