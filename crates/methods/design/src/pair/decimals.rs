//! Coefficients as decimals: fifty are written, and a few more are carried during refinement.

use dashu::base::Abs;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Coefficient, Exact, MethodError};

/// Decimals of the coefficients in files, more than any arithmetic in which the method will run.
pub(crate) const DECIMALS: usize = 50;
/// Decimals carried during refinement.
pub(crate) const WORKING_DECIMALS: usize = 56;
/// Modulus below which coefficients are rounded zeros.
pub(crate) const NOTHING: f64 = 1e-40;
/// Half a unit of the 50th decimal, the accuracy of the coefficients of a finished method.
pub(crate) const HALF_UNIT: f64 = 0.5e-50;

/// Returns the nearest number with [`WORKING_DECIMALS`] decimals.
pub(crate) fn rounded(value: &RBig) -> RBig {
    rounded_to(WORKING_DECIMALS, value)
}

/// Returns the nearest number with a given number of decimals.
fn rounded_to(decimals: usize, value: &RBig) -> RBig {
    let scale = UBig::from(10u8).pow(decimals);
    let numerator: IBig = (value * RBig::from(IBig::from(scale.clone()))).round();
    RBig::from_parts(numerator, scale)
}

/// Converts doubles to rationals with the working decimals.
pub(crate) fn from_doubles(x: impl IntoIterator<Item = f64>) -> Vec<RBig> {
    x.into_iter().map(|x| rounded(&RBig::try_from(x).unwrap_or_default())).collect()
}

/// Computes x + step, rounded to the working decimals.
pub(crate) fn moved<'a>(x: &[RBig], step: impl IntoIterator<Item = &'a f64>) -> Vec<RBig> {
    moved_to(WORKING_DECIMALS, x, step)
}

/// Computes x + step, rounded to a given number of decimals.
pub(crate) fn moved_to<'a>(decimals: usize, x: &[RBig], step: impl IntoIterator<Item = &'a f64>) -> Vec<RBig> {
    let sum = |(x, step): (&RBig, &f64)| rounded_to(decimals, &(x + RBig::try_from(*step).unwrap_or_default()));
    x.iter().zip(step).map(sum).collect()
}

/// Converts a number to a rational; roots are rounded to more decimals than are carried.
pub(crate) fn rational(x: &Exact) -> RBig {
    const DIGITS: usize = 64;
    let decimals = || RBig::try_from(x.to_decimal(DIGITS)).unwrap_or_default();
    x.as_rational().cloned().unwrap_or_else(decimals)
}

/// Rounds to the decimals that are written.
pub(crate) fn as_written(x: Vec<RBig>) -> Result<Vec<Exact>, MethodError> {
    x.into_iter().map(|x| Ok(coefficient(&Exact::from(x))?.value().clone())).collect()
}

/// Formats a number as a decimal with [`DECIMALS`] places.
pub(crate) fn coefficient(value: &Exact) -> Result<Coefficient, MethodError> {
    decimal(value, DECIMALS)
}

/// Formats a rational number as a decimal with a given number of places.
pub(crate) fn decimal(value: &Exact, decimals: usize) -> Result<Coefficient, MethodError> {
    let scale = UBig::from(10u8).pow(decimals);
    let scaled =
        value.as_rational().map(|value| nearest_integer(&(value * RBig::from(IBig::from(scale))))).unwrap_or_default();
    // With more decimals than are written, small numbers differ from rounded zeros.
    let is_nothing = decimals <= DECIMALS && value.to_f64().abs() < NOTHING;
    let text = if scaled.is_zero() || is_nothing {
        "0".to_owned()
    } else {
        let sign = if scaled < IBig::ZERO { "-" } else { "" };
        let digits = format!("{:0>width$}", scaled.abs().to_string(), width = decimals + 1);
        let (whole, part) = digits.split_at(digits.len() - decimals);
        format!("{sign}{whole}.{part}")
    };
    Coefficient::parse(&text).map_err(|problem| MethodError::Number {
        file: "the new method".to_owned(),
        path: "coefficient".to_owned(),
        found: text,
        problem,
    })
}

/// Rounds to the nearest integer, ties to even, so that pairs of halves with an integer sum keep that sum.
fn nearest_integer(x: &RBig) -> IBig {
    let floor = x.floor();
    let rest = x - RBig::from(floor.clone());
    let half = RBig::from_parts(IBig::ONE, 2u8.into());
    let is_odd = floor.clone() % IBig::from(2) != IBig::ZERO;
    if rest > half || rest == half && is_odd { floor + IBig::ONE } else { floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_that_add_up_still_do() {
        let tie = |units: i64| RBig::from_parts(IBig::from(2 * units + 1), 2u8.into());
        assert_eq!(nearest_integer(&tie(562)) + nearest_integer(&tie(437)), IBig::from(1000));
        assert_eq!([nearest_integer(&tie(-3)), nearest_integer(&tie(-2))], [IBig::from(-2), IBig::from(-2)]);
        assert_eq!(nearest_integer(&RBig::from_parts(IBig::from(7), 3u8.into())), IBig::from(2));
    }
}
