//! Operator-precedence parser for expressions (Pratt, 1973).
//!
//! In order of increasing precedence: `+ -`, then `* /` and implicit products, then unary signs, then `^`.

use num_complex::Complex64;

use crate::expression::error::{DEEPEST_NESTING, ExpressionError, LARGEST_POWER, LONGEST_TEXT};
use crate::expression::tree::{Function, Kind, Node, Operator};

const OPERAND: &str = "a number, a variable, a function or `(`";

pub(crate) fn parse(text: &str, variables: &[char]) -> Result<(String, Node), ExpressionError> {
    let text = text.trim();
    let length = text.chars().count();
    if length > LONGEST_TEXT {
        return Err(ExpressionError::TooLong { length });
    }
    let characters: Vec<char> = text.chars().map(plain).collect();
    let mut parser = Parser { characters: &characters, variables, position: 0, nesting: 0 };
    let root = parser.operand(0)?;
    match parser.peek() {
        Some(found) => Err(parser.unexpected(found, "an operator or the end")),
        None => Ok((characters.iter().collect(), root)),
    }
}

/// Replaces typographical operators by ASCII operators.
fn plain(character: char) -> char {
    match character {
        '−' => '-',
        '×' | '·' => '*',
        '÷' => '/',
        other => other,
    }
}

/// Precedences of operators.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const SIGN: u8 = 3;

struct Parser<'a> {
    characters: &'a [char],
    variables: &'a [char],
    position: usize,
    nesting: usize,
}

