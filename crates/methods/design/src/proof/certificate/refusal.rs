//! Reasons why a certificate does not hold.

use thiserror::Error;

/// A reason why a certificate does not hold for a method.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CertificateRefusal {
    /// The certificate belongs to another method.
    #[error("it is about {found}, not {expected}")]
    Method {
        /// The stated id.
        found: String,
        /// The id of the method.
        expected: String,
    },
    /// The certificate belongs to another table.
    #[error("it is about the table with the digest {found}, but the coefficients have the digest {expected}")]
    Table {
        /// The stated digest.
        found: String,
        /// The digest of the table.
        expected: String,
    },
    /// Orders, trees, stages or powers are invalid for the table.
    #[error("its field `{field}` does not match a proof about this table")]
    Field {
        /// The invalid field.
        field: &'static str,
    },
    /// The radius exceeds one unit of the last digit.
    #[error("its radius {radius:e} is larger than a unit of the last printed digit, {unit:e}")]
    Radius {
        /// The stated radius.
        radius: f64,
        /// One unit of the last digit; zero if the table has no decimals.
        unit: f64,
    },
    /// A stated bound is smaller than the computed one.
    #[error("its {field} {stated:e} is smaller than the computed {found:e}")]
    Bound {
        /// The field.
        field: &'static str,
        /// The stated bound.
        stated: f64,
        /// The computed bound.
        found: f64,
    },
    /// The stated residual is too large to prove the radius.
    #[error("its residual {residual:e} allows a solution at the distance {distance:e}, beyond the radius {radius:e}")]
    Far {
        /// The stated bound of the residual.
        residual: f64,
        /// The distance from the table that it allows.
        distance: f64,
        /// The stated radius.
        radius: f64,
    },
    /// No contraction was found on the ball.
    #[error("no contraction was found on the stated ball: it is not proved that the ball contains a solution")]
    NoSolution,
    /// Some conditions do not follow from the imposed ones.
    #[error("the {what} do not follow from the imposed conditions")]
    Open {
        /// The conditions in question.
        what: &'static str,
    },
    /// The written numbers do not satisfy conditions that should hold exactly.
    #[error("the {what} do not hold exactly")]
    NotExact {
        /// The conditions in question.
        what: &'static str,
    },
    /// The conditions hold to fewer decimals than stated.
    #[error("the {what} do not hold to {decimals} decimals")]
    Decimals {
        /// The conditions in question.
        what: &'static str,
        /// The stated number.
        decimals: u32,
    },
}
