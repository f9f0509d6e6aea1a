//! Coupling tables of MRIStep (SUNDIALS): `MRIStepCoupling_Alloc(nmat, stages, type)`, after which the nonzero entries
//! of c, W and G are set, or `MRIStepCoupling_MIStoMRI` of a Butcher table.
//!
//! MRIStep divides W and G by the length of the stage and integrates in time. With τ from 0 to 1 as the independent
//! variable, the coefficients equal the entries of the tables. MERK methods use polynomials in θ/H.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::Coefficient;

use super::base_tables::{BaseTable, known};
use super::draft::{CouplingDraft, CouplingRows, coefficient, coefficients, trimmed, without_last_zeros};
use crate::read::arrays::roles::whole;
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::value::{ProgramValue, arithmetic};
use crate::read::programs::reader::{Call, ProgramUnit};

const FROM_THETA: &str = "The polynomials in θ/H of the table are converted to polynomials in τ = θ/(c_i H).";
/// Largest number of stages and of matrices.
const MOST_STAGES: usize = 128;
const MOST_MATRICES: usize = 16;

/// Returns whether a function constructs a coupling table or its Butcher table.
pub(super) fn constructs(function: &str) -> bool {
    matches!(
        function,
        "MRIStepCoupling_Alloc"
            | "MRIStepCoupling_MIStoMRI"
            | "ARKodeButcherTable_LoadERK"
            | "ARKodeButcherTable_Alloc"
    )
}

/// Reads the table of a unit, if it has one.
pub(super) fn draft(unit: &ProgramUnit) -> Option<CouplingDraft> {
    let call = |function: &str| unit.calls.iter().find(|call| call.function == function);
    let rows = match (call("MRIStepCoupling_Alloc"), call("MRIStepCoupling_MIStoMRI")) {
        (Some(allocation), _) => CouplingTable::new(unit, allocation).and_then(|table| table.rows()),
        (None, Some(conversion)) => base_table(unit, conversion).and_then(|base| base.rows(conversion.place)),
        (None, None) => return None,
    };
    let name = unit.name.clone().unwrap_or_else(|| "method".to_owned());
    Some(CouplingDraft { name, place: unit.place, conditions: unit.conditions.clone(), rows })
}

/// Returns the Butcher table from which a coupling table is built.
fn base_table(unit: &ProgramUnit, conversion: &Call) -> Result<BaseTable, TextFault> {
    let call = |function: &str| unit.calls.iter().find(|call| call.function == function);
    if let Some(load) = call("ARKodeButcherTable_LoadERK") {
        let name = argument(load, 0)?;
        return known(name.shown().trim_matches('`'), load.place);
    }
    let allocation = call("ARKodeButcherTable_Alloc")
        .ok_or_else(|| TextFault::new(conversion.place, "a table that is not in the text", "its Butcher table"))?;
    let stages = size(allocation, 0, "stages", MOST_STAGES)?;
    let vector = |name: &str| -> Result<Vec<WrittenNumber>, TextFault> { padded(vector(unit, name, &[])?, stages) };
    let a = (0..stages).map(|i| padded(self::vector(unit, "B.A", &[i])?, stages)).collect::<Result<_, _>>()?;
    let embedded_order = whole(&unit.scope, "B.p").filter(|order| *order > 0);
    let b_hat = embedded_order.map(|_| vector("B.d")).transpose()?;
    Ok(BaseTable { a, b: vector("B.b")?, c: vector("B.c")?, b_hat, order: whole(&unit.scope, "B.q"), embedded_order })
}

/// Fills a row with the zeros that the text omits.
fn padded(mut row: Vec<WrittenNumber>, length: usize) -> Result<Vec<WrittenNumber>, TextFault> {
    row.resize(length.max(row.len()), WrittenNumber::zero());
    Ok(row)
}

