//! Bounds on the rounding of published coefficients, inferred from their digits as written.

use dashu::integer::UBig;
use dashu::rational::RBig;
use num_traits::{Signed, Zero};

use crate::{Coefficient, Exact, Method, Precision, Tableau};

/// Largest reduced denominator of a decimal that is exact and not rounded: `0.5`, `0.375`, `0.015625`. One in ten
/// thousand decimals of six digits has such a denominator, one in a hundred of four digits.
const LARGEST_EXACT_DENOMINATOR: u32 = 64;
/// Fewest significant digits of a rounded table. With fewer, half a unit exceeds half a percent of one, and not
/// even a sum of two weights is known to one percent.
const FEWEST_ROUNDED: i32 = 3;
/// Number of significant digits from which a table is certainly rounded; with fewer it is only presumed to be.
const CERTAINLY_ROUNDED: i32 = 7;
/// Largest number of digits by which a long decimal may be shorter than others and still count as rounded at its
/// own last digit: by chance one in a thousand ends in three zeros.
const DROPPED: i32 = 3;
/// Number of places by which an exact decimal ends before the others; by chance one in ten thousand rounded
/// decimals does.
const SHORTER: i32 = 4;
/// Number of digits with which doubles are printed.
const DIGITS_OF_DOUBLES: std::ops::RangeInclusive<i32> = 15..=17;
/// Decimals of quadruple precision, the longest arithmetic in which published tables are used.
const QUADRUPLE: u32 = 34;
/// Units of the last digit by which such tables may be off.
const LAST_UNITS: f64 = 1e3;
/// Largest error of last digits relative to a coefficient, about as many units of the last digit of a double.
const LAST_DIGITS: f64 = 1e-12;
/// Range to which sizes are clamped for the error of last digits. Coefficients are computed from each other, so
/// small ones lose digits to numbers of size one. The upper limit keeps an error in the eighth decimal of a large
/// coefficient from counting as one of last digits.
const SIZES: std::ops::RangeInclusive<f64> = 1.0..=100.0;

/// Largest distance at which a fraction may be a convergent of another number: its denominator then has at least
/// eight digits.
const CONVERGENT: f64 = f64::EPSILON;

