//! Method as read from a text, before its arrays are known to fit together.

use std::collections::BTreeMap;

use hemiola_tableau::low_storage::{FormTable, StorageClass};
use hemiola_tableau::{Claims, Coefficient, Method, MethodError, Partition, Precision, Source};

use num_traits::Zero;

use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::value::ProgramValue;

/// Unvalidated method.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Name in the text; if empty, the file name is used.
    pub(crate) name: String,
    pub(crate) place: TextPosition,
    pub(crate) parts: Vec<DraftPartition>,
    /// Number of stages, if the text states it.
    pub(crate) stages: Option<usize>,
    pub(crate) order: Option<usize>,
    pub(crate) embedded_order: Option<usize>,
    pub(crate) dense_order: Option<usize>,
    pub(crate) separable_order: Option<usize>,
    /// Positions of the orders that the text states, by the names of the claims.
    pub(crate) claimed_at: BTreeMap<&'static str, TextPosition>,
    pub(crate) precision: Option<Precision>,
    /// Conditions under which the program uses the method.
    pub(crate) conditions: Vec<RunCondition>,
    /// Remarks on the import.
    pub(crate) remarks: Vec<String>,
    /// Whether contradictory arrays are kept for a later check instead of rejected.
    pub(crate) is_literal: bool,
}

/// Condition that is decided only when a program is run or compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunCondition {
    /// Condition as written: `if (old)`, `#ifdef OLD`, `else of if (old)`.
    pub(crate) text: String,
    pub(crate) place: TextPosition,
}

/// Arrays of one partition, each with its position.
#[derive(Clone, Debug, Default)]
pub(crate) struct DraftPartition {
    pub(crate) name: String,
    pub(crate) a: Option<ReadValue>,
    pub(crate) b: Option<ReadValue>,
    pub(crate) c: Option<ReadValue>,
    pub(crate) b_hat: Option<ReadValue>,
    /// Difference b̂ − b.
    pub(crate) difference: Option<ReadValue>,
    pub(crate) dense: Option<ReadValue>,
}

/// Value, or the reason why it could not be read, and its position.
pub(crate) type ReadValue = (Result<ProgramValue, TextFault>, TextPosition);

impl Draft {
    pub(crate) fn new(name: &str, place: TextPosition, parts: Vec<DraftPartition>) -> Self {
        Self {
            name: name.to_owned(),
            place,
            parts,
            stages: None,
            order: None,
            embedded_order: None,
            dense_order: None,
            separable_order: None,
            claimed_at: BTreeMap::new(),
            precision: None,
            conditions: Vec::new(),
            remarks: Vec::new(),
            is_literal: false,
        }
    }

    /// Sets the order or the embedded order that the text states at a position.
    pub(crate) fn claim(&mut self, name: &'static str, order: Option<usize>, place: TextPosition) {
        if name == "order" {
            self.order = order;
        } else {
            self.embedded_order = order;
        }
        self.claimed_at.insert(name, place);
    }

    /// Builds the method with an id and a name.
    pub(crate) fn method(&self, id: &str, name: &str, note: &str) -> Result<Method, DraftError> {
        let (mut partitions, mut precision) = (Vec::new(), self.precision);
        for part in &self.parts {
            let low_storage = part.low_storage(self)?;
            precision = precision.or(low_storage.as_ref().and_then(|(_, precision)| *precision));
            partitions.push(match low_storage {
                Some((partition, _)) => partition,
                None => part.partition(self)?,
            });
        }
        let has_hat = partitions.iter().all(|partition| partition.b_hat.is_some());
        if !has_hat {
            partitions.iter_mut().for_each(|partition| partition.b_hat = None);
        }
        let has_dense = partitions.iter().all(|partition| partition.dense.is_some());
        let positive = |order: Option<usize>| order.filter(|order| *order > 0);
        let claims = Claims {
            order: positive(self.order),
            separable_order: self.separable_order,
            embedded_order: positive(self.embedded_order).filter(|_| has_hat),
            dense_order: self.dense_order.filter(|_| has_dense),
        };
        let conditions: Vec<&str> = self.conditions.iter().map(|condition| condition.text.as_str()).collect();
        let condition = (!conditions.is_empty()).then(|| format!("It is in the branch {}.", conditions.join(", ")));
        let remarks: String = self.remarks.iter().chain(&condition).map(|remark| format!(" {remark}")).collect();
        let source = Source { note: Some(format!("{note}{remarks}")), ..Source::default() };
        Method::new(id, name, partitions, claims, precision, source).map_err(DraftError::Method)
    }
}

