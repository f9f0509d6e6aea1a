//! Exact numbers that carry the precision of the coefficients from which they are computed.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::{Coefficient, Exact, MethodError, Precision, Rounding, Scalar};
use num_traits::{One, Zero};

/// Digits of rounded numbers beyond their precision, so that their own rounding is negligible.
const GUARD: usize = 20;
/// Relative allowance for the rounding of bounds in doubles.
const ROUNDING: f64 = 1e-9;

/// A number computed from rounded coefficients, with a bound on the distance of the intended number from it. Numbers with
/// equal values are equal.
#[derive(Clone, Debug)]
pub(crate) struct Uncertain {
    value: Exact,
    /// |value|.
    size: f64,
    uncertainty: f64,
}

impl Uncertain {
    /// Converts a coefficient of a method with this rounding.
    pub(crate) fn new(coefficient: &Coefficient, rounding: Rounding) -> Self {
        Self { uncertainty: rounding.of(coefficient), ..Self::from(coefficient.value().clone()) }
    }

    fn with(value: Exact, uncertainty: f64) -> Self {
        Self { uncertainty, ..Self::from(value) }
    }
}

impl From<Exact> for Uncertain {
    fn from(value: Exact) -> Self {
        Self { size: value.to_f64().abs(), value, uncertainty: 0.0 }
    }
}

impl PartialEq for Uncertain {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Add for Uncertain {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::with(self.value + other.value, self.uncertainty + other.uncertainty)
    }
}

impl AddAssign for Uncertain {
    fn add_assign(&mut self, other: Self) {
        *self = std::mem::replace(self, Self::zero()) + other;
    }
}

impl Sub for Uncertain {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Uncertain {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (dx, dy) = (self.uncertainty, other.uncertainty);
        Self::with(self.value * other.value, self.size * dy + other.size * dx + dx * dy)
    }
}

impl Neg for Uncertain {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Zero for Uncertain {
    fn zero() -> Self {
        Self { value: Exact::zero(), size: 0.0, uncertainty: 0.0 }
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero()
    }
}

impl One for Uncertain {
    fn one() -> Self {
        Self::from(Exact::one())
    }
}

impl Scalar for Uncertain {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::from(Exact::ratio(numerator, denominator))
    }
}

/// Writes the numbers of a computed method: exact ones as fractions, uncertain ones as decimals with the precision that all
/// of them have.
pub(crate) struct CoefficientWriter {
    precision: Option<Precision>,
}

impl CoefficientWriter {
    pub(crate) fn new<'a>(numbers: impl IntoIterator<Item = &'a Uncertain>) -> Self {
        let largest = numbers.into_iter().map(|number| number.uncertainty).fold(0.0, f64::max);
        let decimals = -(2.0 * largest * (1.0 + ROUNDING)).log10();
        let precision = (largest > 0.0).then(|| Precision { decimals: decimals.floor().max(1.0) as u32 });
        Self { precision }
    }

    /// Returns the precision of the numbers; `None` if all are exact.
    pub(crate) fn precision(&self) -> Option<Precision> {
        self.precision
    }

    /// Writes a number.
    pub(crate) fn coefficient(&self, number: &Uncertain) -> Result<Coefficient, MethodError> {
        match self.precision {
            Some(Precision { decimals }) if number.uncertainty > 0.0 && !number.is_zero() => {
                let text = number.value.to_decimal(decimals as usize + GUARD).to_string();
                // Only a decimal counts as rounded.
                if text.contains('.') { parsed(&text) } else { parsed(&format!("{text}.0")) }
            }
            _ => coefficient(&number.value),
        }
    }
}

/// Writes an exact number.
pub(crate) fn coefficient(value: &Exact) -> Result<Coefficient, MethodError> {
    parsed(&value.to_string())
}

fn parsed(text: &str) -> Result<Coefficient, MethodError> {
    Coefficient::parse(text).map_err(|problem| MethodError::Number {
        file: "the expanded method".to_owned(),
        path: "partitions".to_owned(),
        found: hemiola_tableau::json::excerpt(text),
        problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, decimals: u32) -> Uncertain {
        Uncertain::new(&Coefficient::parse(text).unwrap(), Rounding::from(Precision { decimals }))
    }

    #[test]
    fn uncertainties_add_up() {
        let (x, y) = (number("0.25", 2), number("-4.0", 1));
        // 0.25 ± 0.005 times −4 ± 0.05: ± 0.25·0.05 + 4·0.005 + 0.005·0.05.
        let product = x.clone() * y.clone();
        assert!((product.uncertainty - 0.03275).abs() < 1e-15 && product == Uncertain::ratio(-1, 1));
        assert!(((x.clone() - y).uncertainty - 0.055).abs() < 1e-15);
        assert_eq!((x * Uncertain::ratio(1, 2)).uncertainty, 0.0025);
    }

    #[test]
    fn uncertain_numbers_are_written_as_decimals() {
        let (third, exact) = (number("0.33333333", 8) * Uncertain::ratio(1, 3), Uncertain::ratio(1, 3));
        let one = number("0.5", 8) + number("0.5", 8);
        let writer = CoefficientWriter::new([&third, &exact, &one]);
        // Two halves are known to one unit: 2 · 1e-8 exceeds one unit of the eighth decimal.
        assert_eq!(writer.precision(), Some(Precision { decimals: 7 }));
        let text = |number| writer.coefficient(number).unwrap().text().to_owned();
        assert_eq!((text(&exact), text(&one)), ("1/3".to_owned(), "1.0".to_owned()));
        assert!(text(&third).starts_with("0.11111111"));
        assert_eq!(CoefficientWriter::new([&exact]).precision(), None);
    }
}
