//! Coupling tables in the fields of an object, as in differential-equations-rs: MRI-GARK tables have the fields dc, W0,
//! W1, embedded0, embedded1 and gamma; MIS tables have alpha, beta, gamma and d.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::Coefficient;
use num_traits::Zero;

use super::draft::{CouplingDraft, CouplingRows, coefficient, coefficients, trimmed, without_last_zeros};
use super::gark::{self, GarkNames, Matrix};
use crate::describe::counted;
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::scope::NameScope;
use crate::read::tables::json;

const FIELDS: GarkNames = GarkNames { intervals: "dc", embedded: ["embedded0", "embedded1"], own: "gamma" };

/// Reads the coupling table of an object, if it has one.
pub(in crate::read) fn draft(scope: &NameScope) -> Option<CouplingDraft> {
    let is_mis = ["alpha", "beta", "d"].iter().all(|field| scope.is_own(field));
    if !(is_mis || FIELDS.are_in(scope)) {
        return None;
    }
    let place = TextPosition::START;
    let rows = if is_mis { mis(scope) } else { gark::rows(scope, place, &FIELDS) };
    let orders = |rows: CouplingRows| {
        let order = |field: &str| json::order(scope, field);
        CouplingRows { order: order("order"), embedded_order: order("embedded_order"), ..rows }
    };
    let name = json::name(scope).unwrap_or_else(|| "method".to_owned());
    Some(CouplingDraft { name, place, conditions: Vec::new(), rows: rows.map(orders) })
}

/// Reads the rows of Y₂, Y₃, …. Each stage starts from y_n + Σ α_j (Y_j − y_n) and has the drift coefficients γ
/// (Wensch, Knoth and Galant 2009). The rows of Y₁ must be zero.
fn mis(scope: &NameScope) -> Result<CouplingRows, TextFault> {
    let intervals = gark::vector(scope, "d")?;
    let matrices: [Matrix; 3] =
        [gark::matrix(scope, "alpha")?, gark::matrix(scope, "beta")?, gark::matrix(scope, "gamma")?];
    for (name, rows) in ["alpha", "beta", "gamma"].iter().zip(&matrices) {
        if rows.len() != intervals.len() {
            let place = rows.first().map_or(TextPosition::START, |(_, place)| *place);
            let found = format!("{name} with {}", counted(rows.len(), "row"));
            return Err(TextFault::new(place, found, format!("{}, one for each entry of d", intervals.len())));
        }
    }
    let is_nonzero = |number: &WrittenNumber| !number.value().is_zero();
    let first = matrices.iter().filter_map(|rows| rows.first()).find(|(row, _)| row.iter().any(is_nonzero));
    let first = first.map(|(_, place)| *place);
    if let Some(place) = first.or(intervals.first().filter(|d| is_nonzero(d)).map(|_| TextPosition::START)) {
        return Err(TextFault::new(place, "numbers in the row of Y₁", "zeros there"));
    }
    let [alpha, beta, gamma] = &matrices;
    let row = |i: usize| -> Result<InfinitesimalStage<Coefficient>, TextFault> {
        let read = |rows: &Matrix| coefficients(&rows[i].0, rows[i].1);
        Ok(InfinitesimalStage {
            from: 1,
            interval: coefficient(&intervals[i], beta[i].1)?,
            forcing: vec![trimmed(vec![read(beta)?])],
            correction: vec![Vec::new()],
            start: without_last_zeros(read(alpha)?),
            drift: without_last_zeros(read(gamma)?),
        })
    };
    Ok(CouplingRows {
        partitions: vec!["fast".to_owned(), "slow".to_owned()],
        stages: (1..intervals.len()).map(row).collect::<Result<_, _>>()?,
        embedded: None,
        order: None,
        embedded_order: None,
        remark: None,
    })
}