/// Reason why a draft is not a method.
#[derive(Debug)]
pub(crate) enum DraftError {
    Fault(TextFault),
    Method(MethodError),
}

impl From<TextFault> for DraftError {
    fn from(fault: TextFault) -> Self {
        Self::Fault(fault)
    }
}

/// Arrays of one partition with the numbers as written, each array with its position.
pub(crate) struct WrittenArrays {
    pub(crate) a: (Rows, TextPosition),
    pub(crate) b: WrittenVector,
    pub(crate) c: Option<WrittenVector>,
    pub(crate) b_hat: Option<WrittenVector>,
}

pub(crate) type WrittenVector = (Vec<WrittenNumber>, TextPosition);

impl DraftPartition {
    /// Returns the partition of Williamson's 2N coefficients: vectors A and B of s entries, or A without its first zero.
    fn low_storage(&self, draft: &Draft) -> Result<Option<(Partition, Option<Precision>)>, TextFault> {
        let (Some((Ok(a), a_place)), Some((Ok(b), b_place))) = (&self.a, &self.b) else { return Ok(None) };
        let (rows, b) = (a.rows(*a_place)?, b.vector(*b_place)?);
        let [(first, _)] = &rows[..] else { return Ok(None) };
        let (mut first, s) = (first.clone(), b.len());
        // A single nested row with one number is a matrix: the strictly lower triangle of a method with two stages.
        let is_row = |item: &ProgramValue| matches!(item, ProgramValue::List(..));
        if first.len() == 1 && matches!(a, ProgramValue::List(items, _) if items.iter().any(is_row)) {
            return Ok(None);
        }
        if s < 2 || first.len() + 1 < s || first.len() > s {
            return Ok(None);
        }
        if first.len() < s {
            first.insert(0, WrittenNumber::zero());
        }
        let vectors = [coefficients(&first, *a_place)?, coefficients(&b, *b_place)?];
        let table = FormTable::new(StorageClass::TwoN, &vectors, draft.precision).map_err(|problem| {
            let found = format!("vectors A and B that are not a 2N form ({problem})");
            TextFault::new(*a_place, found, "a matrix A, or A and B of Williamson's 2N form")
        })?;
        Ok(Some((
            Partition { name: self.name_or_all(), a: table.a, b: table.b, c: None, b_hat: None, dense: None },
            table.precision,
        )))
    }

    fn name_or_all(&self) -> String {
        if self.name.is_empty() { "all".to_owned() } else { self.name.clone() }
    }

    fn partition(&self, draft: &Draft) -> Result<Partition, TextFault> {
        let WrittenArrays { a: (a, place), b: (b, b_place), c, b_hat } = self.arrays(draft)?;
        let dense = self.dense.as_ref().map(|(dense, place)| dense.clone()?.rows(*place)).transpose()?;
        let vector = |vector: Option<WrittenVector>| vector.map(|(row, _)| coefficients(&row, place)).transpose();
        Ok(Partition {
            name: self.name_or_all(),
            a: a.iter().map(|(row, _)| coefficients(row, place)).collect::<Result<_, _>>()?,
            b: coefficients(&b, b_place)?,
            c: vector(c)?,
            b_hat: vector(b_hat)?,
            dense: dense
                .map(|rows| rows.iter().map(|(row, place)| coefficients(row, *place)).collect::<Result<_, _>>())
                .transpose()?,
        })
    }