fn argument(call: &Call, position: usize) -> Result<ProgramValue, TextFault> {
    let missing = || TextFault::new(call.place, format!("a call of {}", quoted(&call.function)), "more arguments");
    call.arguments.get(position).map(|(_, value)| value.clone()).ok_or_else(missing)?
}

/// Reads a number of stages or matrices.
fn size(call: &Call, position: usize, of: &str, most: usize) -> Result<usize, TextFault> {
    let found = argument(call, position)?;
    let number = found.number(call.place)?.as_whole().and_then(|number| usize::try_from(number).ok());
    let expected = || TextFault::new(call.place, found.shown(), format!("from 1 to {most} {of}"));
    number.filter(|number| (1..=most).contains(number)).ok_or_else(expected)
}

/// Returns the vector at the given indices of an array, or an empty vector if the text does not set it.
fn vector(unit: &ProgramUnit, name: &str, indices: &[usize]) -> Result<Vec<WrittenNumber>, TextFault> {
    let Some((value, place)) = unit.scope.get(name) else { return Ok(Vec::new()) };
    let mut value = value.as_ref().map_err(Clone::clone)?;
    for index in indices {
        let ProgramValue::List(items, _) = value else { return Ok(Vec::new()) };
        match items.get(*index) {
            Some(item) => value = item,
            None => return Ok(Vec::new()),
        }
    }
    let ProgramValue::List(items, at) = value else { return Err(TextFault::new(*place, value.shown(), "an array")) };
    items.iter().map(|item| item.number(*at)).collect()
}

/// Kind of coupling table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CouplingKind {
    Explicit,
    Implicit,
    Imex,
    /// All stages start from the first one, with polynomials in θ/H.
    Merk,
    /// All stages start from the first one; G is added at the end.
    StageRestart,
}

/// Array of an allocated table.
#[derive(Clone, Copy)]
enum CouplingArray {
    W,
    G,
}

struct CouplingTable<'a> {
    unit: &'a ProgramUnit,
    place: TextPosition,
    /// Name of the table in the program.
    name: String,
    matrices: usize,
    kind: CouplingKind,
    /// Abscissae of the stages.
    c: Vec<WrittenNumber>,
}

impl<'a> CouplingTable<'a> {
    fn new(unit: &'a ProgramUnit, allocation: &Call) -> Result<Self, TextFault> {
        let place = allocation.place;
        let matrices = size(allocation, 0, "matrices", MOST_MATRICES)?;
        let stages = size(allocation, 1, "stages", MOST_STAGES)?;
        let word = argument(allocation, 2)?;
        let kind = match word.shown().trim_matches('`') {
            "MRISTEP_EXPLICIT" => CouplingKind::Explicit,
            "MRISTEP_IMPLICIT" => CouplingKind::Implicit,
            "MRISTEP_IMEX" => CouplingKind::Imex,
            "MRISTEP_MERK" => CouplingKind::Merk,
            "MRISTEP_SR" => CouplingKind::StageRestart,
            _ => {
                let expected = "MRISTEP_EXPLICIT, MRISTEP_IMPLICIT, MRISTEP_IMEX, MRISTEP_MERK or MRISTEP_SR";
                return Err(TextFault::new(place, word.shown(), expected));
            }
        };
        let of_table = |name: &&str| [".W", ".G", ".c"].iter().any(|end| name.ends_with(end));
        let name = unit.scope.own().find(of_table).map_or("C", |name| &name[..name.len() - 2]).to_owned();
        let c = padded(vector(unit, &format!("{name}.c"), &[])?, stages)?;
        Ok(Self { unit, place, name, matrices, kind, c })
    }

