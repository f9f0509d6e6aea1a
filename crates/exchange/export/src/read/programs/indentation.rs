//! Blocks of Python, which end where a line begins at the column of their header or left of it.

use super::blocks::{BlockEnd, BlockExecution};
use super::reader::ProgramReader;
use crate::read::expressions::token::TokenKind;

impl ProgramReader<'_> {
    /// Ends the blocks that precede a statement if it begins a line.
    pub(super) fn dedent(&mut self, start: usize) {
        let begins_line = start == 0 || self.at(start - 1).kind == TokenKind::Break;
        let column = self.at(start).place.column;
        while begins_line && matches!(self.block().closing, BlockEnd::Indentation(of) if of >= column) {
            self.close();
        }
    }

    /// Reads the beginning of a block; returns false for other statements.
    pub(super) fn indented_control(&mut self, start: usize) -> bool {
        let closing = BlockEnd::Indentation(self.at(start).place.column);
        let first = start + usize::from(self.at(start).name() == Some("async"));
        let Some(word) = self.at(first).name() else { return false };
        let end = self.end_of_statement(start);
        let Some(colon) = self.top_level(start, end).find(|i| self.at(*i).is(":")) else { return false };
        match word {
            "if" => self.branch(closing, None, start, (first + 1, colon)),
            "elif" => {
                let chain = self.chain.take();
                self.branch(closing, chain, start, (first + 1, colon));
            }
            "else" => {
                let chain = self.chain.take();
                self.open_else(closing, chain, start);
            }
            "for" | "while" => self.repeat(closing, first, colon),
            "with" | "try" | "finally" | "match" => self.open(closing, BlockExecution::Runs, None),
            "except" => self.open_undecided_branch(closing, None, start, colon),
            "case" => self.case(closing, start, colon),
            "def" | "class" => {
                let Some(name) = self.at(first + 1).name() else { return false };
                self.function(name, closing, self.at(start).place, (first, colon));
            }
            _ => return false,
        }
        self.position = colon + 1;
        true
    }
}
