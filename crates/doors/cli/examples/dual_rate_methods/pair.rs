//! Pair with the quantities used in comparisons.

use std::error::Error;
use std::fs;
use std::path::Path;

use hemiola::design::findings::PairNumbers;
use hemiola::order::{PrincipalError, principal_error};
use hemiola::stability::{Limit, ProfileValue, StabilityError, stability_limit};
use hemiola::tableau::Method;
use num_complex::Complex64;
use serde_json::Value;

/// Damping ratio ζ of damped limits and of the coupled profile.
pub(crate) const DAMPING: f64 = 0.05;

/// Design goal of a pair, which is the suffix of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variant {
    /// Smallest principal error norm.
    ErrorOptimal,
    /// Smallest principal error norm and a large coupled profile.
    Coupled,
    /// Smallest principal error norm with shared abscissae.
    Consistent,
    /// Smallest principal error norm with shared abscissae and weights.
    Conservative,
    /// Smallest error measured on a vehicle.
    Vehicle,
}

impl Variant {
    fn of(id: &str) -> Self {
        match id {
            id if id.ends_with("-coupled") => Self::Coupled,
            id if id.ends_with("-consistent") => Self::Consistent,
            id if id.ends_with("-conservative") => Self::Conservative,
            id if id.ends_with("-vehicle") => Self::Vehicle,
            _ => Self::ErrorOptimal,
        }
    }
}

pub(crate) struct Pair {
    pub(crate) method: Method,
    pub(crate) variant: Variant,
    /// Slow and fast evaluations per step.
    pub(crate) evaluations: [usize; 2],
    pub(crate) order: usize,
    /// Limits of the slow and the fast partition.
    pub(crate) limits: [Limits; 2],
    pub(crate) error: PrincipalError,
    pub(crate) numbers: PairNumbers,
    pub(crate) certificate: Option<Value>,
}

/// First exits of the stability region along three rays.
pub(crate) struct Limits {
    pub(crate) imaginary: f64,
    /// Limit along t(−ζ + i√(1−ζ²)).
    pub(crate) damped: f64,
    pub(crate) real: f64,
}

impl Pair {
    pub(crate) fn new(method: Method, designs: &Path) -> Result<Self, Box<dyn Error>> {
        let tableau = method.to_f64();
        let [slow, fast] = tableau.partitions.as_slice() else { return Err("expected two partitions".into()) };
        let evaluations = [slow, fast].map(|part| part.evaluated_stages().len());
        let order = method.claims().order.ok_or("expected a claimed order")?;
        Ok(Self {
            variant: Variant::of(method.id()),
            evaluations,
            order,
            limits: [Limits::new(&method, 0)?, Limits::new(&method, 1)?],
            error: principal_error(&method.exact(), order)?,
            numbers: PairNumbers::new(&method, order)?,
            certificate: certificate(&designs.join(format!("{}.certificate.json", method.id())))?,
            method,
        })
    }

    /// Formats the numbers of slow and fast evaluations.
    pub(crate) fn size(&self) -> String {
        let [slow, fast] = self.evaluations;
        format!("{slow}–{fast}")
    }

    /// Returns the profile at a coupling strength; `None` if a partition has no limit to compare coupled steps with.
    pub(crate) fn profile_at(&self, gamma: f64) -> Option<&ProfileValue> {
        self.numbers.profile.as_ref()?.values.iter().find(|value| value.gamma == gamma)
    }
}

impl Limits {
    fn new(method: &Method, partition: usize) -> Result<Self, StabilityError> {
        let along = |x: f64, y: f64| stability_limit(method, partition, Complex64::new(x, y)).map(Limit::value);
        let damped = along(-DAMPING, (1.0 - DAMPING * DAMPING).sqrt())?;
        Ok(Self { imaginary: along(0.0, 1.0)?, damped, real: along(-1.0, 0.0)? })
    }
}

/// Reads a certificate as JSON; published methods have none.
fn certificate(file: &Path) -> Result<Option<Value>, Box<dyn Error>> {
    if !file.exists() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&fs::read(file)?)?))
}
