//! Tableaus written number by number (`a21 = …`, `b1 = …`, `c2 = …`), as in the caches of OrdinaryDiffEq.jl.

use std::collections::BTreeMap;

use super::draft::{Draft, DraftPartition, ReadValue};
use super::partitions::rename;
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::value::ProgramValue;

/// Largest number of stages in a tableau written number by number.
const MOST_STAGES: usize = 64;

/// Tolerance for the agreement of published decimals with sums of others.
const AGREEMENT: f64 = 1e-6;

type Vector = BTreeMap<usize, ReadValue>;

/// Coefficients of one partition by their indices, from one.
#[derive(Default)]
struct ScalarEntries {
    a: BTreeMap<(usize, usize), ReadValue>,
    b: Vector,
    hat: Vector,
    difference: Vector,
    c: Vector,
}

/// Builds the method whose coefficients a scope contains, if any.
pub(crate) fn draft(name: &str, place: TextPosition, scope: &NameScope) -> Option<Draft> {
    let [mut plain, mut explicit] = [ScalarEntries::default(), ScalarEntries::default()];
    for own in scope.own() {
        let Some(found) = scope.get(own) else { continue };
        // The coefficients of the explicit partition of an additive pair begin with e.
        match own.strip_prefix('e') {
            Some(rest) if explicit.insert(rest, found) => {}
            _ => {
                plain.insert(own, found);
            }
        }
    }
    let mut remarks = Vec::new();
    if let Some((Ok(ProgramValue::Number(gamma)), at)) = scope.get("γ")
        && explicit.a.is_empty()
        && plain.complete_diagonal(gamma, *at)
    {
        remarks.push("The diagonal of A, except for its first entry, and a21 are γ.".to_owned());
    }
    // Rows that only add stages for dense output do not form a method.
    plain.a.keys().next().filter(|(row, _)| *row <= 3)?;
    let mut parts = Vec::new();
    for (name, numbers) in [("explicit", explicit), ("implicit", plain)] {
        if !numbers.a.is_empty() {
            parts.push(numbers.part(name, place, &mut remarks));
        }
    }
    rename(&mut parts);
    let mut draft = Draft::new(name, place, parts);
    remarks.dedup();
    draft.remarks = remarks;
    Some(draft)
}

/// Returns whether a name denotes a coefficient of a tableau.
pub(crate) fn is_number(name: &str) -> bool {
    let unknown = (Ok(ProgramValue::Number(WrittenNumber::zero())), TextPosition::START);
    let plain = name.strip_prefix('e').filter(|rest| ScalarEntries::default().insert(rest, &unknown)).is_some();
    plain || ScalarEntries::default().insert(name, &unknown)
}

/// Returns whether a scope contains all coefficients of a method, including weights.
pub(crate) fn holds_method(scope: &NameScope) -> bool {
    let mut numbers = ScalarEntries::default();
    for own in scope.own() {
        if let Some(found) = scope.get(own) {
            numbers.insert(own, found);
        }
    }
    !numbers.a.is_empty() && !numbers.b.is_empty()
}

