//! Errors of problems that have no solution.

use num_complex::Complex64;
use thiserror::Error;

/// Reason why a problem has no optimal polynomial.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PolynomialError {
    /// The order exceeds the degree, or one of them is zero.
    #[error("found order {order} with {stages} stages; expected 1 ≤ order ≤ stages")]
    OrderExceedsStages {
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
    },
    /// The number of stages exceeds the limit of the search.
    #[error("found {stages} stages on the {spectrum}; expected at most {most}")]
    TooManyStages {
        /// Number of stages s.
        stages: usize,
        /// Maximum number of stages.
        most: usize,
        /// Spectrum.
        spectrum: String,
    },
    /// No polynomial is stable on any interval from the origin.
    #[error(
        "no polynomial of degree {stages} and order {order} is stable at any positive scale on the {spectrum}: near the \
         origin of the imaginary axis the leading term of |R(iy)|² − 1 is positive for all values of the free coefficients"
    )]
    NoPositiveLimit {
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
        /// Spectrum.
        spectrum: String,
    },
    /// The prescribed real extent alone is too long.
    #[error(
        "found the real extent {extent} for {stages} stages of order {order}, whose limit on the negative real axis \
         is {limit}; expected a smaller extent"
    )]
    ExtentTooLong {
        /// Prescribed extent.
        extent: f64,
        /// Limit on the negative real axis.
        limit: f64,
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
    },
    /// Every scale is stable.
    #[error(
        "the limit is infinite: {conditions} real conditions make R vanish on the {spectrum}, and {stages} stages of order \
         {order} leave {free} coefficients free"
    )]
    Unbounded {
        /// Number of real conditions.
        conditions: usize,
        /// Number of free coefficients.
        free: usize,
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
        /// Spectrum.
        spectrum: String,
    },
    /// The spectrum has no point but the origin.
    #[error("the spectrum contains only the origin, where R(0) = 1; expected at least one other eigenvalue")]
    EmptySpectrum,
    /// An eigenvalue has a positive real part.
    #[error(
        "the eigenvalue {eigenvalue} lies in the right half-plane: there |R(hλ)| > 1 for all small h, since R approximates exp; \
         expected real parts ≤ 0"
    )]
    RightHalfPlane {
        /// Eigenvalue.
        eigenvalue: Complex64,
    },
    /// The text does not describe a spectrum.
    #[error(
        "found `{text}`; expected imaginary, real, disk, wedge:DEGREES, rectangle:WIDTH,HEIGHT, rays:LEAST,GREATEST, \
         intervals:LOW,HIGH,…, dg:DEGREE, dgsem:DEGREE, upwind:ORDER or an operator such as waves-2d:dg=3"
    )]
    UnknownSpectrum {
        /// Text.
        text: String,
    },
    /// The description of an operator is invalid.
    #[error("{text}: found `{part}`; expected {expected}")]
    InvalidOperator {
        /// Text.
        text: String,
        /// Invalid part.
        part: String,
        /// Expected part.
        expected: &'static str,
    },
    /// A number is out of range.
    #[error("{name} is {value}; expected {expected}")]
    OutOfRange {
        /// Name of the number.
        name: &'static str,
        /// Value of the number.
        value: f64,
        /// Expected range.
        expected: &'static str,
    },
    /// The damping is too large.
    #[error(
        "no polynomial of degree {stages} and order {order} has damping {damping} on the {spectrum}; expected less damping"
    )]
    TooMuchDamping {
        /// Damping η.
        damping: f64,
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
        /// Spectrum.
        spectrum: String,
    },
    /// The search found no optimum.
    #[error(
        "the search for {stages} stages of order {order} on the {spectrum} did not converge in double precision; \
         try another number of stages, another order or less damping"
    )]
    NotFound {
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
        /// Spectrum.
        spectrum: String,
    },
    /// The optimum is known to fewer digits than requested.
    #[error(
        "the optimum of {stages} stages and order {order} on the {spectrum} is not isolated, so it is known only to the eight \
         digits of the conic program; {digits} were requested"
    )]
    NoDigits {
        /// Requested digits.
        digits: usize,
        /// Number of stages s.
        stages: usize,
        /// Order p.
        order: usize,
        /// Spectrum.
        spectrum: String,
    },
}
