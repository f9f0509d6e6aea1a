//! Computed properties of a multirate method.

use hemiola_multirate::{
    InfinitesimalMethod, MultirateError, MultirateReport, Resonance, SectorLimit, SectorProof, sector_limit,
};
use hemiola_number::Progress;
use hemiola_stability::ExactStability;
use num_complex::Complex64;

/// Half-angles of the sectors, in degrees.
pub(super) const ANGLES: [f64; 2] = [45.0, 80.0];

/// A method with its verdicts and its stability.
pub(crate) struct MultirateFacts {
    pub(crate) method: InfinitesimalMethod,
    pub(super) report: MultirateReport,
    /// The stability of each slow partition; empty for coupled methods.
    pub(super) additive: Vec<SlowStability>,
}

/// The stability of a slow partition together with an exact fast part.
pub(super) struct SlowStability {
    pub(super) partition: String,
    /// The limit of the slow part by itself on the negative real axis; it may be infinite.
    pub(super) alone: f64,
    /// Half-angle of the sector in which an implicit partition is stable alone, and |R(∞)| there; `None` for explicit ones.
    pub(super) stiff: Option<StiffPart>,
    /// The limits for [`ANGLES`], with their proofs.
    pub(super) sectors: Vec<(SectorLimit, SectorProof)>,
    pub(super) resonance: Resonance,
}

/// The stability of an implicit slow partition alone.
pub(super) struct StiffPart {
    /// The sector angle in degrees, 90 for A-stability; `None` if there is none.
    pub(super) angle: Option<f64>,
    /// |R(∞)|; `None` if it is infinite.
    pub(super) at_infinity: Option<f64>,
}

impl MultirateFacts {
    pub(crate) fn new(method: &InfinitesimalMethod, progress: &dyn Progress) -> Result<Self, MultirateError> {
        let report = MultirateReport::new(method, None)?;
        let is_coupled = method.require_decoupled().is_err();
        let slow = if is_coupled { 0 } else { method.partitions().len() - 1 };
        let additive = (0..slow).map(|slow| SlowStability::new(method, slow, progress));
        Ok(Self { method: method.clone(), report, additive: additive.collect::<Result<_, _>>()? })
    }
}

impl SlowStability {
    fn new(method: &InfinitesimalMethod, slow: usize, progress: &dyn Progress) -> Result<Self, MultirateError> {
        let slow_method = method.slow_method()?;
        let exact = ExactStability::new(&slow_method, slow)?;
        let alone = exact.limit(Complex64::new(-1.0, 0.0))?.value();
        let stiff = || {
            let at_infinity = exact.modulus_at_infinity().map(|modulus| modulus.to_f64());
            Ok::<_, MultirateError>(StiffPart { angle: exact.sector_angle()?, at_infinity })
        };
        let is_implicit = !slow_method.exact().partitions[slow].is_explicit();
        let sector = |angle: f64| {
            let found = sector_limit(method, slow, angle)?;
            let proof = SectorProof::new(method, slow, &found, progress)?;
            Ok::<_, MultirateError>((found, proof))
        };
        Ok(Self {
            partition: method.partitions()[slow + 1].clone(),
            alone,
            stiff: is_implicit.then(stiff).transpose()?,
            sectors: ANGLES.into_iter().map(sector).collect::<Result<_, _>>()?,
            resonance: Resonance::new(method, slow)?,
        })
    }
}
