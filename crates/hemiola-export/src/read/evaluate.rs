//! The values of expressions. Names that nobody defined stay names: most of a program is not about coefficients.

use std::collections::{HashMap, HashSet};

use super::dialect::Dialect;
use super::error::{Fault, Place, quoted};
use super::expression::{Argument, Expression, Node, Operator};
use super::functions;
use super::number::{LARGEST_POWER, Number};
use super::value::{Value, arithmetic};

/// The values of names, with where they were given. A name whose value could not be read has the fault instead: it counts
/// only if a coefficient needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    values: HashMap<String, (Result<Value, Fault>, Place)>,
    /// The names that were given here, in their sequence.
    own: Vec<String>,
    is_own: HashSet<String>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&(Result<Value, Fault>, Place)> {
        self.values.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Result<Value, Fault>, place: Place) {
        if self.is_own.insert(name.to_owned()) {
            self.own.push(name.to_owned());
        }
        self.values.insert(name.to_owned(), (value, place));
    }

    /// Takes a value out, to be changed and set again.
    pub(super) fn take(&mut self, name: &str) -> Option<(Result<Value, Fault>, Place)> {
        self.values.remove(name)
    }

    /// The names that were given here, in their sequence.
    pub(super) fn own(&self) -> &[String] {
        &self.own
    }

    /// A scope inside this one: the values are known, the names are not its own.
    pub(super) fn inner(&self) -> Self {
        Self { values: self.values.clone(), ..Self::default() }
    }
}

/// The path of a name: `x.y` and `x->y` are one name.
pub(super) fn path(expression: &Expression) -> Option<String> {
    match &expression.node {
        Node::Name(name) => Some(name.clone()),
        Node::Member(base, member) => Some(format!("{}.{member}", path(base)?)),
        _ => None,
    }
}

/// The value of an expression.
pub(super) fn evaluate(expression: &Expression, scope: &Scope, dialect: Dialect) -> Result<Value, Fault> {
    let place = expression.place;
    let value = |expression: &Expression| evaluate(expression, scope, dialect);
    if let Some(path) = path(expression)
        && let Some((value, _)) = scope.get(&path)
    {
        return value.clone();
    }
    match &expression.node {
        Node::Number(text) => {
            // In a table 1.0 is a number of one decimal, in a program a whole number.
            let read = if dialect == Dialect::Cells { Number::literal } else { Number::floating_literal };
            read(text).map(Value::Number).map_err(arithmetic(place))
        }
        Node::Text(text) => Ok(Value::Text(text.clone(), place)),
        Node::Name(name) => Ok(Value::Name(name.clone(), place)),
        Node::Negative(operand) => map(&value(operand)?, place, &|number| number.negative()),
        Node::Binary(operator, left, right) => binary(*operator, &value(left)?, &value(right)?, place),
        Node::List(items) => Ok(Value::List(items.iter().map(value).collect::<Result<_, _>>()?, place)),
        Node::Rows(rows) => matrix(rows, place, &value),
        Node::Index(base, indices) => index(&value(base)?, indices, scope, dialect, place),
        Node::Typed(base, _) => value(base),
        Node::Transposed(base) => Ok(transposed(value(base)?)),
        Node::Member(base, member) => functions::member(value(base)?, member, place),
        Node::Call(function, arguments) => call(function, arguments, scope, dialect, place),
        Node::Range(..) => Err(Fault::new(place, "a range", "a number")),
    }
}

/// A bracket with rows: one row or one column is a vector.
fn matrix(
    rows: &[Vec<Expression>],
    place: Place,
    value: &impl Fn(&Expression) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    let values: Vec<(Vec<Value>, Place)> = rows
        .iter()
        .map(|row| Ok((row.iter().map(value).collect::<Result<_, Fault>>()?, row[0].place)))
        .collect::<Result<_, Fault>>()?;
    let is_column = values.iter().all(|(row, _)| row.len() == 1);
    Ok(match values.len() {
        _ if is_column => Value::List(values.into_iter().flat_map(|(row, _)| row).collect(), place),
        1 => Value::List(values.into_iter().flat_map(|(row, _)| row).collect(), place),
        _ => Value::List(values.into_iter().map(|(row, place)| Value::List(row, place)).collect(), place),
    })
}

