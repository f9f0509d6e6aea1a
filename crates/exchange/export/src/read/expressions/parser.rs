//! Parser of right-hand sides: numbers, arrays, calls and indices of all dialects.

use super::dialect::Dialect;
use super::expression::{Argument, Expression, ExpressionNode, Operator};
use super::token::{Token, TokenKind};
use super::value::{MOST_ENTRIES, is_integer_type};
use crate::read::error::{TextFault, TextPosition};

/// Deepest nesting of brackets, which limits the use of the stack.
const DEEPEST_NESTING: usize = 64;
/// Longest chain of operators, indices, calls and members without brackets between them, which limits the use of the
/// stack as well: such a chain is a nested expression.
const LONGEST_CHAIN: usize = 1024;

/// Kind of the innermost bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    None,
    /// Line ends are ignored.
    Plain,
    /// Blanks separate numbers and line ends separate rows.
    Rows,
}

/// Parses expressions from tokens.
pub(crate) struct Parser<'a> {
    tokens: &'a [Token],
    /// Token after the others.
    end: &'a Token,
    position: usize,
    dialect: Dialect,
    bracket: Bracket,
    nesting: usize,
    items: usize,
}

impl<'a> Parser<'a> {
    /// Builds a parser of tokens before an end, which is of the kind `End`.
    pub(crate) fn new(tokens: &'a [Token], end: &'a Token, dialect: Dialect) -> Self {
        Self { tokens, end, position: 0, dialect, bracket: Bracket::None, nesting: 0, items: 0 }
    }

    /// Builds a parser of a row in which blanks separate numbers.
    pub(crate) fn of_row(tokens: &'a [Token], end: &'a Token) -> Self {
        Self { bracket: Bracket::Rows, ..Self::new(tokens, end, Dialect::Cells) }
    }

