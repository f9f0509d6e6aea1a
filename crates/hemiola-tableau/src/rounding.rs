//! How far the coefficients of a table may be from the intended ones, inferred from the digits as written.

use dashu::rational::RBig;
use num_traits::{Signed, Zero};

use crate::{Coefficient, Exact, Method, Precision, Tableau};

/// Tables with shorter decimals are exact: `0.5`, `0.375` and `0.015625` are chosen, not rounded.
const SHORTEST_ROUNDED: i32 = 7;
/// A rounded decimal ends in zeros, which may have been dropped, only this often: one in a thousand ends in three.
const DROPPED: i32 = 3;
/// Doubles are printed with 15 to 17 digits.
const DIGITS_OF_DOUBLES: std::ops::RangeInclusive<i32> = 15..=17;
/// Last digits are off by at most this fraction of a coefficient, about a thousand units of the last digit of a double.
const LAST_DIGITS: f64 = 1e-12;
/// Coefficients are computed from each other, so small ones lose digits to numbers of size one. And no coefficient is
/// so large that an error in its eighth decimal would be one of last digits.
const SIZES: std::ops::RangeInclusive<f64> = 1.0..=100.0;

/// Fractions this close to other numbers may be convergents of them: those with denominators of eight digits and more.
const CONVERGENT: f64 = f64::EPSILON;

/// The rounding of a method's decimals, as stated or inferred from the digits.
///
/// A table rounds all its decimals alike, to a number of decimal places or of significant digits, so short ones among
/// long ones have lost trailing zeros or are exact. Integers and roots are not rounded, and fractions only if their
/// denominator is long: p/q stands for all real numbers closer to it than 1/q².
///
/// ```
/// use hemiola_tableau::{Coefficient, library};
/// let method = library::method("shome-haug-jay-2-5")?;
/// let slope = &method.partitions()[0].a[2][1];
/// assert_eq!((slope.text(), method.rounding().of(slope)), ("0.52737769", 0.5e-8));
/// assert_eq!(library::method("rk4")?.rounding().of(&Coefficient::parse("1/3")?), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounding(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Stated(Precision),
    /// The maximum number of significant digits and of decimal places of the decimals in the table.
    Written {
        significant: i32,
        places: i32,
    },
    None,
}

impl Rounding {
    pub(crate) fn of_method(method: &Method) -> Self {
        if let Some(precision) = method.precision {
            return precision.into();
        }
        let vectors = method.partitions.iter().flat_map(|partition| {
            let matrices = partition.a.iter().chain(partition.dense.iter().flatten());
            matrices.chain([&partition.b]).chain(&partition.c).chain(&partition.b_hat)
        });
        let digits: Vec<Digits> = vectors.flatten().filter_map(|coefficient| Digits::of(coefficient.text())).collect();
        let longest = |of: fn(&Digits) -> i32| digits.iter().map(of).max().unwrap_or(0);
        let significant = longest(|digits| digits.significant);
        Self(if significant < SHORTEST_ROUNDED {
            Kind::None
        } else {
            Kind::Written { significant, places: longest(|digits| digits.places) }
        })
    }

    /// How far the intended coefficient may lie from the written one.
    ///
    /// With a stated precision: half a unit of the last stated decimal where the text is a decimal, else zero. With none stated: half a
    /// unit of the last digit as written, and what rounding to a double changes where the text is a printed double. Zero for
    /// integers and roots, and for a zero, which is structure, however many digits it is printed with. Of an expression with long
    /// decimals it is half a unit of their last digit, in parts of the value. A fraction p/q with
    /// a denominator of eight digits or more is taken for a convergent of a real number, as in the tables of Kennedy & Carpenter
    /// (2003): off by at most 1/q² (Khinchin 1964, Theorem 9).
    #[must_use]
    pub fn of(&self, coefficient: &Coefficient) -> f64 {
        let value = coefficient.value();
        if value.is_zero() {
            return 0.0;
        }
        match self.0 {
            Kind::Stated(precision) if coefficient.text().contains('.') => precision.half_unit(),
            Kind::Written { significant, places } => {
                let digits = Digits::of(coefficient.text());
                digits.map_or_else(|| of_expression(coefficient), |digits| digits.rounding(value, significant, places))
            }
            // Beside decimals of stated precision, fractions are exact.
            Kind::Stated(_) => 0.0,
            Kind::None => of_expression(coefficient),
        }
    }

