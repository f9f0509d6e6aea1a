//! Bounds as decimal text: a rounded bound must still be a bound.

/// Returns a nonnegative bound as text with `digits` significant digits, rounded up.
///
/// Rounding starts from the shortest decimal that reads back as the double, which is also the one written to JSON
/// files.
///
/// ```
/// use hemiola_number::bound_text;
/// assert_eq!(bound_text(4.444e-49, 1), "5e-49");
/// assert_eq!(bound_text(9.99e-49, 1), "1e-48");
/// assert_eq!(bound_text(1e-48, 1), "1e-48");
/// ```
#[must_use]
pub fn bound_text(bound: f64, digits: usize) -> String {
    if bound == 0.0 || !bound.is_finite() {
        return bound.abs().to_string();
    }
    let shortest = format!("{bound:e}");
    let Some((mantissa, exponent)) = shortest.split_once('e') else { return shortest };
    let places = mantissa.bytes().filter(u8::is_ascii_digit).count();
    if places <= digits.max(1) {
        return shortest;
    }
    let keep = digits.max(1);
    let kept: String = mantissa.chars().filter(char::is_ascii_digit).take(keep).collect();
    // More than `keep` digits: the last digit of the shortest form is nonzero, so the cut always loses something.
    let exponent: i64 = exponent.parse().unwrap_or_default();
    match increased(&kept) {
        Some(kept) => scientific(&kept, exponent),
        None => scientific("1", exponent + 1),
    }
}

/// Returns the next integer with the same number of digits, or `None` after the last one.
fn increased(digits: &str) -> Option<String> {
    let place = digits.rfind(|digit| digit != '9')?;
    let (before, rest) = digits.split_at(place);
    let next = rest.bytes().next().map(|digit| char::from(digit + 1))?;
    // The nines after that digit become zeros, which a shortest form omits.
    Some(format!("{before}{next}"))
}

fn scientific(digits: &str, exponent: i64) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::bound_text;
    use crate::Exact;

    #[test]
    fn bounds_are_rounded_up_at_the_edges() {
        for (bound, digits, text) in [
            (9.99e-49, 1, "1e-48"),
            (9.01e-49, 1, "1e-48"),
            (9e-49, 1, "9e-49"),
            (4.444e-49, 1, "5e-49"),
            (1e-48, 1, "1e-48"),
            (1.000_000_000_000_000_2, 1, "2e0"),
            (1.000_000_000_000_000_2, 3, "1.01e0"),
            (0.001, 2, "1e-3"),
            (1.299e5, 3, "1.3e5"),
            (9.995, 3, "1e1"),
            (0.0, 1, "0"),
            (f64::MIN_POSITIVE, 1, "3e-308"),
            (5e-324, 1, "5e-324"),
            (f64::MAX, 2, "1.8e308"),
            (f64::INFINITY, 1, "inf"),
        ] {
            assert_eq!(bound_text(bound, digits), text, "{bound:e} with {digits} digits");
        }
    }

    /// Every text is an upper bound, and exceeds the double by less than one unit of its last digit.
    #[test]
    fn texts_are_bounds_and_near() {
        let exact = |text: &str| crate::parse_number(text).unwrap();
        for k in 1..400 {
            let bound = (f64::from(k) * 0.731).powi(k % 60 - 30);
            for digits in 1..=4 {
                let text = bound_text(bound, digits);
                let excess: Exact = exact(&text) - exact(&format!("{bound:e}"));
                assert!(!excess.sign().is_lt(), "{bound:e} as {text}");
                let near = 10f64.powi(1 - i32::try_from(digits).unwrap());
                assert!(excess.to_f64() < near * bound * 1.000_001, "{bound:e} as {text}");
            }
        }
    }
}
