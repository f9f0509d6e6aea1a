//! Coefficients as arrays, for methods whose stages must be solved.

use hemiola_tableau::{Exact, Method};

use super::literal::Literal;
use super::program::StepProgram;

/// Array of coefficients; a matrix has several rows.
pub(super) struct CoefficientTable {
    /// Name of the array: a, b, c or `bhat`, with the partition's name: `a_slow`.
    pub(super) name: String,
    pub(super) rows: Vec<Vec<Literal>>,
}

impl CoefficientTable {
    pub(super) fn is_matrix(&self) -> bool {
        ["a", "A"]
            .iter()
            .any(|letter| self.name.strip_prefix(letter).is_some_and(|end| end.is_empty() || end.starts_with('_')))
    }
}

/// Returns the arrays A, b, c and, if available, `b_hat` of every partition, in the form that accompanies a step.
pub(super) fn beside_step(method: &Method, program: &StepProgram) -> Vec<CoefficientTable> {
    let renamed = |mut table: CoefficientTable| {
        let (letter, suffix) = match table.name.strip_prefix("bhat") {
            Some(suffix) => ("b_hat", suffix.to_owned()),
            None if table.is_matrix() => ("A", table.name[1..].to_owned()),
            None => return table,
        };
        table.name = format!("{letter}{suffix}");
        table
    };
    tables(method, program).into_iter().map(renamed).collect()
}

/// Returns the comment above the arrays that accompany a step.
pub(super) fn explanation(tables: &[CoefficientTable]) -> String {
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let hat = if names.iter().any(|name| name.starts_with("b_hat")) { "; b_hat are the embedded weights" } else { "" };
    format!("The coefficients as arrays: {}{hat}.", names.join(", "))
}

/// Returns the arrays a, b, c and, if available, `bhat` of every partition.
pub(super) fn tables(method: &Method, program: &StepProgram) -> Vec<CoefficientTable> {
    let literals = |row: &[Exact]| row.iter().map(Literal::new).collect::<Vec<_>>();
    let mut tables = Vec::new();
    for ((partition, butcher), part) in method.partitions().iter().zip(&method.exact().partitions).zip(&program.parts) {
        let a = butcher.a.iter().map(|row| literals(row)).collect();
        tables.push(CoefficientTable { name: part.name("a"), rows: a });
        tables.push(CoefficientTable { name: part.name("b"), rows: vec![literals(&butcher.b)] });
        tables.push(CoefficientTable { name: part.name("c"), rows: vec![literals(&butcher.c)] });
        let hat = partition.b_hat.as_ref();
        let hat = hat.map(|hat| hat.iter().map(|coefficient| Literal::new(coefficient.value())).collect());
        tables.extend(hat.map(|row| CoefficientTable { name: part.name("bhat"), rows: vec![row] }));
    }
    tables
}
