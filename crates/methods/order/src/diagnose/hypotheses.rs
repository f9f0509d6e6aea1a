//! Hypotheses: entries that were confused, and one entry to be solved for.

use std::fmt;

use hemiola_tableau::Tableau;

use crate::verdict::cell::Cell;

/// A kind of transcription error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slip {
    /// A sign was lost or added.
    Sign,
    /// One digit differs.
    ChangedDigit,
    /// Two adjacent digits are exchanged.
    ExchangedDigits,
    /// A digit is missing.
    LostDigit,
    /// There is one digit too many.
    ExtraDigit,
    /// An entry is printed where none belongs.
    Stray,
    /// An entry is missing; its value was solved for.
    Lost,
    /// An entry is wrong; its value was solved for.
    Wrong,
    /// Two entries are exchanged.
    Exchanged,
    /// Two rows are exchanged: of A, or b and b̂.
    ExchangedRows,
    /// An entry is printed in another's empty place.
    Moved,
    /// An entry is printed in place of another; the entry that belongs in its own place was solved for.
    MovedAndLost,
    /// A part of a row or column is shifted by one place; the entry that fell out was solved for.
    Shifted,
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sign => "lost or added sign",
            Self::ChangedDigit => "changed digit",
            Self::ExchangedDigits => "exchanged digits",
            Self::LostDigit => "lost digit",
            Self::ExtraDigit => "extra digit",
            Self::Stray => "stray entry",
            Self::Lost => "lost entry",
            Self::Wrong => "wrong entry",
            Self::Exchanged => "exchanged entries",
            Self::ExchangedRows => "exchanged rows",
            Self::Moved => "moved entry",
            Self::MovedAndLost => "moved entry, another lost",
            Self::Shifted => "shifted entries, one lost",
        })
    }
}

/// A family of hypotheses. Later families make more specific assumptions and therefore have more members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HypothesisFamily {
    /// One entry is wrong, including signs, digits, lost and stray entries.
    One,
    /// Two rows are exchanged.
    Rows,
    /// One entry belongs elsewhere, including exchanges.
    Move,
    /// Several neighbors belong in the next place.
    Shift,
}

/// A hypothesis: some cells take the entries of others, and one cell is free.
///
/// A single free value for each hypothesis, found by a fit, covers all special slips: a sign, a digit, an exchange.
/// Only the few values that fit need an interpretation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hypothesis {
    pub(crate) family: HypothesisFamily,
    /// Target cells with the cells whose entries belong there.
    pub(crate) copies: Vec<(Cell, Cell)>,
    pub(crate) free: Cell,
}

impl Hypothesis {
    /// Returns the tableau according to the hypothesis; the free cell is left unchanged.
    pub(crate) fn apply<T: Clone>(&self, printed: &Tableau<T>) -> Tableau<T> {
        let mut tableau = printed.clone();
        for (to, from) in &self.copies {
            *to.of_mut(&mut tableau) = from.of(printed).clone();
        }
        tableau
    }
}

/// Returns all hypotheses about these cells and about pairs of rows, family by family.
pub(crate) fn hypotheses(cells: &[Cell], rows: &[Vec<(Cell, Cell)>], printed: &Tableau<f64>) -> Vec<Hypothesis> {
    let one = cells.iter().map(|&free| Hypothesis { family: HypothesisFamily::One, copies: Vec::new(), free });
    let exchanges = rows.iter().filter_map(|pair| exchange(pair, printed));
    one.chain(exchanges).chain(moves(cells, printed)).chain(shifts(cells, printed)).collect()
}

/// Returns the hypothesis that two rows are exchanged; `None` if they are equal, or if the exchange would make an
/// explicit tableau implicit. One entry stays free: the conditions must give the value that the other row has.
fn exchange(pair: &[(Cell, Cell)], printed: &Tableau<f64>) -> Option<Hypothesis> {
    let differing = pair.iter().filter(|(x, y)| x.of(printed) != y.of(printed));
    let mut copies: Vec<(Cell, Cell)> = differing.flat_map(|&(x, y)| [(x, y), (y, x)]).collect();
    // Two rows that differ in one column only are an exchange of entries.
    if copies.len() < 4 {
        return None;
    }
    let is_explicit = |partition: usize| printed.partitions[partition].is_explicit();
    let is_above = |(to, from): &(Cell, Cell)| {
        let above = to.row().is_some_and(|row| to.column() >= row);
        above && is_explicit(to.partition) && *from.of(printed) != 0.0
    };
    if copies.iter().any(is_above) {
        return None;
    }
    let (free, _) = copies.remove(0);
    Some(Hypothesis { family: HypothesisFamily::Rows, copies, free })
}

