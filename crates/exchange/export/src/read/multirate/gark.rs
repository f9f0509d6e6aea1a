//! MRI-GARK tables as arrays: `MRIGARKTableau{T}(Δc, W0, W1, Wemb0, Wemb1, γ0, q)` of OrdinaryDiffEq.jl, and the fields of
//! the tables of differential-equations-rs.
//!
//! Stage i continues the one before it with the forcing W0 + W1 τ; γ0 is the coefficient of the stage itself.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::Coefficient;
use num_traits::Zero;

use super::draft::{CouplingDraft, CouplingRows, coefficient, coefficients, trimmed, without_last_zeros};
use crate::describe::counted;
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::value::ProgramValue;
use crate::read::programs::reader::ProgramUnit;

/// Names of the arrays; W0 and W1 have the same names in all packages.
pub(super) struct GarkNames {
    pub(super) intervals: &'static str,
    pub(super) embedded: [&'static str; 2],
    pub(super) own: &'static str,
}

const OF_JULIA: GarkNames = GarkNames { intervals: "Δc", embedded: ["Wemb0", "Wemb1"], own: "γ0" };

impl GarkNames {
    /// Returns whether a scope contains these arrays.
    pub(super) fn are_in(&self, scope: &NameScope) -> bool {
        scope.is_own(self.intervals) && scope.is_own("W0")
    }
}

/// Rows, each with its position.
pub(super) type Matrix = Vec<(Vec<WrittenNumber>, TextPosition)>;

/// Returns `false`: the arrays are recognized by their fixed names rather than by a constructor call.
pub(super) fn constructs(_function: &str) -> bool {
    false
}

/// Reads the table of a function in Julia, if it has one.
pub(super) fn draft(unit: &ProgramUnit) -> Option<CouplingDraft> {
    if !OF_JULIA.are_in(&unit.scope) {
        return None;
    }
    let name = unit.name.clone().unwrap_or_else(|| "method".to_owned());
    let rows = rows(&unit.scope, unit.place, &OF_JULIA);
    Some(CouplingDraft { name, place: unit.place, conditions: unit.conditions.clone(), rows })
}

/// Reads the rows of a table.
pub(super) fn rows(scope: &NameScope, place: TextPosition, names: &GarkNames) -> Result<CouplingRows, TextFault> {
    let lengths = vector(scope, names.intervals)?;
    let own = vector(scope, names.own)?;
    let matrices = [matrix(scope, "W0")?, matrix(scope, "W1")?];
    let stages = lengths.len();
    let expected = || format!("{stages}, one for each entry of {}", names.intervals);
    for (name, rows) in ["W0", "W1"].into_iter().zip(&matrices) {
        // A table of constant forcing may have no W1.
        let is_absent = name == "W1" && rows.is_empty();
        if rows.len() != stages && !is_absent {
            let at = rows.last().map_or(place, |(_, place)| *place);
            return Err(TextFault::new(at, format!("a matrix {name} of {}", counted(rows.len(), "row")), expected()));
        }
    }
    if !(own.is_empty() || own.len() == stages) {
        return Err(TextFault::new(place, format!("{} of {}", counted(own.len(), "number"), names.own), expected()));
    }
    let row = |i: usize| {
        let mut powers: Vec<Vec<Coefficient>> = Vec::new();
        for matrix in &matrices {
            let row = matrix.get(i).map(|(row, place)| coefficients(row, *place)).transpose()?;
            powers.push(row.unwrap_or_default());
        }
        if let Some(diagonal) = own.get(i).filter(|diagonal| !diagonal.value().is_zero()) {
            let zero = coefficient(&WrittenNumber::zero(), place)?;
            let mut row = without_last_zeros(std::mem::take(&mut powers[0]));
            row.resize(row.len().max(i + 1), zero);
            row.push(coefficient(diagonal, place)?);
            powers[0] = row;
        }
        stage(i + 1, &lengths[i], powers, place)
    };
    let embedded = [vector(scope, names.embedded[0])?, vector(scope, names.embedded[1])?];
    let embedded = embedded.map(|row| coefficients(&row, place));
    let [constant, linear] = embedded;
    let (constant, linear) = (constant?, linear?);
    if constant.is_empty() && !linear.is_empty() {
        let [first, second] = names.embedded;
        return Err(TextFault::new(place, format!("{second} without {first}"), "both rows of the embedded method"));
    }
    let has_embedded = !constant.is_empty() && stages > 0;
    let embedded = has_embedded.then(|| stage(stages, &lengths[stages - 1], vec![constant, linear], place));
    Ok(CouplingRows {
        partitions: vec!["fast".to_owned(), "slow".to_owned()],
        stages: (0..stages).map(row).collect::<Result<_, _>>()?,
        embedded: embedded.transpose()?,
        order: None,
        embedded_order: None,
        remark: None,
    })
}

fn stage(
    from: usize,
    interval: &WrittenNumber,
    powers: Vec<Vec<Coefficient>>,
    place: TextPosition,
) -> Result<InfinitesimalStage<Coefficient>, TextFault> {
    let interval = coefficient(interval, place)?;
    let (forcing, correction) = (vec![trimmed(powers)], vec![Vec::new()]);
    Ok(InfinitesimalStage { from, interval, forcing, correction, start: Vec::new(), drift: Vec::new() })
}

pub(super) fn vector(scope: &NameScope, name: &str) -> Result<Vec<WrittenNumber>, TextFault> {
    let Some((value, place)) = scope.get(name) else { return Ok(Vec::new()) };
    let value = value.as_ref().map_err(Clone::clone)?;
    if value.is_nothing() { Ok(Vec::new()) } else { value.vector(*place) }
}

pub(super) fn matrix(scope: &NameScope, name: &str) -> Result<Matrix, TextFault> {
    let Some((value, place)) = scope.get(name) else { return Ok(Vec::new()) };
    let value: &ProgramValue = value.as_ref().map_err(Clone::clone)?;
    value.rows(*place)
}
