//! Evaluation of expressions. Undefined names stay names, since most of a program does not concern coefficients.

use super::array_arithmetic::{binary, map, transposed};
use super::dialect::Dialect;
use super::expression::{Argument, Expression, ExpressionNode, Operator};
use super::functions;
use super::number::WrittenNumber;
use super::parser::Parser;
use super::scope::{KnownFunction, NameScope};
use super::token::{TokenKind, tokens};
use super::value::{DeclaredType, ProgramValue, arithmetic, is_integer_type};
use crate::read::error::{TextFault, TextPosition, quoted};

/// Returns the path of a name: `x.y` and `x->y` are one name.
pub(crate) fn path(expression: &Expression) -> Option<String> {
    match &expression.node {
        ExpressionNode::Name(name) => Some(name.clone()),
        ExpressionNode::Member(base, member) => Some(format!("{}.{member}", path(base)?)),
        _ => None,
    }
}

/// Returns the value of a name or of a path of names that is set, without a copy.
fn known<'a>(expression: &Expression, scope: &'a NameScope) -> Option<&'a Result<ProgramValue, TextFault>> {
    let found = match &expression.node {
        ExpressionNode::Name(name) => scope.get(name),
        ExpressionNode::Member(..) => scope.get(&path(expression)?),
        _ => None,
    };
    found.map(|(value, _)| value)
}

/// Evaluates an expression.
pub(crate) fn evaluate(
    expression: &Expression,
    scope: &NameScope,
    dialect: Dialect,
) -> Result<ProgramValue, TextFault> {
    let place = expression.place;
    let value = |expression: &Expression| evaluate(expression, scope, dialect);
    let entry = |expression: &Expression| match &expression.node {
        // A dictionary of Python has the values of its entries.
        ExpressionNode::Range(Some(_), Some(of_key)) if dialect == Dialect::Python => {
            Ok(value(of_key)?.placed(of_key.place))
        }
        _ => Ok(value(expression)?.placed(expression.place)),
    };
    if let Some(value) = known(expression, scope) {
        return value.as_ref().map_err(Clone::clone).and_then(|value| scope.copied(value, place));
    }
    match &expression.node {
        ExpressionNode::Number(text) => {
            // 1.0 is a number with one decimal in a table but an integer in a program.
            let read = if dialect == Dialect::Cells { WrittenNumber::literal } else { WrittenNumber::floating_literal };
            let is_integer = scope.has_integer_division && text.bytes().all(|b| b.is_ascii_digit());
            if is_integer && text.len() > 1 && text.starts_with('0') {
                return Err(TextFault::new(place, format!("the octal number {}", quoted(text)), "a decimal number"));
            }
            read(text).map(|number| ProgramValue::Number(number.typed(is_integer))).map_err(arithmetic(place))
        }
        ExpressionNode::Text(text) => Ok(ProgramValue::Text(text.clone(), place, cell_number)),
        ExpressionNode::Name(name) => Ok(ProgramValue::Name(name.clone(), place)),
        ExpressionNode::Negative(operand) => {
            fits_macro(operand, None, true, scope)?;
            map(&value(operand)?, place, &|number| Ok(number.negative()?.typed(number.is_integer())))
        }
        ExpressionNode::Binary(operator, left, right) => {
            fits_macro(left, Some(*operator), false, scope)?;
            fits_macro(right, Some(*operator), true, scope)?;
            binary(*operator, &value(left)?, &value(right)?, place)
        }
        ExpressionNode::Cast(to, operand) => value(operand)?.converted(type_of(to), place),
        ExpressionNode::List(items) => ProgramValue::list(items.iter().map(entry).collect::<Result<_, _>>()?, place),
        ExpressionNode::Rows(rows) => matrix(rows, place, &entry),
        ExpressionNode::Index(base, indices) => match known(base, scope) {
            Some(found) => index(found.as_ref().map_err(Clone::clone)?, indices, scope, dialect, place),
            None => index(&value(base)?, indices, scope, dialect, place),
        },
        ExpressionNode::Typed(base, _) => value(base),
        ExpressionNode::Transposed(base) => Ok(transposed(value(base)?)),
        ExpressionNode::Member(base, member) => functions::member(value(base)?, member, place),
        ExpressionNode::Call(function, arguments) => call(function, arguments, scope, dialect, place),
        // A symbol, `:name`.
        ExpressionNode::Range(None, Some(name)) if dialect == Dialect::Julia => match &name.node {
            ExpressionNode::Name(name) => Ok(ProgramValue::Name(name.clone(), place)),
            _ => Err(TextFault::new(place, "a range", "a number")),
        },
        ExpressionNode::Range(..) => Err(TextFault::new(place, "a range", "a number")),
    }
}

fn type_of(name: &str) -> DeclaredType {
    if is_integer_type(name) { DeclaredType::Integer } else { DeclaredType::Real }
}

