//! Requests that have no answer.

use num_complex::Complex64;
use thiserror::Error;

/// Why there is no optimal polynomial for a request.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PolynomialError {
    /// The order exceeds the degree, or one of them is zero.
    #[error("order {order} was asked of {stages} stages; expected 1 ≤ order ≤ stages")]
    OrderExceedsStages {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
    },
    /// More stages than a search goes to.
    #[error("{stages} stages were asked for on the {spectrum}; expected at most {most}")]
    TooManyStages {
        /// The number of stages s.
        stages: usize,
        /// The largest number there is.
        most: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// No polynomial is stable on any interval from the origin.
    #[error(
        "no polynomial of degree {stages} and order {order} is stable at any positive scale on the {spectrum}: near the \
         origin of the imaginary axis |R(iy)|² − 1 begins with a positive power of y, whatever the free coefficients are"
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
        "the real extent {extent} was prescribed for {stages} stages of order {order}, whose limit on the negative real axis \
         is {limit}; expected less"
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
    /// A spectrum without any point but the origin.
    #[error(
        "the spectrum holds no point but the origin, where R(0) = 1; expected eigenvalues with negative real parts or none"
    )]
    EmptySpectrum,
    /// An eigenvalue that grows.
    #[error(
        "the eigenvalue {eigenvalue} lies in the right half-plane: |R(hλ)| > 1 for every small h, because R follows exp; \
         expected real parts that are not positive"
    )]
    RightHalfPlane {
        /// The eigenvalue.
        eigenvalue: Complex64,
    },
    /// A text that names no spectrum.
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
        /// What the number is.
        name: &'static str,
        /// The number.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// The damping leaves no room.
    #[error(
        "no polynomial of degree {stages} and order {order} is damped by {damping} on the {spectrum}: expected less damping"
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
        "the search for {stages} stages of order {order} on the {spectrum} did not converge: doubles do not resolve it; \
         expected another number of stages, another order or less damping"
    )]
    NotFound {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
    /// More digits were asked for than the optimum was found to.
    #[error(
        "the optimum of {stages} stages and order {order} on the {spectrum} is not isolated: it is known to the eight digits \
         of the conic program, and {digits} were asked for"
    )]
    NoDigits {
        /// The digits that were asked for.
        digits: usize,
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
        /// The spectrum.
        spectrum: String,
    },
}