/// The rounding of a method's decimals, as stated or inferred from the digits.
///
/// Integers and roots are not rounded, and fractions only if their denominator is long: p/q stands for all real
/// numbers closer to it than 1/q². Decimals such as `0.5` and `0.375`, with a reduced denominator up to 64, are
/// exact as well. All other decimals of a table are assumed to be rounded to the same number of decimal places or
/// of significant digits. A shorter decimal has lost zeros at its end, unless it is long and only a little
/// shorter. Zeros at the end carry no information, so that `1`, `1.0` and `1.000000` are the same coefficient.
///
/// Tables of at most two digits are exact, and so is a single decimal of up to six digits among fractions or roots.
/// Otherwise a table of three to six digits is presumed to be rounded ([`presumed_digits`](Self::presumed_digits)).
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
pub struct Rounding(RoundingKind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum RoundingKind {
    Stated(Precision),
    /// The maximum number of significant digits and of decimal places of the rounded decimals in the table.
    Written {
        significant: i32,
        places: i32,
    },
    None,
}

impl Rounding {
    /// Returns the rounding of a table of coefficients, as stated or inferred from their digits.
    #[must_use]
    pub fn of_coefficients<'a>(
        precision: Option<Precision>,
        coefficients: impl IntoIterator<Item = &'a Coefficient>,
    ) -> Self {
        if let Some(precision) = precision {
            return precision.into();
        }
        let all: Vec<&Coefficient> = coefficients.into_iter().collect();
        let rounded = all.iter().filter(|coefficient| !has_exact_denominator(coefficient.value()));
        let digits: Vec<DecimalDigits> =
            rounded.filter_map(|coefficient| DecimalDigits::of(coefficient.text())).collect();
        let longest = |of: fn(&DecimalDigits) -> i32| digits.iter().map(of).max().unwrap_or(0);
        let significant = longest(|digits| digits.significant);
        // A single short decimal among fractions and roots was chosen, or is a misprint.
        let is_exact = |coefficient: &&Coefficient| coefficient.text().contains(['/', 's']);
        let is_single = digits.len() < 2 && significant < CERTAINLY_ROUNDED && all.iter().any(is_exact);
        Self(if significant < FEWEST_ROUNDED || is_single {
            RoundingKind::None
        } else {
            RoundingKind::Written { significant, places: longest(|digits| digits.places) }
        })
    }

    /// Returns the number of significant digits of a table of three to six digits, which is presumed to be
    /// rounded. Returns `None` if the precision is stated, or if the digits leave no doubt.
    ///
    /// The author may also have chosen so few digits. The order conditions must therefore justify the
    /// presumption: the digits excuse a residual of at most one percent of the expected value, and a single
    /// change of the coefficients has to explain all residuals.
    ///
    /// ```
    /// use hemiola_tableau::Method;
    /// let digits = |b: &str| {
    ///     let text = format!(
    ///         r#"{{"format": "hemiola-method/1", "id": "kutta", "name": "Kutta", "partitions": [{{"name": "all",
    ///             "a": [["0", "0", "0"], ["0.5", "0", "0"], ["-1", "2", "0"]], "b": {b}}}]}}"#
    ///     );
    ///     Method::from_json(text.as_bytes(), "kutta.json").map(|method| method.rounding().presumed_digits())
    /// };
    /// assert_eq!(digits(r#"["0.166667", "0.666667", "0.166667"]"#)?, Some(6));
    /// assert_eq!(digits(r#"["0.125", "0.75", "0.125"]"#)?, None); // exact
    /// assert_eq!(digits(r#"["0.16666667", "0.66666667", "0.16666667"]"#)?, None); // rounded, no doubt
    /// # Ok::<(), hemiola_tableau::MethodError>(())
    /// ```
    #[must_use]
    pub fn presumed_digits(&self) -> Option<usize> {
        match self.0 {
            RoundingKind::Written { significant, .. } if significant < CERTAINLY_ROUNDED => {
                usize::try_from(significant).ok()
            }
            _ => None,
        }
    }

    /// Returns the largest distance of the intended coefficient from the written one.
    ///
    /// - Zero for integers, roots, decimals with a small denominator, and zeros, which are structural however
    ///   many digits they are printed with.
    /// - Stated precision: half a unit of the last stated decimal place if the text is a decimal, else zero.
    /// - Otherwise half a unit of the last digit to which the table is rounded, and at least the rounding to
    ///   double if the text is a printed double.
    /// - Expressions with long decimals: half a unit of their last digit, relative to the value.
    /// - Fractions p/q with a denominator of eight digits or more: 1/q². They are taken for convergents of real
    ///   numbers, as in the tables of Kennedy & Carpenter (2003), with an error of at most 1/q² (Khinchin 1964,
    ///   Theorem 9).
    #[must_use]
    pub fn of(&self, coefficient: &Coefficient) -> f64 {
        let value = coefficient.value();
        if value.is_zero() {
            return 0.0;
        }
        match self.0 {
            RoundingKind::Stated(precision) if coefficient.text().contains('.') => precision.half_unit(),
            RoundingKind::Written { .. } if has_exact_denominator(value) => 0.0,
            RoundingKind::Written { significant, places } => {
                let digits = DecimalDigits::of(coefficient.text());
                digits.map_or_else(|| of_expression(coefficient), |digits| digits.rounding(value, significant, places))
            }
            // Fractions are exact in a table whose decimals have a stated precision.
            RoundingKind::Stated(_) => 0.0,
            RoundingKind::None => of_expression(coefficient),
        }
    }

    /// Returns one unit of the last place of a rounded decimal.
    ///
    /// Returns `None` for an exact number: zeros, integers, fractions, roots and expressions, decimals with a
    /// small denominator, and decimals that end well before the last place.
    ///
    /// ```
    /// use hemiola_tableau::{Coefficient, Precision, Rounding};
    /// let rounding = Rounding::from(Precision { decimals: 8 });
    /// let unit = |text| Coefficient::parse(text).map(|coefficient| rounding.unit(&coefficient));
    /// assert_eq!([unit("0.52737769")?, unit("0.25")?, unit("1/3")?], [Some(1e-8), None, None]);
    /// # Ok::<(), hemiola_tableau::NumberError>(())
    /// ```
    #[must_use]
    pub fn unit(&self, coefficient: &Coefficient) -> Option<f64> {
        let digits = DecimalDigits::of(coefficient.text())?;
        let value = coefficient.value().as_rational().filter(|value| !value.denominator().is_one())?;
        let unit = 2.0 * self.of(coefficient);
        let ends_before = match self.0 {
            RoundingKind::Stated(precision) => {
                let scale = UBig::from(10u8).pow(precision.decimals.saturating_sub(SHORTER.unsigned_abs()) as usize);
                (value * RBig::from(scale)).is_int()
            }
            RoundingKind::Written { .. } => 10f64.powi(-digits.places) >= 10f64.powi(SHORTER) * unit,
            RoundingKind::None => true,
        };
        (!ends_before && unit > 0.0).then_some(unit)
    }

    /// Returns whether the table is rounded to at least as many digits as doubles have, so that its last digits may be
    /// those of a computation in doubles. Fractions alone are no such table.
    ///
    /// ```
    /// use hemiola_tableau::{Precision, Rounding, library};
    /// assert!(Rounding::from(Precision { decimals: 16 }).has_digits_of_doubles());
    /// assert!(!library::method("rk4")?.rounding().has_digits_of_doubles());
    /// # Ok::<(), hemiola_tableau::MethodError>(())
    /// ```
    #[must_use]
    pub fn has_digits_of_doubles(&self) -> bool {
        let digits = match self.0 {
            RoundingKind::Stated(precision) => i32::try_from(precision.decimals).unwrap_or(i32::MAX),
            RoundingKind::Written { significant, .. } => significant,
            RoundingKind::None => 0,
        };
        digits >= *DIGITS_OF_DOUBLES.start()
    }

    /// Returns the largest distance of the intended coefficient from the written one if the last digits are
    /// wrong, as in tables that were computed in doubles.
    ///
    /// It is 1e-12 of the coefficient or of one, whichever is larger, but at most 1e-10, so that it never covers
    /// an error in the eighth decimal; and never less than [`of`](Self::of). It is zero for a zero. Tables with
    /// more stated decimals than quadruple precision has were not computed in doubles: for them it is a thousand units of the
    /// last decimal.
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
        // Fractions, too: those of derived tables are sums of decimals.
        if let RoundingKind::Stated(precision) = self.0
            && precision.decimals > QUADRUPLE
        {
            return 2.0 * LAST_UNITS * precision.half_unit();
        }
        let size = coefficient.value().to_f64().abs().clamp(*SIZES.start(), *SIZES.end());
        self.of(coefficient).max(LAST_DIGITS * size)
    }
}

