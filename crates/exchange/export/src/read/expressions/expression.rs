//! Syntax trees of right-hand sides.

use crate::read::error::TextPosition;

/// Expression and its position.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) node: ExpressionNode,
    pub(crate) place: TextPosition,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionNode {
    Number(String),
    Text(String),
    Name(String),
    Negative(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Call(Box<Expression>, Vec<Argument>),
    /// Index `x[i, j]`.
    Index(Box<Expression>, Vec<Expression>),
    /// Member `x.y` or `x->y`.
    Member(Box<Expression>, String),
    /// Type with parameters, `x{…}`.
    Typed(Box<Expression>, Vec<Expression>),
    /// Cast `(double)x` or `static_cast<double>(x)`.
    Cast(String, Box<Expression>),
    List(Vec<Expression>),
    /// Rows of a bracket in which blanks separate numbers.
    Rows(Vec<Vec<Expression>>),
    /// Range `a:b` in an index; either side may be missing.
    Range(Option<Box<Expression>>, Option<Box<Expression>>),
    Transposed(Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

/// Argument of a call, with its name if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) value: Expression,
}
