//! The design of a multirate method from its specification.

use dashu::rational::RBig;
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, SectorLimit, SectorProof, sector_limit};
use hemiola_number::Progress;
use hemiola_tableau::{Exact, MethodError};

use crate::error::DesignError;
use crate::mri::certificate::MriCertificate;
use crate::mri::embedded::embedded_row;
use crate::mri::method::assemble;
use crate::mri::problem::MriProblem;
use crate::mri::search::{FoundMinimum, search};
use crate::mri::specification::{HIGHEST_ORDER, MriSpecification, WantedSector};
use crate::mri::stiff::StiffStability;
use crate::pair::decimals::{WORKING_DECIMALS, as_written, from_doubles};
use crate::refinement::decimals::refined;

/// Largest number of minima whose refinement is tried.
const MOST_REFINEMENTS: usize = 24;
/// Norm of a principal error that vanishes up to rounding.
const VANISHING: f64 = 1e-12;
/// Angles at which limits are determined if the specification requests none.
const ANGLES: [f64; 2] = [45.0, 80.0];

/// Fraction by which a proof may fall short of the limit that it aims at.
const SLACK: f64 = 1e-5;

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
    /// Proved lower bounds of these limits; of the requested ones where no limit was found.
    pub bounds: Vec<Vec<Option<f64>>>,
    /// The stability of its implicit slow partition alone, if there is one.
    pub stiff: Option<StiffStability>,
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
/// decrease the error and the violations of requested sector limits and of |R| ≤ 1 on the imaginary axis of an implicit
/// partition alone. Newton's method with exact residuals refines the best minimum with the required stability, proved exactly,
/// to fifty decimals. If the principal error can vanish, a method of the next order is designed. `id`
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
        let Some(found) = RefinedRows::new(specification, &problem, minimum)? else { continue };
        let method = found.method(specification, id, &[])?;
        let (sectors, bounds) = limits(specification, &method, progress)?;
        let keeps = sectors.iter().enumerate().all(|(part, found)| {
            let mut wanted = specification.sectors.iter().zip(found);
            wanted.all(|(wanted, found)| found.limit.is_none_or(|found| found >= wanted.of_part(part)))
        });
        let stiff = StiffStability::new(&method, &problem.form)?;
        let is_stable = stiff.as_ref().is_none_or(|stiff| stiff.class() >= specification.stability);
        if keeps && is_stable && found.is_bounded(specification.largest) {
            let is_proved = |k: usize, wanted: &WantedSector| {
                let mut parts = bounds.iter().enumerate();
                parts.all(|(part, bounds)| bounds[k].is_some_and(|bound| bound >= wanted.of_part(part)))
            };
            let wanted = specification.sectors.iter().enumerate();
            let stated: Vec<WantedSector> =
                wanted.filter(|(k, wanted)| is_proved(*k, wanted)).map(|(_, x)| *x).collect();
            let method = found.method(specification, id, &stated)?;
            let certificate = MriCertificate::new(&method)?;
            return Ok(MriDesign { method, error: minimum.error, sectors, bounds, stiff, certificate, solved });
        }
    }
    Err(DesignError::NotFound { starts: specification.starts, seed: specification.seed, solved })
}

/// The sector limits of each slow partition, and their proved lower bounds.
type Limits = (Vec<Vec<SectorLimit>>, Vec<Vec<Option<f64>>>);

/// Determines the limits at the requested angles, or at the usual ones if none are requested, with proved lower bounds.
fn limits(
    specification: &MriSpecification,
    method: &InfinitesimalMethod,
    progress: &dyn Progress,
) -> Result<Limits, DesignError> {
    let angles: Vec<f64> = specification.sectors.iter().map(|sector| sector.angle).collect();
    let angles = if angles.is_empty() { ANGLES.to_vec() } else { angles };
    let (mut sectors, mut bounds) = (Vec::new(), Vec::new());
    for part in 0..specification.part.is_implicit().len() {
        let found = angles.iter().map(|angle| sector_limit(method, part, *angle)).collect::<Result<Vec<_>, _>>()?;
        let bound = |(k, found): (usize, &SectorLimit)| {
            // Without a limit, prove the requested one, which the bound falls short of by a tiny fraction.
            let wanted = specification.sectors.get(k).map(|wanted| wanted.of_part(part) * (1.0 + SLACK));
            let target = SectorLimit { limit: found.limit.or(wanted), ..found.clone() };
            Ok::<_, DesignError>(SectorProof::new(method, part, &target, progress)?.lower)
        };
        bounds.push(found.iter().enumerate().map(bound).collect::<Result<Vec<_>, _>>()?);
        sectors.push(found);
    }
    Ok((sectors, bounds))
}

/// The rows of a minimum with fifty decimals, and the embedded row with its order.
struct RefinedRows {
    rows: Vec<InfinitesimalStage<Exact>>,
    embedded: Option<(InfinitesimalStage<Exact>, usize)>,
}

impl RefinedRows {
    /// Refines a minimum and adds the embedded row; `None` if the refinement fails or a requested embedded row does not
    /// exist.
    fn new(
        specification: &MriSpecification,
        problem: &MriProblem,
        minimum: &FoundMinimum,
    ) -> Result<Option<Self>, DesignError> {
        let (_, jacobian) = problem.linearized(&minimum.x);
        let start = from_doubles(minimum.x.iter().copied());
        let Some(x) = refined(start, &jacobian, WORKING_DECIMALS, |x| problem.equations(x)) else { return Ok(None) };
        // Sums of decimals are decimals, so rows with rounded unknowns are exactly consistent.
        let rows = problem.form.rows(&as_written(x)?);
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
        Ok(Some(Self { rows, embedded }))
    }

    /// Returns the method, whose name states some sector limits.
    fn method(
        &self,
        specification: &MriSpecification,
        id: &str,
        stated: &[WantedSector],
    ) -> Result<InfinitesimalMethod, MethodError> {
        assemble(specification, id, &self.rows, self.embedded.as_ref(), stated)
    }

    /// Returns whether all entries are bounded. The search neglects squared violations up to 1e-9.
    fn is_bounded(&self, largest: f64) -> bool {
        let is_small = |x: &Exact| x.to_f64().abs() <= largest + 4e-5;
        let entries = |row: &InfinitesimalStage<Exact>| {
            row.forcing.iter().flatten().chain(&row.correction).flatten().all(is_small)
        };
        self.rows.iter().all(entries)
    }
}