/// Returns whether the denominator of a number is so small that the number is exact.
fn has_exact_denominator(value: &Exact) -> bool {
    value.as_rational().is_some_and(|value| *value.denominator() <= UBig::from(LARGEST_EXACT_DENOMINATOR))
}

impl From<Precision> for Rounding {
    fn from(stated: Precision) -> Self {
        Self(RoundingKind::Stated(stated))
    }
}

/// Returns the uncertainty of an expression: half a unit in the last digit of its shortest long decimal, or that
/// of [`of_fraction`].
fn of_expression(coefficient: &Coefficient) -> f64 {
    let numbers = coefficient.text().split(|c: char| !c.is_ascii_digit() && c != '.');
    let long = numbers.filter_map(DecimalDigits::of).filter(|digits| digits.significant >= CERTAINLY_ROUNDED);
    match long.map(|digits| digits.significant).min() {
        Some(significant) => 5.0 * 10f64.powi(-significant) * coefficient.value().to_f64().abs(),
        None => of_fraction(coefficient),
    }
}

/// Returns 1/q² for a fraction p/q with a long denominator, and zero for any other text.
fn of_fraction(coefficient: &Coefficient) -> f64 {
    let is_digits = |text: &str| !text.trim().is_empty() && text.trim().chars().all(|c| c.is_ascii_digit());
    let parts = coefficient.text().trim().trim_start_matches(['+', '-', '−']).split_once('/');
    let denominator =
        parts.filter(|(p, q)| is_digits(p) && is_digits(q)).and_then(|(_, q)| q.trim().parse::<f64>().ok());
    denominator.map(|q| (q * q).recip()).filter(|distance| *distance <= CONVERGENT).unwrap_or(0.0)
}

