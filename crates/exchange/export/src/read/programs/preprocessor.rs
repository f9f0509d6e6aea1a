//! Preprocessor of C: conditions, and macros as constants and functions.

use super::blocks::{Binding, BlockEnd, BranchChain};
use super::reader::ProgramReader;
use crate::read::arrays::draft::RunCondition;
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::expression::Operator;
use crate::read::expressions::scope::KnownFunction;
use crate::read::expressions::token::{TokenKind, tokens};

impl ProgramReader<'_> {
    /// Reads the directive at a position and moves past it.
    pub(super) fn directive(&mut self, start: usize, line: &str) {
        self.position = start + 1;
        if line == "#define" {
            let end = self.end_of_statement(start + 1);
            self.constant_macro(start + 1, end);
            self.position = end;
            return;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "#define" => self.function_macro(rest, self.at(start).place),
            _ => self.condition(start, word, line),
        }
    }

    /// Follows conditions in the middle of a statement.
    pub(super) fn conditions_inside(&mut self, start: usize, end: usize) {
        for i in start..end {
            if let TokenKind::Directive(line) = &self.at(i).kind {
                let word = line.split(' ').next().unwrap_or_default();
                self.condition(i, word, line);
            }
        }
    }

    fn condition(&mut self, start: usize, word: &str, line: &str) {
        let place = self.at(start).place;
        match word {
            "#if" | "#ifdef" | "#ifndef" => self.open_condition(start, line, None),
            "#elif" | "#elifdef" | "#elifndef" | "#else" | "#endif" => {
                self.end_single_statements();
                if self.block().closing == BlockEnd::Directive {
                    self.close();
                    let chain = self.chain.take();
                    match word {
                        "#endif" => {}
                        "#else" => self.open_else(BlockEnd::Directive, chain, start),
                        _ => self.open_condition(start, line, chain),
                    }
                } else if self.blocks.iter().any(|block| block.closing == BlockEnd::Directive) {
                    self.overlap(place);
                }
            }
            _ => {}
        }
    }

    /// Detects a directive between `if (x)` and its statement.
    fn end_single_statements(&mut self) {
        if self.block().closing == BlockEnd::Statement {
            let place = self.at(self.position).place;
            self.overlap(place);
        }
    }

    fn open_condition(&mut self, start: usize, line: &str, chain: Option<BranchChain>) {
        let condition = RunCondition { text: line.to_owned(), place: self.at(start).place };
        let mut chain = chain.unwrap_or_else(|| BranchChain::new(line));
        let holds = match line.split(' ').collect::<Vec<_>>()[..] {
            ["#if" | "#elif", number] => number.parse::<i64>().ok().map(|number| number != 0),
            // Our exports test for the releases whose tables have embedded rows.
            ["#if", "SUNDIALS_VERSION_MAJOR", ..] => Some(true),
            ["#ifndef", name] if self.defines(start + 1, name) => Some(true),
            _ => None,
        };
        let effect = chain.branch(condition, holds);
        self.open(BlockEnd::Directive, effect, Some(chain));
    }

    /// Returns whether a directive defines a name. After `#ifndef`, such a directive is an include guard.
    fn defines(&self, position: usize, name: &str) -> bool {
        match &self.at(position).kind {
            TokenKind::Directive(line) if line == "#define" => self.at(position + 1).name() == Some(name),
            TokenKind::Directive(line) => line.strip_prefix("#define ") == Some(name),
            _ => false,
        }
    }

    /// Reads `#define NAME value`.
    fn constant_macro(&mut self, start: usize, end: usize) {
        let Some(name) = self.at(start).name() else { return };
        let place = self.at(start).place;
        let value = self.value(start + 1, end);
        self.set(name, value, place, Binding::Assigned);
        let operators: Vec<Operator> = self
            .top_level(start + 1, end)
            // A leading sign belongs to the first number.
            .filter(|i| *i > start + 1)
            .filter_map(|i| match self.at(i).kind {
                TokenKind::Mark("+" | "-") => Some(Operator::Plus),
                TokenKind::Mark("*" | "/") => Some(Operator::Times),
                _ => None,
            })
            .collect();
        let loosest = operators.iter().find(|operator| **operator == Operator::Plus).or(operators.first());
        if let Some(operator) = loosest.filter(|_| !self.block().never_runs()) {
            self.unit().scope.open_macro(name, *operator);
        }
    }

    /// Reads `#define NAME(x) …`. Only macros that return their argument have a value.
    fn function_macro(&mut self, rest: &str, place: TextPosition) {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.is_empty() || self.block().never_runs() {
            return;
        }
        let Some((parameters, body)) = rest[name.len()..].strip_prefix('(').and_then(|rest| rest.split_once(')'))
        else {
            if rest.len() > name.len() {
                let fault = TextFault::new(place, format!("`#define {name}`"), "a macro with one value");
                self.set(&name, Err(fault), place, Binding::Assigned);
            }
            return;
        };
        self.enter();
        let is_certain = self.units[self.current].conditions.is_empty();
        let function = if is_certain { macro_function(parameters.trim(), body) } else { KnownFunction::Computes };
        self.unit().scope.define(&name, function);
    }
}

/// Classifies a macro: `x`, `(x)` and `x##L` return the argument, `((double)(x))` and `REAL(x)` convert it.
fn macro_function(parameter: &str, body: &str) -> KnownFunction {
    let mut uses = 0;
    let mut converts = false;
    let mut is_suffix = false;
    for token in tokens(body, Dialect::C) {
        match token.kind {
            TokenKind::Name(name) if name == parameter => uses += 1,
            TokenKind::Name(name) if is_suffix => is_suffix = !matches!(name.as_str(), "L" | "l" | "f" | "F" | "Q"),
            TokenKind::Name(name) if name == "int" || name == "long" => return KnownFunction::Computes,
            TokenKind::Name(_) => converts = true,
            TokenKind::Other('#') => is_suffix = true,
            TokenKind::Mark("(" | ")") | TokenKind::Break | TokenKind::End => {}
            _ => return KnownFunction::Computes,
        }
    }
    match (uses, converts) {
        (1, false) => KnownFunction::Identity,
        (1, true) => KnownFunction::Conversion,
        _ => KnownFunction::Computes,
    }
}
