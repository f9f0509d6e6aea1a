//! Sets of the complex plane on which a polynomial must be stable.

use std::fmt;
use std::str::FromStr;

use num_complex::Complex64;

use crate::error::PolynomialError;
use crate::problem::advection::{discontinuous_galerkin, parse_degree, spectral_elements, upwind_differences};
use crate::problem::axis::Axis;
use crate::problem::curve::Curve;
use crate::problem::operators::{self, Operator};
use crate::problem::piece::{Bound, BoundaryPiece};
use crate::problem::sampling::samples;

/// Set Λ in the closed left half-plane. The largest scale h with |R(hλ)| ≤ 1 on it is sought.
///
/// Sets are symmetric about the real axis, because R has real coefficients: each contains the conjugates of its points.
/// Lengths and angles are doubles, taken exactly.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Spectrum {
    /// Interval [−i, i] of the imaginary axis, or [−1, 0] of the real axis.
    Axis(Axis),
    /// Scaled interval h[−i, i] together with the fixed interval [−extent, 0]: the longest imaginary interval of a
    /// polynomial that also damps real modes.
    ImaginaryWithReal {
        /// Prescribed extent of stability on the negative real axis.
        extent: f64,
    },
    /// Disk |λ + 1| ≤ 1.
    Disk,
    /// Sector |arg(−λ)| ≤ angle, |λ| ≤ 1.
    Wedge {
        /// Half angle in degrees, from 0 to 90.
        degrees: f64,
    },
    /// Rectangle −width ≤ Re λ ≤ 0, |Im λ| ≤ height.
    Rectangle {
        /// Extent along the real axis.
        width: f64,
        /// Extent along the imaginary axis, in each direction.
        height: f64,
    },
    /// Damped oscillations λ = ω(−ζ ± i√(1 − ζ²)) with frequencies 0 ≤ ω ≤ 1 and damping ratios ζ between two bounds.
    Rays {
        /// Smallest damping ratio, at least 0.
        least: f64,
        /// Largest damping ratio, at most 1.
        greatest: f64,
    },
    /// Intervals [low, high] of the negative real axis, with gaps between them.
    Intervals(Vec<(f64, f64)>),
    /// Eigenvalues.
    ///
    /// Eigenvalues to the right of the imaginary axis by no more than rounding (10⁻¹² of the largest modulus) are moved
    /// onto it, and those equally close to the origin are omitted.
    Eigenvalues(Vec<Complex64>),
}

/// Rounding tolerance for eigenvalues right of the imaginary axis or near the origin, relative to the largest modulus.
const ROUNDING: f64 = 1e-12;

impl Spectrum {
    /// Returns the pieces of the boundary in the upper half-plane, where |R| attains its maximum.
    pub(crate) fn pieces(&self) -> Result<Vec<BoundaryPiece>, PolynomialError> {
        let (origin, i) = ((0.0, 0.0), (0.0, 1.0));
        let segment = |from, to| Curve::Segment { from, to };
        let curves = match *self {
            Self::Axis(Axis::Imaginary) => vec![segment(origin, i)],
            Self::Axis(Axis::Real) => vec![segment(origin, (-1.0, 0.0))],
            Self::ImaginaryWithReal { extent } => {
                within("the real extent", extent, extent > 0.0, "a positive number")?;
                let fixed = piece(segment(origin, (-extent, 0.0)), false);
                return Ok(vec![piece(segment(origin, i), true), fixed]);
            }
            Self::Disk => {
                let quarter = |radius| Curve::Arc { center: (-1.0, 0.0), radius, half_tangent: 1.0 };
                vec![quarter((1.0, 0.0)), quarter(i)]
            }
            Self::Wedge { degrees } => {
                within("the wedge's half angle", degrees, (0.0..=90.0).contains(&degrees), "0 to 90 degrees")?;
                let angle = degrees.to_radians();
                let left = (-1.0, 0.0);
                match degrees {
                    0.0 => vec![segment(origin, left)],
                    90.0 => vec![arc(left, -angle), segment(origin, inside(i))],
                    _ => vec![arc(left, -angle), segment(origin, inside((-angle.cos(), angle.sin())))],
                }
            }
            Self::Rectangle { width, height } => {
                within("the rectangle's width", width, width >= 0.0, "a number that is not negative")?;
                within("the rectangle's height", height, height >= 0.0, "a number that is not negative")?;
                let (top, corner, left) = ((0.0, height), (-width, height), (-width, 0.0));
                match (width > 0.0, height > 0.0) {
                    (true, true) => vec![segment(origin, top), segment(top, corner), segment(corner, left)],
                    (true, false) => vec![segment(origin, left)],
                    (false, true) => vec![segment(origin, top)],
                    (false, false) => return Err(PolynomialError::EmptySpectrum),
                }
            }
            Self::Rays { least, greatest } => {
                within("the least damping ratio", least, (0.0..=1.0).contains(&least), "a number from 0 to 1")?;
                let expected = "a number from the least damping ratio to 1";
                within("the greatest damping ratio", greatest, (least..=1.0).contains(&greatest), expected)?;
                let end = |zeta: f64| (-zeta, ((1.0 - zeta) * (1.0 + zeta)).sqrt());
                if greatest > least {
                    let turn = arc(end(greatest), least.asin() - greatest.asin());
                    vec![turn, segment(origin, inside(end(least))), segment(origin, end(greatest))]
                } else {
                    vec![segment(origin, end(least))]
                }
            }
            Self::Intervals(ref intervals) => intervals_of_the_axis(intervals)?,
            Self::Eigenvalues(ref eigenvalues) => points(eigenvalues)?,
        };
        Ok(curves.into_iter().map(|curve| piece(curve, true)).collect())
    }

