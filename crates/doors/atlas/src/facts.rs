//! Facts about a method, computed before its page is written.

use hemiola_design::Certificate;
use hemiola_order::{CheckOptions, OrderReport};
use hemiola_stability::monotonicity::MonotonicityRegion;
use hemiola_stability::{CoupledProfile, StabilityError, check_profiles, coupled_profile};
use hemiola_tableau::{Butcher, Method};

use crate::error::AtlasError;
use crate::partition::PartitionReport;
use crate::wording::Kind;

/// The damping ratios of the rays, and the damping and strengths of the profile, as in `hemiola stability`.
const RAYS: [f64; 4] = [0.0, 0.05, 0.2, 1.0];
const DAMPING: f64 = 0.05;
const STRENGTHS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.4];
/// The coupling strength at which the index and the comparisons show the profile.
pub(crate) const SHOWN_STRENGTH: f64 = 0.2;

/// All computed properties of a method.
pub(crate) struct MethodFacts {
    pub(crate) method: Method,
    pub(crate) kinds: Vec<Kind>,
    /// The evaluations of each partition in a step.
    pub(crate) evaluations: Vec<usize>,
    pub(crate) report: OrderReport,
    pub(crate) partitions: Vec<PartitionReport>,
    /// The radius of absolute monotonicity of all partitions together; `None` if it is unbounded.
    pub(crate) ssp: Option<f64>,
    /// The profiles of all pairs of partitions that have one.
    pub(crate) pairs: Vec<PairProfile>,
    /// The certificate, and whether it holds for the method.
    pub(crate) certificate: Option<(Certificate, bool)>,
}

/// The coupled profile of two partitions.
pub(crate) struct PairProfile {
    pub(crate) names: [String; 2],
    pub(crate) profile: CoupledProfile,
}

impl MethodFacts {
    pub(crate) fn new(method: &Method, certificate: Option<&Certificate>) -> Result<Self, AtlasError> {
        let options = CheckOptions::for_claim(method, method.claims().order).map_err(AtlasError::of(method.id()))?;
        let report = OrderReport::new(method, options, &()).map_err(AtlasError::of(method.id()))?;
        let partitions = (0..method.partitions().len()).map(|index| PartitionReport::new(method, index, &RAYS, &()));
        let partitions: Result<Vec<_>, StabilityError> = partitions.collect();
        let all = vec![1u8.into(); method.partitions().len()];
        let diagonal = MonotonicityRegion::new(method).radius_along(&all);
        let certificate = certificate.map(|certificate| {
            let holds = certificate.holds(method).map_err(AtlasError::of(method.id()))?;
            Ok((certificate.clone(), holds))
        });
        Ok(Self {
            kinds: Kind::ALL.into_iter().filter(|kind| kind.is_kind_of(method)).collect(),
            evaluations: method.exact().partitions.iter().map(|part| part.evaluated_stages().len()).collect(),
            report,
            partitions: partitions.map_err(AtlasError::of(method.id()))?,
            ssp: diagonal.map_err(AtlasError::of(method.id()))?.value(),
            pairs: pairs(method).map_err(AtlasError::of(method.id()))?,
            certificate: certificate.transpose()?,
            method: method.clone(),
        })
    }

    pub(crate) fn id(&self) -> &str {
        self.method.id()
    }

    pub(crate) fn order(&self) -> usize {
        self.report.check.order()
    }

    pub(crate) fn is(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    pub(crate) fn is_explicit(&self) -> bool {
        self.method.exact().partitions.iter().all(Butcher::is_explicit)
    }

    /// Returns the practical profile of the first two partitions at the shown strength.
    pub(crate) fn shown_profile(&self) -> Option<f64> {
        let profile = &self.pairs.first()?.profile;
        profile.values.iter().find(|value| value.gamma == SHOWN_STRENGTH).map(|value| value.practical.value)
    }
}

/// Computes the profiles of all pairs of partitions with positive and finite limits; other pairs have none.
fn pairs(method: &Method) -> Result<Vec<PairProfile>, StabilityError> {
    let count = method.partitions().len();
    let places = (0..count).flat_map(|slow| (slow + 1..count).map(move |fast| [slow, fast]));
    check_profiles(method, STRENGTHS.len())?;
    let mut found = Vec::new();
    for pair in places.filter_map(|pair| method.pair(pair)) {
        match coupled_profile(&pair, DAMPING, &STRENGTHS) {
            Ok(profile) => {
                let names = [0, 1].map(|part| pair.partitions()[part].name.clone());
                found.push(PairProfile { names, profile });
            }
            Err(StabilityError::OutOfRange { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
