//! Solution of a problem: choice of the solver.

use crate::error::PolynomialError;
use crate::problem::axis::Axis;
use crate::problem::curve::Curve;
use crate::problem::piece::BoundaryPiece;
use crate::problem::spectrum::Spectrum;
use crate::problem::statement::Problem;
use crate::result::optimum::{Optimum, Solution};
use crate::result::polynomial::StabilityPolynomial;
use crate::solve::closed_form::{ClosedForm, closed_form};
use crate::solve::continuation::search_upwards;
use crate::solve::remez::alternate;
use crate::solve::search::{SearchFailure, SearchOutcome, search};

/// Maximum number of stages for closed forms and the exchange on the real axis; more stages have coefficients of
/// thousands of digits.
const MOST_STAGES: usize = 1000;
/// Maximum number of stages for searches with contact points.
const MOST_SEARCHED: usize = 100;

impl Problem {
    /// Finds the optimum in double precision, with residuals in double-doubles.
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
    /// [`PolynomialError`] with the reason if the problem has no solution.
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
            Some(Axis::Imaginary) if self.damping == 0.0 => {
                self.found(search_upwards(self.stages, self.order, &self.pieces()?[0]))?
            }
            _ => self.found(search(self.stages, self.order, self.pieces()?))?,
        };
        Ok(Optimum::new(self.clone(), solution))
    }

    pub(crate) fn validate(&self) -> Result<(), PolynomialError> {
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
        within(
            "the lower end of the band",
            band,
            band > 0.0 && band <= 1.0,
            "a fraction of the limit, above 0 and at most 1",
        )?;
        self.require_at_most(MOST_STAGES)?;
        let pieces = self.spectrum.pieces()?;
        // |E_s(iy)|² − 1 begins with a negative coefficient for s = 3, 4, 7, 8, 11, …; with s > p it is free. For
        // single eigenvalues on the axis and s = p the same criterion applies.
        let touches_axis = |piece: &BoundaryPiece| match piece.curve {
            Curve::Point(place) => place.0 == 0.0,
            _ => piece.curve.leaves_the_origin_upwards(),
        };
        if stages == order && matches!(order % 4, 1 | 2) && pieces.iter().any(touches_axis) {
            return Err(PolynomialError::NoPositiveLimit { stages, order, spectrum: spectrum() });
        }
        if let Spectrum::ImaginaryWithReal { extent } = self.spectrum
            && let Some(real) = alternate(stages, order, 0.0)
            && extent >= real.limit
        {
            return Err(PolynomialError::ExtentTooLong { extent, limit: real.limit, stages, order });
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

    /// Returns the optimum without damping if a closed form is known.
    fn closed_form(&self) -> Option<ClosedForm> {
        if self.damping == 0.0 { closed_form(&self.spectrum, self.stages, self.order) } else { None }
    }

    fn found(&self, found: Result<SearchOutcome, SearchFailure>) -> Result<Solution, PolynomialError> {
        let Self { stages, order, damping, .. } = *self;
        let spectrum = self.spectrum.to_string();
        match found {
            Ok(SearchOutcome::Polished(constraints, state)) => Ok(Solution::touching(constraints, state)),
            Ok(SearchOutcome::Conic(constraints, best, h)) => Ok(Solution::Conic { constraints, gamma: best.gamma, h }),
            Err(SearchFailure::Infeasible) if damping > 0.0 => {
                Err(PolynomialError::TooMuchDamping { damping, stages, order, spectrum })
            }
            Err(_) => Err(PolynomialError::NotFound { stages, order, spectrum }),
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

/// Finds the polynomial of degree `stages` and order `order` with the largest interval of stability on an axis, to 50
/// digits.
///
/// # Errors
/// [`PolynomialError`] if the problem has no solution.
pub fn optimal(axis: Axis, stages: usize, order: usize) -> Result<StabilityPolynomial, PolynomialError> {
    Problem::new(Spectrum::Axis(axis), stages, order).solve()?.polynomial(50)
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;

    use super::*;

    fn solved(text: &str, stages: usize, order: usize) -> Result<Optimum, PolynomialError> {
        Problem::new(text.parse()?, stages, order).solve()
    }

    fn eigenvalues(values: &[(f64, f64)]) -> Spectrum {
        Spectrum::Eigenvalues(values.iter().map(|&(x, y)| Complex64::new(x, y)).collect())
    }

    #[test]
    fn impossible_requests_are_named() {
        use PolynomialError as E;
        let digits = |digits| Problem::new("imaginary".parse().unwrap(), 4, 2).solve().unwrap().polynomial(digits);
        assert!(matches!(digits(1_000_000_000), Err(E::OutOfRange { .. })) && digits(1000).is_ok());
        assert!(matches!(solved("imaginary", 3, 4), Err(E::OrderExceedsStages { .. })));
        assert!(matches!(solved("real", 0, 0), Err(E::OrderExceedsStages { .. })));
        for (stages, order) in [(1, 1), (2, 2), (5, 5), (6, 6)] {
            for spectrum in ["imaginary", "rectangle:1,1", "rays:0,0.1"] {
                assert!(
                    matches!(solved(spectrum, stages, order), Err(E::NoPositiveLimit { .. })),
                    "{spectrum} {stages}"
                );
            }
        }
        assert!(matches!(solved("real", 5000, 2), Err(E::TooManyStages { .. })));
        assert!(matches!(solved("disk", 500, 3), Err(E::TooManyStages { .. })));
        assert!(matches!(solved("circle", 5, 3), Err(E::UnknownSpectrum { .. })));
        assert!(matches!(solved("wedge:100", 5, 3), Err(E::OutOfRange { .. })));
        assert!(matches!(solved("rectangle:0,0", 5, 3), Err(E::EmptySpectrum)));
        let on = |spectrum: Spectrum| Problem::new(spectrum, 5, 2);
        assert!(matches!(on(eigenvalues(&[])).solve(), Err(E::EmptySpectrum)));
        assert!(matches!(on(eigenvalues(&[(0.0, 0.0)])).solve(), Err(E::EmptySpectrum)));
        assert!(matches!(on(eigenvalues(&[(0.1, 1.0)])).solve(), Err(E::RightHalfPlane { .. })));
        assert!(matches!(on(eigenvalues(&[(f64::NAN, 1.0)])).solve(), Err(E::OutOfRange { .. })));
        assert!(matches!(
            on(eigenvalues(&[(-1.0, 0.0), (-2.0, 0.0)])).solve(),
            Err(E::Unbounded { conditions: 2, .. })
        ));
        assert!(matches!(
            on(eigenvalues(&[(-1.0, 1.0), (-1.0, -1.0)])).solve(),
            Err(E::Unbounded { conditions: 2, .. })
        ));
        for eta in [-0.1, 1.0, f64::NAN] {
            assert!(matches!(on(Spectrum::Disk).damping(eta).solve(), Err(E::OutOfRange { .. })));
        }
        let damped = Problem::new(Spectrum::Axis(Axis::Imaginary), 5, 4).damping(0.3);
        assert!(matches!(damped.solve(), Err(E::TooMuchDamping { .. })));
    }

    #[test]
    fn a_spectrum_may_be_given_in_several_ways() {
        let limit = |spectrum: Spectrum| Problem::new(spectrum, 7, 3).solve().unwrap().limit();
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-11 * b, "{a} {b}");
        let text = |text: &str| text.parse::<Spectrum>().unwrap();
        let (imaginary, real) = (limit(text("imaginary")), limit(text("real")));
        close(limit(text("rectangle:0,1")), imaginary);
        close(limit(text("rays:0,0")), imaginary);
        close(limit(text("rectangle:2,0")), real / 2.0);
        close(limit(text("rays:1,1")), real);
        close(limit(text("wedge:0")), real);
        close(limit(text("intervals:-3,0")), real / 3.0);
        // Order, conjugates and repetitions of eigenvalues do not matter, and their scale divides the limit.
        let values = [(-1.0, 0.5), (-0.2, 1.0), (-0.7, 0.8), (-1.3, 0.0), (-0.05, 0.6)];
        let once = limit(eigenvalues(&values));
        let other: Vec<(f64, f64)> =
            values.iter().rev().flat_map(|&(x, y)| [(2.0 * x, -2.0 * y), (2.0 * x, 2.0 * y)]).collect();
        close(limit(eigenvalues(&other)), once / 2.0);
    }

    #[test]
    fn larger_sets_have_smaller_limits() {
        let chain = ["rays:0,0", "rays:0,0.1", "rays:0,0.5", "rays:0,1"];
        let limits: Vec<f64> = chain.iter().map(|text| solved(text, 8, 3).unwrap().limit()).collect();
        assert!(limits.windows(2).all(|pair| pair[1] < pair[0]), "{limits:?}");
        let with_real = |extent| Problem::new(Spectrum::ImaginaryWithReal { extent }, 8, 3).solve().unwrap().limit();
        let limits = [0.5, 4.0, 8.0, 12.0].map(with_real);
        assert!(limits.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{limits:?}");
        // A short interval adds no active constraint to the optimum on the axis.
        assert!((limits[0] - 48f64.sqrt()).abs() < 1e-9, "{limits:?}");
    }

    #[test]
    fn damping_costs_limit() {
        for (text, stages, order) in [("real", 9, 2), ("imaginary", 9, 2), ("disk", 7, 2), ("wedge:60", 7, 2)] {
            let limit =
                |eta: f64| Problem::new(text.parse().unwrap(), stages, order).damping(eta).solve().unwrap().limit();
            let limits = [0.0, 1e-3, 0.01, 0.05, 0.1].map(limit);
            assert!(limits.windows(2).all(|pair| pair[1] < pair[0]), "{text} {limits:?}");
            assert!(limits[1] > 0.99 * limits[0], "{text} {limits:?}");
        }
    }

    #[test]
    fn damped_polynomials_keep_their_bounds() {
        let modulus = |polynomial: &StabilityPolynomial, z: Complex64| polynomial.value(z).norm();
        let (eta, band) = (0.05, 0.4);
        let imaginary = Problem::new(Spectrum::Axis(Axis::Imaginary), 8, 2).damping(eta).band(band).solve().unwrap();
        let polynomial = imaginary.polynomial(17).unwrap();
        for k in 0..=200 {
            let y = f64::from(k) / 200.0;
            let z = Complex64::new(0.0, y * imaginary.limit());
            let (found, bound) = (modulus(&polynomial, z), imaginary.problem().bound(imaginary.limit(), z));
            assert!(found <= bound + 1e-12, "{y} {found}");
            assert!(y < band || (bound - (1.0 - eta)).abs() < 1e-15);
        }
        let wedge = Problem::new(Spectrum::Wedge { degrees: 60.0 }, 8, 2).damping(eta).solve().unwrap();
        let polynomial = wedge.polynomial(17).unwrap();
        for k in 0..=200 {
            let z = Complex64::from_polar(wedge.limit() * f64::from(k) / 200.0, 120f64.to_radians());
            assert!(modulus(&polynomial, z) <= 1.0 - eta * (1.0 - z.re.exp()) + 1e-9, "{z}");
        }
    }
}