impl Parser<'_> {
    /// Skips blanks and returns the next character.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
        self.characters.get(self.position).copied()
    }

    fn unexpected(&self, found: char, expected: &'static str) -> ExpressionError {
        ExpressionError::Unexpected { found, column: self.position + 1, expected }
    }

    fn expect(&mut self, character: char, expected: &'static str) -> Result<(), ExpressionError> {
        match self.peek() {
            Some(found) if found == character => {
                self.position += 1;
                Ok(())
            }
            Some(found) => Err(self.unexpected(found, expected)),
            None => Err(ExpressionError::UnexpectedEnd { expected }),
        }
    }

    /// Parses an operand and all following operators with at least the given precedence.
    fn operand(&mut self, least: u8) -> Result<Node, ExpressionError> {
        self.peek();
        let from = self.position;
        if self.nesting == DEEPEST_NESTING {
            return Err(ExpressionError::TooDeep { column: from + 1 });
        }
        self.nesting += 1;
        let mut kind = self.prefix()?;
        let mut to = self.position;
        let mut after_quotient = false;
        while let Some((sign, binding)) = self.infix().filter(|(_, binding)| *binding >= least) {
            match sign {
                Some(_) => self.position += 1,
                None if after_quotient => return Err(ExpressionError::Ambiguous { column: self.position + 1 }),
                None => {}
            }
            let operator = match sign {
                Some('+') => Operator::Plus,
                Some('-') => Operator::Minus,
                Some('/') => Operator::Over,
                _ => Operator::Times,
            };
            let left = Box::new(Node { kind, from, to });
            kind = Kind::Binary(operator, left, Box::new(self.operand(binding + 1)?));
            to = self.position;
            after_quotient = operator == Operator::Over;
        }
        self.nesting -= 1;
        Ok(Node { kind, from, to })
    }

    /// Returns the next binary operator, `None` for an implicit product, with its precedence.
    fn infix(&mut self) -> Option<(Option<char>, u8)> {
        let next = self.peek()?;
        match next {
            '+' | '-' => Some((Some(next), SUM)),
            '*' | '/' => Some((Some(next), PRODUCT)),
            '(' => Some((None, PRODUCT)),
            letter if letter.is_alphabetic() => Some((None, PRODUCT)),
            _ => None,
        }
    }

    /// Parses a factor with its sign or its exponent.
    fn prefix(&mut self) -> Result<Kind, ExpressionError> {
        match self.peek() {
            Some('-') => {
                self.position += 1;
                Ok(Kind::Negative(Box::new(self.operand(SIGN)?)))
            }
            Some('+') => {
                self.position += 1;
                Ok(self.operand(SIGN)?.kind)
            }
            _ => {
                let from = self.position;
                let base = Node { kind: self.atom()?, from, to: self.position };
                if self.peek() != Some('^') {
                    return Ok(base.kind);
                }
                self.position += 1;
                Ok(Kind::Power(Box::new(base), self.exponent()?))
            }
        }
    }

    fn atom(&mut self) -> Result<Kind, ExpressionError> {
        match self.peek() {
            Some('(') => Ok(self.parenthesis(OPERAND)?.kind),
            Some(digit) if digit.is_ascii_digit() || digit == '.' => self.number(),
            Some(letter) if letter.is_alphabetic() => self.name(),
            Some(found) => Err(self.unexpected(found, OPERAND)),
            None => Err(ExpressionError::UnexpectedEnd { expected: OPERAND }),
        }
    }

    fn parenthesis(&mut self, expected: &'static str) -> Result<Node, ExpressionError> {
        self.expect('(', expected)?;
        let inner = self.operand(0)?;
        self.expect(')', "an operator or `)`")?;
        Ok(inner)
    }

    /// Parses a decimal number and an `i` directly after it.
    fn number(&mut self) -> Result<Kind, ExpressionError> {
        let start = self.position;
        self.digits();
        if self.characters.get(self.position) == Some(&'.') {
            self.position += 1;
            self.digits();
        }
        let rest = &self.characters[self.position..];
        let signed = matches!(rest, [_, '+' | '-', ..]);
        if matches!(rest, ['e' | 'E', ..]) && rest.get(1 + usize::from(signed)).is_some_and(char::is_ascii_digit) {
            self.position += 1 + usize::from(signed);
            self.digits();
        }
        let text: String = self.characters[start..self.position].iter().collect();
        // Parsing fails only for a point without digits.
        let value: f64 = text.parse().map_err(|_| ExpressionError::Unexpected {
            found: '.',
            column: start + 1,
            expected: OPERAND,
        })?;
        if value.is_infinite() {
            return Err(ExpressionError::OutOfRange { column: start + 1 });
        }
        let word = self.word();
        let is_imaginary = word.starts_with('i') && Function::named(&word).is_none();
        self.position += usize::from(is_imaginary);
        Ok(Kind::Number(if is_imaginary { Complex64::new(0.0, value) } else { value.into() }))
    }

    fn digits(&mut self) {
        while self.characters.get(self.position).is_some_and(char::is_ascii_digit) {
            self.position += 1;
        }
    }

    /// Returns the letters at the current position.
    fn word(&self) -> String {
        self.characters[self.position..].iter().take_while(|letter| letter.is_alphabetic()).collect()
    }

    /// Parses a function with its argument, or a variable. Letters that do not form a function name are adjacent
    /// variables.
    fn name(&mut self) -> Result<Kind, ExpressionError> {
        let word = self.word();
        if let Some(function) = Function::named(&word) {
            self.position += word.chars().count();
            let argument = self.parenthesis("`(` before the function's argument")?;
            return Ok(Kind::Call(function, Box::new(argument)));
        }
        let letter = self.characters[self.position];
        let variable = self.variables.iter().position(|variable| *variable == letter);
        let kind = match variable {
            Some(index) => Kind::Variable(index),
            None if letter == 'i' => Kind::Number(Complex64::I),
            None => return Err(self.unknown(word)),
        };
        self.position += 1;
        Ok(kind)
    }

    fn unknown(&self, name: String) -> ExpressionError {
        let variables = self.variables.iter().map(char::to_string);
        let expected: Vec<String> =
            variables.chain(["i".to_owned()]).chain(Function::NAMES.map(|(name, _)| name.to_owned())).collect();
        ExpressionError::UnknownName { name, column: self.position + 1, expected: expected.join(", ") }
    }

    /// Parses the integer after `^`.
    fn exponent(&mut self) -> Result<i32, ExpressionError> {
        self.peek();
        let start = self.position;
        self.position += usize::from(self.characters.get(start) == Some(&'-'));
        self.digits();
        let text: String = self.characters[start..self.position].iter().collect();
        let is_whole = self.characters.get(self.position) != Some(&'.');
        text.parse()
            .ok()
            .filter(|power: &i32| is_whole && power.abs() <= LARGEST_POWER)
            .ok_or(ExpressionError::Power { column: start + 1 })
    }
}

impl Function {
    const NAMES: [(&'static str, Self); 8] = [
        ("sqrt", Self::Sqrt),
        ("exp", Self::Exp),
        ("abs", Self::Abs),
        ("re", Self::Re),
        ("im", Self::Im),
        ("conj", Self::Conj),
        ("cos", Self::Cos),
        ("sin", Self::Sin),
    ];

    fn named(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|(_, function)| *function)
    }
}
