//! Ticks at multiples of 1, 2, 2.5 or 5 times a power of ten.

use super::decimal::{Decimal, labels};
use super::tick_space::{Tick, TickSpace, outer_labels_only};

/// Steps within a decade, in tenths, in increasing order.
const STEPS: [i64; 4] = [10, 20, 25, 50];

/// Tolerance of the range in steps: a bound written as 0.3 is not three times 0.1 in doubles.
const SLACK: f64 = 1e-6;

/// Returns ticks from `low` to `high` with the shortest step, or whole step, that leaves room for the labels.
pub(super) fn ticks(low: f64, high: f64, room: &TickSpace<'_>, whole: bool) -> Vec<Tick> {
    let unit = room.length / (high - low);
    let mut step = Step::at_least((high - low) * room.spacing / room.length);
    step = step.whole_if(whole);
    let mut ticks = step.ticks(low, high);
    if ticks.len() < 2 {
        return crowded(step, low, high, room, whole);
    }
    while !room.holds(&ticks, unit) {
        step = step.next().whole_if(whole);
        let fewer = step.ticks(low, high);
        // A scale needs two numbers, even if they are crowded.
        if fewer.len() < 2 {
            break;
        }
        ticks = fewer;
    }
    ticks
}

/// Returns ticks from `low` to `high` with the step of other ticks; empty if these are fewer than two.
pub(super) fn with_step_of(others: &[Tick], low: f64, high: f64) -> Vec<Tick> {
    match others {
        [first, second, ..] => Step::at_least(second.at - first.at).ticks(low, high),
        _ => Vec::new(),
    }
}

/// Returns ticks of an axis that is too short for the usual spacing: the longest step that gives two ticks. Only the
/// outer ones are labeled if there is not enough room.
fn crowded(mut step: Step, low: f64, high: f64, room: &TickSpace<'_>, whole: bool) -> Vec<Tick> {
    let mut ticks = step.ticks(low, high);
    while ticks.len() < 2 && !(whole && step.is_one()) {
        step = step.previous(whole);
        ticks = step.ticks(low, high);
    }
    if !room.holds_labels(&ticks, room.length / (high - low)) {
        outer_labels_only(&mut ticks);
    }
    ticks
}

/// `STEPS[index]` · 10^`exponent`.
#[derive(Clone, Copy)]
struct Step {
    index: usize,
    exponent: i32,
}

impl Step {
    /// Returns the shortest step of at least `size`.
    fn at_least(size: f64) -> Self {
        // The search starts one decade early, so that rounding of the logarithm cannot skip a step.
        let mut step = Self { index: 0, exponent: size.log10().floor() as i32 - 2 };
        while step.decimal().value() < size * (1.0 - SLACK) {
            step = step.next();
        }
        step
    }

    fn next(self) -> Self {
        match self.index + 1 {
            index if index < STEPS.len() => Self { index, ..self },
            _ => Self { index: 0, exponent: self.exponent + 1 },
        }
    }

    /// Returns the next shorter step, or the next shorter whole step if `whole`.
    fn previous(self, whole: bool) -> Self {
        let shorter = match self.index.checked_sub(1) {
            Some(index) => Self { index, ..self },
            None => Self { index: STEPS.len() - 1, exponent: self.exponent - 1 },
        };
        if whole && shorter.decimal().exponent < 0 { shorter.previous(whole) } else { shorter }
    }

    fn is_one(self) -> bool {
        self.decimal() == Decimal { digits: 1, exponent: 0 }
    }

    /// Returns the next whole step if `wanted`, otherwise the step itself.
    fn whole_if(self, wanted: bool) -> Self {
        if wanted && self.decimal().exponent < 0 { self.next().whole_if(wanted) } else { self }
    }

    fn decimal(self) -> Decimal {
        let digits = STEPS[self.index];
        if digits % 10 == 0 {
            Decimal { digits: digits / 10, exponent: self.exponent + 1 }
        } else {
            Decimal { digits, exponent: self.exponent }
        }
    }

