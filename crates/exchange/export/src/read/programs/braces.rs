//! Blocks of C and C++: braces, single statements, cases and labels.

use super::blocks::{BlockEnd, BlockExecution};
use super::reader::ProgramReader;
use crate::read::arrays::draft::RunCondition;
use crate::read::error::TextFault;
use crate::read::expressions::token::TokenKind;

impl ProgramReader<'_> {
    /// Reads the beginning of a block; returns false for other statements.
    pub(super) fn brace_control(&mut self, start: usize) -> bool {
        let Some(word) = self.at(start).name() else { return false };
        let next = start + 1 + usize::from(self.at(start + 1).name() == Some("constexpr"));
        let close = || self.closing_bracket(next);
        match word {
            "if" if self.at(next).is("(") => {
                let close = close();
                self.branch(self.closing_of_body(close + 1), None, start, (next, close + 1));
                self.begin_body(close + 1);
            }
            "else" => {
                let chain = self.chain.take();
                if self.at(next).name() == Some("if") {
                    let open = next + 1 + usize::from(self.at(next + 1).name() == Some("constexpr"));
                    let close = self.closing_bracket(open);
                    self.branch(self.closing_of_body(close + 1), chain, next, (open, close + 1));
                    self.begin_body(close + 1);
                } else {
                    self.open_else(self.closing_of_body(next), chain, start);
                    self.begin_body(next);
                }
            }
            "for" | "while" if self.at(next).is("(") => {
                let close = close();
                self.repeat(self.closing_of_body(close + 1), start, close + 1);
                self.begin_body(close + 1);
            }
            "do" => {
                self.open(self.closing_of_body(next), BlockExecution::Repeats, None);
                self.begin_body(next);
            }
            "switch" if self.at(next).is("(") => {
                let close = close();
                self.open(self.closing_of_body(close + 1), BlockExecution::Scope, None);
                self.begin_body(close + 1);
            }
            "try" if self.at(next).is("{") => {
                self.open(BlockEnd::Brace, BlockExecution::Scope, None);
                self.position = next + 1;
            }
            "catch" if self.at(next).is("(") => {
                let close = close();
                self.open_undecided_branch(self.closing_of_body(close + 1), None, start, close + 1);
                self.begin_body(close + 1);
            }
            "case" | "default" => {
                let end = self.end_of_statement(start);
                let Some(colon) = (start..end).find(|i| self.at(*i).is(":")) else { return false };
                self.end_section(true);
                self.case(BlockEnd::Section, start, colon);
                self.position = colon + 1;
            }
            // `extern "C" {` and `namespace x {` have no effect, and preprocessor conditions may divide them.
            "extern" if matches!(self.at(next).kind, TokenKind::Text(_)) && self.at(next + 1).is("{") => {
                self.position = next + 2;
            }
            "namespace" | "inline" if self.namespace_brace(start).is_some() => {
                self.position = self.namespace_brace(start).unwrap_or(start) + 1;
            }
            // `goto` may continue at a label.
            _ if self.at(next).is(":") && word != "public" => {
                self.block_mut().has_left = false;
                self.position = next + 1;
            }
            _ => return false,
        }
        true
    }

    fn namespace_brace(&self, start: usize) -> Option<usize> {
        let words = (start..).take_while(|i| self.at(*i).name().is_some() || self.at(*i).is("::")).take(16);
        let end = start + words.count();
        let has_word = (start..end).any(|i| self.at(i).name() == Some("namespace"));
        (has_word && self.at(end).is("{")).then_some(end)
    }

    fn closing_of_body(&self, position: usize) -> BlockEnd {
        if self.at(position).is("{") { BlockEnd::Brace } else { BlockEnd::Statement }
    }

    fn begin_body(&mut self, position: usize) {
        self.position = position + usize::from(self.at(position).is("{"));
    }

    /// Opens the brace after the header of a function, a class or a macro.
    pub(super) fn open_brace(&mut self, start: usize, end: usize) {
        let has_value = self.top_level(start, end).any(|i| self.at(i).is("="));
        let word = self.at(start).name().unwrap_or_default();
        let is_type = |word: &str| matches!(word, "struct" | "class" | "union");
        let open = (start..end).find(|&i| self.at(i).is("("));
        let name = open.and_then(|open| self.at(open.checked_sub(1)?).name());
        match name {
            // Body of a lambda.
            _ if has_value => self.open(BlockEnd::Brace, BlockExecution::Repeats, None),
            Some(name) if !self.block().in_function => {
                let name = name.to_owned();
                self.function(&name, BlockEnd::Brace, self.at(start).place, (start, end));
            }
            // A macro in a function may hide a loop or a condition.
            Some(_) => self.open_undecided_branch(BlockEnd::Brace, None, start, end),
            None if word == "enum" => self.open(BlockEnd::Brace, BlockExecution::Runs, None),
            None => {
                let label = (start..end).find(|i| self.at(*i).name().is_some_and(is_type));
                let label = label.and_then(|i| self.at(i + 1).name()).map(str::to_owned);
                self.open(BlockEnd::Brace, BlockExecution::Scope, None);
                self.block_mut().label = label;
            }
        }
        self.position = end + 1;
    }

    pub(super) fn close_brace(&mut self) {
        let place = self.at(self.position).place;
        self.position += 1;
        self.end_section(false);
        match self.block().closing {
            BlockEnd::Brace => {
                let is_branch = self.block().chain.is_some();
                self.close();
                if !(is_branch && self.at(self.position).name() == Some("else")) {
                    self.end_statement();
                }
            }
            BlockEnd::Directive if self.blocks.iter().any(|block| block.closing == BlockEnd::Brace) => {
                self.overlap(place);
            }
            _ => {}
        }
    }

    /// Ends the blocks of one statement unless `else` follows.
    pub(super) fn end_statement(&mut self) {
        while self.block().closing == BlockEnd::Statement {
            let is_branch = self.block().chain.is_some();
            self.close();
            if is_branch && self.at(self.position).name() == Some("else") {
                return;
            }
        }
    }

    /// Ends a case, which may fall through to the next.
    pub(super) fn end_section(&mut self, goes_on: bool) {
        if self.block().closing != BlockEnd::Section {
            return;
        }
        let (has_left, sequence) = (self.block().has_left, self.block().sequence.clone());
        if goes_on
            && !has_left
            && let BlockExecution::Branch(RunCondition { text, place }) = &self.block().effect
        {
            let found = format!("`{text}` without `break`");
            let fault = TextFault::new(*place, found, "`break` before the next case");
            sequence.iter().for_each(|unit| self.forget_coefficients(*unit, &fault));
        }
        self.close();
    }

    /// Rejects a text in which blocks and preprocessor conditions overlap.
    pub(super) fn overlap(&mut self, place: crate::read::error::TextPosition) {
        let expected = "complete blocks between `#if`, `#else` and `#endif`";
        self.fault.get_or_insert_with(|| TextFault::new(place, "a block split by a preprocessor condition", expected));
    }
}