    /// Returns points on the boundary in the upper half-plane, where |R| attains its maximum.
    ///
    /// A list of eigenvalues yields all of them; other sets yield enough points for polynomials of this degree.
    ///
    /// ```
    /// use hemiola_polynomial::Spectrum;
    /// let places = Spectrum::Disk.sample_points(8)?;
    /// assert!(places.len() > 20 && places.iter().all(|z| ((z + 1.0).norm() - 1.0).abs() < 1e-12));
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolynomialError`] if the set is empty or out of range.
    pub fn sample_points(&self, degree: usize) -> Result<Vec<Complex64>, PolynomialError> {
        let pieces = self.pieces()?;
        let place = |(piece, t): (usize, f64)| {
            let z = pieces[piece].z(1.0, t);
            Complex64::new(z.re, z.im)
        };
        Ok(samples(&pieces, degree).into_iter().map(place).collect())
    }

    /// Returns the axis if the set is an interval of one.
    pub(crate) fn axis(&self) -> Option<Axis> {
        match *self {
            Self::Axis(axis) => Some(axis),
            _ => None,
        }
    }

    /// Returns the number of real conditions imposed by R(hλ) = 0 on the entire set, if the set is finite.
    pub(crate) fn conditions(&self) -> Option<usize> {
        match self {
            Self::Eigenvalues(_) => {
                let pieces = self.pieces().unwrap_or_default();
                let conditions = |piece: &BoundaryPiece| if piece.z(1.0, 0.0).im == 0.0 { 1 } else { 2 };
                Some(pieces.iter().map(conditions).sum())
            }
            _ => None,
        }
    }
}

fn piece(curve: Curve, is_scaled: bool) -> BoundaryPiece {
    BoundaryPiece { curve, is_scaled, bound: Bound::Power { epsilon: 0.0, exponent: 0 } }
}

/// Shortens a ray that ends where an arc begins, by rounding: the arc, which comes first, keeps the corner.
fn inside((x, y): (f64, f64)) -> (f64, f64) {
    let factor = 1.0 - 8.0 * f64::EPSILON;
    (x * factor, y * factor)
}

/// Constructs the arc about the origin from a point, counterclockwise by an angle: it starts exactly there and ends
/// within rounding.
fn arc(from: (f64, f64), angle: f64) -> Curve {
    Curve::Arc { center: (0.0, 0.0), radius: from, half_tangent: (angle / 2.0).tan() }
}

fn within(name: &'static str, value: f64, fits: bool, expected: &'static str) -> Result<(), PolynomialError> {
    if fits && value.is_finite() { Ok(()) } else { Err(PolynomialError::OutOfRange { name, value, expected }) }
}

fn intervals_of_the_axis(intervals: &[(f64, f64)]) -> Result<Vec<Curve>, PolynomialError> {
    if intervals.is_empty() {
        return Err(PolynomialError::EmptySpectrum);
    }
    let mut curves = Vec::new();
    for &(low, high) in intervals {
        let name = "an end of an interval";
        within(name, low, low < 0.0, "a negative number")?;
        within(name, high, (low..=0.0).contains(&high), "a number from the interval's low end to 0")?;
        curves.push(Curve::Segment { from: (high, 0.0), to: (low, 0.0) });
    }
    Ok(curves)
}

/// Returns the nonzero eigenvalues, each conjugate pair once.
fn points(eigenvalues: &[Complex64]) -> Result<Vec<Curve>, PolynomialError> {
    if let Some(value) = eigenvalues.iter().find(|value| !value.is_finite()) {
        let value = if value.re.is_finite() { value.im } else { value.re };
        return Err(PolynomialError::OutOfRange { name: "an eigenvalue", value, expected: "a finite number" });
    }
    let largest = eigenvalues.iter().map(|value| value.norm()).fold(0.0, f64::max);
    if largest == 0.0 {
        return Err(PolynomialError::EmptySpectrum);
    }
    if let Some(value) = eigenvalues.iter().find(|value| value.re > ROUNDING * largest) {
        return Err(PolynomialError::RightHalfPlane { eigenvalue: *value });
    }
    let mut places: Vec<(f64, f64)> = eigenvalues.iter().map(|value| (value.re.min(0.0), value.im.abs())).collect();
    // R is one at the origin, at any scale.
    places.retain(|&(x, y)| x.hypot(y) > ROUNDING * largest);
    places.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    places.dedup();
    Ok(places.into_iter().map(Curve::Point).collect())
}

impl FromStr for Spectrum {
    type Err = PolynomialError;

    /// Parses `imaginary`, `real`, `disk`, `wedge:DEGREES`, `rectangle:WIDTH,HEIGHT`, `rays:LEAST,GREATEST`,
    /// `intervals:LOW,HIGH,…`, `dg:DEGREE`, `dgsem:DEGREE` or `upwind:ORDER`.
    ///
    /// The last three are the eigenvalues of discretizations of u_t + u_x = 0 on cells of length one: by discontinuous
    /// Galerkin methods with exact integrals and on Lobatto nodes, and by upwind-biased differences of order 1, 3 or 5.
    ///
    /// For an operator such as `waves-2d:dg=3` or `euler-2d:dg=3,mach=0..0.5,angle=0..45`, the spectrum consists of the
    /// eigenvalues of its symbol at all wave numbers, multiplied by all factors from 0 to 1. It is represented by
    /// points on the boundary of this star. The equations are `advection`, `waves`, `euler` and `maxwell` in `1d`, `2d`
    /// and `3d`; the discretizations are `dg`, `dgsem`, `upwind` and `fv`. Cells have length one and waves have speed
    /// one; advection has speed one in the direction `angle`.
    ///
    /// `0.4*dg:3+0.2*waves-2d:dg=3` is a union; each part is multiplied by its factor. A limit above one then means steps longer
    /// than 0.4 on the first and 0.2 on the second.
    ///
    /// ```
    /// use hemiola_polynomial::{Problem, Spectrum};
    /// let line: Spectrum = "waves-1d:dg=2".parse()?;
    /// // Waves on a line go up and down with the spectrum of advection.
    /// let ratio = Problem::new(line, 5, 3).solve()?.limit() / Problem::new("dg:2".parse()?, 5, 3).solve()?.limit();
    /// assert!((ratio - 1.0).abs() < 0.01);
    /// // Twice as long eigenvalues halve the step, beside shorter ones of another operator.
    /// let both = Problem::new("2*dg:2+waves-1d:dg=1".parse()?, 5, 3).solve()?.limit();
    /// let one = Problem::new("dg:2".parse()?, 5, 3).solve()?.limit();
    /// assert!(both <= 0.5001 * one && both > 0.45 * one);
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        use PolynomialError::{InvalidOperator, UnknownSpectrum};
        match single(text) {
            Err(UnknownSpectrum { .. } | InvalidOperator { .. }) if text.contains(['+', '*']) => union(text),
            found => found,
        }
    }
}