    /// How far the intended coefficient may lie from the written one if the last digits are off, as in tables that were computed
    /// in doubles: 1e-12 of the coefficient or of one, whichever is larger, but at most 1e-10, so that nothing wrong in the eighth
    /// decimal passes for it; and never less than [`of`](Self::of). Zero for a zero.
    ///
    /// ```
    /// use hemiola_tableau::{Coefficient, library};
    /// let rounding = library::method("rk4")?.rounding();
    /// let slack = |text| Coefficient::parse(text).map(|coefficient| rounding.slack(&coefficient));
    /// assert_eq!([slack("1/6")?, slack("-20")?, slack("1e5")?, slack("0.0")?], [1e-12, 2e-11, 1e-10, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn slack(&self, coefficient: &Coefficient) -> f64 {
        if coefficient.value().is_zero() {
            return 0.0;
        }
        let size = coefficient.value().to_f64().abs().clamp(*SIZES.start(), *SIZES.end());
        self.of(coefficient).max(LAST_DIGITS * size)
    }
}

impl From<Precision> for Rounding {
    fn from(stated: Precision) -> Self {
        Self(Kind::Stated(stated))
    }
}

/// The uncertainty of an expression: half a unit in the last digit of its shortest long decimal, or that of
/// [`of_fraction`].
fn of_expression(coefficient: &Coefficient) -> f64 {
    let numbers = coefficient.text().split(|c: char| !c.is_ascii_digit() && c != '.');
    let long = numbers.filter_map(Digits::of).filter(|digits| digits.significant >= SHORTEST_ROUNDED);
    match long.map(|digits| digits.significant).min() {
        Some(significant) => 5.0 * 10f64.powi(-significant) * coefficient.value().to_f64().abs(),
        None => of_fraction(coefficient),
    }
}

/// 1/q² for a fraction p/q with a long denominator.
fn of_fraction(coefficient: &Coefficient) -> f64 {
    let is_digits = |text: &str| !text.trim().is_empty() && text.trim().chars().all(|c| c.is_ascii_digit());
    let parts = coefficient.text().trim().trim_start_matches(['+', '-', '−']).split_once('/');
    let denominator =
        parts.filter(|(p, q)| is_digits(p) && is_digits(q)).and_then(|(_, q)| q.trim().parse::<f64>().ok());
    denominator.map(|q| (q * q).recip()).filter(|distance| *distance <= CONVERGENT).unwrap_or(0.0)
}

/// The digits of a plain decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digits {
    /// From the first that is not zero to the last.
    significant: i32,
    /// After the point, the exponent taken into account.
    places: i32,
}

impl Digits {
    /// `None` if the text is no plain decimal but an integer, a fraction or an expression.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches(['+', '-', '−']);
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some(parts) => parts,
            None if exponent < 0 => (mantissa, ""),
            None => return None,
        };
        let is_number = |digits: &str| digits.chars().all(|digit| digit.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let leading = whole.chars().chain(fraction.chars()).take_while(|digit| *digit == '0').count();
        let count = |n: usize| i32::try_from(n).ok();
        Some(Self {
            significant: count(whole.len() + fraction.len() - leading)?,
            places: count(fraction.len())?.checked_sub(exponent)?,
        })
    }

    /// The rounding of a decimal among decimals with at most this many significant digits and places.
    fn rounding(self, value: &Exact, significant: i32, places: i32) -> f64 {
        let has_all = self.significant + DROPPED >= significant || self.places + DROPPED >= places;
        // The first digit stands at the place `self.places − self.significant + 1`.
        let dropped_significant = self.places + (significant - self.significant);
        let place = if has_all { self.places } else { places.min(dropped_significant).max(self.places) };
        let half_unit = 0.5 * 10f64.powi(-place);
        if DIGITS_OF_DOUBLES.contains(&significant) || self.is_printed_double(value) {
            half_unit.max(0.5 * f64::EPSILON * value.to_f64().abs())
        } else {
            half_unit
        }
    }

    /// Whether the digits, more than a double has, are those of the nearest double.
    fn is_printed_double(self, value: &Exact) -> bool {
        let (Some(value), Some(nearest)) = (value.as_rational(), Exact::from_f64(value.to_f64())) else { return false };
        let Some(nearest) = nearest.as_rational() else { return false };
        let half_unit = match u32::try_from(self.places) {
            Ok(places) => RBig::from_parts(1.into(), dashu::integer::UBig::from(10u8).pow(places as usize) * 2u8),
            Err(_) => return false,
        };
        self.significant > *DIGITS_OF_DOUBLES.end() && (value - nearest).abs() <= half_unit
    }
}

