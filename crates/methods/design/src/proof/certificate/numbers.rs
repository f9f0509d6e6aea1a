//! Numbers of certificates. Both checkers accept the same texts, so that the evidence has one reading.

use dashu::rational::RBig;
use hemiola_number::parse_number;

/// Returns the value of an integer or a fraction, or of a decimal if these are allowed: digits after an optional minus,
/// without blanks, a plus or an exponent.
pub(crate) fn plain_number(text: &str, allows_decimals: bool) -> Option<RBig> {
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, denominator) = match text.strip_prefix('-').unwrap_or(text).split_once('/') {
        Some((whole, denominator)) => (whole, Some(denominator)),
        None => (text.strip_prefix('-').unwrap_or(text), None),
    };
    let is_whole = match whole.split_once('.') {
        Some((before, after)) => allows_decimals && are_digits(before) && are_digits(after),
        None => are_digits(whole),
    };
    if !is_whole || denominator.is_some_and(|denominator| !are_digits(denominator)) {
        return None;
    }
    parse_number(text).ok()?.as_rational().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form() {
        for text in ["0", "-3", "3/16", "-12/7", "007"] {
            assert!(plain_number(text, false).is_some(), "{text}");
        }
        assert_eq!(plain_number("-0.25", true), plain_number("-1/4", false));
        for text in ["", "-", " 3", "3 ", "+3", "3/", "/3", "3/-4", "3/0", "1e3", "--3", "\u{2212}3", "3//4", "sqrt(2)"]
        {
            assert!(plain_number(text, true).is_none(), "{text}");
        }
        assert!(plain_number("0.25", false).is_none() && plain_number(".5", true).is_none());
    }
}
