//! Derivatives with respect to unknowns, from those with respect to all coefficients.

use crate::pair::coefficients::PairCoefficients;

/// A point in coordinates of pairs, which turns derivatives with respect to the coefficients into derivatives with
/// respect to the coordinates.
pub(crate) trait Slopes: Sync {
    /// Returns the number of coordinates.
    fn count(&self) -> usize;

    /// Writes the derivatives of a function with respect to the coordinates, given those with respect to all
    /// coefficients. Entries on and above the diagonal are not read.
    fn pull(&self, gradient: &PairCoefficients, slopes: &mut [f64]);
}
