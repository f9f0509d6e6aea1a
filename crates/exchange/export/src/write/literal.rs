//! Coefficients as literals of a programming language.

use hemiola_tableau::{Exact, parse_number};

/// Significant digits of literals that are not short: more than quadruple precision.
const DIGITS: usize = 40;
/// Largest integer up to which all integers are doubles; the quotient of two of them is the double nearest to the
/// fraction.
const LARGEST_WHOLE: u64 = 1 << 53;

/// Literal of a program: a short fraction or a decimal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    negative: bool,
    numerator: String,
    denominator: Option<String>,
}

impl Literal {
    pub(super) fn new(value: &Exact) -> Self {
        let decimal = decimal(value);
        let text = value.to_string();
        let is_fraction = value.as_rational().is_some() && text.trim_start_matches('-').split('/').all(is_double);
        // 0.52737769 rather than 52737769/100000000, but 1/2 rather than 0.5.
        let is_exact = parse_number(&decimal).is_ok_and(|number| number == *value);
        let chosen = if is_fraction && !(is_exact && decimal.len() < text.len()) { text } else { decimal };
        let size = chosen.trim_start_matches('-');
        let (numerator, denominator) = size.split_once('/').map_or((size, None), |(n, d)| (n, Some(d.to_owned())));
        Self { negative: chosen.starts_with('-'), numerator: numerator.to_owned(), denominator }
    }

    /// Writes the literal for a language without types: 1/2, -0.25.
    pub(super) fn plain(&self) -> String {
        self.format_with(str::to_owned, "/")
    }

    /// Writes the literal for a typed language, where every number has a point: 1.0/2.0.
    pub(super) fn floating(&self) -> String {
        self.format_with(with_point, "/")
    }

    /// Writes the literal with a language's own format of numbers.
    pub(super) fn format_with(&self, number: impl Fn(&str) -> String, over: &str) -> String {
        let sign = if self.negative { "-" } else { "" };
        let below = self.denominator.as_deref().map(|denominator| format!("{over}{}", number(denominator)));
        format!("{sign}{}{}", number(&self.numerator), below.unwrap_or_default())
    }
}

fn is_double(digits: &str) -> bool {
    digits.parse::<u64>().is_ok_and(|whole| whole <= LARGEST_WHOLE)
}

/// Writes an integer or decimal with a point.
pub(super) fn with_point(number: &str) -> String {
    if number.contains('.') { number.to_owned() } else { format!("{number}.0") }
}

/// Writes a number with forty significant digits.
pub(super) fn decimal(value: &Exact) -> String {
    let decimal = value.to_decimal(DIGITS).to_string();
    if decimal == "-0" { "0".to_owned() } else { decimal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_are_exact_and_long_ones_have_forty_digits() {
        let plain = |text: &str| Literal::new(&parse_number(text).unwrap()).plain();
        for exact in ["0", "1", "-3", "1/2", "-19372/6561", "9007199254740992/3", "0.52737769", "0.12500001"] {
            assert_eq!(plain(exact), exact);
        }
        assert_eq!(plain("0.5"), "1/2");
        assert_eq!(plain("sqrt(2)"), "1.41421356237309504880168872420969807857");
        assert_eq!(plain("-1234567890123456789/2345678901234567891"), "-0.526315809667590986071761478212032796641");
    }

    #[test]
    fn typed_literals_have_points() {
        let literal = |text: &str| Literal::new(&parse_number(text).unwrap());
        assert_eq!(literal("-1/3").floating(), "-1.0/3.0");
        assert_eq!(literal("0").floating(), "0.0");
        assert_eq!(literal("1/3").format_with(|number| format!("R({})", with_point(number)), " / "), "R(1.0) / R(3.0)");
    }
}
