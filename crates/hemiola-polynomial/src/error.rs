//! Requests that have no answer.

use num_complex::Complex64;
use thiserror::Error;

/// Why a problem has no optimal polynomial.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PolynomialError {
    /// The order exceeds the degree, or one of them is zero.
    #[error("found order {order} with {stages} stages; expected 1 ≤ order ≤ stages")]
    OrderExceedsStages {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
    },
    /// More stages than the search supports.
    #[error("found {stages} stages on the {spectrum}; expected at most {most}")]
    TooManyStages {
        /// The number of stages s.
        stages: usize,
        /// The maximum number.
        most: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// No polynomial is stable on any interval from the origin.
    #[error(
        "no polynomial of degree {stages} and order {order} is stable at any positive scale on the {spectrum}: near the \
         origin of the imaginary axis the leading term of |R(iy)|² − 1 is positive for all values of the free coefficients"
    )]
    NoPositiveLimit {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// The real extent alone is too long.
    #[error(
        "found the real extent {extent} for {stages} stages of order {order}, whose limit on the negative real axis \
         is {limit}; expected a smaller extent"
    )]
    ExtentTooLong {
        /// The prescribed extent.
        extent: f64,
        /// The limit on the negative real axis.
        limit: f64,
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
    },
    /// Every scale is stable.
    #[error(
        "the limit is infinite: {conditions} real conditions make R vanish on the {spectrum}, and {stages} stages of order \
         {order} leave {free} coefficients free"
    )]
    Unbounded {
        /// The number of real conditions.
        conditions: usize,
        /// The number of free coefficients.
        free: usize,
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// A spectrum with no point but the origin.
    #[error("the spectrum contains only the origin, where R(0) = 1; expected at least one other eigenvalue")]
    EmptySpectrum,
    /// An eigenvalue with positive real part.
    #[error(
        "the eigenvalue {eigenvalue} lies in the right half-plane: there |R(hλ)| > 1 for all small h, since R approximates exp; \
         expected real parts ≤ 0"
    )]
    RightHalfPlane {
        /// The eigenvalue.
        eigenvalue: Complex64,
    },
    /// A text that is not a spectrum.
    #[error(
        "found `{text}`; expected imaginary, real, disk, wedge:DEGREES, rectangle:WIDTH,HEIGHT, rays:LEAST,GREATEST or \
         intervals:LOW,HIGH,…"
    )]
    UnknownSpectrum {
        /// The text.
        text: String,
    },
    /// A number out of its range.
    #[error("{name} is {value}; expected {expected}")]
    OutOfRange {
        /// The name of the number.
        name: &'static str,
        /// The number.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// Too much damping.
    #[error(
        "no polynomial of degree {stages} and order {order} has damping {damping} on the {spectrum}; expected less damping"
    )]
    TooMuchDamping {
        /// The damping η.
        damping: f64,
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// No optimum was found.
    #[error(
        "the search for {stages} stages of order {order} on the {spectrum} did not converge in double precision; \
         try another number of stages, another order or less damping"
    )]
    NotFound {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// More digits were requested than are known.
    #[error(
        "the optimum of {stages} stages and order {order} on the {spectrum} is not isolated and known only to the eight digits \
         of the conic program, but {digits} were requested"
    )]
    NoDigits {
        /// The requested digits.
        digits: usize,
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
}