/// Parses the indices after a letter: `21`, `2_1`, `0201`, `101` (ten, one).
fn indices(text: &str) -> Option<(usize, usize)> {
    if let Some((i, j)) = text.trim_start_matches('_').split_once('_') {
        return Some((i.parse().ok()?, j.parse().ok()?));
    }
    let is_number = (2..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let (i, j) = text.split_at_checked(if text.len() == 2 { 1 } else { 2 }).filter(|_| is_number)?;
    Some((i.parse().ok()?, j.parse().ok()?))
}

fn position(text: &str) -> Option<usize> {
    let digits = text.trim_start_matches('_');
    let index: usize = digits.parse().ok().filter(|_| digits.len() <= 2)?;
    (1..=MOST_STAGES).contains(&index).then_some(index)
}

impl ScalarEntries {
    /// Stores a number whose name denotes a coefficient; returns false for other names.
    fn insert(&mut self, name: &str, found: &ReadValue) -> bool {
        let is_scalar = !matches!(found.0, Ok(ProgramValue::List(..) | ProgramValue::Text(..)));
        let vectors =
            [("btilde", &mut self.difference), ("bhat", &mut self.hat), ("b", &mut self.b), ("c", &mut self.c)];
        if let Some((i, j)) = name.strip_prefix('a').and_then(indices) {
            let fits = is_scalar && (1..=MOST_STAGES).contains(&i) && (1..=MOST_STAGES).contains(&j);
            if fits {
                self.a.insert((i, j), found.clone());
            }
            return fits;
        }
        for (letter, vector) in vectors {
            if let Some(index) = name.strip_prefix(letter).and_then(position).filter(|_| is_scalar) {
                vector.insert(index, found.clone());
                return true;
            }
        }
        false
    }

    /// Adds γ to the diagonal of an ESDIRK method of OrdinaryDiffEq.jl, whose tableau omits γ because the step supplies
    /// it.
    ///
    /// The numbers show that γ is missing: there is no row of the second stage, no diagonal and no b, and the last row
    /// sums to 1 - γ.
    fn complete_diagonal(&mut self, gamma: &WrittenNumber, at: TextPosition) -> bool {
        let stages = self.stages();
        let is_lower = self.a.keys().all(|(i, j)| *i > 2 && i > j) && self.b.is_empty();
        let number = |value: &ProgramValue| value.number(at).ok().map(|number| number.value().to_f64());
        let last = self.a.range((stages, 0)..).map(|(_, (value, _))| value.as_ref().ok().and_then(number));
        let sum: Option<f64> = last.sum();
        let is_missing = sum.is_some_and(|sum| (sum + gamma.value().to_f64() - 1.0).abs() < AGREEMENT);
        if stages < 3 || !is_lower || !is_missing {
            return false;
        }
        let entry = (Ok(ProgramValue::Number(gamma.clone())), at);
        if let Some(c2) = gamma.plus(gamma).ok().filter(|_| !self.c.is_empty()) {
            self.c.entry(2).or_insert((Ok(ProgramValue::Number(c2)), at));
        }
        self.a.insert((2, 1), entry.clone());
        self.a.extend((2..=stages).map(|i| ((i, i), entry.clone())));
        true
    }

    fn stages(&self) -> usize {
        let rows = self.a.keys().map(|(i, j)| *i.max(j)).max().unwrap_or(0);
        let vectors = [&self.b, &self.hat, &self.difference];
        vectors.iter().filter_map(|vector| vector.keys().last()).fold(rows, |stages, last| stages.max(*last))
    }

    fn part(self, name: &str, place: TextPosition, remarks: &mut Vec<String>) -> DraftPartition {
        let stages = self.stages();
        let zero = || ProgramValue::Number(WrittenNumber::zero());
        let row = |i: usize| {
            let entries = (1..=stages).map(|j| self.a.get(&(i, j)).map_or(Ok(zero()), placed));
            entries.collect::<Result<Vec<ProgramValue>, TextFault>>()
        };
        let vector = |numbers: &Vector| {
            let entries = (1..=stages).map(|i| numbers.get(&i).map_or(Ok(zero()), placed));
            let at = numbers.values().next().map_or(place, |(_, place)| *place);
            (entries.collect::<Result<_, TextFault>>().map(|entries| ProgramValue::List(entries, at)), at)
        };
        let rows: Result<Vec<ProgramValue>, TextFault> =
            (1..=stages).map(|i| Ok(ProgramValue::List(row(i)?, place))).collect();
        let a = rows.map(|rows| ProgramValue::List(rows, place));
        let mut part = DraftPartition { name: name.to_owned(), a: Some((a, place)), ..DraftPartition::default() };
        if self.b.is_empty() {
            remarks.push("The weights b are the last row of A.".to_owned());
            part.b = Some((last_row(&row(stages), place), place));
        } else {
            part.b = Some(vector(&self.b));
        }
        if !self.hat.is_empty() {
            part.b_hat = Some(vector(&self.hat));
        } else if !self.difference.is_empty() {
            remarks.push("The numbers btilde are taken as b_hat - b, as OrdinaryDiffEq.jl has them.".to_owned());
            part.difference = Some(vector(&self.difference));
        }
        part.c = self.abscissae(stages, &row, place);
        if part.c.is_none() && !self.c.is_empty() {
            remarks.push("The numbers c are ignored: most of them are not the row sums of A.".to_owned());
        }
        part
    }

    /// Returns the abscissae with indices of stages. Some packages count c from the second stage. A number that is not the
    /// row sum of A is a misprint; if most are not, or several of a few, the numbers are not abscissae.
    fn abscissae(
        &self,
        stages: usize,
        row: &impl Fn(usize) -> Result<Vec<ProgramValue>, TextFault>,
        place: TextPosition,
    ) -> Option<ReadValue> {
        let number = |value: &ProgramValue| value.number(place).ok().map(|number| number.value().to_f64());
        let sum = |i: usize| row(i).ok()?.iter().map(number).sum::<Option<f64>>();
        let agreeing = |shift: usize| {
            let agrees = |(i, (value, _)): &(&usize, &ReadValue)| {
                let given = value.as_ref().ok().and_then(number);
                given.zip(sum(*i + shift)).is_some_and(|(c, sum)| (c - sum).abs() < AGREEMENT)
            };
            self.c.iter().filter(agrees).count()
        };
        let shift = usize::from(agreeing(1) > agreeing(0));
        let (agreeing, count) = (agreeing(shift), self.c.len());
        let complete = (2..=stages).all(|i| self.c.contains_key(&(i.wrapping_sub(shift))));
        if count == 0 || !complete || count - agreeing > (count / 2).max(1) {
            return None;
        }
        let entry = |i: usize| self.c.get(&(i.wrapping_sub(shift))).map(placed);
        let entries = (1..=stages).map(|i| entry(i).unwrap_or_else(|| Ok(ProgramValue::Number(WrittenNumber::zero()))));
        let c = entries.collect::<Result<_, TextFault>>().map(|entries| ProgramValue::List(entries, place));
        Some((c, place))
    }
}

/// Returns a number with the position of its assignment.
fn placed((value, place): &ReadValue) -> Result<ProgramValue, TextFault> {
    Ok(value.clone()?.placed(*place))
}

/// Returns the last row as weights if its sum is one. The sum differs from one if the surrounding program supplies some
/// of the numbers.
fn last_row(row: &Result<Vec<ProgramValue>, TextFault>, place: TextPosition) -> Result<ProgramValue, TextFault> {
    let row = row.clone()?;
    let mut sum = 0.0;
    for value in &row {
        sum += value.number(place)?.value().to_f64();
    }
    if (sum - 1.0).abs() < AGREEMENT {
        return Ok(ProgramValue::List(row, place));
    }
    let found = format!("no weights b1, b2, …, and a last row of A with sum {sum:.6}");
    Err(TextFault::new(place, found, "weights whose sum is 1 (the program has coefficients outside the table)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_as_they_are_written() {
        assert_eq!(indices("21"), Some((2, 1)));
        assert_eq!(indices("101"), Some((10, 1)));
        assert_eq!(indices("1110"), Some((11, 10)));
        assert_eq!(indices("0201"), Some((2, 1)));
        assert_eq!(indices("_2_1"), Some((2, 1)));
        assert_eq!(indices("1"), None);
        assert_eq!(indices("x1"), None);
        assert_eq!(position("7"), Some(7));
        assert_eq!(position("123"), None);
    }
}
