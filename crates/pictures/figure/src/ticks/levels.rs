//! Numbers at given levels, with as many labels as fit.

use super::decimal::{Decimal, labels};
use super::log;
use super::tick_space::Tick;

/// Significant digits of a level: enough for any choice, but too few to show the rounding error of 0.1 + 0.2.
const DIGITS: usize = 12;

/// Ratio of levels above which each is written with its own power of ten.
const WIDE: f64 = 100.0;

/// Returns a tick for each level in increasing order, one unit apart from `first` on. Ticks without room for a number
/// of the given `height` have an empty label.
pub(crate) fn level_ticks(values: &[f64], first: usize, unit: f64, height: f64) -> Vec<Tick> {
    let stride = ((height / unit).ceil() as usize).max(1);
    let anchor = anchor(values, None);
    let shown = |k: usize| k.abs_diff(anchor).is_multiple_of(stride);
    let chosen: Vec<f64> = (0..values.len()).filter(|&k| shown(k)).map(|k| values[k]).collect();
    let mut labels = level_labels(&chosen).into_iter();
    let mut label = |k: usize| if shown(k) { labels.next().unwrap_or_default() } else { String::new() };
    (0..values.len()).map(|k| Tick { at: (k + first) as f64, label: label(k) }).collect()
}

/// Returns the index of the most important level: the wanted one, 0 or 1.
pub(crate) fn anchor(values: &[f64], wanted: Option<f64>) -> usize {
    let looked_for = wanted.into_iter().chain([0.0, 1.0]);
    looked_for.filter_map(|wanted| values.iter().position(|&value| value == wanted)).next().unwrap_or(0)
}

fn level_labels(values: &[f64]) -> Vec<String> {
    let numbers: Vec<Decimal> = values.iter().map(|&value| decimal(value)).collect();
    let sizes = || values.iter().map(|value| value.abs()).filter(|&size| size > 0.0);
    let [least, most] = [sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max)];
    if most >= WIDE * least
        && values.iter().all(|&value| value > 0.0)
        && numbers.iter().all(|number| number.digits == 1)
    {
        return numbers.into_iter().map(log::power_label).collect();
    }
    match common(&numbers).filter(|_| most < WIDE * least) {
        Some(numbers) => labels(&numbers),
        None => numbers.iter().map(|&number| log::label(number)).collect(),
    }
}

/// Converts a double to the short decimal that it represents.
fn decimal(value: f64) -> Decimal {
    let text = format!("{value:.precision$e}", precision = DIGITS - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: i64 = mantissa.replace('.', "").parse().unwrap_or(0);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let mut number = Decimal { digits, exponent: exponent + 1 - DIGITS as i32 };
    while number.digits != 0 && number.digits % 10 == 0 {
        number = Decimal { digits: number.digits / 10, exponent: number.exponent + 1 };
    }
    if number.digits == 0 { Decimal { digits: 0, exponent: 0 } } else { number }
}

/// Returns the numbers with a common exponent, or `None` on overflow.
fn common(numbers: &[Decimal]) -> Option<Vec<Decimal>> {
    let exponent = numbers.iter().map(|number| number.exponent).min()?;
    let shifted = |number: &Decimal| {
        let factor = 10_i64.checked_pow(number.exponent.abs_diff(exponent))?;
        Some(Decimal { digits: number.digits.checked_mul(factor)?, exponent })
    };
    numbers.iter().map(shifted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_written_as_they_were_meant() {
        assert_eq!(level_labels(&[0.1, 0.1 + 0.2, 0.5]), ["0.1", "0.3", "0.5"]);
        assert_eq!(level_labels(&[-1.0, 0.0, 1.0]), ["−1", "0", "1"]);
        assert_eq!(level_labels(&[0.5, 0.75, 1.0]), ["0.50", "0.75", "1.00"]);
        assert_eq!(level_labels(&[0.1, 0.8, 1.0, 1.25, 10.0]), ["0.1", "0.8", "1", "1.25", "10"]);
        assert_eq!(level_labels(&[1e-4, 1e-2, 1.0]), ["10^{−4}", "10^{−2}", "10^{0}"]);
        assert_eq!(level_labels(&[-8.0, -6.0, -4.0]), ["−8", "−6", "−4"]);
        assert_eq!(level_labels(&[2e-9, 5e-5, 0.5]), ["2×10^{−9}", "5×10^{−5}", "0.5"]);
        assert_eq!(level_labels(&[-1e-300, 0.0, 2.5e300]), ["−1×10^{−300}", "0", "2.5×10^{300}"]);
        assert_eq!(level_labels(&[1e7, 2e7]), ["1×10^{7}", "2×10^{7}"]);
        assert!(level_labels(&[]).is_empty());
    }

    #[test]
    fn numbers_without_room_are_left_out() {
        let values: Vec<f64> = (-10..=10).map(f64::from).collect();
        for unit in [2.0, 5.0, 9.0, 30.0] {
            let ticks = level_ticks(&values, 1, unit, 9.0);
            assert_eq!(ticks.len(), 21);
            let shown: Vec<&Tick> = ticks.iter().filter(|tick| !tick.label.is_empty()).collect();
            assert!(shown.windows(2).all(|pair| (pair[1].at - pair[0].at) * unit >= 9.0));
            assert!(shown.iter().any(|tick| tick.label == "0" && tick.at == 11.0) && shown.len() > 2);
        }
    }
}