fn call(
    function: &Expression,
    arguments: &[Argument],
    scope: &Scope,
    dialect: Dialect,
    place: Place,
) -> Result<Value, Fault> {
    // In MATLAB an index looks like a call.
    if dialect == Dialect::Matlab
        && let Some((Ok(base @ Value::List(..)), _)) = path(function).and_then(|path| scope.get(&path))
    {
        let indices: Vec<Expression> = arguments.iter().map(|argument| argument.value.clone()).collect();
        return index(base, &indices, scope, dialect, place);
    }
    let (function, sizes) = match &function.node {
        Node::Typed(base, sizes) => (base.as_ref(), &sizes[..]),
        _ => (function, &[][..]),
    };
    // A method of a value, or a function of a module: only the name counts, and what the value is.
    let (name, receiver) = match &function.node {
        Node::Name(name) => (name, None),
        Node::Member(base, name) => (name, Some(base)),
        _ => return Err(Fault::new(place, "a call of no name", "a number or an array")),
    };
    let mut values = Vec::new();
    if let Some(base) = receiver {
        let value = evaluate(base, scope, dialect)?;
        values.extend(Some((None, value)).filter(|(_, value)| !matches!(value, Value::Name(..))));
    }
    for argument in arguments {
        values.push((argument.name.as_deref(), evaluate(&argument.value, scope, dialect)?));
    }
    let sizes: Vec<i64> =
        sizes.iter().filter_map(|size| evaluate(size, scope, dialect).ok()?.number(place).ok()?.as_whole()).collect();
    functions::call(name, &values, &sizes, dialect, place)
}

fn index(base: &Value, indices: &[Expression], scope: &Scope, dialect: Dialect, place: Place) -> Result<Value, Fault> {
    let Some((first, rest)) = indices.split_first() else { return Ok(base.clone()) };
    let Value::List(items, list_place) = base else {
        return Err(Fault::new(place, format!("an index of {}", base.shown()), "an array before the index"));
    };
    let picked = positions(first, items.len(), scope, dialect)?;
    match picked {
        Positions::One(i) => index(&items[i], rest, scope, dialect, place),
        Positions::Many(range) => {
            let rows = items[range].iter().map(|item| index(item, rest, scope, dialect, place));
            Ok(Value::List(rows.collect::<Result<_, _>>()?, *list_place))
        }
    }
}

/// What an index picks.
pub(super) enum Positions {
    One(usize),
    Many(std::ops::Range<usize>),
}

/// The positions, from zero, that an index picks of so many.
pub(super) fn positions(
    expression: &Expression,
    length: usize,
    scope: &Scope,
    dialect: Dialect,
) -> Result<Positions, Fault> {
    let first = dialect.first_index() as i64;
    let whole = |expression: &Expression| {
        let is_end = matches!(&expression.node, Node::Name(name) if name == "end");
        if is_end {
            return Ok(length as i64 - 1 + first);
        }
        let value = evaluate(expression, scope, dialect)?;
        let fault = || Fault::new(expression.place, value.shown(), "a whole number as an index");
        value.number(expression.place)?.as_whole().ok_or_else(fault)
    };
    let resolve = |expression: &Expression| {
        let index = whole(expression)?;
        let counted = if dialect == Dialect::Python && index < 0 { index + length as i64 } else { index - first };
        let expected = || format!("an index of an array of {length}");
        usize::try_from(counted).map_err(|_| Fault::new(expression.place, format!("index {index}"), expected()))
    };
    let within = |i: usize| {
        let expected = format!("an index of an array of {length}");
        if i < length {
            Ok(i)
        } else {
            Err(Fault::new(expression.place, format!("index {}", i as i64 + first), expected))
        }
    };
    match &expression.node {
        Node::Range(from, to) => {
            let from = from.as_deref().map_or(Ok(0), resolve)?;
            // The end belongs to the range where counting begins with one.
            let to = to.as_deref().map_or(Ok(length), |to| Ok(resolve(to)? + first as usize))?;
            let to = to.min(length);
            Ok(Positions::Many(from.min(to)..to))
        }
        _ => Ok(Positions::One(within(resolve(expression)?)?)),
    }
}

