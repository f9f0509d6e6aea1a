//! Planes in the space of z_ss, z_ff and w = z_sf z_fs.

use std::fmt;
use std::sync::Arc;

use num_complex::Complex64;

use super::slice::Slice;
use crate::lanes::{ComplexLanes, LANES, RealLanes};

/// Map from two real coordinates to z_ss, z_ff and w.
type Map = dyn Fn(f64, f64) -> [Complex64; 3] + Send + Sync;

/// Plane in the space of z_ss, z_ff and w = z_sf z_fs, which determine the eigenvalues of S.
///
/// It is a [`Slice`], polynomial in ξ = x + iy, or any function of two real parameters.
///
/// ```
/// use hemiola_stability::{Field, Plane, Scan};
/// use num_complex::Complex64;
/// // The step h across and the coupling number g upwards, for two oscillators of frequencies 1 and 5.
/// let plane = Plane::real(|h, g| {
///     let z = Complex64::new(-0.05, 1.0) * h;
///     [z, 5.0 * z, 5.0 * g * z * z]
/// });
/// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64();
/// let scan = Scan::new(&pair, plane)?;
/// assert!(scan.at(0.5, 0.01) < 1.0 && scan.at(1.0, 0.01) > 1.0);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plane(pub(super) Kind);

#[derive(Clone)]
pub(super) enum Kind {
    Slice(Slice),
    Real(Arc<Map>),
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slice(slice) => slice.fmt(f),
            Self::Real(_) => f.write_str("Real"),
        }
    }
}

impl From<Slice> for Plane {
    fn from(slice: Slice) -> Self {
        Self(Kind::Slice(slice))
    }
}

impl Plane {
    /// Creates the plane of two real parameters x and y from a function to [z_ss, z_ff, w]; points that are not finite
    /// count as unstable.
    ///
    /// ```
    /// use hemiola_stability::Plane;
    /// use num_complex::Complex64;
    /// let damping_and_frequency = Plane::real(|zeta, omega| {
    ///     let z = omega * Complex64::new(-zeta, (1.0 - zeta * zeta).sqrt());
    ///     [0.1 * z, z, 0.001 * z * z]
    /// });
    /// assert_eq!(damping_and_frequency.at(1.0, 2.0)[1].re, -2.0);
    /// ```
    #[must_use]
    pub fn real(map: impl Fn(f64, f64) -> [Complex64; 3] + Send + Sync + 'static) -> Self {
        Self(Kind::Real(Arc::new(map)))
    }

    /// Computes z_ss, z_ff and w at a point.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> [Complex64; 3] {
        match &self.0 {
            Kind::Slice(slice) => slice.at(Complex64::new(x, y)),
            Kind::Real(map) => map(x, y),
        }
    }

    /// Computes z_ss, z_ff and w at eight points.
    #[inline(always)]
    pub(super) fn arguments(&self, x: RealLanes, y: f64) -> [ComplexLanes; 3] {
        match &self.0 {
            Kind::Slice(slice) => slice.arguments(ComplexLanes { re: x, im: RealLanes::all(y) }),
            Kind::Real(_) => self.points(x, y),
        }
    }

    /// Evaluates [`at`](Self::at) in each lane, identical to the last bit.
    #[inline(always)]
    pub(super) fn points(&self, x: RealLanes, y: f64) -> [ComplexLanes; 3] {
        let mut values = [ComplexLanes::ZERO; 3];
        for lane in 0..LANES {
            // Neighboring lanes are equal if a single point fills the block.
            let known = lane > 0 && x.0[lane].to_bits() == x.0[lane - 1].to_bits();
            let point = if known { values.map(|value| value.lane(lane - 1)) } else { self.at(x.0[lane], y) };
            for (value, z) in values.iter_mut().zip(point) {
                value.set_lane(lane, z);
            }
        }
        values
    }
}
