//! MIS methods: coupling tables built from the Butcher table of the slow partition.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::{Coefficient, Exact};
use num_traits::{One, Zero};

use super::draft::{CouplingRows, coefficient, coefficients, trimmed};
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::value::arithmetic;

/// Butcher table of the slow partition.
pub(super) struct BaseTable {
    pub(super) a: Vec<Vec<WrittenNumber>>,
    pub(super) b: Vec<WrittenNumber>,
    pub(super) c: Vec<WrittenNumber>,
    pub(super) b_hat: Option<Vec<WrittenNumber>>,
    pub(super) order: Option<usize>,
    pub(super) embedded_order: Option<usize>,
}

/// Tables that MRIStep loads by name: rows of A, weights b and b̂, order, embedded order. The abscissae are row sums.
type KnownTable = (&'static str, &'static [&'static str], &'static str, Option<&'static str>, usize, usize);

const KNOWN: [KnownTable; 5] = [
    ("ARKODE_FORWARD_EULER_1_1", &["0"], "1", None, 1, 0),
    ("ARKODE_EXPLICIT_MIDPOINT_EULER_2_1_2", &["0 0", "1/2 0"], "0 1", Some("1 0"), 2, 1),
    ("ARKODE_HEUN_EULER_2_1_2", &["0 0", "1 0"], "1/2 1/2", Some("1 0"), 2, 1),
    ("ARKODE_RALSTON_EULER_2_1_2", &["0 0", "2/3 0"], "1/4 3/4", Some("1 0"), 2, 1),
    ("ARKODE_KNOTH_WOLKE_3_3", &["0 0 0", "1/3 0 0", "-3/16 15/16 0"], "1/6 3/10 8/15", None, 3, 0),
];

/// Returns a table of ARKODE by its name.
pub(super) fn known(name: &str, place: TextPosition) -> Result<BaseTable, TextFault> {
    let Some((_, a, b, b_hat, order, embedded_order)) = KNOWN.iter().find(|(known, ..)| *known == name) else {
        let names: Vec<&str> = KNOWN.iter().map(|(known, ..)| *known).collect();
        let expected = format!("a table whose entries are in the text, or one of {}", names.join(", "));
        return Err(TextFault::new(place, quoted(name), expected));
    };
    let row = |row: &str| -> Result<Vec<WrittenNumber>, TextFault> {
        row.split(' ').map(|number| WrittenNumber::as_written(number).map_err(arithmetic(place))).collect()
    };
    let a: Vec<Vec<WrittenNumber>> = a.iter().map(|text| row(text)).collect::<Result<_, _>>()?;
    let sum = |row: &Vec<WrittenNumber>| {
        row.iter().try_fold(WrittenNumber::zero(), |sum, entry| sum.plus(entry).map_err(arithmetic(place)))
    };
    Ok(BaseTable {
        c: a.iter().map(sum).collect::<Result<_, _>>()?,
        a,
        b: row(b)?,
        b_hat: b_hat.map(row).transpose()?,
        order: Some(*order),
        embedded_order: Some(*embedded_order).filter(|order| *order > 0),
    })
}

impl BaseTable {
    /// Builds the MIS method. Each stage continues the previous one; its coefficients are the difference of two
    /// successive rows of A, with the weights as the final row (Knoth and Wolke 1998; Sandu 2019, section 2.2).
    pub(super) fn rows(&self, place: TextPosition) -> Result<CouplingRows, TextFault> {
        let stages = self.a.len();
        let is_zero = |number: &WrittenNumber| number.value().is_zero();
        let begins = self.c.first().is_some_and(is_zero) && self.a.first().is_some_and(|row| row.iter().all(is_zero));
        let fits = [self.b.len(), self.c.len()].iter().all(|length| *length == stages);
        if !begins || !fits {
            return Err(TextFault::new(place, "a table with an implicit first stage", "a first row of zeros"));
        }
        let last = &self.a[stages - 1];
        let ends = self.c[stages - 1].value().is_one() && values(last) == values(&self.b);
        // The embedded row replaces the last stage, which must then be explicit.
        let is_padded = !ends || (self.b_hat.is_some() && !is_zero(&last[stages - 1]));
        let mut sums: Vec<(&Vec<WrittenNumber>, WrittenNumber)> = self.a.iter().zip(self.c.iter().cloned()).collect();
        if is_padded {
            sums.push((&self.b, WrittenNumber::whole(1)));
        }
        let rows = sums
            .windows(2)
            .enumerate()
            .map(|(e, pair)| row(e + 1, pair[0].0, &pair[0].1, pair[1].0, &pair[1].1, place));
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        let embedded = self.b_hat.as_ref().map(|hat| {
            let (from, end) = if is_padded { (stages, &sums[stages].1) } else { (stages - 1, &sums[stages - 1].1) };
            let (before, start) = &sums[from - 1];
            row(from, before, start, hat, end, place)
        });
        Ok(CouplingRows {
            partitions: vec!["fast".to_owned(), "slow".to_owned()],
            stages: rows,
            embedded: embedded.transpose()?,
            order: self.order,
            embedded_order: self.embedded_order,
            remark: Some("The coupling follows from the Butcher table of the slow partition, as for MIS methods."),
        })
    }
}

fn values(row: &[WrittenNumber]) -> Vec<&Exact> {
    row.iter().map(WrittenNumber::value).collect()
}

/// Builds the stage from one row of a Butcher table to another.
fn row(
    from: usize,
    before: &[WrittenNumber],
    start: &WrittenNumber,
    after: &[WrittenNumber],
    end: &WrittenNumber,
    place: TextPosition,
) -> Result<InfinitesimalStage<Coefficient>, TextFault> {
    let difference = |x: &WrittenNumber, y: &WrittenNumber| x.minus(y).map_err(arithmetic(place));
    let forcing = after.iter().zip(before).map(|(x, y)| difference(x, y)).collect::<Result<Vec<_>, _>>()?;
    Ok(InfinitesimalStage {
        from,
        interval: coefficient(&difference(end, start)?, place)?,
        forcing: vec![trimmed(vec![coefficients(&forcing, place)?])],
        correction: vec![Vec::new()],
        start: Vec::new(),
        drift: Vec::new(),
    })
}