/// Iterates over the hypotheses that an entry belongs in another cell of its partition.
fn moves<'a>(cells: &'a [Cell], printed: &'a Tableau<f64>) -> impl Iterator<Item = Hypothesis> + 'a {
    let sources = cells.iter().filter(|from| *from.of(printed) != 0.0);
    sources.flat_map(move |&from| {
        let elsewhere = move |to: &&Cell| to.partition == from.partition && to.of(printed) != from.of(printed);
        let hypothesis =
            move |&to: &Cell| Hypothesis { family: HypothesisFamily::Move, copies: vec![(to, from)], free: from };
        cells.iter().filter(elsewhere).map(hypothesis)
    })
}

/// Iterates over the hypotheses that a run of at least three neighbors in a row or column moves by one place,
/// forwards or backwards.
fn shifts<'a>(cells: &'a [Cell], printed: &'a Tableau<f64>) -> impl Iterator<Item = Hypothesis> + 'a {
    let runs = lines(cells).into_iter().flat_map(|line| {
        let ends = (0..line.len()).flat_map(|start| (start + 3..=line.len()).map(move |end| (start, end)));
        let runs: Vec<Vec<Cell>> = ends.map(|(start, end)| line[start..end].to_vec()).collect();
        runs
    });
    let both = runs.flat_map(|run| {
        let backwards: Vec<Cell> = run.iter().rev().copied().collect();
        [run, backwards]
    });
    let hypothesis = |run: Vec<Cell>| {
        let copies = run.windows(2).map(|pair| (pair[1], pair[0])).collect();
        Hypothesis { family: HypothesisFamily::Shift, copies, free: run[0] }
    };
    // A shift among equal entries may change fewer than two of them and is then a move.
    let changes = |hypothesis: &Hypothesis| {
        hypothesis.copies.iter().filter(|(to, from)| to.of(printed) != from.of(printed)).count()
    };
    both.map(hypothesis).filter(move |hypothesis| changes(hypothesis) >= 2)
}

/// Groups the cells into rows and columns as in the printed tableau; weights are the last row.
fn lines(cells: &[Cell]) -> Vec<Vec<Cell>> {
    let mut lines = Vec::new();
    for partition in 0..=cells.iter().map(|cell| cell.partition).max().unwrap_or(0) {
        let inside: Vec<Cell> = cells.iter().filter(|cell| cell.partition == partition).copied().collect();
        let rows = inside.chunk_by(|x, y| x.row() == y.row()).map(<[Cell]>::to_vec);
        lines.extend(rows);
        for j in 0..=inside.iter().map(|cell| cell.column()).max().unwrap_or(0) {
            lines.push(inside.iter().filter(|cell| cell.column() == j && cell.row().is_some()).copied().collect());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::suspects::{SuspectExtent, suspects};
    use hemiola_tableau::library;

    fn of(id: &str) -> (Vec<Cell>, Vec<Hypothesis>) {
        let method = library::method(id).unwrap();
        let cells = suspects(&method, SuspectExtent::Structure);
        let hypotheses = hypotheses(&cells, &[], &method.to_f64());
        (cells, hypotheses)
    }

    #[test]
    fn every_family_is_complete() {
        let (cells, hypotheses) = of("kutta-3"); // a: 1/2; −1, 2; b: 1/6, 2/3, 1/6
        let count = |family| hypotheses.iter().filter(|hypothesis| hypothesis.family == family).count();
        assert_eq!(count(HypothesisFamily::One), cells.len());
        assert_eq!(count(HypothesisFamily::Move), 6 * 5 - 2); // two weights are equal
        assert_eq!(count(HypothesisFamily::Shift), 2); // the row of the weights
    }

    #[test]
    fn a_reading_takes_entries_from_the_printed_table() {
        let (cells, hypotheses) = of("kutta-3");
        let printed = library::method("kutta-3").unwrap().to_f64();
        let shift = hypotheses.iter().find(|hypothesis| hypothesis.family == HypothesisFamily::Shift).unwrap();
        assert_eq!(shift.apply(&printed).partitions[0].b, [1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0]);
        assert_eq!(shift.free, cells[3]);
    }
}