    fn token(&self, position: usize) -> &'a Token {
        self.tokens.get(position).unwrap_or(self.end)
    }

    pub(crate) fn peek(&self) -> &'a Token {
        self.token(self.position)
    }

    fn skip_breaks(&mut self) {
        while self.peek().kind == TokenKind::Break {
            self.position += 1;
        }
    }

    fn look(&mut self) -> &'a Token {
        if self.bracket == Bracket::Plain {
            self.skip_breaks();
        }
        self.peek()
    }

    pub(crate) fn take(&mut self, mark: &str) -> bool {
        let found = self.look().is(mark);
        self.position += usize::from(found);
        found
    }

    pub(crate) fn unexpected(&self, expected: &str) -> TextFault {
        let token = self.peek();
        TextFault::new(token.place, token.shown(), expected)
    }

    fn within<T>(
        &mut self,
        bracket: Bracket,
        read: impl FnOnce(&mut Self) -> Result<T, TextFault>,
    ) -> Result<T, TextFault> {
        let outer = std::mem::replace(&mut self.bracket, bracket);
        let result = read(self);
        self.bracket = outer;
        result
    }

    /// Parses an expression; a token that does not belong to one is a fault.
    pub(crate) fn expression(&mut self) -> Result<Expression, TextFault> {
        self.deeper(Self::sum)
    }

    /// Parses at one more level of nesting.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, TextFault>) -> Result<T, TextFault> {
        self.nesting += 1;
        if self.nesting > DEEPEST_NESTING {
            return Err(self.unexpected("fewer nested brackets"));
        }
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Returns whether a sign begins the next number of a row: `1 -2` is two numbers, `1 - 2` and `1-2` are one.
    fn begins_item(&self, token: &Token) -> bool {
        self.bracket == Bracket::Rows && token.after_blank && !self.token(self.position + 1).after_blank
    }

    fn sum(&mut self) -> Result<Expression, TextFault> {
        let mut left = self.product()?;
        for _ in 0..LONGEST_CHAIN {
            let token = self.look();
            let operator = match token.kind {
                TokenKind::Mark("+") => Operator::Plus,
                TokenKind::Mark("-") => Operator::Minus,
                _ => return Ok(left),
            };
            if self.begins_item(token) {
                return Ok(left);
            }
            self.position += 1;
            left = binary(operator, left, self.product()?);
        }
        Err(self.too_long())
    }

    fn product(&mut self) -> Result<Expression, TextFault> {
        let mut left = self.rational()?;
        for _ in 0..LONGEST_CHAIN {
            let operator = match self.look().kind {
                TokenKind::Mark("*" | ".*") => Operator::Times,
                TokenKind::Mark("/" | "./") => Operator::Over,
                _ => return Ok(left),
            };
            self.position += 1;
            left = binary(operator, left, self.rational()?);
        }
        Err(self.too_long())
    }

    /// Parses `1//3`, which binds tighter than products in Julia. Python would drop the remainder.
    fn rational(&mut self) -> Result<Expression, TextFault> {
        let mut left = self.signed()?;
        for _ in 0..LONGEST_CHAIN {
            if !self.look().is("//") {
                return Ok(left);
            }
            if self.dialect == Dialect::Python {
                return Err(self.unexpected("`/`: in Python `//` drops the remainder"));
            }
            self.position += 1;
            left = binary(Operator::Over, left, self.signed()?);
        }
        Err(self.too_long())
    }

    fn too_long(&self) -> TextFault {
        self.unexpected(&format!("at most {LONGEST_CHAIN} operators or indices in one chain"))
    }

    fn signed(&mut self) -> Result<Expression, TextFault> {
        // A number must follow, possibly on the next line.
        self.skip_breaks();
        let place = self.look().place;
        let mut negative = false;
        loop {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
        }
        let value = self.power()?;
        Ok(if negative { Expression { node: ExpressionNode::Negative(Box::new(value)), place } } else { value })
    }

    fn power(&mut self) -> Result<Expression, TextFault> {
        let number = matches!(self.look().kind, TokenKind::Number(_));
        let base = self.postfix()?;
        if number && self.dialect == Dialect::Julia {
            let next = self.peek();
            // 2γ and 2(1 + γ) are products.
            if !next.after_blank && (next.name().is_some() || next.is("(")) {
                let factor = self.power()?;
                return Ok(binary(Operator::Times, base, factor));
            }
        }
        let is_power = match self.look().kind {
            TokenKind::Mark("**") => true,
            TokenKind::Mark("^" | ".^") => !matches!(self.dialect, Dialect::C | Dialect::Python),
            _ => false,
        };
        if !is_power {
            return Ok(base);
        }
        self.position += 1;
        let exponent = self.deeper(Self::signed)?;
        Ok(binary(Operator::Power, base, exponent))
    }

    fn postfix(&mut self) -> Result<Expression, TextFault> {
        let mut base = self.primary()?;
        for _ in 0..LONGEST_CHAIN {
            let token = self.look();
            let place = base.place;
            // A bracket after a blank begins the next number of a row.
            let separate = self.bracket == Bracket::Rows && token.after_blank;
            let is_number = matches!(base.node, ExpressionNode::Number(_));
            let node = match token.kind {
                _ if separate => return Ok(base),
                TokenKind::Mark("(") if !is_number => ExpressionNode::Call(Box::new(base), self.arguments()?),
                TokenKind::Mark("[") if self.makes_array(&base) => {
                    self.position += 1;
                    self.rows()?
                }
                TokenKind::Mark("[") if !is_number => ExpressionNode::Index(Box::new(base), self.items("[", "]")?),
                TokenKind::Mark("{") if self.dialect == Dialect::Julia && !token.after_blank => {
                    ExpressionNode::Typed(Box::new(base), self.items("{", "}")?)
                }
                TokenKind::Mark("." | "->") => match &self.token(self.position + 1).kind {
                    TokenKind::Name(name) => {
                        self.position += 2;
                        ExpressionNode::Member(Box::new(base), name.clone())
                    }
                    // `T.(A)` applies `T` to every entry.
                    TokenKind::Mark("(") => {
                        self.position += 1;
                        ExpressionNode::Call(Box::new(base), self.arguments()?)
                    }
                    _ => return Ok(base),
                },
                TokenKind::Mark("'" | ".'") => {
                    self.position += 1;
                    ExpressionNode::Transposed(Box::new(base))
                }
                _ => return Ok(base),
            };
            base = Expression { node, place };
        }
        Err(self.too_long())
    }

    /// Returns whether a bracket after this expression is an array of that type: `Float64[1, 2]`.
    fn makes_array(&self, base: &Expression) -> bool {
        const TYPES: [&str; 9] = ["T", "T1", "T2", "Float64", "Float32", "BigFloat", "Rational", "Int", "Real"];
        self.dialect == Dialect::Julia
            && match &base.node {
                ExpressionNode::Name(name) => TYPES.contains(&name.as_str()),
                ExpressionNode::Typed(..) => true,
                _ => false,
            }
    }

    fn primary(&mut self) -> Result<Expression, TextFault> {
        const EXPECTED: &str = "a number, a name or a bracket";
        let token = self.look();
        let place = token.place;
        if let Some(to) = self.named_cast() {
            self.position += 4;
            let value = self.deeper(Self::parenthesis)?;
            return Ok(Expression { node: ExpressionNode::Cast(to, Box::new(value)), place });
        }
        let node = match &token.kind {
            TokenKind::Number(text) => {
                self.position += 1;
                ExpressionNode::Number(text.clone())
            }
            TokenKind::Text(text) => {
                self.position += 1;
                ExpressionNode::Text(text.clone())
            }
            TokenKind::Name(name) => {
                self.position += 1;
                let next = self.peek();
                match &next.kind {
                    // The root sign, `√3`.
                    TokenKind::Number(_) | TokenKind::Name(_) if name == "sqrt" && !next.after_blank => {
                        let value = self.deeper(Self::primary)?;
                        let function = Expression { node: ExpressionNode::Name(name.clone()), place };
                        ExpressionNode::Call(Box::new(function), vec![Argument { name: None, value }])
                    }
                    // Prefixed strings: u"…", big"…".
                    TokenKind::Text(text) if !next.after_blank => {
                        self.position += 1;
                        ExpressionNode::Text(text.clone())
                    }
                    _ => ExpressionNode::Name(name.clone()),
                }
            }
            TokenKind::Mark("(") => return self.parenthesis(),
            TokenKind::Mark("[") => {
                self.position += 1;
                self.rows()?
            }
            TokenKind::Mark("{") => ExpressionNode::List(self.items("{", "}")?),
            // The address of a number denotes the number itself. Macros are transparent.
            TokenKind::Mark("&") => {
                self.position += 1;
                return self.deeper(Self::postfix);
            }
            TokenKind::Mark("@") => {
                self.position += 2;
                return self.deeper(Self::postfix);
            }
            TokenKind::Mark(":") => {
                self.position += 1;
                ExpressionNode::Range(None, self.range_end()?)
            }
            _ => return Err(self.unexpected(EXPECTED)),
        };
        Ok(Expression { node, place })
    }

    /// Parses a parenthesis, a tuple, or a C cast with its operand.
    fn parenthesis(&mut self) -> Result<Expression, TextFault> {
        let place = self.peek().place;
        if let Some((to, length)) = self.cast() {
            self.position += length;
            let value = self.deeper(Self::signed)?;
            return Ok(Expression { node: ExpressionNode::Cast(to, Box::new(value)), place });
        }
        let mut items = self.items("(", ")")?;
        let is_tuple = items.len() != 1 || self.token(self.position - 2).is(",");
        match items.pop() {
            Some(item) if !is_tuple => Ok(item),
            last => {
                items.extend(last);
                Ok(Expression { node: ExpressionNode::List(items), place })
            }
        }
    }

    /// Returns the type of a C cast that precedes its operand, and its number of tokens.
    fn cast(&self) -> Option<(String, usize)> {
        let names = self.tokens[self.position + 1..].iter().map_while(Token::name).collect::<Vec<_>>();
        let end = self.position + 1 + names.len();
        let after = self.tokens.get(end + 1)?;
        let is_known = names.len() > 1 || names.first().is_some_and(|name| is_type(name));
        let begins_value = match after.kind {
            TokenKind::Number(_) | TokenKind::Name(_) | TokenKind::Mark("(") => true,
            // `(x) - 1` is a difference.
            TokenKind::Mark("-" | "+") => is_known,
            _ => false,
        };
        let is_cast = self.dialect == Dialect::C && self.tokens[end].is(")") && begins_value;
        let is_real = |name: &&&str| matches!(**name, "double" | "float");
        let known = names.iter().find(is_real).or_else(|| names.iter().find(|name| is_type(name)));
        let to = known.or(names.first())?;
        is_cast.then(|| ((*to).to_owned(), names.len() + 2))
    }

    /// Recognizes `static_cast<double>` of C++ before its parenthesis.
    fn named_cast(&self) -> Option<String> {
        let tokens = self.tokens.get(self.position..self.position + 5)?;
        let is_cast = self.dialect == Dialect::C
            && tokens[0].name() == Some("static_cast")
            && tokens[1].is("<")
            && tokens[3].is(">")
            && tokens[4].is("(");
        tokens[2].name().filter(|_| is_cast).map(str::to_owned)
    }

    /// Parses expressions between two brackets, separated by commas; a trailing comma is allowed.
    fn items(&mut self, open: &'static str, close: &'static str) -> Result<Vec<Expression>, TextFault> {
        let opened = self.look().place;
        self.take(open);
        self.within(Bracket::Plain, |parser| {
            let mut items = Vec::new();
            while !parser.take(close) {
                items.push(parser.index()?);
                parser.count()?;
                if !parser.take(",") && !parser.look().is(close) {
                    return Err(parser.unclosed(opened, open, close));
                }
            }
            Ok(items)
        })
    }

    /// Parses an item of an index, which may be a range.
    fn index(&mut self) -> Result<Expression, TextFault> {
        let first = self.expression()?;
        if !self.take(":") {
            return Ok(first);
        }
        let place = first.place;
        let end = self.range_end()?;
        Ok(Expression { node: ExpressionNode::Range(Some(Box::new(first)), end), place })
    }

    fn range_end(&mut self) -> Result<Option<Box<Expression>>, TextFault> {
        let ends = matches!(self.look().kind, TokenKind::Mark("]" | ")" | "," | "}"));
        if ends { Ok(None) } else { self.expression().map(|end| Some(Box::new(end))) }
    }

    /// Parses the arguments of a call. Julia names those after a semicolon: `f(x; y)` is `f(x, y = y)`.
    pub(crate) fn arguments(&mut self) -> Result<Vec<Argument>, TextFault> {
        let opened = self.look().place;
        self.take("(");
        self.within(Bracket::Plain, |parser| {
            let mut arguments = Vec::new();
            let mut named = false;
            while !parser.take(")") {
                named |= parser.take(";");
                if parser.take(")") {
                    break;
                }
                arguments.push(parser.argument(named)?);
                parser.count()?;
                if !parser.take(",") && !matches!(parser.look().kind, TokenKind::Mark(")" | ";")) {
                    return Err(parser.unclosed(opened, "(", ")"));
                }
            }
            Ok(arguments)
        })
    }

    fn argument(&mut self, named: bool) -> Result<Argument, TextFault> {
        let value = self.index()?;
        let name = match &value.node {
            ExpressionNode::Name(name) => Some(name.clone()),
            _ => None,
        };
        if name.is_some() && self.take("=") {
            return Ok(Argument { name, value: self.expression()? });
        }
        Ok(Argument { name: name.filter(|_| named), value })
    }

    /// Parses the contents of `[`: rows if the language has them, otherwise items.
    fn rows(&mut self) -> Result<ExpressionNode, TextFault> {
        let opened = self.tokens[self.position - 1].place;
        if !self.dialect.has_rows() {
            self.position -= 1;
            return Ok(ExpressionNode::List(self.items("[", "]")?));
        }
        self.within(Bracket::Rows, |parser| {
            let mut rows = vec![Vec::new()];
            loop {
                let token = parser.peek();
                let row = rows.len() - 1;
                match token.kind {
                    TokenKind::Mark("]") => {
                        parser.position += 1;
                        rows.retain(|row| !row.is_empty());
                        return Ok(ExpressionNode::Rows(rows));
                    }
                    // A line that ends with a comma continues.
                    TokenKind::Mark(",") if !rows[row].is_empty() => {
                        parser.position += 1;
                        parser.skip_breaks();
                    }
                    TokenKind::Mark(";") | TokenKind::Break => {
                        parser.position += 1;
                        if !rows[row].is_empty() {
                            rows.push(Vec::new());
                        }
                    }
                    TokenKind::End => return Err(parser.unclosed(opened, "[", "]")),
                    _ => {
                        rows[row].push(parser.expression()?);
                        parser.count()?;
                    }
                }
            }
        })
    }

    fn count(&mut self) -> Result<(), TextFault> {
        self.items += 1;
        let expected = || format!("at most {MOST_ENTRIES} entries in one array");
        if self.items <= MOST_ENTRIES { Ok(()) } else { Err(self.unexpected(&expected())) }
    }

    fn unclosed(&self, opened: TextPosition, open: &str, close: &str) -> TextFault {
        let TextPosition { line, column } = opened;
        self.unexpected(&format!("`,` or `{close}`, which closes the `{open}` of line {line}, column {column}"))
    }
}

/// Returns whether a name is a standard type of C.
fn is_type(name: &str) -> bool {
    is_integer_type(name) || matches!(name, "double" | "float")
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    let place = left.place;
    Expression { node: ExpressionNode::Binary(operator, Box::new(left), Box::new(right)), place }
}
