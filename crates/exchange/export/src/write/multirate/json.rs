//! Tables of differential-equations-rs: MRI-GARK tables have the fields dc, W0, W1, embedded0, embedded1 and gamma; MIS
//! tables have alpha, beta, gamma and d.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::Exact;
use num_traits::Zero;

use super::gark::GarkTable;
use super::rows::CouplingRows;
use crate::write::error::WriteError;
use crate::write::languages::json::{JsonTable, row, rows};

pub(super) fn json(method: &InfinitesimalMethod) -> Result<String, WriteError> {
    let found = CouplingRows::new(method);
    let mut table = JsonTable::new(method.name(), method.source());
    table.insert("order", method.claims().order.map_or_else(|| "null".to_owned(), |order| order.to_string()));
    if is_mis(&found) {
        return Ok(mis(table, &found));
    }
    let arrays = GarkTable::new(method, "differential-equations-rs")?;
    table.insert("inner_order", method.claims().order.map_or_else(|| "null".to_owned(), |order| order.to_string()));
    table.insert("dc", row(&arrays.intervals));
    table.insert("W0", rows(&arrays.forcing[0]));
    table.insert("W1", rows(&arrays.forcing[1]));
    for (k, name) in ["embedded0", "embedded1"].into_iter().enumerate() {
        table.insert(name, arrays.embedded.as_ref().map_or_else(|| "null".to_owned(), |powers| row(&powers[k])));
    }
    table.insert("gamma", row(&arrays.own));
    Ok(table.text())
}

/// Returns whether a method has the form of Wensch, Knoth and Galant (2009) and is not an MRI-GARK method: all stages
/// begin at the start of the step, possibly with start and drift coefficients; the forcing is constant; there is no
/// embedded row.
fn is_mis(found: &CouplingRows) -> bool {
    let fits = |row: &InfinitesimalStage<Exact>| row.from == 1 && row.forcing.len() == 1 && row.forcing[0].len() <= 1;
    let is_explicit = !found.is_implicit(0) && !found.has_corrections(0);
    !found.continues() && found.embedded.is_none() && is_explicit && found.stages.iter().all(fits)
}

/// Writes the rows of Y₁, Y₂, …, with the abscissae of the stages and of their starts.
fn mis(mut table: JsonTable, found: &CouplingRows) -> String {
    let size = found.stages.len() + 1;
    let matrix = |values: fn(&InfinitesimalStage<Exact>) -> Vec<Exact>| {
        let full = |mut row: Vec<Exact>| {
            row.resize(size, Exact::zero());
            row
        };
        let all: Vec<Vec<Exact>> =
            std::iter::once(Vec::new()).chain(found.stages.iter().map(values)).map(full).collect();
        rows(&all)
    };
    table.insert("alpha", matrix(|stage| stage.start.clone()));
    table.insert("beta", matrix(|stage| stage.forcing[0].first().cloned().unwrap_or_default()));
    table.insert("gamma", matrix(|stage| stage.drift.clone()));
    let after_first = |values: Vec<Exact>| row(&std::iter::once(Exact::zero()).chain(values).collect::<Vec<_>>());
    table.insert("d", after_first(found.stages.iter().map(|stage| stage.interval.clone()).collect()));
    table.insert("c", row(&found.c));
    let start = |stage: &InfinitesimalStage<Exact>| {
        let terms = stage.start.iter().zip(&found.c).map(|(alpha, c)| alpha.clone() * c.clone());
        terms.fold(Exact::zero(), |sum, term| sum + term)
    };
    table.insert("c_tilde", after_first(found.stages.iter().map(start).collect()));
    table.text()
}
