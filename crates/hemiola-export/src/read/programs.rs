//! Methods of programs: SUNDIALS, PETSc, C, Python, MATLAB and Julia.

use super::constructors;
use super::dialect::Dialect;
use super::draft::Draft;
use super::program;
use super::roles;
use super::token::{Kind, tokens};

/// The methods of a program.
pub(super) fn read(text: &str, dialect: Dialect) -> Vec<Draft> {
    let mut tokens = tokens(text, dialect);
    // To C the end of a line is a blank.
    tokens.retain(|token| dialect != Dialect::C || token.kind != Kind::Break);
    let units = program::read(&tokens, dialect, constructors::makes);
    let made: Vec<Draft> = units.iter().flat_map(constructors::drafts).collect();
    if !made.is_empty() {
        return made;
    }
    let hat_is_d = dialect == Dialect::C;
    units.iter().flat_map(|unit| roles::drafts(unit.name.as_deref(), unit.place, &unit.scope, hat_is_d)).collect()
}
