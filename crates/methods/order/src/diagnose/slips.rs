//! Interpretations of a solved value: the printed text with one slip undone, a simple fraction, a decimal.

use std::cmp::Ordering;

use dashu::rational::RBig;
use hemiola_tableau::{Coefficient, Exact, Method};
use num_traits::Zero;

use crate::diagnose::hypotheses::Slip;
use crate::verdict::cell::Cell;

/// Minimum number of digits of a decimal that represents an exact value, and the number of digits beyond those of the
/// tableau.
const MANY_DIGITS: usize = 34;
const MORE_DIGITS: usize = 5;
/// Maximum length of a fraction; longer ones are implausible.
const LONGEST_FRACTION: usize = 60;

/// Number of nearest texts retained for each kind of slip; for long decimals many texts lie within the radius.
const NEAREST: usize = 2;

/// A text for the free cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextCandidate {
    pub(super) slip: Slip,
    pub(super) coefficient: Coefficient,
    /// Distance from the solved value.
    distance: f64,
    /// Error bound of the solved value.
    pub(super) radius: f64,
    /// Probability that some candidate of this kind comes as close to the solved value by chance. Values above 1 mean
    /// certainty, but still rank texts by how poorly they suit the tableau.
    pub(super) chance: f64,
}

impl TextCandidate {
    /// Replaces the presumed slip.
    pub(super) fn explained_by(self, slip: Slip) -> Self {
        Self { slip, ..self }
    }

    /// Orders the more convincing candidate first; among equal ones, the nearer value.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then(self.distance.total_cmp(&other.distance))
    }
}

/// A text that may be meant by a printed one.
#[derive(Clone, Debug, PartialEq)]
pub struct PossibleText {
    /// The slip that leads from this text to the printed one.
    pub slip: Slip,
    /// The text with its value.
    pub coefficient: Coefficient,
    /// The probability that a text of this kind comes as close to the solved value by chance.
    pub chance: f64,
}

/// Returns the texts that may be meant by a printed one, according to a value that the conditions determine up to
/// `radius`, the most convincing first. `decimals` is their number in a table of decimals.
///
/// ```
/// use hemiola_order::diagnose::{Slip, possible_texts};
/// let printed = hemiola_tableau::Coefficient::parse("1/2")?;
/// let best = &possible_texts(&printed, -0.5, 1e-12, None)[0];
/// assert_eq!((best.slip, best.coefficient.text()), (Slip::Sign, "-1/2"));
/// # Ok::<(), hemiola_tableau::NumberError>(())
/// ```
#[must_use]
pub fn possible_texts(printed: &Coefficient, value: f64, radius: f64, decimals: Option<usize>) -> Vec<PossibleText> {
    let solved = SolvedValue { value, radius, exact: None };
    let is_lost = printed.value().is_zero();
    let mut all = if is_lost { Vec::new() } else { solved.repaired(printed) };
    let digits = MANY_DIGITS.max(decimals.unwrap_or(0) + MORE_DIGITS);
    let slip = if is_lost { Slip::Lost } else { Slip::Wrong };
    all.extend(solved.written(slip, NumberStyle { decimals, digits }));
    all.sort_by(TextCandidate::compare);
    let possible = |TextCandidate { slip, coefficient, chance, .. }| PossibleText { slip, coefficient, chance };
    all.into_iter().map(possible).collect()
}

/// A solved value: as a double with a radius, and exactly if some condition is affine in it.
pub(super) struct SolvedValue {
    pub(super) value: f64,
    pub(super) radius: f64,
    pub(super) exact: Option<Exact>,
}

impl SolvedValue {
    /// Returns a text as a candidate if its value is within the radius. The probability refers to any of `tried`
    /// different texts.
    fn candidate(&self, slip: Slip, text: &str, tried: usize, spread: f64) -> Option<TextCandidate> {
        let coefficient = Coefficient::parse(text).ok()?;
        let distance = self.distance(&coefficient);
        let chance = 2.0 * self.radius * tried as f64 / spread;
        (distance <= self.radius).then_some(TextCandidate { slip, coefficient, distance, radius: self.radius, chance })
    }

    fn distance(&self, coefficient: &Coefficient) -> f64 {
        match &self.exact {
            Some(exact) => (coefficient.value().clone() - exact.clone()).to_f64().abs(),
            None => (coefficient.value().to_f64() - self.value).abs(),
        }
    }

