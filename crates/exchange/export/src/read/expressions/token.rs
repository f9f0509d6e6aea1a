//! Tokens of source texts: numbers, names, strings and marks with their positions, without comments.

use super::dialect::Dialect;
use crate::read::error::TextPosition;

/// Kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Unsigned number as `parse_number` accepts it: without suffixes, and with `e` in place of `d`.
    Number(String),
    Name(String),
    /// Contents of a string.
    Text(String),
    Mark(&'static str),
    /// Preprocessor line of C; only `#define` if a name and its text follow as tokens.
    Directive(String),
    /// Character that begins neither a number nor a name.
    Other(char),
    /// End of a line.
    Break,
    /// End of the text.
    End,
}

/// Token with its position, and whether a blank precedes it.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) place: TextPosition,
    pub(crate) after_blank: bool,
}

impl Token {
    pub(crate) fn is(&self, mark: &str) -> bool {
        matches!(&self.kind, TokenKind::Mark(found) if *found == mark)
    }

    pub(crate) fn name(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Formats the token for a message.
    pub(crate) fn shown(&self) -> String {
        match &self.kind {
            TokenKind::Number(text) | TokenKind::Name(text) => crate::read::error::quoted(text),
            TokenKind::Text(text) => crate::read::error::quoted(&format!("\"{text}\"")),
            TokenKind::Mark(mark) => format!("`{mark}`"),
            TokenKind::Directive(line) => crate::read::error::quoted(line),
            TokenKind::Other(character) => format!("`{character}`"),
            TokenKind::Break => "the end of the line".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
        }
    }

    /// Returns an end of tokens at the position of another token.
    pub(crate) fn end_at(other: &Self) -> Self {
        Self { kind: TokenKind::End, place: other.place, after_blank: other.after_blank }
    }
}

/// Marks, with those of several characters first.
const MARKS: [&str; 42] = [
    "//", "**", "->", "==", "<=", ">=", "!=", "&&", "||", "+=", "-=", "*=", "/=", "::", ".*", "./", ".^", ".'", "(",
    ")", "[", "]", "{", "}", "+", "-", "*", "/", "^", "=", ",", ";", ":", ".", "&", "|", "'", "@", "<", ">", "!", "\\",
];

/// Splits a text into tokens; the last one is its end.
pub(crate) fn tokens(text: &str, dialect: Dialect) -> Vec<Token> {
    let characters = text.chars().collect();
    let mut lexer =
        Lexer { characters, dialect, position: 0, place: TextPosition::START, tokens: Vec::new(), after_blank: false };
    while lexer.position < lexer.characters.len() {
        lexer.next();
    }
    let place = lexer.place;
    lexer.push(TokenKind::End, place);
    lexer.tokens
}

struct Lexer {
    characters: Vec<char>,
    dialect: Dialect,
    position: usize,
    place: TextPosition,
    tokens: Vec<Token>,
    after_blank: bool,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.position + ahead).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek(i) == Some(c))
    }

    fn advance(&mut self, count: usize) {
        for _ in 0..count {
            match self.peek(0) {
                Some('\n') => self.place = TextPosition { line: self.place.line + 1, column: 1 },
                Some(_) => self.place.column += 1,
                None => return,
            }
            self.position += 1;
        }
    }

    fn push(&mut self, kind: TokenKind, place: TextPosition) {
        self.tokens.push(Token { kind, place, after_blank: self.after_blank });
        self.after_blank = false;
    }

    fn next(&mut self) {
        let Some(character) = self.peek(0) else { return };
        let place = self.place;
        if character == '\n' {
            self.advance(1);
            self.push(TokenKind::Break, place);
            self.after_blank = true;
        } else if character.is_whitespace() || matches!(character, '\u{feff}' | '\u{200b}') {
            self.advance(1);
            self.after_blank = true;
        } else if self.skip_comment() || self.skip_continuation() || self.directive(place) || self.quoted(place) {
        } else if character.is_ascii_digit() || (character == '.' && self.peek(1).is_some_and(|c| c.is_ascii_digit())) {
            let number = self.number();
            self.push(TokenKind::Number(number), place);
        } else if character.is_alphabetic() || character == '_' {
            let name = self.name();
            self.push(TokenKind::Name(name), place);
        } else {
            self.mark(character, place);
        }
    }

    fn skip_comment(&mut self) -> bool {
        if let Some((open, close)) = self.dialect.block_comment().filter(|(open, _)| self.at_block_mark(open)) {
            let mut depth = 0usize;
            while self.position < self.characters.len() {
                if self.at_block_mark(open) && (depth == 0 || self.dialect.nests_comments()) {
                    depth += 1;
                    self.advance(open.len());
                } else if self.at_block_mark(close) {
                    depth -= 1;
                    self.advance(close.len());
                } else {
                    self.advance(1);
                }
                if depth == 0 {
                    break;
                }
            }
            self.after_blank = true;
            return true;
        }
        let begins = self.dialect.line_comments().iter().any(|mark| self.starts_with(mark));
        if begins {
            self.skip_line();
        }
        begins
    }

    /// Returns whether a block comment mark is at this position; MATLAB's stand on lines of their own.
    fn at_block_mark(&self, mark: &str) -> bool {
        let is_blank = |c: &&char| c.is_whitespace() && **c != '\n';
        let is_alone = || {
            let before = self.characters[..self.position].iter().rev().find(|c| !is_blank(c));
            let behind = self.characters[self.position + mark.len()..].iter().find(|c| !is_blank(c));
            before.is_none_or(|c| *c == '\n') && behind.is_none_or(|c| *c == '\n')
        };
        self.starts_with(mark) && (self.dialect != Dialect::Matlab || is_alone())
    }

    /// Skips to the end of the line, which a backslash continues in C.
    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            let continues = self.dialect == Dialect::C && self.starts_with("\\\n");
            self.advance(if continues { 2 } else { 1 });
        }
    }

    /// Skips a line continuation: `...` of MATLAB, or `\` before the end of a line.
    fn skip_continuation(&mut self) -> bool {
        let dots = self.dialect == Dialect::Matlab && self.starts_with("...");
        let rest = self.characters[self.position + 1..].iter().take_while(|c| **c != '\n');
        let backslash = self.peek(0) == Some('\\') && rest.clone().all(|c| c.is_whitespace());
        if dots || backslash {
            self.skip_line();
            self.advance(1);
            self.after_blank = true;
        }
        dots || backslash
    }

    /// Reads a directive of C. The tokens of the name and the value, and `;`, follow `#define NAME value`.
    fn directive(&mut self, place: TextPosition) -> bool {
        let starts_line = self.tokens.last().is_none_or(|token| token.kind == TokenKind::Break);
        if self.dialect != Dialect::C || self.peek(0) != Some('#') || !starts_line {
            return false;
        }
        let line = self.logical_line();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["#define", name, _, ..] if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                let value = line.find(name).map_or(0, |start| start + name.len());
                let columns = line[..value].chars().count();
                let end = self.position + line.chars().count();
                self.advance(columns);
                self.push(TokenKind::Directive("#define".to_owned()), place);
                self.push(TokenKind::Name(name.to_owned()), place);
                while self.position < end && self.peek(0).is_some_and(|c| c != '\n') {
                    self.next();
                }
                let place = self.place;
                self.push(TokenKind::Mark(";"), place);
            }
            _ => {
                self.advance(line.chars().count());
                let text = words.join(" ").replacen("# ", "#", 1).replace("\\ ", "");
                self.push(TokenKind::Directive(text), place);
            }
        }
        true
    }

    /// Returns the line up to its end or a comment; a backslash at the end continues it.
    fn logical_line(&self) -> String {
        let rest = &self.characters[self.position..];
        let continues = |i: usize| rest[..i].iter().rev().find(|c| **c != '\r') == Some(&'\\');
        let is_end = |i: &usize| match rest[*i] {
            '\n' => !continues(*i),
            '/' => matches!(rest.get(i + 1), Some('*' | '/')),
            _ => false,
        };
        let end = (0..rest.len()).find(is_end).unwrap_or(rest.len());
        rest[..end].iter().collect()
    }

    fn quoted(&mut self, place: TextPosition) -> bool {
        let Some(quote @ ('"' | '\'')) = self.peek(0) else { return false };
        if quote == '\'' && self.is_transpose() {
            return false;
        }
        let long = self.dialect.has_long_texts() && self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        let marks = if long { 3 } else { 1 };
        self.advance(marks);
        let mut text = String::new();
        while let Some(character) = self.peek(0) {
            let closes = (0..marks).all(|i| self.peek(i) == Some(quote));
            if closes || (!long && character == '\n') {
                self.advance(if closes { marks } else { 0 });
                break;
            }
            text.push(character);
            let escaped = character == '\\' && self.dialect != Dialect::Matlab;
            self.advance(if escaped { 2 } else { 1 });
        }
        self.push(TokenKind::Text(text), place);
        true
    }

    /// Returns whether a single quote follows an operand that it transposes.
    fn is_transpose(&self) -> bool {
        let behind = |token: &Token| {
            matches!(token.kind, TokenKind::Name(_) | TokenKind::Number(_) | TokenKind::Mark(")" | "]" | "'" | "."))
                && !self.after_blank
        };
        self.dialect.has_transposes() && self.tokens.last().is_some_and(behind)
    }

    fn name(&mut self) -> String {
        // Combining marks, as in b̂, and infinity, as in R∞ of Julia.
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\u{300}'..='\u{36f}' | '∞');
        let mut name = String::new();
        while let Some(character) = self.peek(0).filter(|c| is_part(*c)) {
            name.push(character);
            self.advance(1);
        }
        name
    }

    fn digits(&mut self, into: &mut String) {
        while let Some(character) = self.peek(0) {
            let is_mark = character == '_' || (character == '\'' && self.dialect == Dialect::C);
            let separator = is_mark && self.peek(1).is_some_and(|c| c.is_ascii_digit());
            if character.is_ascii_digit() {
                into.push(character);
            } else if !separator || into.is_empty() {
                return;
            }
            self.advance(1);
        }
    }

    fn number(&mut self) -> String {
        let mut text = String::new();
        self.digits(&mut text);
        // The point of `1./x` belongs to the operator; both readings have the same value.
        if self.peek(0) == Some('.') && self.peek(1) != Some('.') {
            text.push('.');
            self.advance(1);
            self.digits(&mut text);
        }
        let signed = usize::from(matches!(self.peek(1), Some('+' | '-' | '−')));
        let letter = self.peek(0).filter(|c| matches!(c, 'e' | 'E' | 'd' | 'D'));
        if let Some(letter) = letter.filter(|_| self.peek(1 + signed).is_some_and(|c| c.is_ascii_digit())) {
            text.push(if letter == 'E' { 'E' } else { 'e' });
            if signed == 1 {
                text.push(if self.peek(1) == Some('+') { '+' } else { '-' });
            }
            self.advance(1 + signed);
            self.digits(&mut text);
        }
        self.skip_suffix();
        text
    }

    /// Skips suffixes that denote the type of a number: `f`, `F`, `l`, `L` of C and `_wp` of Fortran.
    fn skip_suffix(&mut self) {
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if self.dialect == Dialect::C && matches!(self.peek(0), Some('f' | 'F' | 'l' | 'L')) && ends(self.peek(1)) {
            self.advance(1);
        }
        if self.peek(0) == Some('_') && self.peek(1).is_some_and(char::is_alphabetic) {
            self.name();
        }
    }

    fn mark(&mut self, character: char, place: TextPosition) {
        let plain = match character {
            '−' | '–' => Some("-"),
            '×' | '·' | '⋅' => Some("*"),
            // `÷` drops the remainder in Julia.
            '÷' if self.dialect == Dialect::Cells => Some("/"),
            _ => None,
        };
        if character == '√' {
            self.advance(1);
            return self.push(TokenKind::Name("sqrt".to_owned()), place);
        }
        let kind = match plain.or_else(|| MARKS.into_iter().find(|mark| self.starts_with(mark))) {
            Some(mark) => {
                self.advance(if plain.is_some() { 1 } else { mark.len() });
                TokenKind::Mark(mark)
            }
            None => {
                self.advance(1);
                TokenKind::Other(character)
            }
        };
        self.push(kind, place);
    }
}
