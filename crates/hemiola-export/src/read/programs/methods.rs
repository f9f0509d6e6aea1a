//! Methods of programs: SUNDIALS, PETSc, C, Python, MATLAB and Julia.

use super::constructors;
use super::program;
use crate::read::arrays::draft::Draft;
use crate::read::arrays::roles::{self, Rules};
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::token::{Kind, tokens};

/// The methods of a program; one of our own exports holds a single method, whatever its partitions are called.
pub(crate) fn read(text: &str, dialect: Dialect, is_ours: bool) -> Vec<Draft> {
    let mut tokens = tokens(text, dialect);
    // To C the end of a line is a blank.
    tokens.retain(|token| dialect != Dialect::C || token.kind != Kind::Break);
    let units = program::read(&tokens, dialect, constructors::makes);
    let made: Vec<Draft> = units.iter().flat_map(constructors::drafts).collect();
    if !made.is_empty() {
        return made;
    }
    let hat_is_d = dialect == Dialect::C;
    let rules = Rules { hat_is_d, is_single: is_ours };
    let arrays: Vec<Draft> =
        units.iter().flat_map(|unit| roles::drafts(unit.name.as_deref(), &unit.scope, rules)).collect();
    if !arrays.is_empty() {
        return arrays;
    }
    // Steps have their numbers one by one beside the arrays: these come first.
    units.iter().flat_map(|unit| roles::scalar_drafts(unit.name.as_deref(), unit.place, &unit.scope)).collect()
}