/// Parses a spectrum that is not a union.
fn single(text: &str) -> Result<Spectrum, PolynomialError> {
    if let Some(operator) = Operator::parse(text) {
        return Ok(Spectrum::Eigenvalues(operators::spectrum(&operator?)?));
    }
    let (name, numbers) = text.split_once(':').unwrap_or((text, ""));
    let unknown = || PolynomialError::UnknownSpectrum { text: text.to_owned() };
    let numbers: Option<Vec<f64>> = match numbers {
        "" => Some(Vec::new()),
        numbers => numbers.split(',').map(|number| number.trim().parse().ok()).collect(),
    };
    let spectrum = match (name, numbers.ok_or_else(unknown)?.as_slice()) {
        ("imaginary", []) => Spectrum::Axis(Axis::Imaginary),
        ("real", []) => Spectrum::Axis(Axis::Real),
        ("disk", []) => Spectrum::Disk,
        ("wedge", &[degrees]) => Spectrum::Wedge { degrees },
        ("rectangle", &[width, height]) => Spectrum::Rectangle { width, height },
        ("rays", &[least, greatest]) => Spectrum::Rays { least, greatest },
        ("dg", &[degree]) => Spectrum::Eigenvalues(discontinuous_galerkin(parse_degree(degree).ok_or_else(unknown)?)?),
        ("dgsem", &[degree]) => Spectrum::Eigenvalues(spectral_elements(parse_degree(degree).ok_or_else(unknown)?)?),
        ("upwind", &[order]) => {
            let order = parse_degree(order).ok_or_else(unknown)?;
            Spectrum::Eigenvalues(upwind_differences(order).ok_or_else(unknown)?)
        }
        ("intervals", ends) if !ends.is_empty() && ends.len().is_multiple_of(2) => {
            Spectrum::Intervals(ends.chunks(2).map(|pair| (pair[0], pair[1])).collect())
        }
        _ => return Err(unknown()),
    };
    spectrum.pieces()?;
    Ok(spectrum)
}

