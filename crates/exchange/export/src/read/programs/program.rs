//! Reads the assignments of a program statement by statement; each function is a separate scope.
//!
//! Programs are not executed, and code that never runs is skipped. A value that depends on a loop or a condition is
//! unknown, so that no coefficient is guessed. A branch that holds a whole method is a unit with that condition.

use super::blocks::{Binding, BlockEnd};
use super::reader::{ProgramReader, ProgramUnit};
use crate::read::error::TextFault;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::token::{Token, TokenKind};

/// Reads the units of a program. `makes` returns whether a function constructs methods; `scope` determines whether
/// quotients of integers drop their remainders.
pub(crate) fn read(
    tokens: &[Token],
    dialect: Dialect,
    makes: fn(&str) -> bool,
    scope: NameScope,
) -> Result<Vec<ProgramUnit>, TextFault> {
    let mut reader = ProgramReader::new(tokens, dialect, makes, scope);
    if dialect == Dialect::Matlab {
        reader.count_ends();
    }
    while reader.position < tokens.len() {
        reader.statement();
    }
    while reader.blocks.len() > 1 {
        reader.close();
    }
    reader.fault.map_or(Ok(reader.units), Err)
}

impl ProgramReader<'_> {
    fn statement(&mut self) {
        let start = self.position;
        let token = self.at(start);
        let is_c = self.dialect == Dialect::C;
        if token.name() != Some("else") {
            self.end_chain();
        }
        if let TokenKind::Directive(line) = &token.kind {
            return self.directive(start, line);
        }
        let is_end = matches!(token.kind, TokenKind::Break | TokenKind::End);
        if self.dialect == Dialect::Python && !is_end {
            self.dedent(start);
            if !matches!(token.name(), Some("elif" | "else" | "case")) {
                self.end_chain();
            }
        }
        if is_c && token.is("}") {
            return self.close_brace();
        }
        if is_end || matches!(token.kind, TokenKind::Mark(";" | "," | ")" | "}" | "{" | "]")) {
            self.position += 1;
            match token.kind {
                TokenKind::Mark(";") if is_c => self.end_statement(),
                TokenKind::Mark("{") if is_c => self.open_brace(start, start),
                _ => {}
            }
            return;
        }
        let is_control = match self.dialect {
            Dialect::C => self.entry(start) || self.brace_control(start),
            Dialect::Python => self.indented_control(start),
            Dialect::Julia | Dialect::Matlab => self.keyword_control(start),
            Dialect::Cells => false,
        };
        if !is_control {
            self.simple_statement(start);
        }
    }

    fn simple_statement(&mut self, start: usize) {
        let end = self.end_of_statement(start);
        let mut from = start;
        while self.at(from).is("@") {
            from += 2;
        }
        let word = self.at(from).name().unwrap_or_default();
        let is_prefix = matches!(word, "const" | "local" | "global" | "return" | "nonlocal");
        if matches!(word, "global" | "nonlocal") && self.dialect == Dialect::Python {
            self.outer_names(from + 1, end);
        } else if !matches!(word, "import" | "from" | "using" | "include") && !self.is_header(from, end) {
            self.plain(from + usize::from(is_prefix), end);
        }
        self.position = end.max(start + 1);
        if self.dialect == Dialect::C {
            self.conditions_inside(start, end);
            if self.at(end).is("{") && end > start {
                self.open_brace(start, end);
            }
        } else {
            self.blocks_inside(from + usize::from(is_prefix), end);
        }
        let exits = self.at(from + 1).is("(") && matches!(word, "exit" | "quit" | "abort" | "error" | "throw");
        let exits_python = word == "sys" && self.at(from + 2).name() == Some("exit");
        let is_jump = matches!(word, "return" | "break" | "continue" | "goto" | "raise" | "throw");
        if is_jump || exits || exits_python {
            self.block_mut().has_left = true;
        }
    }

    /// Returns whether a statement of C is the header of a block.
    fn is_header(&self, start: usize, end: usize) -> bool {
        let is_value = || self.top_level(start, end).any(|i| self.at(i).is("="));
        self.dialect == Dialect::C && self.at(end).is("{") && !is_value()
    }

    /// Reads `global b` of Python: assignments to `b` then change the name outside of the function.
    fn outer_names(&mut self, start: usize, end: usize) {
        for i in start..end {
            if let Some(name) = self.at(i).name() {
                let place = self.at(i).place;
                let fault = TextFault::new(place, "a global name in a function", "coefficients given in one place");
                self.set(name, Err(fault), place, Binding::Global);
            }
        }
    }

    /// Reads `ARK_BUTCHER_TABLE(NAME, {`, which begins an entry of a list.
    fn entry(&mut self, start: usize) -> bool {
        let Some(first) = self.at(start).name() else { return false };
        let is_table = first.ends_with("_TABLE")
            && self.at(start + 1).is("(")
            && self.at(start + 3).is(",")
            && self.at(start + 4).is("{");
        let Some(name) = self.at(start + 2).name().filter(|_| is_table) else { return false };
        self.begin(name, self.at(start).place, BlockEnd::Brace);
        self.position = start + 5;
        true
    }
}
