//! Arithmetic with numbers and arrays.

use super::expression::Operator;
use super::number::{LARGEST_POWER, WrittenNumber};
use super::value::{ProgramValue, arithmetic};
use crate::read::error::{TextFault, TextPosition, quoted};

const INTEGER_DIVISION: &str =
    "a floating-point number such as 1.0/3.0, or the option --assume-real-division of `hemiola import`";

pub(crate) fn transposed(value: ProgramValue) -> ProgramValue {
    let ProgramValue::List(rows, place) = &value else { return value };
    let columns = match rows.first() {
        Some(ProgramValue::List(row, _)) => row.len(),
        _ => return value,
    };
    let entry = |row: &ProgramValue, j: usize| match row {
        ProgramValue::List(row, _) => row.get(j).cloned(),
        _ => None,
    };
    let column = |j: usize| rows.iter().map(|row| entry(row, j)).collect::<Option<Vec<ProgramValue>>>();
    let all: Option<Vec<ProgramValue>> = (0..columns).map(|j| Some(ProgramValue::List(column(j)?, *place))).collect();
    all.map_or_else(|| value.clone(), |columns| ProgramValue::List(columns, *place))
}

/// Applies a function to every number of a value.
pub(crate) fn map(
    value: &ProgramValue,
    place: TextPosition,
    function: &impl Fn(&WrittenNumber) -> Result<WrittenNumber, hemiola_tableau::NumberError>,
) -> Result<ProgramValue, TextFault> {
    match value {
        ProgramValue::List(items, list) => {
            let items: Result<_, TextFault> = items.iter().map(|item| map(item, place, function)).collect();
            Ok(ProgramValue::List(items?, *list))
        }
        _ => function(&value.number(place)?).map(ProgramValue::Number).map_err(arithmetic(place)),
    }
}

pub(crate) fn binary(
    operator: Operator,
    left: &ProgramValue,
    right: &ProgramValue,
    place: TextPosition,
) -> Result<ProgramValue, TextFault> {
    match (left, right) {
        (ProgramValue::List(xs, list), ProgramValue::List(ys, _)) => {
            let additive = matches!(operator, Operator::Plus | Operator::Minus);
            if !additive || xs.len() != ys.len() {
                let found = format!("an operation on arrays of {} and {}", xs.len(), ys.len());
                return Err(TextFault::new(place, found, "a sum of equal arrays, or a number times an array"));
            }
            let items: Result<_, TextFault> = xs.iter().zip(ys).map(|(x, y)| binary(operator, x, y, place)).collect();
            Ok(ProgramValue::List(items?, *list))
        }
        (ProgramValue::List(xs, list), _) => {
            let items: Result<_, TextFault> = xs.iter().map(|x| binary(operator, x, right, place)).collect();
            Ok(ProgramValue::List(items?, *list))
        }
        (_, ProgramValue::List(ys, list)) => {
            let items: Result<_, TextFault> = ys.iter().map(|y| binary(operator, left, y, place)).collect();
            Ok(ProgramValue::List(items?, *list))
        }
        _ => {
            let (x, y) = (left.number(place)?, right.number(place)?);
            let are_integers = x.is_integer() && y.is_integer();
            let result = match operator {
                Operator::Plus => x.plus(&y),
                Operator::Minus => x.minus(&y),
                Operator::Times => x.times(&y),
                Operator::Over => x.over(&y),
                Operator::Power => return power(&x, &y, place),
            };
            let number = result.map_err(arithmetic(place))?;
            if are_integers && !number.is_whole() {
                let found = format!("{}, a division of integers, which drops the remainder", quoted(number.text()));
                return Err(TextFault::new(place, found, INTEGER_DIVISION));
            }
            Ok(ProgramValue::Number(number.typed(are_integers)))
        }
    }
}

/// Computes powers with integer exponents, and square roots.
pub(crate) fn power(
    base: &WrittenNumber,
    exponent: &WrittenNumber,
    place: TextPosition,
) -> Result<ProgramValue, TextFault> {
    let twice = exponent.times(&WrittenNumber::whole(2)).map_err(arithmetic(place))?;
    let result = match (exponent.as_whole(), twice.as_whole()) {
        (Some(exponent), _) if exponent.abs() <= LARGEST_POWER => base.power(exponent),
        (None, Some(1)) => base.root(),
        _ => {
            let found = format!("the power {}", quoted(exponent.text()));
            return Err(TextFault::new(place, found, "a whole exponent from -32 to 32, or 1/2"));
        }
    };
    result.map(ProgramValue::Number).map_err(arithmetic(place))
}
