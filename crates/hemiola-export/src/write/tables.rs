//! The coefficients as arrays, for methods whose stages are to be solved.

use hemiola_tableau::{Exact, Method};

use super::literal::Literal;
use super::program::Program;

/// One array: a matrix has several rows.
pub(super) struct Table {
    /// a, b, c or `bhat`, with the partition's name: `a_slow`.
    pub(super) name: String,
    pub(super) rows: Vec<Vec<Literal>>,
}

impl Table {
    pub(super) fn is_matrix(&self) -> bool {
        self.name == "a" || self.name.starts_with("a_")
    }
}

/// The arrays a, b, c and where there is one `bhat` of every partition.
pub(super) fn tables(method: &Method, program: &Program) -> Vec<Table> {
    let literals = |row: &[Exact]| row.iter().map(Literal::new).collect::<Vec<_>>();
    let mut tables = Vec::new();
    for ((partition, butcher), part) in method.partitions().iter().zip(&method.exact().partitions).zip(&program.parts) {
        let a = butcher.a.iter().map(|row| literals(row)).collect();
        tables.push(Table { name: part.name("a"), rows: a });
        tables.push(Table { name: part.name("b"), rows: vec![literals(&butcher.b)] });
        tables.push(Table { name: part.name("c"), rows: vec![literals(&butcher.c)] });
        let hat = partition.b_hat.as_ref();
        let hat = hat.map(|hat| hat.iter().map(|coefficient| Literal::new(coefficient.value())).collect());
        tables.extend(hat.map(|row| Table { name: part.name("bhat"), rows: vec![row] }));
    }
    tables
}
