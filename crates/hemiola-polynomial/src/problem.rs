//! What is asked for, and where each answer comes from.

use crate::closed_form::{ClosedForm, closed_form};
use crate::constraint::{Bound, Piece};
use crate::continuation::search_upwards;
use crate::curve::Curve;
use crate::error::PolynomialError;
use crate::optimum::{Optimum, Solution};
use crate::polynomial::{Axis, StabilityPolynomial};
use crate::remez::alternate;
use crate::search::{Found, Obstacle, search};
use crate::spectrum::Spectrum;

/// Closed forms and the exchange on the real axis go this far: more stages have coefficients of thousands of digits.
const MOST_STAGES: usize = 1000;
/// Searches with contact points go this far.
const MOST_SEARCHED: usize = 100;

/// The largest scale h at which a polynomial of degree s and order p is stable on a spectrum: |R(hλ)| ≤ 1, or damped.
///
/// **Damping** η, 0 ≤ η < 1, asks for more than |R| ≤ 1:
/// - on the negative real axis, that R alternates between ±(1 − η) at its s − p interior extrema and at the end; between
///   the origin and the first of them it falls from one (van der Houwen & Sommeijer 1980; Hairer & Wanner 1996, §IV.2);
/// - on the imaginary axis, where order p forces |R(iy)|² = 1 + O(y²ᵐ), 2m = p + 1 or p + 2, |R(iy)|² ≤ 1 − ε in the band
///   φL ≤ y ≤ L, and |R(iy)|² ≤ 1 − ε(y/φL)²ᵐ below it, with 1 − ε = (1 − η)². The band begins at the fraction φ of the
///   limit, [`Problem::band`]: fast components oscillate there;
/// - on all other spectra |R(z)| ≤ 1 − η(1 − e^{Re z}), a blend of one and the modulus of the exact solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    spectrum: Spectrum,
    stages: usize,
    order: usize,
    damping: f64,
    band: f64,
}

impl Problem {
    /// The problem without damping.
    #[must_use]
    pub fn new(spectrum: Spectrum, stages: usize, order: usize) -> Self {
        Self { spectrum, stages, order, damping: 0.0, band: 0.5 }
    }

    /// The same problem with damping η.
    #[must_use]
    pub fn damping(self, eta: f64) -> Self {
        Self { damping: eta, ..self }
    }

    /// The same problem with the band of full damping on the imaginary axis beginning at a fraction of the limit; a half
    /// if not set.
    #[must_use]
    pub fn band(self, fraction: f64) -> Self {
        Self { band: fraction, ..self }
    }

    /// The spectrum.
    #[must_use]
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    /// The degree s.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// The order p.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// The damping η.
    #[must_use]
    pub fn eta(&self) -> f64 {
        self.damping
    }