    fn rows(&self) -> Result<CouplingRows, TextFault> {
        let stages = self.c.len();
        let order = |field: &str| whole(&self.unit.scope, &format!("{}.{field}", self.name));
        let embedded_order = order("p").filter(|order| *order > 0);
        let partitions: &[&str] = match self.kind {
            CouplingKind::Explicit | CouplingKind::Implicit | CouplingKind::Merk => &["fast", "slow"],
            CouplingKind::Imex | CouplingKind::StageRestart => &["fast", "explicit", "implicit"],
        };
        let rows = (1..stages).map(|i| self.row(i)).collect::<Result<_, _>>()?;
        Ok(CouplingRows {
            partitions: partitions.iter().map(|name| (*name).to_owned()).collect(),
            stages: rows,
            embedded: embedded_order.map(|_| self.row(stages)).transpose()?,
            order: order("q"),
            embedded_order,
            remark: (self.kind == CouplingKind::Merk).then_some(FROM_THETA),
        })
    }

    /// Reads the row of a stage; the row after the last stage is the embedded one.
    fn row(&self, i: usize) -> Result<InfinitesimalStage<Coefficient>, TextFault> {
        let restarts = matches!(self.kind, CouplingKind::Merk | CouplingKind::StageRestart);
        let is_embedded = i == self.c.len();
        // The embedded row replaces the last stage.
        let end = if is_embedded { &WrittenNumber::whole(1) } else { &self.c[i] };
        let (from, interval) = if restarts {
            (1, end.clone())
        } else {
            let from = if is_embedded { i - 1 } else { i };
            let start = from.checked_sub(1).map_or_else(WrittenNumber::zero, |start| self.c[start].clone());
            let end = if is_embedded { &self.c[i - 1] } else { end };
            (from.max(1), end.minus(&start).map_err(arithmetic(self.place))?)
        };
        let (w, g) = (CouplingArray::W, CouplingArray::G);
        let (forcing, correction) = match self.kind {
            CouplingKind::Explicit => (vec![self.polynomial(w, i)?], vec![Vec::new()]),
            CouplingKind::Implicit => (vec![self.polynomial(g, i)?], vec![Vec::new()]),
            CouplingKind::Imex => (vec![self.polynomial(w, i)?, self.polynomial(g, i)?], vec![Vec::new(); 2]),
            CouplingKind::Merk => (vec![self.scaled_polynomial(i, &interval)?], vec![Vec::new()]),
            CouplingKind::StageRestart => {
                let forcing = self.polynomial(w, i)?;
                let correction = coefficients(&self.vector(g, 0, i)?, self.place)?;
                (vec![forcing.clone(), forcing], vec![Vec::new(), without_last_zeros(correction)])
            }
        };
        let interval = coefficient(&interval, self.place)?;
        Ok(InfinitesimalStage { from, interval, forcing, correction, start: Vec::new(), drift: Vec::new() })
    }

    fn vector(&self, array: CouplingArray, power: usize, i: usize) -> Result<Vec<WrittenNumber>, TextFault> {
        let letter = match array {
            CouplingArray::W => "W",
            CouplingArray::G => "G",
        };
        vector(self.unit, &format!("{}.{letter}", self.name), &[power, i])
    }

    fn polynomial(&self, array: CouplingArray, i: usize) -> Result<Vec<Vec<Coefficient>>, TextFault> {
        let powers = (0..self.matrices).map(|power| coefficients(&self.vector(array, power, i)?, self.place));
        Ok(trimmed(powers.collect::<Result<_, _>>()?))
    }

    /// Converts a polynomial in θ/H: (θ/H)ᵏ dθ = Δᵏ⁺¹ τᵏ H dτ.
    fn scaled_polynomial(&self, i: usize, interval: &WrittenNumber) -> Result<Vec<Vec<Coefficient>>, TextFault> {
        let mut scale = interval.clone();
        let mut powers = Vec::new();
        for power in 0..self.matrices {
            let row = self.vector(CouplingArray::W, power, i)?;
            let row = row.iter().map(|entry| entry.times(&scale).map_err(arithmetic(self.place)));
            powers.push(coefficients(&row.collect::<Result<Vec<_>, _>>()?, self.place)?);
            scale = scale.times(interval).map_err(arithmetic(self.place))?;
        }
        Ok(trimmed(powers))
    }
}
