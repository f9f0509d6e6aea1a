//! Arrays in the C code of PETSc.

use hemiola_tableau::{Butcher, Exact};

use crate::write::layout::joined;
use crate::write::literal::{Literal, with_point};

/// Writes numbers as constants of PETSc.
pub(super) fn numbers(row: &[Exact]) -> Vec<String> {
    let number = |number: &str| format!("PetscRealConstant({})", with_point(number));
    row.iter().map(|value| Literal::new(value).format_with(number, " / ")).collect()
}

/// Writes A, b and c of a partition as arrays with a letter in their names.
pub(super) fn arrays(butcher: &Butcher<Exact>, letter: &str) -> String {
    let rows: String = butcher.a.iter().map(|row| joined("        ", &numbers(row), ", ", ",", 8, "")).collect();
    format!("    const PetscReal A{letter}[] = {{\n{rows}    }};\n")
        + &list("PetscReal", &format!("b{letter}"), &numbers(&butcher.b))
        + &list("PetscReal", &format!("c{letter}"), &numbers(&butcher.c))
}

/// Writes an array.
pub(super) fn list(kind: &str, name: &str, items: &[String]) -> String {
    joined(&format!("    const {kind} {name}[] = {{"), items, ", ", "};", 8, "")
}