    /// Returns the arrays with one row and one entry for each stage.
    pub(crate) fn arrays(&self, draft: &Draft) -> Result<WrittenArrays, TextFault> {
        let (a, place) = found(self.a.as_ref(), draft.place, "a matrix A")?;
        let weights = self.b.as_ref().map(|(b, place)| Ok((b.clone()?, *place))).transpose()?;
        let b = weights.map(|(b, place)| Ok((b.vector(place)?, b.place().unwrap_or(place)))).transpose()?;
        let rows = a.rows(place)?;
        let stages = draft.stages.or(b.as_ref().map(|(b, _)| b.len()));
        let a = matrix(rows, stages, draft.stages.is_some(), place)?;
        let (b, b_place) = b.ok_or_else(|| TextFault::new(place, "a matrix A without weights", "weights b as well"))?;
        let stages = a.len();
        let sizes = VectorLengths { stages, pads: draft.stages.is_some() };
        let b = sizes.vector("weights b", b, b_place)?;
        if b.iter().all(|weight| weight.value().is_zero()) {
            return Err(TextFault::new(b_place, "weights b that are all zero", "weights whose sum is 1"));
        }
        let vector = |what: &str, value: Option<&ReadValue>| {
            let read = |(value, place): &ReadValue| {
                let value = value.clone()?;
                let at = value.place().unwrap_or(*place);
                Ok((sizes.vector(what, value.vector(*place)?, at)?, at))
            };
            value.filter(|(value, _)| !value.as_ref().is_ok_and(ProgramValue::is_nothing)).map(read).transpose()
        };
        let c = vector("abscissae c", self.c.as_ref())?;
        let difference = vector("differences b̂ − b", self.difference.as_ref())?;
        if let Some(sum) = difference
            .as_ref()
            .map(|(numbers, _)| total(numbers))
            .filter(|sum| sum.abs() > AGREEMENT && !draft.is_literal)
        {
            let place = self.difference.as_ref().map_or(place, |(_, place)| *place);
            return Err(TextFault::new(
                place,
                format!("differences of weights with the sum {sum:.6}"),
                "differences that sum to 0",
            ));
        }
        let b_hat = match (vector("embedded weights", self.b_hat.as_ref())?, difference) {
            (None, Some((difference, at))) => Some((sum(&b, &difference, b_place)?, at)),
            (b_hat, _) => b_hat,
        };
        Ok(WrittenArrays { a: (a, place), b: (b, b_place), c, b_hat })
    }
}

fn found(
    value: Option<&ReadValue>,
    place: TextPosition,
    what: &str,
) -> Result<(ProgramValue, TextPosition), TextFault> {
    match value {
        Some((value, place)) => Ok((value.clone()?, *place)),
        None => Err(TextFault::new(place, "an incomplete method", what)),
    }
}

/// Tolerance for sums of decimals.
const AGREEMENT: f64 = 1e-6;

fn total(numbers: &[WrittenNumber]) -> f64 {
    numbers.iter().map(|number| number.value().to_f64()).sum()
}

fn sum(
    b: &[WrittenNumber],
    difference: &[WrittenNumber],
    place: TextPosition,
) -> Result<Vec<WrittenNumber>, TextFault> {
    let placed = |sum: WrittenNumber, d: &WrittenNumber| d.place().map_or(sum.clone(), |place| sum.placed(place));
    let sums = b.iter().zip(difference).map(|(b, d)| Ok(placed(b.plus(d)?, d)));
    sums.collect::<Result<_, _>>().map_err(crate::read::expressions::value::arithmetic(place))
}