pub(super) fn transposed(value: Value) -> Value {
    let Value::List(rows, place) = &value else { return value };
    let columns = match rows.first() {
        Some(Value::List(row, _)) => row.len(),
        _ => return value,
    };
    let entry = |row: &Value, j: usize| match row {
        Value::List(row, _) => row.get(j).cloned(),
        _ => None,
    };
    let column = |j: usize| rows.iter().map(|row| entry(row, j)).collect::<Option<Vec<Value>>>();
    let all: Option<Vec<Value>> = (0..columns).map(|j| Some(Value::List(column(j)?, *place))).collect();
    all.map_or_else(|| value.clone(), |columns| Value::List(columns, *place))
}

/// A function of every number of a value.
pub(super) fn map(
    value: &Value,
    place: Place,
    function: &impl Fn(&Number) -> Result<Number, hemiola_tableau::NumberError>,
) -> Result<Value, Fault> {
    match value {
        Value::List(items, list) => {
            let items: Result<_, Fault> = items.iter().map(|item| map(item, place, function)).collect();
            Ok(Value::List(items?, *list))
        }
        _ => function(&value.number(place)?).map(Value::Number).map_err(arithmetic(place)),
    }
}

pub(super) fn binary(operator: Operator, left: &Value, right: &Value, place: Place) -> Result<Value, Fault> {
    match (left, right) {
        (Value::List(xs, list), Value::List(ys, _)) => {
            let additive = matches!(operator, Operator::Plus | Operator::Minus);
            if !additive || xs.len() != ys.len() {
                let found = format!("an operation on arrays of {} and {}", xs.len(), ys.len());
                return Err(Fault::new(place, found, "a sum of equal arrays, or a number times an array"));
            }
            let items: Result<_, Fault> = xs.iter().zip(ys).map(|(x, y)| binary(operator, x, y, place)).collect();
            Ok(Value::List(items?, *list))
        }
        (Value::List(xs, list), _) => {
            let items: Result<_, Fault> = xs.iter().map(|x| binary(operator, x, right, place)).collect();
            Ok(Value::List(items?, *list))
        }
        (_, Value::List(ys, list)) => {
            let items: Result<_, Fault> = ys.iter().map(|y| binary(operator, left, y, place)).collect();
            Ok(Value::List(items?, *list))
        }
        _ => {
            let (x, y) = (left.number(place)?, right.number(place)?);
            let result = match operator {
                Operator::Plus => x.plus(&y),
                Operator::Minus => x.minus(&y),
                Operator::Times => x.times(&y),
                Operator::Over => x.over(&y),
                Operator::Power => return power(&x, &y, place),
            };
            result.map(Value::Number).map_err(arithmetic(place))
        }
    }
}

/// Powers with whole exponents, and square roots.
pub(super) fn power(base: &Number, exponent: &Number, place: Place) -> Result<Value, Fault> {
    let twice = exponent.times(&Number::whole(2)).map_err(arithmetic(place))?;
    let result = match (exponent.as_whole(), twice.as_whole()) {
        (Some(exponent), _) if exponent.abs() <= LARGEST_POWER => base.power(exponent),
        (None, Some(1)) => base.root(),
        _ => {
            let found = format!("the power {}", quoted(exponent.text()));
            return Err(Fault::new(place, found, "a whole exponent from -32 to 32, or 1/2"));
        }
    };
    result.map(Value::Number).map_err(arithmetic(place))
}
