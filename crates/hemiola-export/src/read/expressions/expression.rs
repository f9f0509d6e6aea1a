//! Right-hand sides as trees.

use crate::read::error::Place;

/// An expression and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) node: Node,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Number(String),
    Text(String),
    Name(String),
    Negative(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Call(Box<Expression>, Vec<Argument>),
    /// `x[i, j]`.
    Index(Box<Expression>, Vec<Expression>),
    /// `x.y` and `x->y`.
    Member(Box<Expression>, String),
    /// `x{…}`: the parameters of a type.
    Typed(Box<Expression>, Vec<Expression>),
    /// `(double)x` and `static_cast<double>(x)`.
    Cast(String, Box<Expression>),
    List(Vec<Expression>),
    /// Rows of a bracket in which blanks separate numbers.
    Rows(Vec<Vec<Expression>>),
    /// `a:b` as an index, with what stands on either side.
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

/// An argument of a call, with its name where it has one.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) value: Expression,
}
