//! Proofs of stability before a sector limit: enclosures show |R| ≤ 1 on whole cells of z_F and z_S.

mod cells;
mod disk;
mod jet;
mod ray;

use std::fmt;

use hemiola_number::Progress;

use self::cells::{CellSearch, Obstacle};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stability::sector::SectorLimit;

/// Fractions of the limit that proofs leave open, tried in this order. The search for limits uses |R| ≤ 1 + 10⁻⁹, which
/// makes them slightly larger.
const LEFT_OPEN: [f64; 3] = [1e-7, 1e-5, 1e-3];

/// A proved lower bound of a sector limit.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorProof {
    /// The largest x found such that |R(z_F, z_S)| ≤ 1 is proved for all z_S in [−x, 0] and all z_F in the sector.
    pub lower: Option<f64>,
    /// The reason why there is no bound.
    pub obstacle: Option<ProofObstacle>,
    /// The number of cells that were examined.
    pub cells: usize,
}

/// The reason why a sector limit has no proved lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofObstacle {
    /// The limit is infinite or zero.
    NoLimit,
    /// The sector is too close to the imaginary axis.
    Angle,
    /// Too many cells are needed: |R| is too close to one far from the limit.
    TooManyCells,
    /// |R| exceeds one before the limit, which is therefore too large.
    Exceeded,
    /// The computation was stopped.
    Stopped,
}

impl fmt::Display for ProofObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoLimit => "the limit is infinite or zero",
            Self::Angle => "the sector is too close to the imaginary axis",
            Self::TooManyCells => "|R| is too close to one in too many cells",
            Self::Exceeded => "|R| exceeds one before the limit",
            Self::Stopped => "stopped",
        })
    }
}

impl SectorProof {
    /// Proves a lower bound of a limit that [`sector_limit`](crate::sector_limit) found for the slow partition `slow`,
    /// from 0.
    ///
    /// R is bounded and analytic in the sector, so |R| is largest on the two bounding rays, which are conjugate
    /// (Phragmén and Lindelöf, Acta Mathematica 31, 1908). One ray, compactified by 1/|z_F|, and the interval [−x, 0]
    /// are divided into cells until the mean value theorem proves |R|² ≤ 1 in each: with f = |R|² − 1 at the middle and
    /// enclosures of its derivatives over the cell. At z_F = z_S = 0, where |R| = 1, both derivatives are negative.
    ///
    /// ```
    /// use hemiola_multirate::{SectorProof, library, sector_limit};
    /// let method = library::method("mis-kw3")?;
    /// let found = sector_limit(&method, 0, 45.0)?;
    /// let proof = SectorProof::new(&method, 0, &found, &())?;
    /// let (lower, limit) = (proof.lower.expect("a bound"), found.limit.expect("a limit"));
    /// assert!(lower < limit && lower > limit * (1.0 - 2e-7));
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a method with coupled stages, [`MultirateError::Sector`] if there is no
    /// such partition or the angle is not in [0°, 90°).
    pub fn new(
        method: &InfinitesimalMethod,
        slow: usize,
        found: &SectorLimit,
        progress: &dyn Progress,
    ) -> Result<Self, MultirateError> {
        if !(0.0..90.0).contains(&found.angle) || slow + 1 >= method.partitions().len() {
            return Err(MultirateError::Sector { angle: found.angle, partition: slow });
        }
        let without = |obstacle, cells| Self { lower: None, obstacle: Some(obstacle), cells };
        let Some(limit) = found.limit.filter(|limit| *limit > 0.0) else {
            return Ok(without(ProofObstacle::NoLimit, 0));
        };
        let Some(search) = CellSearch::new(method, slow, found.angle)? else {
            return Ok(without(ProofObstacle::Angle, 0));
        };
        let (mut cells, mut last) = (0, ProofObstacle::TooManyCells);
        for open in LEFT_OPEN {
            let lower = limit * (1.0 - open);
            let (examined, obstacle) = search.prove(lower, progress);
            cells += examined;
            match obstacle {
                None => return Ok(Self { lower: Some(lower), obstacle: None, cells }),
                Some(Obstacle::Stopped) => return Ok(without(ProofObstacle::Stopped, cells)),
                Some(Obstacle::Budget) => last = ProofObstacle::TooManyCells,
                Some(Obstacle::Exceeded) => last = ProofObstacle::Exceeded,
            }
        }
        Ok(without(last, cells))
    }
}
