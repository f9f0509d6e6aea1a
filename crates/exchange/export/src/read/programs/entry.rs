//! Assignments to entries, rows and ranges of arrays.

use crate::read::error::TextFault;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::{SelectedPositions, positions};
use crate::read::expressions::expression::Expression;
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::value::ProgramValue;

/// Largest size of an undeclared array: no method has more stages.
const MOST_STAGES: usize = 256;

/// Stores a value at an index; missing rows and entries are zero.
pub(crate) fn set(
    array: &mut ProgramValue,
    indices: &[Expression],
    value: ProgramValue,
    scope: &NameScope,
    dialect: Dialect,
    grows: bool,
) -> Result<(), TextFault> {
    let Some((first, rest)) = indices.split_first() else {
        *array = value;
        return Ok(());
    };
    if !matches!(array, ProgramValue::List(..)) {
        *array = ProgramValue::List(Vec::new(), first.place);
    }
    let ProgramValue::List(items, _) = array else { return Ok(()) };
    // One index may select an entry of a single row: `A[1] = 0` for Julia's 1×1 matrix.
    if rest.is_empty()
        && matches!(items.first(), Some(ProgramValue::List(..)))
        && !matches!(value, ProgramValue::List(..))
        && let [ProgramValue::List(row, _)] = &mut items[..]
        && row.len() == 1
    {
        row[0] = value;
        return Ok(());
    }
    let room = if grows { MOST_STAGES } else { items.len() };
    match positions(first, room.max(items.len()), scope, dialect)? {
        SelectedPositions::One(i) => {
            while items.len() <= i {
                items.push(if rest.is_empty() {
                    ProgramValue::Number(WrittenNumber::zero())
                } else {
                    ProgramValue::List(Vec::new(), first.place)
                });
            }
            set(&mut items[i], rest, value, scope, dialect, grows)
        }
        SelectedPositions::Many(range) => {
            let range = range.start.min(items.len())..range.end.min(items.len());
            if let ProgramValue::List(values, place) = &value
                && values.len() != range.len()
            {
                let found = format!("{} values", values.len());
                return Err(TextFault::new(
                    *place,
                    found,
                    format!("{} values, one for each index of the range", range.len()),
                ));
            }
            if !matches!(value, ProgramValue::List(..)) {
                scope.spend(&value, range.len(), first.place)?;
            }
            for (k, i) in range.enumerate() {
                // A single number fills the range.
                let part = match &value {
                    ProgramValue::List(values, _) => values[k].clone(),
                    _ => value.clone(),
                };
                set(&mut items[i], rest, part, scope, dialect, grows)?;
            }
            Ok(())
        }
    }
}
