//! Numbers and polynomials in the short format that the command line and the pages share.

use hemiola_tableau::Exact;

/// Length of the longest fraction; longer ones are printed as decimals.
const LONGEST_FRACTION: usize = 9;
/// Significant digits of rounded numbers.
const DIGITS: usize = 10;
/// Space at which lines are not broken.
pub const TIE: &str = "\u{a0}";

/// Prints a number rounded to ten significant digits.
///
/// ```
/// use hemiola_export::describe::number;
/// assert_eq!([number(8f64.sqrt()), number(1.25e-7)], ["2.828427125", "1.25e-7"]);
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    rounded(value, DIGITS)
}

/// Prints a number rounded to `digits` significant digits.
///
/// ```
/// assert_eq!(hemiola_export::describe::rounded(2.0 / 3.0, 3), "0.667");
/// ```
#[must_use]
pub fn rounded(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    let plain = rounded == 0.0 || !rounded.is_finite() || (1e-4..1e10).contains(&rounded.abs());
    if plain { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// Prints a residual with two digits, since only its magnitude matters.
///
/// ```
/// assert_eq!(hemiola_export::describe::residual(1.0 / 24.0), "4.2e-2");
/// ```
#[must_use]
pub fn residual(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

/// Prints an exact number: short fractions as they are, longer ones as decimals.
///
/// ```
/// let third = hemiola_tableau::parse_number("1/3")?;
/// assert_eq!(hemiola_export::describe::exact(&third), "1/3");
/// # Ok::<(), hemiola_tableau::NumberError>(())
/// ```
#[must_use]
pub fn exact(value: &Exact) -> String {
    let text = value.to_string();
    let is_short = value.as_rational().is_some() && text.len() <= LONGEST_FRACTION;
    if is_short { text } else { with_exponent(value.to_decimal(DIGITS).to_string()) }
}

/// Writes a decimal with an exponent if its modulus is below 1e-4, however small: 1.25e-400.
fn with_exponent(decimal: String) -> String {
    let (sign, size) = decimal.strip_prefix('-').map_or(("", decimal.as_str()), |size| ("-", size));
    let Some(digits) = size.strip_prefix("0.000") else { return decimal };
    let significant = digits.trim_start_matches('0');
    let Some((first, rest)) = significant.split_at_checked(1).filter(|(first, _)| !first.is_empty()) else {
        return decimal;
    };
    let exponent = 4 + digits.len() - significant.len();
    if exponent == 4 {
        return decimal;
    }
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e-{exponent}")
}

/// Prints a polynomial in z, constant term first. Lines may be broken between terms but not within them.
///
/// ```
/// use hemiola_export::describe::polynomial;
/// let coefficients = [(1, 1), (1, 1), (1, 2)].map(|(n, d)| hemiola_tableau::Exact::from_ratio(n, d));
/// assert_eq!(polynomial(&coefficients), "1 + z + 1/2\u{a0}z²");
/// ```
#[must_use]
pub fn polynomial(coefficients: &[Exact]) -> String {
    let mut text = String::new();
    for (k, coefficient) in coefficients.iter().enumerate() {
        let shown = exact(coefficient);
        let (sign, size) = match shown.strip_prefix('-') {
            Some(size) => ("-", size),
            None => ("+", shown.as_str()),
        };
        if size == "0" {
            continue;
        }
        text += &match (text.is_empty(), sign) {
            (true, "+") => String::new(),
            (true, _) => sign.to_owned(),
            (false, _) => format!(" {sign} "),
        };
        text += &term(size, k);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

fn term(size: &str, k: usize) -> String {
    let power = match k {
        0 => return size.to_owned(),
        1 => "z".to_owned(),
        _ => format!("z{}", superscript(k)),
    };
    // A tie keeps lines from being broken within a term.
    if size == "1" { power } else { format!("{size}{TIE}{power}") }
}

fn superscript(k: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    k.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

/// Prints a count with its noun: "1 stage", "2 stages".
///
/// ```
/// assert_eq!(hemiola_export::describe::counted(2, "stage"), "2 stages");
/// ```
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_short() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(4.0), "4");
        assert_eq!(number(1.25e-7), "1.25e-7");
    }

    #[test]
    fn polynomials_as_people_write_them() {
        let coefficients = [(1, 1), (-1, 1), (0, 1), (1, 6), (-1, 1_000_000_000)].map(|(n, d)| Exact::from_ratio(n, d));
        assert_eq!(polynomial(&coefficients), "1 - z + 1/6\u{a0}z³ - 1e-9\u{a0}z⁴");
        assert_eq!(polynomial(&[Exact::from_ratio(0, 1)]), "0");
        let written = |text: &str| with_exponent(text.to_owned());
        assert_eq!([written("0.0001"), written("-0.00001250"), written("0.25")], ["0.0001", "-1.250e-5", "0.25"]);
        assert_eq!(written(&format!("0.{}21", "0".repeat(400))), "2.1e-401");
    }
}
