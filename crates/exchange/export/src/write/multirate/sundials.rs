//! Coupling tables for MRIStep of SUNDIALS, in C.
//!
//! `MRIStepCoupling_Alloc(nmat, stages, type)` creates a table of zeros, whose entries W[k][i][j] and G[k][i][j] are
//! the coefficients of τᵏ for the slow explicit and implicit functions at stage j. Row `stages` is the embedded row.
//! Embedded rows and the types for MERK and stage-restart methods exist since release 7.2.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::Exact;

use super::rows::{CouplingRows, header, is_nonzero};
use crate::write::error::WriteError;
use crate::write::layout::comment;
use crate::write::literal::{Literal, with_point};
use crate::write::names::identifier;

/// Kind of an MRIStep table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CouplingKind {
    Explicit,
    Implicit,
    Imex,
    Merk,
    StageRestart,
}

pub(super) fn sundials(method: &InfinitesimalMethod) -> Result<String, WriteError> {
    let rows = CouplingRows::new(method);
    let kind = rows.combined().map_or_else(|| kind(&rows).map_err(str::to_owned), Err);
    let kind = kind.map_err(|found| WriteError::Form {
        id: method.id().to_owned(),
        format: "MRIStep of SUNDIALS",
        found,
        expected: "tables of MRI-GARK, IMEX-MRI-GARK, MERK and IMEX-MRI-SR methods",
    })?;
    let function = format!("{}_coupling", identifier(method.id()));
    let exported = format!("{function}(), which the caller frees with MRIStepCoupling_Free. {}", kind.used_for());
    let mut text = comment(&header(method, &exported), "// ");
    text += "\n#include <stdio.h>\n#include <arkode/arkode_mristep.h>\n";
    text += &format!("\nMRIStepCoupling {function}(void)\n{{\n");
    let (stages, word) = (rows.stages.len() + 1, kind.word());
    text += &format!("    MRIStepCoupling C = MRIStepCoupling_Alloc({}, {stages}, {word});\n", rows.powers());
    text += "    if (C == NULL) { return NULL; }\n";
    text += &format!("    C->q = {};\n", method.claims().order.unwrap_or(0));
    text += &abscissae(&rows.c);
    text += &rows.stages.iter().enumerate().map(|(e, row)| entries(kind, e + 1, row)).collect::<String>();
    if kind == CouplingKind::Merk {
        text += &groups(stages, rows.embedded.is_some());
    }
    if let Some(embedded) = &rows.embedded {
        // Older releases do not have this row.
        text += "#if SUNDIALS_VERSION_MAJOR > 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR >= 2)\n";
        text += &format!("    C->p = {};\n", method.claims().embedded_order.unwrap_or(0));
        text += &entries(kind, stages, embedded);
        text += "#endif\n";
    }
    Ok(text + "    return C;\n}\n")
}

/// Returns the kind of table that has these rows, or the reason why there is none.
fn kind(rows: &CouplingRows) -> Result<CouplingKind, &'static str> {
    let slow = rows.stages.first().map_or(0, |row| row.forcing.len());
    let is_corrected = (0..slow).any(|r| rows.has_corrections(r));
    let is_shared = || rows.numbered().all(|(_, row)| row.forcing[0] == row.forcing[1]);
    match slow {
        1 | 2 if rows.continues() && is_corrected => Err("it has corrections after continued stages"),
        1 if rows.continues() && rows.is_implicit(0) => Ok(CouplingKind::Implicit),
        1 if rows.continues() => Ok(CouplingKind::Explicit),
        2 if rows.continues() && rows.is_implicit(0) => Err("its first slow partition is implicit"),
        2 if rows.continues() => Ok(CouplingKind::Imex),
        1 if rows.restarts() && (rows.is_implicit(0) || is_corrected) => Err("its stages restart and are implicit"),
        1 if rows.restarts() => Ok(CouplingKind::Merk),
        2 if rows.restarts() && rows.has_corrections(0) => Err("its first slow partition has corrections"),
        2 if rows.restarts() && is_shared() => Ok(CouplingKind::StageRestart),
        2 if rows.restarts() => Err("its slow partitions have different forcing"),
        1 | 2 => Err("some stages continue an earlier one and others do not"),
        _ => Err("it has more than two slow partitions"),
    }
}

