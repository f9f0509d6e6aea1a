//! Blocks of Julia, MATLAB and Octave, which end with `end`.

use super::blocks::{Binding, BlockEnd, BlockExecution, BranchChain};
use super::reader::{ProgramReader, conditional, set_by_loop};
use crate::read::arrays::draft::RunCondition;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::token::TokenKind;

impl ProgramReader<'_> {
    /// Reads a keyword that begins, divides or ends a block; returns false for other statements.
    pub(super) fn keyword_control(&mut self, start: usize) -> bool {
        let mut first = start;
        while self.at(first).is("@") {
            first += 2;
        }
        let Some(word) = self.at(first).name() else { return false };
        let end = self.end_of_statement(start);
        let is_julia = self.dialect == Dialect::Julia;
        let is_assigned = self.at(first + 1).is("=");
        let mut rest = first + 1;
        match word {
            _ if is_assigned => return false,
            "if" => {
                self.branch(BlockEnd::End, None, start, (first + 1, end));
                self.set_in_header(first + 1, end);
            }
            "elseif" => {
                let chain = self.next_branch();
                self.branch(BlockEnd::End, chain, start, (first + 1, end));
                self.set_in_header(first + 1, end);
            }
            "else" => {
                let chain = self.next_branch();
                self.open_else(BlockEnd::End, chain, start);
                rest = end.min(first + 1);
                self.position = rest;
                return true;
            }
            "for" | "while" | "parfor" => {
                self.repeat(BlockEnd::End, first, end);
                self.set_in_header(first + 1, end);
            }
            "try" => self.open(BlockEnd::End, BlockExecution::Runs, None),
            "catch" => {
                self.close_end();
                self.open_undecided_branch(BlockEnd::End, None, start, end);
            }
            "finally" | "unwind_protect_cleanup" => {
                self.close_end();
                self.open(BlockEnd::End, BlockExecution::Runs, None);
            }
            "function" | "macro" if is_julia || word == "function" => {
                if !is_julia && !self.functions_end {
                    while self.blocks.len() > 1 {
                        self.close();
                    }
                }
                match self.function_name(first + 1, end) {
                    Some(at) => {
                        let name = self.at(at).name().unwrap_or_default().to_owned();
                        self.function(&name, BlockEnd::End, self.at(first).place, (at, end));
                    }
                    None => self.open(BlockEnd::End, BlockExecution::Repeats, None),
                }
            }
            "end" => self.close_end(),
            "switch" | "unwind_protect" if !is_julia => self.open(BlockEnd::End, BlockExecution::Runs, None),
            "case" | "otherwise" if !is_julia => {
                self.end_section(false);
                self.case(BlockEnd::Section, start, end);
            }
            "do" if !is_julia => {
                self.open(BlockEnd::End, BlockExecution::Repeats, None);
                self.position = first + 1;
                return true;
            }
            "until" if !is_julia => self.close_end(),
            "classdef" | "methods" | "properties" | "events" | "enumeration" if !is_julia => {
                if !self.begins_class(word) {
                    return false;
                }
                self.open(BlockEnd::End, BlockExecution::Runs, None);
            }
            "begin" | "module" | "baremodule" if is_julia => self.open(BlockEnd::End, BlockExecution::Runs, None),
            "struct" | "mutable" | "abstract" | "primitive" | "quote" if is_julia => {
                rest = first + 1 + usize::from(word != "struct" && word != "quote");
                self.open(BlockEnd::End, BlockExecution::Never, None);
            }
            "let" if is_julia => self.open_undecided_branch(BlockEnd::End, None, start, first + 1),
            "import" | "using" => {}
            _ if !is_julia && is_end(word) => self.close_end(),
            _ => return false,
        }
        self.blocks_inside(rest, end);
        self.position = end.max(start + 1);
        true
    }

    /// Ends a branch before the next one of its condition.
    fn next_branch(&mut self) -> Option<BranchChain> {
        self.close_end();
        self.chain.take()
    }

    fn close_end(&mut self) {
        self.end_section(false);
        if self.block().closing == BlockEnd::End {
            self.close();
        }
    }

    /// Records the names set in the same line after a condition or a loop: `if old b = 1; end`.
    fn set_in_header(&mut self, start: usize, end: usize) {
        let is_loop = matches!(self.block().effect, BlockExecution::Repeats);
        let condition = RunCondition { text: self.written(start, end), place: self.at(start).place };
        for (name, place) in self.assigned(start, end) {
            let fault = if is_loop { set_by_loop(place) } else { conditional(&name, &condition, place) };
            self.set(&name, Err(fault), place, Binding::Entry);
        }
    }

    /// Follows blocks that begin or end after the first word of a Julia statement: `x = if old`, `map(a) do x`.
    pub(super) fn blocks_inside(&mut self, start: usize, end: usize) {
        if self.dialect != Dialect::Julia {
            return;
        }
        let words: Vec<usize> = self.top_level(start, end).filter(|i| self.at(*i).name().is_some()).collect();
        for i in words {
            // `:end` and `x.begin` are names.
            let before = self.at(i.saturating_sub(1));
            if i > start && (before.is(":") || before.is(".")) && !self.at(i).after_blank {
                continue;
            }
            match self.at(i).name().unwrap_or_default() {
                "if" | "try" | "let" => self.open_undecided_branch(BlockEnd::End, None, i, end),
                "for" | "while" | "do" | "function" | "macro" => {
                    self.open(BlockEnd::End, BlockExecution::Repeats, None);
                }
                "begin" => self.open(BlockEnd::End, BlockExecution::Runs, None),
                "quote" | "struct" => self.open(BlockEnd::End, BlockExecution::Never, None),
                "end" => self.close_end(),
                _ => {}
            }
        }
    }

    /// Returns the position of the name in `tableau = name(x)` of MATLAB and `name(x)` of Julia.
    fn function_name(&self, start: usize, end: usize) -> Option<usize> {
        let equals = (start..end).find(|&i| self.at(i).is("=")).filter(|_| self.dialect == Dialect::Matlab);
        let from = equals.map_or(start, |equals| equals + 1);
        if self.dialect == Dialect::Julia && self.at(from).is("(") {
            return None;
        }
        (from..end).find(|&i| self.at(i).name().is_some())
    }

    /// Returns whether a word begins a MATLAB class or a part of one.
    fn begins_class(&self, word: &str) -> bool {
        word == "classdef" || self.tokens.iter().find_map(|token| token.name()) == Some("classdef")
    }

    /// Determines whether functions of a MATLAB file end with `end`, which is optional.
    pub(super) fn count_ends(&mut self) {
        let (mut depth, mut open, mut functions) = (0usize, 0i64, 0i64);
        let mut begins = true;
        for (i, token) in self.tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Mark("(" | "[" | "{") => depth += 1,
                TokenKind::Mark(")" | "]" | "}") => depth = depth.saturating_sub(1),
                TokenKind::Name(name) if begins && depth == 0 && !self.at(i + 1).is("=") => match name.as_str() {
                    "if" | "for" | "parfor" | "while" | "switch" | "try" | "unwind_protect" | "do" => open += 1,
                    "classdef" | "methods" | "properties" | "events" | "enumeration" => {
                        open += i64::from(self.begins_class(name));
                    }
                    "function" => functions += 1,
                    "end" | "until" => open -= 1,
                    name if is_end(name) => open -= 1,
                    _ => {}
                },
                _ => {}
            }
            begins = matches!(token.kind, TokenKind::Break) || (depth == 0 && (token.is(";") || token.is(",")));
        }
        self.functions_end = functions > 0 && open < 0;
    }
}

/// Returns whether a word ends a block in Octave.
fn is_end(word: &str) -> bool {
    let rest = word.strip_prefix("end").map(|rest| rest.trim_start_matches('_'));
    const BLOCKS: [&str; 9] =
        ["if", "for", "parfor", "while", "switch", "function", "try_catch", "unwind_protect", "classdef"];
    rest.is_some_and(|rest| BLOCKS.contains(&rest))
}
