//! z_ss, z_ff and their coupling as expressions.

use std::fmt;

use hemiola_stability as stability;
use num_complex::Complex64;

use crate::expression::Expression;
use crate::slice::error::SliceError;
use crate::slice::keys::{Keys, expression_fault};

/// Expressions for z_ss, z_ff and w = z_sf z_fs in z, or in x and y.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    pub(crate) slow: Expression,
    pub(crate) fast: Expression,
    pub(crate) coupling: Coupling,
}

/// Parametrization of w.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Coupling {
    /// w itself.
    Product(Expression),
    /// The factors z_sf and z_fs.
    Factors(Expression, Expression),
    /// The coupling number g = w / (z_ss z_ff).
    Number(Expression),
    /// g = 1, as in additive problems.
    One,
}

impl Entries {
    /// The valid keys.
    pub(crate) const KEYS: [&'static str; 6] = ["ss", "ff", "w", "sf", "fs", "g"];

    /// Parses expressions in x and y.
    pub(crate) fn real(keys: &Keys<'_>) -> Result<Self, SliceError> {
        Self::read(keys, &['x', 'y'])
    }

    /// Parses polynomials in z.
    pub(crate) fn complex(keys: &Keys<'_>) -> Result<Self, SliceError> {
        Self::read(keys, &['z'])?.checked("ss", "ff")
    }

    /// Parses z₁ = `first` and z₂ = `second`, affine in z, with w = z₁z₂.
    pub(crate) fn additive(keys: &Keys<'_>) -> Result<Self, SliceError> {
        let part = |key| keys.expression(key, &['z']);
        Self { slow: part("first")?, fast: part("second")?, coupling: Coupling::One }.checked("first", "second")
    }

    fn read(keys: &Keys<'_>, variables: &[char]) -> Result<Self, SliceError> {
        let given = |key: &&'static str| keys.optional(key).is_some();
        // The two factors count as one parametrization.
        let factor = ["sf", "fs"].into_iter().find(given);
        let ways: Vec<&str> = ["w", "g"].into_iter().filter(given).chain(factor).collect();
        if let [first, second, ..] = ways[..] {
            return Err(SliceError::Contradiction { first, second });
        }
        let entry = |key| keys.expression(key, variables);
        let (slow, fast) = (entry("ss")?, entry("ff")?);
        let coupling = match ways[..] {
            ["g"] => Coupling::Number(entry("g")?),
            ["sf" | "fs"] => Coupling::Factors(entry("sf")?, entry("fs")?),
            _ => Coupling::Product(entry("w")?),
        };
        Ok(Self { slow, fast, coupling })
    }

    /// Checks that all entries are polynomials in z of the degrees of [`stability::Slice`].
    fn checked(self, slow: &'static str, fast: &'static str) -> Result<Self, SliceError> {
        let mut parts = vec![(slow, &self.slow, 1), (fast, &self.fast, 1)];
        match &self.coupling {
            Coupling::Product(w) => parts.push(("w", w, 2)),
            Coupling::Factors(sf, fs) => parts.extend([("sf", sf, 1), ("fs", fs, 1)]),
            Coupling::Number(g) => parts.push(("g", g, 0)),
            Coupling::One => {}
        }
        for (key, expression, degree) in parts {
            expression.polynomial(degree).map_err(|fault| expression_fault(key, &expression.to_string(), fault))?;
        }
        Ok(self)
    }

    /// Returns the polynomials of a complex plane, or `None` if an entry is not a polynomial.
    pub(crate) fn polynomials(&self) -> Option<stability::Slice> {
        let (slow, fast) = (affine(&self.slow)?, affine(&self.fast)?);
        let product = match &self.coupling {
            Coupling::Product(w) => w.polynomial(2).ok()?.try_into().ok()?,
            Coupling::Factors(sf, fs) => product(affine(sf)?, affine(fs)?),
            Coupling::Number(g) => product(slow, fast).map(|value| value * g.at(&[])),
            Coupling::One => product(slow, fast),
        };
        Some(stability::Slice { slow, fast, product })
    }

    /// Evaluates z_ss, z_ff and w at a point of a real plane.
    pub(crate) fn at(&self, x: f64, y: f64) -> [Complex64; 3] {
        let point = [x.into(), y.into()];
        let (slow, fast) = (self.slow.at(&point), self.fast.at(&point));
        let product = match &self.coupling {
            Coupling::Product(w) => w.at(&point),
            Coupling::Factors(sf, fs) => sf.at(&point) * fs.at(&point),
            Coupling::Number(g) => g.at(&point) * slow * fast,
            Coupling::One => slow * fast,
        };
        [slow, fast, product]
    }
}

fn affine(expression: &Expression) -> Option<[Complex64; 2]> {
    expression.polynomial(1).ok()?.try_into().ok()
}

fn product([a, b]: [Complex64; 2], [c, d]: [Complex64; 2]) -> [Complex64; 3] {
    [a * c, a * d + b * c, b * d]
}

/// Formats `ss=…,ff=…,w=…`, or `first=…,second=…` for an additive problem.
impl fmt::Display for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slow, fast, coupling } = self;
        match coupling {
            Coupling::Product(w) => write!(f, "ss={slow},ff={fast},w={w}"),
            Coupling::Factors(sf, fs) => write!(f, "ss={slow},ff={fast},sf={sf},fs={fs}"),
            Coupling::Number(g) => write!(f, "ss={slow},ff={fast},g={g}"),
            Coupling::One => write!(f, "first={slow},second={fast}"),
        }
    }
}