/// Checks that a macro without parentheses may be replaced by its value. A macro stands for its text: with `#define
/// HALF 1.0 / 2.0`, `x / HALF` is `x / 1.0 / 2.0`.
fn fits_macro(
    operand: &Expression,
    operator: Option<Operator>,
    is_right: bool,
    scope: &NameScope,
) -> Result<(), TextFault> {
    let ExpressionNode::Name(name) = &operand.node else { return Ok(()) };
    let fits = match (scope.loosest_operator(name), operator) {
        (None, _) | (Some(Operator::Times), Some(Operator::Plus | Operator::Minus | Operator::Times) | None) => true,
        (Some(Operator::Plus), Some(Operator::Plus)) => true,
        (Some(Operator::Times), Some(Operator::Over)) | (Some(Operator::Plus), Some(Operator::Minus)) => !is_right,
        _ => false,
    };
    let found = || format!("the macro {}, whose operators mix with those around it", quoted(name));
    if fits { Ok(()) } else { Err(TextFault::new(operand.place, found(), "parentheses around the text of the macro")) }
}

/// Evaluates a bracket with rows. A single row or column is a vector.
fn matrix(
    rows: &[Vec<Expression>],
    place: TextPosition,
    value: &impl Fn(&Expression) -> Result<ProgramValue, TextFault>,
) -> Result<ProgramValue, TextFault> {
    let values: Vec<(Vec<ProgramValue>, TextPosition)> = rows
        .iter()
        .map(|row| Ok((row.iter().map(value).collect::<Result<_, TextFault>>()?, row[0].place)))
        .collect::<Result<_, TextFault>>()?;
    let is_column = values.iter().all(|(row, _)| row.len() == 1);
    let items = if is_column || values.len() == 1 {
        values.into_iter().flat_map(|(row, _)| row).collect()
    } else {
        values.into_iter().map(|(row, place)| ProgramValue::List(row, place)).collect()
    };
    ProgramValue::list(items, place)
}

fn call(
    function: &Expression,
    arguments: &[Argument],
    scope: &NameScope,
    dialect: Dialect,
    place: TextPosition,
) -> Result<ProgramValue, TextFault> {
    // An index looks like a call in MATLAB.
    if dialect == Dialect::Matlab
        && let Some((Ok(base @ ProgramValue::List(..)), _)) = path(function).and_then(|path| scope.get(&path))
    {
        let indices: Vec<Expression> = arguments.iter().map(|argument| argument.value.clone()).collect();
        return index(base, &indices, scope, dialect, place);
    }
    let (function, sizes) = match &function.node {
        ExpressionNode::Typed(base, sizes) => (base.as_ref(), &sizes[..]),
        _ => (function, &[][..]),
    };
    // The receiver is the base of a method call or a module. A module has no value here, and only the function's name
    // counts.
    let (name, receiver) = match &function.node {
        ExpressionNode::Name(name) => (name, None),
        ExpressionNode::Member(base, name) => (name, Some(base)),
        _ => return Err(TextFault::new(place, "a call without a function name", "a number or an array")),
    };
    let mut values = Vec::new();
    if let Some(base) = receiver {
        let value = evaluate(base, scope, dialect)?;
        values.extend(Some((None, value)).filter(|(_, value)| !matches!(value, ProgramValue::Name(..))));
    }
    for argument in arguments {
        values.push((argument.name.as_deref(), evaluate(&argument.value, scope, dialect)?));
    }
    let sizes: Vec<i64> =
        sizes.iter().filter_map(|size| evaluate(size, scope, dialect).ok()?.number(place).ok()?.as_whole()).collect();
    match scope.function(name) {
        Some(KnownFunction::Computes) => {
            let found = format!("a call of {}, which the text defines", quoted(name));
            return Err(TextFault::new(place, found, "a number or an array"));
        }
        Some(function) => {
            let [(None, value)] = &values[..] else {
                return Err(TextFault::new(place, format!("a call of {}", quoted(name)), "a macro with one argument"));
            };
            let to = if function == KnownFunction::Conversion { DeclaredType::Real } else { DeclaredType::Any };
            return value.clone().converted(to, place);
        }
        None => {}
    }
    let value = functions::call(name, &values, &sizes, dialect, place)?;
    if scope.has_integer_division { Ok(value) } else { value.converted(DeclaredType::Real, place) }
}

fn index(
    base: &ProgramValue,
    indices: &[Expression],
    scope: &NameScope,
    dialect: Dialect,
    place: TextPosition,
) -> Result<ProgramValue, TextFault> {
    let Some((first, rest)) = indices.split_first() else { return scope.copied(base, place) };
    let ProgramValue::List(items, list_place) = base else {
        return Err(TextFault::new(place, format!("an index of {}", base.shown()), "an array before the index"));
    };
    let picked = positions(first, items.len(), scope, dialect)?;
    match picked {
        SelectedPositions::One(i) => index(&items[i], rest, scope, dialect, place),
        SelectedPositions::Many(range) => {
            scope.spend_entries(range.len(), place)?;
            let rows = items[range].iter().map(|item| index(item, rest, scope, dialect, place));
            Ok(ProgramValue::List(rows.collect::<Result<_, _>>()?, *list_place))
        }
    }
}

/// Positions selected by an index.
pub(crate) enum SelectedPositions {
    One(usize),
    Many(std::ops::Range<usize>),
}

