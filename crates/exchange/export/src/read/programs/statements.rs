//! Extents of statements and brackets, and the values in them.

use super::reader::Reader;
use crate::read::error::Fault;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::evaluate;
use crate::read::expressions::parser::Parser;
use crate::read::expressions::token::{Kind, Token};
use crate::read::expressions::value::Value;

impl<'a> Reader<'a> {
    /// Returns the position after a statement, which ends outside of all brackets.
    pub(super) fn end_of_statement(&self, start: usize) -> usize {
        let mut depth = 0usize;
        for position in start..self.tokens.len() {
            match self.tokens[position].kind {
                // The block of a function or a condition begins here, unless it is a list of numbers.
                Kind::Mark("{") if depth == 0 && self.dialect == Dialect::C => {
                    let before = &self.at(position.saturating_sub(1)).kind;
                    if !matches!(before, Kind::Mark("=" | "," | "(")) {
                        return position;
                    }
                    depth += 1;
                }
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => {
                    if depth == 0 {
                        return position;
                    }
                    depth -= 1;
                }
                Kind::Mark(";") if depth == 0 => return position,
                Kind::Mark(",") if depth == 0 && self.dialect == Dialect::Matlab => return position,
                Kind::Break if depth == 0 && self.dialect.has_lines() && !self.goes_on(position) => return position,
                Kind::Directive(_) if depth == 0 => return position,
                Kind::End => return position,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Returns whether a statement of Julia continues after a line that ends with an operator.
    fn goes_on(&self, position: usize) -> bool {
        let before = &self.at(position.saturating_sub(1)).kind;
        self.dialect == Dialect::Julia && matches!(before, Kind::Mark("+" | "-" | "*" | "/" | "//" | "=" | ","))
    }

    /// Evaluates the tokens between two positions.
    pub(super) fn value(&self, start: usize, end: usize) -> Result<Value, Fault> {
        let mut tokens: Vec<Token> = self.tokens[start.min(end)..end].to_vec();
        tokens.push(Token { kind: Kind::End, ..self.at(end).clone() });
        let mut parser = Parser::new(&tokens, self.dialect);
        let expression = parser.expression()?;
        match parser.peek().kind {
            Kind::End => evaluate(&expression, self.scope(), self.dialect),
            _ => Err(parser.unexpected("an operator or the end of the statement")),
        }
    }

    /// Returns the positions outside of all brackets.
    pub(super) fn top_level(&self, start: usize, end: usize) -> impl Iterator<Item = usize> + use<'a> {
        let mut depth = 0usize;
        let tokens = self.tokens;
        (start..end.min(tokens.len())).filter(move |i| match tokens[*i].kind {
            Kind::Mark("(" | "[" | "{") => {
                depth += 1;
                false
            }
            Kind::Mark(")" | "]" | "}") => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
    }

    /// Returns the position of the closing bracket.
    pub(super) fn closing_bracket(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for i in open..self.tokens.len() {
            match self.tokens[i].kind {
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return i;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len() - 1
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
                Kind::Number(shown) | Kind::Name(shown) | Kind::Directive(shown) => text += shown,
                Kind::Text(shown) => text += &format!("'{shown}'"),
                Kind::Mark(mark) => text += mark,
                Kind::Other(character) => text.push(*character),
                Kind::Break | Kind::End => {}
            }
            if text.chars().count() > LONGEST {
                return text.chars().take(LONGEST).chain([' ', '…']).collect();
            }
        }
        text
    }
}