fn coefficients(numbers: &[WrittenNumber], place: TextPosition) -> Result<Vec<Coefficient>, TextFault> {
    let parse = |number: &WrittenNumber| {
        Coefficient::parse(number.text())
            .map_err(|problem| TextFault::new(place, format!("{} ({problem})", quoted(number.text())), "a coefficient"))
    };
    numbers.iter().map(parse).collect()
}

/// Lengths of vectors.
struct VectorLengths {
    stages: usize,
    /// Whether trailing zeros may be omitted if the text states the number of stages.
    pads: bool,
}

impl VectorLengths {
    fn vector(
        &self,
        what: &str,
        mut numbers: Vec<WrittenNumber>,
        place: TextPosition,
    ) -> Result<Vec<WrittenNumber>, TextFault> {
        let Self { stages, pads } = *self;
        if pads && numbers.len() < stages {
            numbers.resize(stages, WrittenNumber::zero());
        }
        if numbers.len() == stages {
            return Ok(numbers);
        }
        let found = format!("{} {what}", numbers.len());
        Err(TextFault::new(place, found, format!("{stages}, one for each stage (row of A)")))
    }
}

/// Largest number of stages of a method, whose matrix has 131 044 entries; zeros that a text omits fill it.
const MOST_STAGES: usize = 362;

pub(crate) type Rows = Vec<(Vec<WrittenNumber>, TextPosition)>;

/// Builds the square matrix from rows that may omit the zeros of an explicit method.
fn matrix(rows: Rows, stages: Option<usize>, pads: bool, place: TextPosition) -> Result<Rows, TextFault> {
    let mut rows = rows;
    if let [(flat, _)] = &rows[..] {
        let count = stages.unwrap_or_else(|| flat.len().isqrt());
        if count > 1 && flat.len() == count * count {
            rows = flat.chunks(count).map(|row| (row.to_vec(), place)).collect();
        }
    }
    // Rows may begin with the second stage, since the first row of an explicit method is empty.
    let grows = |rows: &Rows| rows.iter().enumerate().all(|(i, (row, _))| row.len() == i + 1);
    if stages == Some(rows.len() + 1) && grows(&rows) {
        rows.insert(0, (Vec::new(), place));
    }
    let widest = rows.iter().map(|(row, _)| row.len()).max().unwrap_or(0);
    let size = stages.filter(|_| pads).unwrap_or(rows.len().max(widest));
    if size > MOST_STAGES {
        let found = format!("a matrix A of {size} stages");
        return Err(TextFault::new(place, found, format!("at most {MOST_STAGES} stages")));
    }
    if pads && rows.len() < size {
        rows.resize(size, (Vec::new(), place));
    }
    if rows.len() != size {
        let at = rows.last().map_or(place, |(_, place)| *place);
        return Err(TextFault::new(
            at,
            format!("a matrix A of {} rows", rows.len()),
            format!("{size}, one for each stage"),
        ));
    }
    let may_miss = pads || grows(&rows);
    let short = rows.iter().enumerate().find(|(_, (row, _))| row.len() < size).filter(|_| !may_miss);
    let short = short.map(|(i, (row, place))| (i, row.len(), *place));
    let length = |i: usize, length: usize, place: TextPosition| {
        let found = format!("row {} of A with {length} entries", i + 1);
        TextFault::new(
            place,
            found,
            format!("{size}; only explicit methods may omit the zeros on and above the diagonal"),
        )
    };
    for (i, (row, place)) in rows.iter_mut().enumerate() {
        if row.len() > size || (row.len() < i && !may_miss) {
            return Err(length(i, row.len(), *place));
        }
        row.resize(size, WrittenNumber::zero());
    }
    let is_explicit = rows.iter().enumerate().all(|(i, (row, _))| row[i..].iter().all(|entry| entry.value().is_zero()));
    match short.filter(|_| !is_explicit) {
        Some((i, found, place)) => Err(length(i, found, place)),
        None => Ok(rows),
    }
}