/// Returns the positions, from zero, that an index selects in an array of `length` entries.
pub(crate) fn positions(
    expression: &Expression,
    length: usize,
    scope: &NameScope,
    dialect: Dialect,
) -> Result<SelectedPositions, TextFault> {
    let first = dialect.first_index() as i64;
    let whole = |expression: &Expression| {
        let is_end = matches!(&expression.node, ExpressionNode::Name(name) if name == "end");
        if is_end {
            return Ok(length as i64 - 1 + first);
        }
        let value = evaluate(expression, scope, dialect)?;
        let fault = || TextFault::new(expression.place, value.shown(), "an integer as an index");
        value.number(expression.place)?.as_whole().ok_or_else(fault)
    };
    let resolve = |expression: &Expression| {
        let index = whole(expression)?;
        let counted = if dialect == Dialect::Python && index < 0 { index + length as i64 } else { index - first };
        let expected = || format!("an index of an array of {length}");
        usize::try_from(counted).map_err(|_| TextFault::new(expression.place, format!("index {index}"), expected()))
    };
    let within = |i: usize| {
        let expected = format!("an index of an array of {length}");
        if i < length {
            Ok(i)
        } else {
            Err(TextFault::new(expression.place, format!("index {}", i as i64 + first), expected))
        }
    };
    match &expression.node {
        ExpressionNode::Range(from, to) => {
            let from = from.as_deref().map_or(Ok(0), resolve)?;
            // One-based ranges include their end.
            let to = to.as_deref().map_or(Ok(length), |to| Ok(resolve(to)? + first as usize))?;
            let to = to.min(length);
            Ok(SelectedPositions::Many(from.min(to)..to))
        }
        _ => Ok(SelectedPositions::One(within(resolve(expression)?)?)),
    }
}

/// Length of the longest number in a cell.
const LONGEST: usize = 4096;

/// Evaluates the number of a cell at a position: `1/3`, `1//3`, `(2-sqrt(2))/2`, `1.0d-3`.
pub(crate) fn cell_number(text: &str, place: TextPosition) -> Result<WrittenNumber, TextFault> {
    cell_number_in(text, place, &NameScope::default())
}

/// Evaluates the number of a cell, which may use names with values.
pub(crate) fn cell_number_in(text: &str, place: TextPosition, scope: &NameScope) -> Result<WrittenNumber, TextFault> {
    const EXPECTED: &str = "a number such as 1/3, 0.25 or (3-sqrt(3))/6";
    if text.chars().take(LONGEST + 1).count() > LONGEST {
        return Err(TextFault::new(place, quoted(text), "a number of at most 4096 characters"));
    }
    let tokens = tokens(text, Dialect::Cells);
    let shift = |fault: TextFault| {
        let inside = fault.place.line == 1;
        let column = if inside { place.column + fault.place.column - 1 } else { fault.place.column };
        TextFault { place: TextPosition { line: place.line + fault.place.line - 1, column }, ..fault }
    };
    let Some((end, tokens)) = tokens.split_last() else {
        return Err(TextFault::new(place, "nothing", EXPECTED));
    };
    let mut parser = Parser::new(tokens, end, Dialect::Cells);
    let value = parser.expression().and_then(|expression| match parser.peek().kind {
        TokenKind::End => evaluate(&expression, scope, Dialect::Cells),
        _ => Err(parser.unexpected("an operator or the end of the number")),
    });
    let number = value.and_then(|value| value.number(TextPosition::START)).map_err(shift);
    let number = number.map(|number| number.placed(place));
    // An empty cell gets its own message; other faults keep theirs.
    number.map_err(|fault| if text.trim().is_empty() { TextFault::new(place, "nothing", EXPECTED) } else { fault })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(written: &str) -> String {
        cell_number(written, TextPosition::START).unwrap().text().to_owned()
    }

    #[test]
    fn cells_as_they_are_published() {
        for same in ["0", "1/3", "-1/3", "0.52737769", "-0.250", "1e-3", "1.0E-3", ".5"] {
            assert_eq!(text(same), same);
        }
        assert_eq!(text("1//3"), "1/3");
        assert_eq!(text("\u{2212}1 / 3"), "-1/3");
        assert_eq!(text("1.0d0"), "1.0e0");
        assert_eq!(text("(2-sqrt(2))/2"), "(2-sqrt(2))/2");
        assert_eq!(text("2^3/(-3)**2"), "8/9");
        assert_eq!(text("4^(1/2)"), "2");
        assert_eq!(text("1.0/3.0"), "1/3");
    }

    #[test]
    fn what_is_no_number_is_named() {
        let fault = |written: &str| cell_number(written, TextPosition { line: 3, column: 5 }).unwrap_err();
        assert_eq!(fault("1/x").place, TextPosition { line: 3, column: 7 });
        assert_eq!(fault("abc").found, "`abc`");
        assert_eq!(fault("0,5").found, "`,`");
        assert!(fault("1/0").found.contains("division by zero"));
        assert!(fault("cos(1)").found.contains("cos"));
        assert_eq!(fault(" ").found, "nothing");
        assert!(fault(&"(".repeat(5000)).expected.contains("4096"));
    }
}
