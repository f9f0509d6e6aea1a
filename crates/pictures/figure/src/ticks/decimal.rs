//! Decimal numbers: an integer times a power of ten, so that labels show no rounding errors.

/// Largest number of digits in a label that is always written without a power of ten.
const PLAIN: usize = 6;

/// `digits` · 10^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) digits: i64,
    pub(crate) exponent: i32,
}

impl Decimal {
    /// Returns the nearest double.
    pub(crate) fn value(self) -> f64 {
        // Parsing rounds correctly, whereas multiplication by a power of ten does not.
        format!("{}e{}", self.digits, self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// Formats the number in plain digits with a true minus sign.
    pub(crate) fn plain(self) -> String {
        let digits = self.digits.unsigned_abs().to_string();
        let sign = if self.digits < 0 { "−" } else { "" };
        let Ok(decimals) = usize::try_from(-self.exponent) else {
            let zeros = if self.digits == 0 { 0 } else { self.exponent.unsigned_abs() as usize };
            return format!("{sign}{digits}{}", "0".repeat(zeros));
        };
        let digits = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, part) = digits.split_at(digits.len() - decimals);
        let point = if part.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{part}")
    }
}

/// Returns uniform labels of numbers that share an exponent: equal decimals, and powers of ten if these are shorter.
pub(crate) fn labels(numbers: &[Decimal]) -> Vec<String> {
    let numbers = without_common_zeros(numbers);
    let plain: Vec<String> = numbers.iter().map(|number| number.plain()).collect();
    if longest(&plain) <= PLAIN {
        return plain;
    }
    let power = power_of_ten(&numbers);
    let mantissas: Vec<Decimal> =
        numbers.iter().map(|number| Decimal { exponent: number.exponent - power, ..*number }).collect();
    let short: Vec<String> = without_common_zeros(&mantissas).iter().map(|number| number.plain()).collect();
    // The factor "×10" with its small exponent is about as wide as three digits.
    if longest(&short) + 3 >= longest(&plain) {
        return plain;
    }
    let factor = Decimal { digits: i64::from(power), exponent: 0 }.plain();
    let scientific = |(mantissa, number): (&String, &Decimal)| match number.digits {
        0 => "0".to_owned(),
        _ => format!("{mantissa}×10^{{{factor}}}"),
    };
    short.iter().zip(&numbers).map(scientific).collect()
}

/// Returns the largest number of digits in a label.
fn longest(labels: &[String]) -> usize {
    labels.iter().map(|label| label.chars().filter(char::is_ascii_digit).count()).max().unwrap_or(0)
}

/// Returns the exponent of the leading digit of the largest number.
fn power_of_ten(numbers: &[Decimal]) -> i32 {
    let order =
        |number: &Decimal| number.digits.unsigned_abs().checked_ilog10().map(|log| log as i32 + number.exponent);
    numbers.iter().filter_map(order).max().unwrap_or(0)
}

/// Removes trailing decimals that are zero in all numbers.
fn without_common_zeros(numbers: &[Decimal]) -> Vec<Decimal> {
    let mut numbers = numbers.to_vec();
    while numbers.iter().all(|number| number.exponent < 0 && number.digits % 10 == 0) && !numbers.is_empty() {
        for number in &mut numbers {
            *number = Decimal { digits: number.digits / 10, exponent: number.exponent + 1 };
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimals(digits: &[i64], exponent: i32) -> Vec<String> {
        labels(&digits.iter().map(|&digits| Decimal { digits, exponent }).collect::<Vec<_>>())
    }

    #[test]
    fn decimals_are_the_same_along_an_axis_and_no_more_than_needed() {
        assert_eq!(decimals(&[-25, 0, 25, 50], -1), ["−2.5", "0.0", "2.5", "5.0"]);
        assert_eq!(decimals(&[-50, 0, 50], -1), ["−5", "0", "5"]);
        assert_eq!(decimals(&[-5, 0, 5], -2), ["−0.05", "0.00", "0.05"]);
        assert_eq!(decimals(&[-5, 0, 5], 2), ["−500", "0", "500"]);
    }

    #[test]
    fn powers_of_ten_come_only_when_they_make_labels_shorter() {
        assert_eq!(decimals(&[1, 2], 5), ["100000", "200000"]);
        assert_eq!(decimals(&[0, 1, 2], 6), ["0", "1×10^{6}", "2×10^{6}"]);
        assert_eq!(decimals(&[-25, 0, 25], -9), ["−2.5×10^{−8}", "0", "2.5×10^{−8}"]);
        assert_eq!(decimals(&[10_000_000, 10_000_001], -7), ["1.0000000", "1.0000001"]);
        assert_eq!(decimals(&[5, 10], 7), ["0.5×10^{8}", "1.0×10^{8}"]);
    }

    #[test]
    fn values_are_the_nearest_doubles() {
        assert_eq!(Decimal { digits: 3, exponent: -1 }.value(), 0.3);
        assert_eq!(Decimal { digits: -7, exponent: -3 }.value(), -0.007);
        assert_eq!(Decimal { digits: 5, exponent: 300 }.value(), 5e300);
    }
}