    /// The optimum, in doubles polished in double-doubles.
    ///
    /// ```
    /// use hemiola_polynomial::{Problem, Spectrum};
    /// // On a disk the limit of order two is s − 1 (Owren & Seip 1990).
    /// let optimum = Problem::new(Spectrum::Disk, 8, 2).solve()?;
    /// assert!((optimum.limit() - 7.0).abs() < 1e-12);
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolynomialError`] where the request has no answer, and says why.
    pub fn solve(&self) -> Result<Optimum, PolynomialError> {
        self.validate()?;
        if let Some(form) = self.closed_form() {
            return Ok(Optimum::new(self.clone(), Solution::Closed(form)));
        }
        self.require_at_most(if self.spectrum.axis() == Some(Axis::Real) { MOST_STAGES } else { MOST_SEARCHED })?;
        let solution = match self.spectrum.axis() {
            Some(Axis::Real) => Solution::alternating(
                alternate(self.stages, self.order, self.damping).ok_or_else(|| self.without_alternation())?,
            ),
            Some(Axis::Imaginary) => self.found(self.on_imaginary_axis())?,
            None => self.found(search(self.stages, self.order, self.damped_pieces()?))?,
        };
        Ok(Optimum::new(self.clone(), solution))
    }

    fn validate(&self) -> Result<(), PolynomialError> {
        let Self { stages, order, .. } = *self;
        let spectrum = || self.spectrum.to_string();
        if order == 0 || order > stages {
            return Err(PolynomialError::OrderExceedsStages { stages, order });
        }
        let within = |name, value: f64, fits, expected| {
            if fits { Ok(()) } else { Err(PolynomialError::OutOfRange { name, value, expected }) }
        };
        let Self { damping, band, .. } = *self;
        within("the damping", damping, (0.0..1.0).contains(&damping), "a number from 0 to below 1")?;
        within("the band's beginning", band, band > 0.0 && band <= 1.0, "a fraction above 0 of the limit")?;
        self.require_at_most(MOST_STAGES)?;
        let pieces = self.spectrum.pieces()?;
        // |E_s(iy)|² − 1 begins with a negative coefficient for s = 3, 4, 7, 8, 11, …; with s > p it can be chosen. For
        // single eigenvalues on the axis s = p is the same question.
        let touches_axis = |piece: &Piece| match piece.curve {
            Curve::Point(place) => place.0 == 0.0,
            _ => piece.curve.leaves_the_origin_upwards(),
        };
        if stages == order && matches!(order % 4, 1 | 2) && pieces.iter().any(touches_axis) {
            return Err(PolynomialError::NoPositiveLimit { stages, order, spectrum: spectrum() });
        }
        match self.spectrum.conditions() {
            Some(conditions) if conditions <= stages - order => Err(PolynomialError::Unbounded {
                conditions,
                free: stages - order,
                stages,
                order,
                spectrum: spectrum(),
            }),
            _ => Ok(()),
        }
    }

    fn require_at_most(&self, most: usize) -> Result<(), PolynomialError> {
        let stages = self.stages;
        if stages <= most {
            return Ok(());
        }
        Err(PolynomialError::TooManyStages { stages, most, spectrum: self.spectrum.to_string() })
    }

    /// The optimum without damping, where a formula is known for it.
    fn closed_form(&self) -> Option<ClosedForm> {
        if self.damping == 0.0 { closed_form(&self.spectrum, self.stages, self.order) } else { None }
    }

    /// Band and beginning are two pieces, because the bound has a corner between them.
    fn on_imaginary_axis(&self) -> Result<Found, Obstacle> {
        let piece = |from: f64, to: f64, bound| Piece {
            curve: Curve::Segment { from: (0.0, from), to: (0.0, to) },
            is_scaled: true,
            bound,
        };
        let Self { stages, order, damping, band, .. } = *self;
        let epsilon = damping * (2.0 - damping);
        let whole = |exponent| piece(0.0, 1.0, Bound::Power { epsilon, exponent });
        if damping == 0.0 {
            return search_upwards(stages, order, &whole(0));
        }
        let exponent = order + 2 - order % 2;
        if band == 1.0 {
            return search(stages, order, vec![whole(exponent)]);
        }
        let below = piece(0.0, band, Bound::Power { epsilon, exponent });
        let above = piece(band, 1.0, Bound::Power { epsilon, exponent: 0 });
        search(stages, order, vec![below, above])
    }

    fn damped_pieces(&self) -> Result<Vec<Piece>, PolynomialError> {
        let mut pieces = self.spectrum.pieces()?;
        if self.damping > 0.0 {
            pieces.iter_mut().for_each(|piece| piece.bound = Bound::Blend { eta: self.damping });
        }
        Ok(pieces)
    }

    fn found(&self, found: Result<Found, Obstacle>) -> Result<Solution, PolynomialError> {
        let Self { stages, order, damping, .. } = *self;
        let spectrum = self.spectrum.to_string();
        match found {
            Ok(Found::Polished(constraints, state)) => Ok(Solution::touching(constraints, state)),
            Ok(Found::Conic(constraints, best, h)) => Ok(Solution::Conic { constraints, gamma: best.gamma, h }),
            Err(Obstacle::Infeasible) if damping > 0.0 => {
                Err(PolynomialError::TooMuchDamping { damping, stages, order, spectrum })
            }
            Err(Obstacle::Infeasible) => Err(PolynomialError::NoPositiveLimit { stages, order, spectrum }),
            Err(Obstacle::Unbounded | Obstacle::Failed) => Err(PolynomialError::NotFound { stages, order, spectrum }),
        }
    }

    fn without_alternation(&self) -> PolynomialError {
        let Self { stages, order, damping, .. } = *self;
        let spectrum = self.spectrum.to_string();
        if damping > 0.0 {
            PolynomialError::TooMuchDamping { damping, stages, order, spectrum }
        } else {
            PolynomialError::NotFound { stages, order, spectrum }
        }
    }
}

/// The polynomial of degree `stages` and order `order` with the largest interval of stability on an axis, to 50 digits.
///
/// # Errors
/// [`PolynomialError`] where the request has no answer.
pub fn optimal(axis: Axis, stages: usize, order: usize) -> Result<StabilityPolynomial, PolynomialError> {
    Problem::new(Spectrum::Axis(axis), stages, order).solve()?.polynomial(50)
}
