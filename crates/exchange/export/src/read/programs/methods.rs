//! Methods of programs: SUNDIALS, PETSc, C, Python, MATLAB and Julia.

use super::constructors;
use super::program;
use super::reader::ProgramUnit;
use crate::read::arrays::draft::{Draft, RunCondition};
use crate::read::arrays::packages;
use crate::read::arrays::roles::{self, NamingRules};
use crate::read::error::TextFault;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::token::{Token, TokenKind, tokens};

/// Options for reading a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramOptions {
    pub(crate) dialect: Dialect,
    /// Whether the program is one of our own exports, which hold a single method with arbitrary names of partitions.
    pub(crate) is_ours: bool,
    /// Whether quotients of integers are fractions in any language.
    pub(crate) has_real_division: bool,
}

/// Reads the methods of a program.
pub(crate) fn read(text: &str, program: ProgramOptions) -> Result<Vec<Draft>, TextFault> {
    let ProgramOptions { dialect, is_ours, .. } = program;
    let units = units(text, program, constructors::is_method_constructor, NameScope::default())?;
    let under = |unit: &ProgramUnit, mut drafts: Vec<Draft>| {
        for draft in &mut drafts {
            // Our MATLAB steps return their tableaus if called without arguments.
            let is_meant = |condition: &&RunCondition| is_ours && condition.text == "if nargin == 0";
            draft.conditions = unit.conditions.iter().filter(|condition| !is_meant(condition)).cloned().collect();
        }
        drafts
    };
    let made: Vec<Draft> = units.iter().flat_map(|unit| under(unit, constructors::drafts(unit))).collect();
    if !made.is_empty() {
        return Ok(made);
    }
    let rules = NamingRules { hat_is_d: dialect == Dialect::C, is_single: is_ours };
    let wholes = || units.iter().filter(|unit| !unit.is_part);
    let arrays = wholes().flat_map(|unit| under(unit, roles::drafts(unit.name.as_deref(), &unit.scope, rules)));
    let arrays: Vec<Draft> = arrays.collect();
    // `a = 1/2` alone is a number of the program.
    let has_weights = |draft: &Draft| draft.parts.iter().any(|part| part.b.is_some());
    if arrays.iter().any(has_weights) {
        return Ok(arrays);
    }
    let named = wholes().flat_map(|unit| {
        under(unit, packages::draft(unit.name.as_deref(), unit.place, &unit.scope).into_iter().collect())
    });
    let named: Vec<Draft> = named.collect();
    if !named.is_empty() {
        return Ok(named);
    }
    // Steps contain their coefficients one by one besides the arrays; the arrays take precedence.
    let scalars = |unit: &ProgramUnit| roles::scalar_drafts(unit.name.as_deref(), unit.place, &unit.scope);
    let single: Vec<Draft> = wholes().flat_map(|unit| under(unit, scalars(unit))).collect();
    Ok(if single.is_empty() { arrays } else { single })
}

/// Reads the units of a program with the calls of some functions; `scope` holds predefined names.
pub(crate) fn units(
    text: &str,
    program: ProgramOptions,
    makes: fn(&str) -> bool,
    mut scope: NameScope,
) -> Result<Vec<ProgramUnit>, TextFault> {
    let ProgramOptions { dialect, has_real_division, .. } = program;
    let mut tokens = tokens(text, dialect);
    // Line ends are blanks in C.
    tokens.retain(|token| dialect != Dialect::C || token.kind != TokenKind::Break);
    let drops_remainders = dialect == Dialect::C || (dialect == Dialect::Python && is_python_2(text, &tokens));
    scope.has_integer_division = drops_remainders && !has_real_division;
    program::read(&tokens, dialect, makes, scope)
}

/// Returns whether a text can only be Python 2, where the quotient of two integers drops the remainder.
fn is_python_2(text: &str, tokens: &[Token]) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let begins = |i: usize| i == 0 || matches!(tokens[i - 1].kind, TokenKind::Break | TokenKind::Mark(";" | ":"));
    let prints = |i: usize| {
        let is_value = matches!(
            tokens.get(i + 1).map(|next| &next.kind),
            Some(TokenKind::Text(_) | TokenKind::Name(_) | TokenKind::Number(_))
        );
        tokens[i].name() == Some("print") && begins(i) && is_value
    };
    let is_old = |i: usize| prints(i) || tokens[i].name() == Some("xrange");
    let imports_division =
        tokens.windows(3).any(|next| next[0].name() == Some("__future__") && next[2].name() == Some("division"));
    let says_so = first.starts_with("#!") && first.contains("python2");
    (says_so || (0..tokens.len()).any(is_old)) && !imports_division
}
