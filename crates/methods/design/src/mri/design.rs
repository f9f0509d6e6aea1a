//! The design of a multirate method from its specification.

use dashu::rational::RBig;
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, SectorLimit, sector_limit};
use hemiola_number::Progress;
use hemiola_tableau::Exact;

use crate::error::DesignError;
use crate::mri::certificate::MriCertificate;
use crate::mri::embedded::embedded_row;
use crate::mri::method::assemble;
use crate::mri::problem::MriProblem;
use crate::mri::search::{FoundMinimum, search};
use crate::mri::specification::{HIGHEST_ORDER, MriSpecification};
use crate::pair::decimals::{WORKING_DECIMALS, as_written, from_doubles};
use crate::refinement::decimals::refined;

/// Largest number of minima whose refinement is tried.
const MOST_REFINEMENTS: usize = 24;
/// Norm of a principal error that vanishes up to rounding.
const VANISHING: f64 = 1e-12;
/// Angles at which limits are determined if the specification requests none.
const ANGLES: [f64; 2] = [45.0, 80.0];

/// A finished multirate method.
#[derive(Clone, Debug)]
pub struct MriDesign {
    /// The method; its coefficients have fifty decimals.
    pub method: InfinitesimalMethod,
    /// The norm of its principal error.
    pub error: f64,
    /// The sector limits of each slow partition without the other, at the requested angles, or at 45° and 80° if none
    /// are requested.
    pub sectors: Vec<Vec<SectorLimit>>,
    /// The certificate of its order conditions; `None` if none could be proved.
    pub certificate: Option<MriCertificate>,
    /// The number of starts that satisfied all conditions.
    pub solved: usize,
}

/// Designs an infinitesimal method with as small a principal error norm as the search finds.
///
/// The unknowns are abscissae, forcing polynomials and the corrections of implicit stages. Newton steps lead random
/// starts to the conditions that remain under internal consistency
/// ([`ConsistentConditions`](hemiola_multirate::ConsistentConditions)). Damped Gauss–Newton steps on their manifold
/// decrease the error and the violations of requested sector limits. Newton's method with exact residuals refines the
/// best minimum to fifty decimals. If the principal error can vanish, a method of the next order is designed. `id`
/// becomes the id of the method. `progress` receives the finished starts. If it stops the search, the best method so
/// far is returned.
///
/// ```
/// use hemiola_design::{MriSpecification, design_mri};
/// let design = design_mri(&MriSpecification { starts: 4, ..MriSpecification::new(2, 2) }, "mine", &())?;
/// assert!(design.error < 0.26 && design.method.claims().embedded_order == Some(1));
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if the specification is invalid, or no start leads to a method with the requested limits.
pub fn design_mri(
    specification: &MriSpecification,
    id: &str,
    progress: &dyn Progress,
) -> Result<MriDesign, DesignError> {
    specification.validate()?;
    let problem = MriProblem::new(specification)?;
    let (minima, solved) = search(specification, &problem, progress);
    if specification.order < HIGHEST_ORDER && minima.first().is_some_and(|best| best.error < VANISHING) {
        let higher = MriSpecification { order: specification.order + 1, ..specification.clone() };
        // A higher order takes precedence over a requested embedded row.
        let without = higher.embedded.then(|| MriSpecification { embedded: false, ..higher.clone() });
        let mut tries = [Some(higher), without].into_iter().flatten();
        if let Some(design) = tries.find_map(|higher| design_mri(&higher, id, progress).ok()) {
            return Ok(design);
        }
    }
    for minimum in minima.iter().take(MOST_REFINEMENTS) {
        if let Some(method) = finished(specification, &problem, minimum, id)? {
            let angles: Vec<f64> = specification.sectors.iter().map(|sector| sector.angle).collect();
            let angles = if angles.is_empty() { ANGLES.to_vec() } else { angles };
            let of_part = |part: usize| angles.iter().map(|angle| sector_limit(&method, part, *angle)).collect();
            let parts = 0..specification.part.is_implicit().len();
            let sectors = parts.map(of_part).collect::<Result<Vec<Vec<SectorLimit>>, _>>()?;
            let keeps = sectors.iter().enumerate().all(|(part, found)| {
                let mut wanted = specification.sectors.iter().zip(found);
                wanted.all(|(wanted, found)| found.limit.is_none_or(|found| found >= wanted.of_part(part)))
            });
            // The search neglects squared violations up to 1e-9.
            let is_small = |x: &Exact| x.to_f64().abs() <= specification.largest + 4e-5;
            let rows = method.exact_rows();
            let rows = &rows[..specification.rows().min(rows.len())];
            let entries = |row: &InfinitesimalStage<Exact>| {
                row.forcing.iter().flatten().chain(&row.correction).flatten().all(is_small)
            };
            let is_bounded = rows.iter().all(entries);
            if keeps && is_bounded {
                let certificate = MriCertificate::new(&method)?;
                return Ok(MriDesign { method, error: minimum.error, sectors, certificate, solved });
            }
        }
    }
    Err(DesignError::NotFound { starts: specification.starts, seed: specification.seed, solved })
}

/// Refines a minimum and adds the embedded row; `None` if the refinement fails or a requested embedded row does not
/// exist.
fn finished(
    specification: &MriSpecification,
    problem: &MriProblem,
    minimum: &FoundMinimum,
    id: &str,
) -> Result<Option<InfinitesimalMethod>, DesignError> {
    let (_, jacobian) = problem.linearized(&minimum.x);
    let start = from_doubles(minimum.x.iter().copied());
    let Some(x) =
        refined(start, &jacobian, WORKING_DECIMALS, |x| problem.conditions().residuals(&problem.form.rows(x)))
    else {
        return Ok(None);
    };
    // Sums of decimals are decimals, so rows with rounded unknowns are exactly consistent.
    let rounded = as_written(x)?;
    let rows = problem.form.rows(&rounded);
    if rows.iter().any(|row| row.interval.as_rational().is_none_or(|interval| *interval <= RBig::ZERO)) {
        return Ok(None);
    }
    let mut embedded = None;
    if specification.embedded && specification.order > 1 {
        embedded = embedded_row(&rows, specification.order, specification.largest)?;
        if embedded.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(assemble(specification, id, &rows, embedded.as_ref())?))
}
