//! Ticks of logarithmic axes: at powers of ten, at 1, 2 and 5 times powers of ten if the range has few decades, and at
//! ordinary round numbers if it has none.

use super::decimal::Decimal;
use super::linear;
use super::tick_space::{Tick, TickSpace, outer_labels_only};

/// Length of a decade from which minor ticks at 2, 3, …, 9 times a power of ten can be distinguished.
const MINOR_SPACING: f64 = 18.0;

/// Strides of decades, in the order tried. The range of doubles is about 600 decades.
const STRIDES: [i32; 9] = [1, 2, 3, 5, 10, 20, 50, 100, 200];

/// Tolerance of the range in decades, for rounding in the logarithm of a bound.
const SLACK: f64 = 1e-9;

/// Returns ticks from 10^`low` to 10^`high`.
pub(super) fn ticks(low: f64, high: f64, room: &TickSpace<'_>) -> Vec<Tick> {
    let decades = multiples(low, high, &[1]);
    if decades.len() > 2 {
        return powers(low, high, room);
    }
    let finer = multiples(low, high, &[1, 2, 5]);
    let labeled: Vec<Tick> =
        finer.iter().map(|&number| Tick { at: number.value().log10(), label: label(number) }).collect();
    if labeled.len() > 2 && room.holds(&labeled, room.length / (high - low)) {
        return labeled;
    }
    if decades.len() == 2 { powers(low, high, room) } else { uneven(low, high, room) }
}

/// Returns ticks at powers of ten, with minor ticks between them if there is room.
fn powers(low: f64, high: f64, room: &TickSpace<'_>) -> Vec<Tick> {
    let unit = room.length / (high - low);
    let every = |stride: i32| -> Vec<Tick> {
        let aligned = |number: &Decimal| number.exponent % stride == 0;
        multiples(low, high, &[1]).into_iter().filter(aligned).map(power).collect()
    };
    let fits = |stride: &i32| room.holds(&every(*stride), unit);
    let stride = STRIDES.into_iter().find(fits).unwrap_or(1);
    let mut ticks = every(stride);
    if ticks.len() < 2 {
        // A scale needs two numbers, even if they are crowded.
        ticks = every(1);
        outer_labels_only(&mut ticks);
        return ticks;
    }
    if stride == 1 && unit >= MINOR_SPACING {
        let minor = multiples(low, high, &[2, 3, 4, 5, 6, 7, 8, 9]);
        ticks.extend(minor.iter().map(|number| Tick { at: number.value().log10(), label: String::new() }));
    }
    ticks
}

/// Returns ticks at ordinary round numbers, for a range that is too short for powers of ten.
fn uneven(low: f64, high: f64, room: &TickSpace<'_>) -> Vec<Tick> {
    let on_log_axis = |tick: Tick| Tick { at: tick.at.log10(), ..tick };
    let in_range = |tick: &Tick| low - SLACK <= tick.at && tick.at <= high + SLACK;
    linear::ticks(10_f64.powf(low), 10_f64.powf(high), room, false)
        .into_iter()
        .map(on_log_axis)
        .filter(in_range)
        .collect()
}

/// Returns the numbers in the range that are one of `digits` times a power of ten, in increasing order.
fn multiples(low: f64, high: f64, digits: &[i64]) -> Vec<Decimal> {
    let first = (low - SLACK).floor() as i32;
    let last = (high + SLACK).ceil() as i32;
    let in_range = |number: &Decimal| {
        let at = number.value().log10();
        low - SLACK <= at && at <= high + SLACK
    };
    (first..=last)
        .flat_map(|exponent| digits.iter().map(move |&digits| Decimal { digits, exponent }))
        .filter(in_range)
        .collect()
}

fn power(number: Decimal) -> Tick {
    Tick { at: f64::from(number.exponent), label: power_label(number) }
}

/// Returns the label of a power of ten.
pub(super) fn power_label(number: Decimal) -> String {
    let exponent = Decimal { digits: i64::from(number.exponent), exponent: 0 }.plain();
    format!("10^{{{exponent}}}")
}

/// Returns the label of a single number: plain digits, or a power of ten if there would be too many.
pub(super) fn label(number: Decimal) -> String {
    let decimals = number.digits.unsigned_abs().checked_ilog10().unwrap_or(0) as i32;
    if number.digits == 0 || (-3..=4).contains(&(number.exponent + decimals)) && number.exponent >= -6 {
        return number.plain();
    }
    let mantissa = Decimal { exponent: -decimals, ..number }.plain();
    format!("{mantissa}×{}", power_label(Decimal { exponent: number.exponent + decimals, ..number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks_of(low: f64, high: f64) -> Vec<Tick> {
        let room = TickSpace { length: 200.0, spacing: 28.0, label: &|label| 4.0 * label.chars().count() as f64 };
        ticks(low.log10(), high.log10(), &room)
    }

    fn labels_of(low: f64, high: f64) -> Vec<String> {
        ticks_of(low, high).into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn decades_are_powers_of_ten() {
        assert_eq!(labels_of(1e-3, 1.0), ["10^{−3}", "10^{−2}", "10^{−1}", "10^{0}"]);
        assert_eq!(labels_of(1e-10, 1.0), ["10^{−10}", "10^{−8}", "10^{−6}", "10^{−4}", "10^{−2}", "10^{0}"]);
    }

    #[test]
    fn decades_far_apart_have_minor_ticks_between_them() {
        assert_eq!(ticks_of(1e-3, 1.0).len(), 4 + 3 * 8);
        assert_eq!(ticks_of(1e-40, 1.0).len(), labels_of(1e-40, 1.0).len());
    }

    #[test]
    fn a_short_axis_has_two_numbers() {
        for length in [25.0, 40.0] {
            let room = TickSpace { length, spacing: 20.0, label: &|_| 8.75 };
            for (low, high) in [(-3.0, 0.0), (-9.5, 3.5), (-20.5, -0.5), (-0.3, 0.9)] {
                let ticks = ticks(low, high, &room);
                assert!(ticks.iter().filter(|tick| !tick.label.is_empty()).count() >= 2, "{low} {high} {ticks:?}");
            }
        }
    }

    #[test]
    fn short_ranges_have_numbers() {
        assert_eq!(labels_of(0.1, 3.0), ["0.1", "0.2", "0.5", "1", "2"]);
        assert!(labels_of(2.1, 4.5).len() >= 2);
        assert!(labels_of(1.01, 1.02).len() >= 2);
    }

    #[test]
    fn every_range_has_ticks_inside_it() {
        for exponent in -300..300 {
            for span in [0.01, 0.3, 1.0, 2.5, 7.0] {
                let low = f64::from(exponent) + 0.37;
                let ticks = ticks_of(10_f64.powf(low), 10_f64.powf(low + span));
                assert!(ticks.iter().filter(|tick| !tick.label.is_empty()).count() >= 2, "{low} {span} {ticks:?}");
                assert!(ticks.iter().all(|tick| low - 1e-8 <= tick.at && tick.at <= low + span + 1e-8));
            }
        }
    }
}
