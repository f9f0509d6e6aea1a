//! Sample points on the boundary of a spectrum.

use crate::problem::piece::BoundaryPiece;

/// Sample point on the boundary: the index of its piece and t.
pub(crate) type BoundarySample = (usize, f64);

/// Samples of the boundary per stage.
const DENSITY: usize = 3;

/// Returns points on [0, 1] that cluster at the ends like the extrema of Chebyshev polynomials.
pub(crate) fn chebyshev_point(k: usize, count: usize) -> f64 {
    let angle = std::f64::consts::PI * k as f64 / count as f64;
    // (1 − cos θ)/2 without cancellation.
    (angle / 2.0).sin().powi(2)
}

/// Samples all pieces, in proportion to their length.
pub(crate) fn samples(pieces: &[BoundaryPiece], stages: usize) -> Vec<BoundarySample> {
    let total: f64 = pieces.iter().map(|piece| piece.curve.length()).sum();
    let mut samples = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        if piece.curve.is_point() {
            samples.push((index, 0.0));
            continue;
        }
        let share = (DENSITY * stages) as f64 * piece.curve.length() / total;
        let count = (share.ceil() as usize).max(stages) + 8;
        let places = (0..=count).map(|k| chebyshev_point(k, count));
        samples.extend(places.filter(|&t| piece.z(1.0, t).norm_sqr() > 0.0).map(|t| (index, t)));
    }
    samples
}