/// The number of digits of a plain decimal, without zeros at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecimalDigits {
    /// Digits from the first nonzero one to the last.
    significant: i32,
    /// Decimal places, with the exponent taken into account.
    places: i32,
}

impl DecimalDigits {
    /// Counts the digits of a text; `None` if it is not a plain decimal but an integer, a fraction or an
    /// expression.
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
        let digits = [whole, fraction].concat();
        if !digits.chars().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let written = digits.trim_end_matches('0');
        let count = |n: usize| i32::try_from(n).ok();
        let dropped = count(digits.len() - written.len())?;
        Some(Self {
            significant: count(written.trim_start_matches('0').len())?,
            places: count(fraction.len())?.checked_sub(exponent)?.checked_sub(dropped)?,
        })
    }

    /// Returns the rounding of a decimal among decimals with at most this many significant digits and places.
    fn rounding(self, value: &Exact, significant: i32, places: i32) -> f64 {
        // The first digit stands at the place `self.places − self.significant + 1`.
        let by_significant = self.places + (significant - self.significant);
        let has_own = self.significant >= CERTAINLY_ROUNDED
            && (self.significant + DROPPED >= significant || self.places + DROPPED >= places);
        let has_all = self.places >= places;
        let place = if has_own || has_all { self.places } else { by_significant.min(places) };
        let half_unit = 0.5 * 10f64.powi(-place);
        if DIGITS_OF_DOUBLES.contains(&significant) || self.is_printed_double(value) {
            half_unit.max(0.5 * f64::EPSILON * value.to_f64().abs())
        } else {
            half_unit
        }
    }

    /// Returns whether the text has more digits than a double needs, and they are the digits of the nearest
    /// double.
    fn is_printed_double(self, value: &Exact) -> bool {
        let (Some(value), Some(nearest)) = (value.as_rational(), Exact::from_f64(value.to_f64())) else { return false };
        let Some(nearest) = nearest.as_rational() else { return false };
        let half_unit = match u32::try_from(self.places) {
            Ok(places) => RBig::from_parts(1.into(), UBig::from(10u8).pow(places as usize) * 2u8),
            Err(_) => return false,
        };
        self.significant > *DIGITS_OF_DOUBLES.end() && (value - nearest).abs() <= half_unit
    }
}

