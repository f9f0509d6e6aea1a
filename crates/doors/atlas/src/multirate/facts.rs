//! Computed properties of a multirate method.

use hemiola_multirate::{
    InfinitesimalMethod, MultirateError, MultirateReport, Resonance, SectorLimit, SectorProof, sector_limit,
};
use hemiola_number::Progress;
use hemiola_stability::stability_limit;
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
    /// The limits for [`ANGLES`], with their proofs.
    pub(super) sectors: Vec<(SectorLimit, SectorProof)>,
    pub(super) resonance: Resonance,
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
        let alone = stability_limit(&method.slow_method()?, slow, Complex64::new(-1.0, 0.0))?.value();
        let sector = |angle: f64| {
            let found = sector_limit(method, slow, angle)?;
            let proof = SectorProof::new(method, slow, &found, progress)?;
            Ok::<_, MultirateError>((found, proof))
        };
        Ok(Self {
            partition: method.partitions()[slow + 1].clone(),
            alone,
            sectors: ANGLES.into_iter().map(sector).collect::<Result<_, _>>()?,
            resonance: Resonance::new(method, slow)?,
        })
    }
}
