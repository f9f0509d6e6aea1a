//! Lengths and coordinates in text formats.

/// Formats a length or coordinate with two decimals (0.01 pt is 3.5 µm, finer than print), without trailing zeros.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_no_negative_zero() {
        for (value, text) in [(1.0, "1"), (0.5, "0.5"), (-0.001, "0"), (100.0, "100"), (2.126, "2.13"), (-3.1, "-3.1")]
        {
            assert_eq!(number(value), text);
        }
    }
}