impl Method {
    /// Returns the rounding of the coefficients, as stated or inferred from their digits.
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        let vectors = self.partitions.iter().flat_map(|partition| {
            let matrices = partition.a.iter().chain(partition.dense.iter().flatten());
            matrices.chain([&partition.b]).chain(&partition.c).chain(&partition.b_hat)
        });
        Rounding::of_coefficients(self.precision, vectors.flatten())
    }

    /// Returns the maximum distance of each intended coefficient from the written one ([`Rounding::of`]).
    #[must_use]
    pub fn uncertainties(&self) -> Tableau<f64> {
        let rounding = self.rounding();
        self.tableau(|coefficient| rounding.of(coefficient))
    }

    /// Returns the maximum distance of each intended coefficient from the written one if last digits are wrong
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
        let digits = |text| DecimalDigits::of(text).map(|digits| (digits.significant, digits.places));
        assert_eq!(digits("0.00123"), Some((3, 5)));
        assert_eq!(digits("-12.50"), Some((3, 1)));
        assert_eq!(digits("1.000000"), Some((1, 0)));
        assert_eq!(digits("1500e-3"), Some((2, 1)));
        assert_eq!(digits("1.5e-3"), Some((2, 4)));
        assert_eq!(digits("15e-4"), Some((2, 4)));
        assert_eq!(digits("−.5E2"), Some((1, -1)));
        for text in ["1", "1/3", "-0.5/3", "sqrt(0.5)", "0.5*2", "12e3", ""] {
            assert_eq!(digits(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_with_small_denominators_are_exact() {
        assert_eq!(roundings(&["0.25", "0.375", "-1.125", "0.015625", "1/3", "2"]), [0.0; 6]);
        assert_eq!(roundings(&["0.25", "0.17", "0.83"]), [0.0; 3]);
        assert_eq!(roundings(&["0.3333333", "0.375", "1.0", "0.6666667"]), [5e-8, 0.0, 0.0, 5e-8]);
    }

    #[test]
    fn zeros_at_the_end_say_nothing() {
        for texts in [["0.166667", "0.5", "0.37", "1"], ["0.166667", "0.500000", "0.370000", "1.000000"]] {
            assert_eq!(roundings(&texts), [5e-7, 0.0, 5e-7, 0.0]);
        }
        assert_eq!(roundings(&["0.1700", "0.83000000000", "0.5"]), [0.0; 3]);
    }

    #[test]
    fn a_single_short_decimal_is_exact() {
        assert_eq!(roundings(&["0.4321", "1/3", "0.5"]), [0.0; 3]);
        assert_eq!(roundings(&["0.4321", "0.3217", "1/2"]), [5e-5, 5e-5, 0.0]);
        assert_eq!(roundings(&["0.667", "0.5", "1"]), [5e-4, 0.0, 0.0]);
        assert_eq!(roundings(&["0.43214321", "1/3", "0.5"]), [5e-9, 0.0, 0.0]);
    }

    #[test]
    fn decimals_of_equal_places() {
        // Zeros may have been dropped; 0.5 is exactly a half, and zero is structural.
        let found = roundings(&["0.52737769", "12.00000001", "0.5", "0.1234567", "0.17", "0"]);
        assert_eq!(found, [5e-9, 5e-9, 0.0, 5e-8, 5e-9, 0.0]);
    }

    /// Measures how often a rounded decimal is mistaken for an exact one.
    #[test]
    fn few_rounded_decimals_have_small_denominators() {
        let chosen = |digits: u32| {
            let all = 1..10u64.pow(digits);
            let count = all.end as f64;
            all.filter(|&n| has_exact_denominator(&Exact::from_ratio(n as i64, 10u64.pow(digits)))).count() as f64
                / count
        };
        assert!(chosen(3) < 0.1 && chosen(4) < 0.02 && chosen(5) < 0.0025, "{:?}", [3, 4, 5].map(chosen));
    }

    #[test]
    fn units_are_those_of_rounded_decimals() {
        let rounding = Rounding(RoundingKind::Written { significant: 6, places: 6 });
        let unit = |text: &str| rounding.unit(&Coefficient::parse(text).unwrap());
        assert!((unit("0.166667").unwrap() - 1e-6).abs() < 1e-20);
        assert_eq!(["0.5", "0.0", "1.0", "0.01", "1/3", "0.5*sqrt(2)"].map(unit), [None; 6]);
    }

    #[test]
    fn decimals_of_equal_significant_digits() {
        let found = roundings(&["1.2345678e-4", "0.87654321", "43.218765", "0.5", "1/7"]);
        assert_eq!(found[..3], [5e-12, 5e-9, 5e-7]);
        assert!(found[3] == 0.0 && found[4] == 0.0, "{found:?}");
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
        assert!(stated.of(&fraction) == 0.0 && Rounding(RoundingKind::None).of(&fraction) > 0.0);
    }

    #[test]
    fn printed_doubles_are_as_near_as_doubles() {
        let third = 1.0 / 3.0;
        let short = roundings(&["0.3333333333333333", "0.1234567890123456"]);
        assert!(short.iter().all(|rounding| *rounding >= 1.3e-17 && *rounding < 1e-16), "{short:?}");
        // All digits of the double.
        let long = roundings(&[&format!("{third:.50}"), "0.12345678901234567890123456789012345678901234567891"]);
        assert_eq!(long[0], 0.5 * f64::EPSILON * third);
        assert!((long[1] - 5e-51).abs() < 1e-60);
    }
}
