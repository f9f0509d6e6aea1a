//! Tables for OrdinaryDiffEqMultirate.jl: a function that constructs the `MRIGARKTableau`.

use hemiola_multirate::InfinitesimalMethod;
use hemiola_tableau::Exact;

use super::gark::{GarkTable, POWERS};
use super::rows::{header, is_nonzero};
use crate::write::error::WriteError;
use crate::write::layout::{comment, joined};
use crate::write::literal::Literal;
use crate::write::names::identifier;

pub(super) fn julia(method: &InfinitesimalMethod) -> Result<String, WriteError> {
    let table = GarkTable::new(method, "OrdinaryDiffEqMultirate.jl")?;
    let name = format!("{}_tableau", identifier(method.id()));
    let exported = format!("{name}(T), for OrdinaryDiffEqMultirate.jl; q is the order of the inner method");
    let mut text = comment(&header(method, &exported), "# ") + "\nimport OrdinaryDiffEqMultirate\n";
    text += &format!("\nfunction {name}(::Type{{T}}) where {{T}}\n");
    text += &vector("Δc", &table.intervals);
    for (k, rows) in table.forcing.iter().enumerate() {
        text += &matrix(&format!("W{k}"), rows);
    }
    for k in 0..POWERS {
        text += &vector(&format!("Wemb{k}"), table.embedded.as_ref().map_or(&[], |rows| &rows[k]));
    }
    text += &vector("γ0", &table.own);
    let order = method.claims().order.unwrap_or(1);
    text += &format!(
        "    return OrdinaryDiffEqMultirate.MRIGARKTableau{{T}}(Δc, W0, W1, Wemb0, Wemb1, γ0, {order})\nend\n"
    );
    Ok(text)
}

fn number(value: &Exact) -> String {
    Literal::new(value).format_with(str::to_owned, " // ")
}

fn vector(name: &str, values: &[Exact]) -> String {
    let entries: Vec<String> = values.iter().map(number).collect();
    joined(&format!("    {name} = T["), &entries, ", ", "]", 8, "")
}

/// Writes a square matrix by its nonzero entries.
fn matrix(name: &str, rows: &[Vec<Exact>]) -> String {
    let size = rows.len();
    let mut text = format!("    {name} = zeros(T, {size}, {size})\n");
    for (i, row) in rows.iter().enumerate() {
        for (j, value) in row.iter().enumerate().filter(|(_, value)| is_nonzero(value)) {
            text += &format!("    {name}[{}, {}] = {}\n", i + 1, j + 1, number(value));
        }
    }
    text
}
