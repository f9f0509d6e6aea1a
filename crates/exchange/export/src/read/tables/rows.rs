//! Rows of numbers, and parts of methods built from them.

use crate::read::arrays::draft::DraftPartition;
use crate::read::error::TextPosition;
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::value::ProgramValue;

/// Row of numbers; `None` stands for an empty cell.
pub(crate) type CellRow = (Vec<Option<WrittenNumber>>, TextPosition);

/// Converts numbers to a value.
pub(crate) fn list(numbers: Vec<WrittenNumber>, place: TextPosition) -> ProgramValue {
    ProgramValue::List(numbers.into_iter().map(ProgramValue::Number).collect(), place)
}

/// Builds a part of a method from rows of numbers.
pub(crate) fn part(
    a: Vec<(Vec<WrittenNumber>, TextPosition)>,
    vectors: [Option<(Vec<WrittenNumber>, TextPosition)>; 3],
) -> DraftPartition {
    let place = a.first().map_or(TextPosition::START, |(_, place)| *place);
    let a = ProgramValue::List(a.into_iter().map(|(row, place)| list(row, place)).collect(), place);
    let [b, c, b_hat] = vectors.map(|vector| vector.map(|(row, place)| (Ok(list(row, place)), place)));
    DraftPartition { a: Some((Ok(a), place)), b, c, b_hat, ..DraftPartition::default() }
}
