//! Extents of statements and brackets, and the values in them.

use super::reader::ProgramReader;
use crate::read::error::TextFault;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::evaluate;
use crate::read::expressions::parser::Parser;
use crate::read::expressions::token::{Token, TokenKind};
use crate::read::expressions::value::ProgramValue;

impl<'a> ProgramReader<'a> {
    /// Returns the position after a statement, which ends outside of all brackets.
    pub(super) fn end_of_statement(&self, start: usize) -> usize {
        let mut depth = 0usize;
        for position in start..self.tokens.len() {
            match self.tokens[position].kind {
                // The block of a function or a condition begins here, unless it is a list of numbers.
                TokenKind::Mark("{") if depth == 0 && self.dialect == Dialect::C => {
                    let before = &self.at(position.saturating_sub(1)).kind;
                    if !matches!(before, TokenKind::Mark("=" | "," | "(")) {
                        return position;
                    }
                    depth += 1;
                }
                TokenKind::Mark("(" | "[" | "{") => depth += 1,
                TokenKind::Mark(")" | "]" | "}") => {
                    if depth == 0 {
                        return position;
                    }
                    depth -= 1;
                }
                TokenKind::Mark(";") if depth == 0 => return position,
                TokenKind::Mark(",") if depth == 0 && self.dialect == Dialect::Matlab => return position,
                TokenKind::Break if depth == 0 && self.dialect.has_lines() && !self.continues_line(position) => {
                    return position;
                }
                TokenKind::Directive(_) if depth == 0 => return position,
                TokenKind::End => return position,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Returns whether a statement of Julia continues after a line that ends with an operator.
    fn continues_line(&self, position: usize) -> bool {
        let before = &self.at(position.saturating_sub(1)).kind;
        self.dialect == Dialect::Julia && matches!(before, TokenKind::Mark("+" | "-" | "*" | "/" | "//" | "=" | ","))
    }

    /// Evaluates the tokens between two positions.
    pub(super) fn value(&self, start: usize, end: usize) -> Result<ProgramValue, TextFault> {
        let last = Token::end_at(self.at(end));
        let mut parser = Parser::new(&self.tokens[start.min(end)..end], &last, self.dialect);
        let expression = parser.expression()?;
        match parser.peek().kind {
            TokenKind::End => evaluate(&expression, self.scope(), self.dialect),
            _ => Err(parser.unexpected("an operator or the end of the statement")),
        }
    }

    /// Returns the positions outside of all brackets.
    pub(super) fn top_level(&self, start: usize, end: usize) -> impl Iterator<Item = usize> + use<'a> {
        let mut depth = 0usize;
        let tokens = self.tokens;
        (start..end.min(tokens.len())).filter(move |i| match tokens[*i].kind {
            TokenKind::Mark("(" | "[" | "{") => {
                depth += 1;
                false
            }
            TokenKind::Mark(")" | "]" | "}") => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
    }

    /// Returns the position of the closing bracket.
    pub(super) fn closing_bracket(&self, open: usize) -> usize {
        let last = self.tokens.len() - 1;
        self.closings.get(open).copied().unwrap_or(last)
    }

    /// Returns for each token the position of the bracket that closes it, or the first bracket after it.
    pub(super) fn closings(tokens: &[Token]) -> Vec<usize> {
        let last = tokens.len() - 1;
        let mut closings = vec![last; tokens.len()];
        let mut open = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Mark("(" | "[" | "{") => open.push(i),
                TokenKind::Mark(")" | "]" | "}") => {
                    closings[i] = i;
                    if let Some(opened) = open.pop() {
                        closings[opened] = i;
                    }
                }
                _ => {}
            }
        }
        for i in (0..last).rev() {
            if !matches!(tokens[i].kind, TokenKind::Mark("(" | "[" | "{" | ")" | "]" | "}")) {
                closings[i] = closings[i + 1];
            }
        }
        closings
    }

    /// Returns the source text of tokens.
    pub(super) fn written(&self, start: usize, end: usize) -> String {
        const LONGEST: usize = 60;
        let mut text = String::new();
        for token in &self.tokens[start.min(end)..end] {
            if token.after_blank && !text.is_empty() {
                text.push(' ');
            }
            match &token.kind {
                TokenKind::Number(shown) | TokenKind::Name(shown) | TokenKind::Directive(shown) => text += shown,
                TokenKind::Text(shown) => text += &format!("'{shown}'"),
                TokenKind::Mark(mark) => text += mark,
                TokenKind::Other(character) => text.push(*character),
                TokenKind::Break | TokenKind::End => {}
            }
            if text.chars().count() > LONGEST {
                return text.chars().take(LONGEST).chain([' ', '…']).collect();
            }
        }
        text
    }
}