/// Largest number of parts of a union.
const MOST_PARTS: usize = 64;

/// Parses parts joined by `+`, each with an optional factor before `*`.
fn union(text: &str) -> Result<Spectrum, PolynomialError> {
    if text.split('+').nth(MOST_PARTS).is_some() {
        return Err(PolynomialError::UnknownSpectrum { text: text.to_owned() });
    }
    let mut all = Vec::new();
    for part in text.split('+') {
        let invalid =
            |expected| PolynomialError::InvalidOperator { text: text.to_owned(), part: part.to_owned(), expected };
        let (factor, name) = part.split_once('*').unwrap_or(("1", part));
        let factor = factor.trim().parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
        let factor = factor.ok_or_else(|| invalid("a positive factor before `*`"))?;
        match single(name.trim())? {
            Spectrum::Eigenvalues(values) => all.extend(values.into_iter().map(|value| value * factor)),
            _ => return Err(invalid("eigenvalues such as dg:3 or waves-2d:dg=3")),
        }
    }
    let spectrum = Spectrum::Eigenvalues(all);
    spectrum.pieces()?;
    Ok(spectrum)
}

impl fmt::Display for Spectrum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axis(axis) => axis.fmt(f),
            Self::ImaginaryWithReal { extent } => write!(f, "imaginary axis with the real interval [−{extent}, 0]"),
            Self::Disk => f.write_str("disk |λ + 1| ≤ 1"),
            Self::Wedge { degrees } => write!(f, "wedge |arg(−λ)| ≤ {degrees}°, |λ| ≤ 1"),
            Self::Rectangle { width, height } => write!(f, "rectangle −{width} ≤ Re λ ≤ 0, |Im λ| ≤ {height}"),
            Self::Rays { least, greatest } => {
                write!(f, "oscillations |λ| ≤ 1 with damping ratios {least} to {greatest}")
            }
            Self::Intervals(intervals) => {
                let texts: Vec<String> = intervals.iter().map(|(low, high)| format!("[{low}, {high}]")).collect();
                write!(f, "real intervals {}", texts.join(" ∪ ").replace('-', "−"))
            }
            Self::Eigenvalues(eigenvalues) if eigenvalues.len() == 1 => f.write_str("list of one eigenvalue"),
            Self::Eigenvalues(eigenvalues) => write!(f, "list of {} eigenvalues", eigenvalues.len()),
        }
    }
}
