//! Assignments to entries, rows and ranges of arrays.

use crate::read::error::Fault;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::{Positions, positions};
use crate::read::expressions::expression::Expression;
use crate::read::expressions::number::Number;
use crate::read::expressions::scope::Scope;
use crate::read::expressions::value::Value;

/// Largest size of an undeclared array: no method has more stages.
const MOST_STAGES: usize = 256;

/// Stores a value at an index; missing rows and entries are zero.
pub(crate) fn set(
    array: &mut Value,
    indices: &[Expression],
    value: Value,
    scope: &Scope,
    dialect: Dialect,
    grows: bool,
) -> Result<(), Fault> {
    let Some((first, rest)) = indices.split_first() else {
        *array = value;
        return Ok(());
    };
    if !matches!(array, Value::List(..)) {
        *array = Value::List(Vec::new(), first.place);
    }
    let Value::List(items, _) = array else { return Ok(()) };
    // One index may select an entry of a single row: `A[1] = 0` for Julia's 1×1 matrix.
    if rest.is_empty()
        && matches!(items.first(), Some(Value::List(..)))
        && !matches!(value, Value::List(..))
        && let [Value::List(row, _)] = &mut items[..]
        && row.len() == 1
    {
        row[0] = value;
        return Ok(());
    }
    let room = if grows { MOST_STAGES } else { items.len() };
    match positions(first, room.max(items.len()), scope, dialect)? {
        Positions::One(i) => {
            while items.len() <= i {
                items.push(if rest.is_empty() {
                    Value::Number(Number::zero())
                } else {
                    Value::List(Vec::new(), first.place)
                });
            }
            set(&mut items[i], rest, value, scope, dialect, grows)
        }
        Positions::Many(range) => {
            let range = range.start.min(items.len())..range.end.min(items.len());
            if let Value::List(values, place) = &value
                && values.len() != range.len()
            {
                let found = format!("{} values", values.len());
                return Err(Fault::new(
                    *place,
                    found,
                    format!("{} values, one for each index of the range", range.len()),
                ));
            }
            for (k, i) in range.enumerate() {
                // A single number fills the range.
                let part = match &value {
                    Value::List(values, _) => values[k].clone(),
                    _ => value.clone(),
                };
                set(&mut items[i], rest, part, scope, dialect, grows)?;
            }
            Ok(())
        }
    }
}