    /// Returns the printed text with its sign or one of its digits changed, or replaced by zero.
    pub(super) fn repaired(&self, printed: &Coefficient) -> Vec<TextCandidate> {
        let text = printed.text().trim();
        let spread = printed.value().to_f64().abs().max(self.value.abs());
        let mut candidates = Vec::new();
        candidates.extend(self.candidate(Slip::Sign, &negated(text), 1, spread));
        candidates.extend(self.candidate(Slip::Stray, "0", 1, spread));
        for slip in [Slip::ChangedDigit, Slip::ExchangedDigits, Slip::LostDigit, Slip::ExtraDigit] {
            let texts = digit_slips(slip, text);
            let near = texts.iter().filter_map(|repaired| self.candidate(slip, repaired, texts.len(), spread));
            let mut near: Vec<TextCandidate> = near.collect();
            near.sort_by(TextCandidate::compare);
            candidates.extend(near.into_iter().take(NEAREST));
        }
        candidates.retain(|candidate| candidate.coefficient.value() != printed.value());
        candidates
    }

    /// Returns the entry of another cell as a candidate.
    pub(super) fn taken_from(&self, other: &Coefficient) -> Option<TextCandidate> {
        let slip = if other.value().is_zero() { Slip::Moved } else { Slip::Exchanged };
        let spread = other.value().to_f64().abs().max(self.value.abs());
        self.candidate(slip, other.text(), 1, spread)
    }

    /// Returns texts of the value itself, in the style of the tableau if possible. A simple value is not evidence,
    /// since conditions with simple coefficients have simple solutions.
    pub(super) fn written(&self, slip: Slip, style: NumberStyle) -> Vec<TextCandidate> {
        const SUITS: f64 = 1.0;
        const BETTER_THAN_NOTHING: f64 = 2.0;
        let exact = self.exact.clone().or_else(|| Exact::from_f64(self.value));
        let decimals = style.decimals.map(|decimals| self.decimals(exact.as_ref(), decimals)).unwrap_or_default();
        let fractions = [self.exact.clone(), self.near(exact.as_ref())].into_iter().flatten();
        let fractions = fractions.map(|value| value.to_string()).filter(|text| text.len() <= LONGEST_FRACTION);
        let as_fraction = if style.decimals.is_some() { BETTER_THAN_NOTHING } else { SUITS };
        let long = exact.iter().map(|value| value.to_decimal(style.digits).to_string());
        let decimals = decimals.into_iter().map(|text| (text, SUITS));
        let others = long.map(|text| (text, BETTER_THAN_NOTHING));
        let texts = decimals.chain(fractions.map(|text| (text, as_fraction))).chain(others);
        let candidate = |(text, chance): (String, f64)| {
            let coefficient = Coefficient::parse(&text).ok().filter(|coefficient| !coefficient.value().is_zero())?;
            let distance = self.distance(&coefficient);
            Some(TextCandidate { slip, coefficient, distance, radius: self.radius, chance })
        };
        texts.filter_map(candidate).collect()
    }

    /// Returns the simplest fraction within the radius.
    fn near(&self, exact: Option<&Exact>) -> Option<Exact> {
        let middle = exact?.as_rational()?;
        let radius = RBig::try_from(self.radius).ok()?;
        Some(RBig::simplest_in(middle - &radius, middle + &radius).into())
    }

    /// Rounds the value to some decimals. With few decimals its neighbors are returned as well, because the
    /// residuals decide between texts that the stated precision does not distinguish.
    fn decimals(&self, exact: Option<&Exact>, decimals: usize) -> Vec<String> {
        const OF_A_DOUBLE: usize = 15;
        let integer_digits = self.value.abs().log10().floor() as i32 + 1;
        let significant = decimals as i32 + integer_digits;
        match exact {
            Some(exact) if decimals > OF_A_DOUBLE && significant > 0 => {
                vec![exact.to_decimal(significant as usize).to_string()]
            }
            _ => {
                let decimals = decimals.min(OF_A_DOUBLE);
                let unit = 10f64.powi(-(decimals as i32));
                [0.0, -1.0, 1.0, -2.0, 2.0].map(|k| format!("{:.decimals$}", self.value + k * unit)).into()
            }
        }
    }
}

/// The style in which the entries of a tableau are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberStyle {
    /// The number of decimals, in a tableau of decimals.
    decimals: Option<usize>,
    /// The number of digits of a decimal that represents an exact value.
    digits: usize,
}

