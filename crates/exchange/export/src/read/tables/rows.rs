//! Rows of numbers, and parts of methods built from them.

use crate::read::arrays::draft::Part;
use crate::read::error::Place;
use crate::read::expressions::number::Number;
use crate::read::expressions::value::Value;

/// Row of numbers; empty cells have none.
pub(crate) type Row = (Vec<Option<Number>>, Place);

/// Converts numbers to a value.
pub(crate) fn list(numbers: Vec<Number>, place: Place) -> Value {
    Value::List(numbers.into_iter().map(Value::Number).collect(), place)
}

/// Builds a part of a method from rows of numbers.
pub(crate) fn part(a: Vec<(Vec<Number>, Place)>, vectors: [Option<(Vec<Number>, Place)>; 3]) -> Part {
    let place = a.first().map_or(Place::START, |(_, place)| *place);
    let a = Value::List(a.into_iter().map(|(row, place)| list(row, place)).collect(), place);
    let [b, c, b_hat] = vectors.map(|vector| vector.map(|(row, place)| (Ok(list(row, place)), place)));
    Part { a: Some((Ok(a), place)), b, c, b_hat, ..Part::default() }
}