impl CouplingKind {
    fn word(self) -> &'static str {
        match self {
            Self::Explicit => "MRISTEP_EXPLICIT",
            Self::Implicit => "MRISTEP_IMPLICIT",
            Self::Imex => "MRISTEP_IMEX",
            Self::Merk => "MRISTEP_MERK",
            Self::StageRestart => "MRISTEP_SR",
        }
    }

    /// Describes the slow functions and the releases that the table requires.
    fn used_for(self) -> &'static str {
        match self {
            Self::Explicit => "Use: MRIStepCreate with fse, and MRIStepSetCoupling",
            Self::Implicit => "Use: MRIStepCreate with fsi, and MRIStepSetCoupling",
            Self::Imex => "Use: MRIStepCreate with fse and fsi, and MRIStepSetCoupling",
            Self::Merk => "Use (release 7.2 or later): MRIStepCreate with fse, and MRIStepSetCoupling",
            Self::StageRestart => "Use (release 7.2 or later): MRIStepCreate with fse and fsi, and MRIStepSetCoupling",
        }
    }
}

fn abscissae(c: &[Exact]) -> String {
    let nonzero = c.iter().enumerate().filter(|(_, value)| is_nonzero(value));
    nonzero.map(|(i, value)| format!("    C->c[{i}] = {};\n", number(value))).collect()
}

/// Writes the nonzero entries of a row.
fn entries(kind: CouplingKind, i: usize, row: &InfinitesimalStage<Exact>) -> String {
    let polynomial = |letter: &str, powers: &[Vec<Exact>]| {
        powers.iter().enumerate().map(|(k, power)| vector(letter, k, i, power)).collect::<String>()
    };
    match kind {
        CouplingKind::Explicit => polynomial("W", &row.forcing[0]),
        CouplingKind::Implicit => polynomial("G", &row.forcing[0]),
        CouplingKind::Imex => polynomial("W", &row.forcing[0]) + &polynomial("G", &row.forcing[1]),
        CouplingKind::Merk => polynomial("W", &in_theta(row)),
        CouplingKind::StageRestart => polynomial("W", &row.forcing[0]) + &vector("G", 0, i, &row.correction[1]),
    }
}

/// Converts the forcing to a polynomial in θ/H: τᵏ H dτ = Δ⁻ᵏ⁻¹ (θ/H)ᵏ dθ.
fn in_theta(row: &InfinitesimalStage<Exact>) -> Vec<Vec<Exact>> {
    let Some(inverse) = row.interval.reciprocal() else { return row.forcing[0].clone() };
    let mut scale = Exact::from(1);
    let powers = row.forcing[0].iter().map(|power| {
        scale = scale.clone() * inverse.clone();
        power.iter().map(|value| value.clone() * scale.clone()).collect()
    });
    powers.collect()
}

fn vector(letter: &str, k: usize, i: usize, row: &[Exact]) -> String {
    let nonzero = row.iter().enumerate().filter(|(_, value)| is_nonzero(value));
    nonzero.map(|(j, value)| format!("    C->{letter}[{k}][{i}][{j}] = {};\n", number(value))).collect()
}

/// Puts each stage into a separate group, the embedded row before the last stage.
fn groups(stages: usize, has_embedded: bool) -> String {
    let embedded = has_embedded.then_some(stages);
    let order: Vec<usize> = (1..stages - 1).chain(embedded).chain([stages - 1]).collect();
    let first = format!("    C->ngroup = {};\n", order.len());
    first + &order.iter().enumerate().map(|(g, i)| format!("    C->group[{g}][0] = {i};\n")).collect::<String>()
}

fn number(value: &Exact) -> String {
    Literal::new(value).format_with(|number| format!("SUN_RCONST({})", with_point(number)), "/")
}