    fn ticks(self, low: f64, high: f64) -> Vec<Tick> {
        let step = self.decimal();
        let size = step.value();
        let first = (low / size - SLACK).ceil() as i64;
        let last = (high / size + SLACK).floor() as i64;
        let numbers: Vec<Decimal> =
            (first..=last).map(|k| Decimal { digits: k.saturating_mul(step.digits), ..step }).collect();
        let tick = |(number, label): (&Decimal, String)| Tick { at: number.value(), label };
        numbers.iter().zip(labels(&numbers)).map(tick).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks_of(low: f64, high: f64) -> Vec<Tick> {
        let room = TickSpace { length: 200.0, spacing: 28.0, label: &|label| 4.5 * label.chars().count() as f64 };
        ticks(low, high, &room, false)
    }

    fn labels_of(low: f64, high: f64) -> Vec<String> {
        ticks_of(low, high).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_labels_are_short() {
        assert_eq!(labels_of(-6.0, 1.0), ["−6", "−5", "−4", "−3", "−2", "−1", "0", "1"]);
        assert_eq!(labels_of(-1.0, 1.0), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels_of(0.0, 0.3).last().map(String::as_str), Some("0.30"));
        assert_eq!(labels_of(0.0, 8e6), ["0", "2×10^{6}", "4×10^{6}", "6×10^{6}", "8×10^{6}"]);
    }

    #[test]
    fn ticks_fill_every_range_and_never_leave_it() {
        for exponent in -300..=300 {
            let size = format!("1e{exponent}").parse::<f64>().unwrap();
            for (from, to) in [(0.0, 1.0), (-1.0, 1.0), (-3.7, 0.2), (9.99, 10.01), (-7.3, -7.2), (1000.0, 1001.7)] {
                let (low, high) = (from * size, to * size);
                let ticks = ticks_of(low, high);
                let step = ticks[1].at - ticks[0].at;
                assert!((2..=8).contains(&ticks.len()), "{low} {high} {ticks:?}");
                assert!(ticks.iter().all(|tick| low - 1e-5 * step <= tick.at && tick.at <= high + 1e-5 * step));
                assert!(ticks.windows(2).all(|pair| (pair[1].at - pair[0].at - step).abs() < 1e-3 * step));
                assert!(ticks.windows(2).all(|pair| pair[0].label != pair[1].label));
                assert!(ticks.iter().all(|tick| !tick.label.contains('-') && !tick.label.starts_with("−0.0×")));
            }
        }
    }

    #[test]
    fn a_short_axis_has_two_numbers() {
        for length in [12.0, 20.0, 30.0, 45.0] {
            let room = TickSpace { length, spacing: 20.0, label: &|_| 8.75 };
            for (low, high) in [(0.02, 0.09), (-1.0, 1.0), (0.9, 3.1), (-0.49, 0.51), (1.1, 1.9), (7.3, 12.4)] {
                let ticks = ticks(low, high, &room, false);
                assert!(ticks.iter().filter(|tick| !tick.label.is_empty()).count() >= 2, "{low} {high} {ticks:?}");
            }
            let whole = ticks(3.6, 8.2, &room, true);
            assert!(whole.len() >= 2 && whole.iter().all(|tick| tick.at.fract() == 0.0), "{whole:?}");
            assert!(ticks(3.6, 4.4, &room, true).len() == 1 && ticks(3.6, 3.9, &room, true).is_empty());
        }
    }

    #[test]
    fn zero_has_no_sign() {
        for denominator in 1..200 {
            let width = 1.0 / f64::from(denominator);
            let zero = ticks_of(-width, width).into_iter().find(|tick| tick.at == 0.0).unwrap();
            assert!(zero.label.chars().all(|c| c == '0' || c == '.'), "{}", zero.label);
        }
    }

    #[test]
    fn whole_ticks_are_whole() {
        let room = TickSpace { length: 200.0, spacing: 20.0, label: &|label| 5.0 * label.len() as f64 };
        for (low, high) in [(1.3, 20.7), (0.0, 3.0), (4.6, 11.4), (-2.0, 500.0)] {
            let ticks = ticks(low, high, &room, true);
            assert!(ticks.len() >= 2 && ticks.iter().all(|tick| tick.at.fract() == 0.0), "{ticks:?}");
        }
    }
}