impl NumberStyle {
    /// Returns the style of a cell, or of its partition's other entries if the cell is empty.
    pub(super) fn around(method: &Method, cell: Cell) -> Self {
        let printed = cell.coefficient(method.partitions());
        let partition = &method.partitions()[cell.partition];
        // The entry itself may be wrong: a decimal among fractions says nothing about the style of the fractions.
        let is_other = |other: &&Coefficient| !other.value().is_zero() && !std::ptr::eq(*other, printed);
        let others = partition.a.iter().flatten().chain(&partition.b).filter(is_other);
        let decimals: Vec<usize> = others.clone().filter_map(|other| decimals(other.text())).collect();
        let is_decimal = if printed.value().is_zero() {
            2 * decimals.len() > others.count()
        } else {
            decimals_of(printed).is_some() && (method.precision().is_some() || !decimals.is_empty())
        };
        let stated = method.precision().map(|precision| precision.decimals as usize);
        let decimals = stated.or(decimals.iter().copied().max());
        Self { decimals: decimals.filter(|_| is_decimal), digits: MANY_DIGITS.max(decimals.unwrap_or(0) + MORE_DIGITS) }
    }
}

fn decimals_of(coefficient: &Coefficient) -> Option<usize> {
    decimals(coefficient.text())
}

/// Returns the number of digits after the point of a plain decimal.
fn decimals(text: &str) -> Option<usize> {
    let (_, fraction) = text.split_once('.')?;
    fraction.bytes().all(|byte| byte.is_ascii_digit()).then_some(fraction.len())
}

/// Returns the text with the opposite sign.
fn negated(text: &str) -> String {
    let is_product = !text.trim_start_matches(['-', '−']).contains(['+', '-', '−']);
    match text.strip_prefix(['-', '−']) {
        Some(size) if is_product => size.to_owned(),
        None if is_product => format!("-{text}"),
        _ => format!("-({text})"),
    }
}

/// Returns the texts that a slip would turn into this one.
fn digit_slips(slip: Slip, text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let is_digit = |place: &usize| characters[*place].is_ascii_digit();
    let digits: Vec<usize> = (0..characters.len()).filter(is_digit).collect();
    let spliced = |range: std::ops::Range<usize>, with: &[char]| -> String {
        characters[..range.start].iter().chain(with).chain(&characters[range.end..]).collect()
    };
    let mut texts: Vec<String> = match slip {
        Slip::ChangedDigit => digits
            .iter()
            .flat_map(|&k| ('0'..='9').map(move |digit| (k, digit)))
            .map(|(k, digit)| spliced(k..k + 1, &[digit]))
            .collect(),
        Slip::ExchangedDigits => digits
            .windows(2)
            .filter(|pair| pair[1] == pair[0] + 1)
            .map(|pair| spliced(pair[0]..pair[1] + 1, &[characters[pair[1]], characters[pair[0]]]))
            .collect(),
        // A digit may have been lost before or after each remaining digit.
        Slip::LostDigit => digits
            .iter()
            .flat_map(|&k| [k, k + 1])
            .flat_map(|k| ('0'..='9').map(move |digit| (k, digit)))
            .map(|(k, digit)| spliced(k..k, &[digit]))
            .collect(),
        Slip::ExtraDigit => digits.iter().map(|&k| spliced(k..k + 1, &[])).collect(),
        _ => Vec::new(),
    };
    texts.sort();
    texts.dedup();
    texts.retain(|repaired| repaired != text);
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(printed: &str, right: &str) -> Vec<(Slip, String)> {
        let exact = hemiola_tableau::parse_number(right).unwrap();
        let solved = SolvedValue { value: exact.to_f64(), radius: 1e-14, exact: Some(exact) };
        let candidates = solved.repaired(&Coefficient::parse(printed).unwrap());
        candidates.into_iter().map(|candidate| (candidate.slip, candidate.coefficient.text().to_owned())).collect()
    }

    #[test]
    fn one_slip_is_undone() {
        for (printed, right, slip) in [
            ("1/6", "-1/6", Slip::Sign),
            ("-0.25", "0.25", Slip::Sign),
            ("1/2-sqrt(3)/6", "-(1/2-sqrt(3)/6)", Slip::Sign),
            ("19372/6561", "19372/6564", Slip::ChangedDigit),
            ("0.52737769", "0.25737769", Slip::ExchangedDigits),
            ("25360/218", "25360/2187", Slip::LostDigit),
            ("44/455", "44/45", Slip::ExtraDigit),
            ("1/6", "0", Slip::Stray),
        ] {
            assert!(repaired(printed, right).contains(&(slip, right.to_owned())), "{printed} for {right}");
        }
        assert_eq!(repaired("1/3", "2/7"), []);
    }

    #[test]
    fn values_are_written_as_the_table_writes_them() {
        let exact = Exact::from_ratio(1, 8);
        let solved = SolvedValue { value: 0.125, radius: 1e-12, exact: Some(exact) };
        let first = |decimals| solved.written(Slip::Wrong, NumberStyle { decimals, digits: MANY_DIGITS }).remove(0);
        assert_eq!(first(Some(4)).coefficient.text(), "0.1250");
        assert_eq!(first(None).coefficient.text(), "1/8");
    }
}