impl Method {
    /// How the coefficients were rounded, as stated or inferred from their digits.
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        Rounding::of_method(self)
    }

    /// The maximum distance of each intended coefficient from the written one ([`Rounding::of`]).
    #[must_use]
    pub fn uncertainties(&self) -> Tableau<f64> {
        let rounding = self.rounding();
        self.tableau(|coefficient| rounding.of(coefficient))
    }

    /// The maximum distance of each intended coefficient from the written one if last digits are off
    /// ([`Rounding::slack`]).
    #[must_use]
    pub fn slacks(&self) -> Tableau<f64> {
        let rounding = self.rounding();
        self.tableau(|coefficient| rounding.slack(coefficient))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roundings(b: &[&str]) -> Vec<f64> {
        let texts =
            |texts: &[&str]| format!("[{}]", texts.iter().map(|t| format!("\"{t}\"")).collect::<Vec<_>>().join(","));
        let zeros = texts(&vec!["0"; b.len()]);
        let a = vec![zeros; b.len()].join(",");
        let text = format!(
            r#"{{"format":"hemiola-method/1","id":"t","name":"t","partitions":[{{"name":"all","a":[{a}],"b":{}}}]}}"#,
            texts(b)
        );
        let method = Method::from_json(text.as_bytes(), "test").unwrap();
        let rounding = method.rounding();
        method.partitions()[0].b.iter().map(|b| rounding.of(b)).collect()
    }

    #[test]
    fn digits_of_texts() {
        let digits = |text| Digits::of(text).map(|digits| (digits.significant, digits.places));
        assert_eq!(digits("0.00123"), Some((3, 5)));
        assert_eq!(digits("-12.50"), Some((4, 2)));
        assert_eq!(digits("1.5e-3"), Some((2, 4)));
        assert_eq!(digits("15e-4"), Some((2, 4)));
        assert_eq!(digits("−.5E2"), Some((1, -1)));
        for text in ["1", "1/3", "-0.5/3", "sqrt(0.5)", "0.5*2", "12e3", ""] {
            assert_eq!(digits(text), None, "{text}");
        }
    }

    #[test]
    fn short_tables_are_exact() {
        assert_eq!(roundings(&["0.25", "0.375", "-1.125", "1/3", "2"]), [0.0; 5]);
    }

    #[test]
    fn decimals_of_equal_places() {
        // 0.5 may have lost its zeros; the zero is structure.
        assert_eq!(roundings(&["0.52737769", "12.00000001", "0.5", "0.1234567", "0"]), [5e-9, 5e-9, 5e-9, 5e-8, 0.0]);
    }

    #[test]
    fn decimals_of_equal_significant_digits() {
        let found = roundings(&["1.2345678e-4", "0.87654321", "43.218765", "0.5", "1/7"]);
        assert_eq!(found[..3], [5e-12, 5e-9, 5e-7]);
        assert!(found[3] <= 5e-9 && found[4] == 0.0, "{found:?}");
    }

    #[test]
    fn expressions_of_decimals_are_as_near_as_these() {
        let found = roundings(&["(0.55555555555555555556)/(2)", "2*0.5", "0.1234567*sqrt(2)-1.5", "sqrt(2)/1.5"]);
        assert!((found[0] / 0.14e-19 - 1.0).abs() < 0.1 && found[1] == 0.0 && found[3] == 0.0, "{found:?}");
        assert!(found[2] > 5e-8 && found[2] < 7e-7, "{found:?}");
    }

    #[test]
    fn long_fractions_are_convergents() {
        let found = roundings(&["1/8", "-4040/17871", "1767732205903/2027836641118", "(3-sqrt(3))/6"]);
        assert_eq!(found[..2], [0.0; 2]);
        assert!(found[2] > 0.0 && found[2] < 2.5e-25 && found[3] == 0.0, "{found:?}");
    }

    #[test]
    fn fractions_beside_a_stated_precision_are_exact() {
        // Verner's 37 decimals are closer than any convergent with ten digits.
        let fraction = Coefficient::parse("2454451729/3841600000").unwrap();
        let stated = Rounding::from(Precision { decimals: 37 });
        assert!(stated.of(&fraction) == 0.0 && Rounding(Kind::None).of(&fraction) > 0.0);
    }

    #[test]
    fn printed_doubles_are_as_near_as_doubles() {
        let third = 1.0 / 3.0;
        let short = roundings(&["0.3333333333333333", "0.1234567890123456"]);
        assert!(short.iter().all(|rounding| *rounding >= 1.3e-17 && *rounding < 1e-16), "{short:?}");
        // All digits of the double.
        let long = roundings(&[&format!("{third:.50}"), "0.12345678901234567890123456789012345678901234567890"]);
        assert_eq!(long[0], 0.5 * f64::EPSILON * third);
        assert!((long[1] - 5e-51).abs() < 1e-60);
    }
}
