//! Statement of the problem: a spectrum, a degree, an order and damping.

use num_complex::Complex64;

use crate::error::PolynomialError;
use crate::problem::axis::Axis;
use crate::problem::curve::Curve;
use crate::problem::piece::{Bound, BoundaryPiece};
use crate::problem::spectrum::Spectrum;

/// Search for the largest scale h at which a polynomial of degree s and order p is stable on a spectrum: |R(hλ)| ≤ 1,
/// or damped.
///
/// **Damping** η, 0 ≤ η < 1, requires more than |R| ≤ 1:
/// - on the negative real axis, R alternates between ±(1 − η) at its s − p interior extrema and at the end; between the
///   origin and the first extremum it falls from one (van der Houwen & Sommeijer 1980; Hairer & Wanner 1996, §IV.2);
/// - on the imaginary axis, where order p forces |R(iy)|² = 1 + O(y²ᵐ), 2m = p + 1 or p + 2, the bound is |R(iy)|² ≤ 1
///   − ε in the band φL ≤ y ≤ L, and |R(iy)|² ≤ 1 − ε(y/φL)²ᵐ below it, with 1 − ε = (1 − η)². The band, in which fast
///   components oscillate, begins at the fraction φ of the limit, [`Problem::band`];
/// - on the boundary of all other spectra, |R(z)| ≤ 1 − η(1 − e^{Re z}), a blend of one and the modulus of the exact
///   solution.
///
/// Scaled sets that contain the segments from the origin are nested, and the limit is the end of all stable scales. For
/// lists of eigenvalues, intervals with gaps and damping, the feasible scales may have gaps: the limit is then the end
/// of one interval of feasible scales, and slightly larger scales are not stable.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub(crate) spectrum: Spectrum,
    pub(crate) stages: usize,
    pub(crate) order: usize,
    pub(crate) damping: f64,
    pub(crate) band: f64,
}

impl Problem {
    /// Creates a problem without damping.
    #[must_use]
    pub fn new(spectrum: Spectrum, stages: usize, order: usize) -> Self {
        Self { spectrum, stages, order, damping: 0.0, band: 0.5 }
    }

    /// Sets the damping η.
    #[must_use]
    pub fn damping(self, eta: f64) -> Self {
        Self { damping: eta, ..self }
    }

    /// Sets the start of the band of full damping on the imaginary axis, as a fraction of the limit; the default is
    /// 1/2.
    #[must_use]
    pub fn band(self, fraction: f64) -> Self {
        Self { band: fraction, ..self }
    }

    /// Returns the spectrum.
    #[must_use]
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    /// Returns the degree s.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// Returns the order p.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the damping η.
    #[must_use]
    pub fn eta(&self) -> f64 {
        self.damping
    }

    /// Returns the bound b of |R| at a point z of the spectrum scaled by `limit`; on the real axis it holds beyond the
    /// first contact point.
    ///
    /// ```
    /// use hemiola_polynomial::{Axis, Problem, Spectrum};
    /// use num_complex::Complex64;
    /// let problem = Problem::new(Spectrum::Axis(Axis::Imaginary), 8, 2).damping(0.1).band(0.25);
    /// assert!((problem.bound(7.0, 2.0 * Complex64::I) - 0.9).abs() < 1e-15);
    /// assert!(problem.bound(7.0, 0.1 * Complex64::I) > 0.999);
    /// ```
    #[must_use]
    pub fn bound(&self, limit: f64, z: Complex64) -> f64 {
        let Self { order, damping, band, .. } = *self;
        match self.spectrum.axis() {
            Some(Axis::Real) => 1.0 - damping,
            Some(Axis::Imaginary) => {
                let power = (order + 2 - order % 2) as i32;
                let part = (z.im.abs() / (band * limit)).min(1.0).powi(power);
                (1.0 - damping * (2.0 - damping) * part).sqrt()
            }
            None => 1.0 + damping * z.re.exp_m1(),
        }
    }

    /// Returns the constrained pieces of the boundary.
    pub(crate) fn pieces(&self) -> Result<Vec<BoundaryPiece>, PolynomialError> {
        if self.spectrum.axis() == Some(Axis::Imaginary) && self.damping > 0.0 {
            return Ok(self.damped_axis());
        }
        let mut pieces = self.spectrum.pieces()?;
        if self.damping > 0.0 {
            pieces.iter_mut().for_each(|piece| piece.bound = Bound::Blend { eta: self.damping });
        }
        Ok(pieces)
    }

    /// Returns the damped imaginary axis as two pieces, the band and the part below it: the bound has a corner between
    /// them.
    fn damped_axis(&self) -> Vec<BoundaryPiece> {
        let Self { order, damping, band, .. } = *self;
        let epsilon = damping * (2.0 - damping);
        let piece = |from: f64, to: f64, exponent| BoundaryPiece {
            curve: Curve::Segment { from: (0.0, from), to: (0.0, to) },
            is_scaled: true,
            bound: Bound::Power { epsilon, exponent },
        };
        let below = piece(0.0, band, order + 2 - order % 2);
        if band < 1.0 { vec![below, piece(band, 1.0, 0)] } else { vec![below] }
    }
}
