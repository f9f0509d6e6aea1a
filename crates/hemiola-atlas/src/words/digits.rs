//! Coefficients whose last digits are off, of a table whose conditions hold numerically.

use hemiola_export::describe;
use hemiola_order::{Cell, DigitsOff, OrderCheck, Place};
use hemiola_tableau::Method;

use super::properties::Fact;

/// If there are more coefficients than this, the rest are counted, not named.
const NAMED: usize = 6;

/// `order 1; last digits of a[3][2], b[1] are off by up to 4 units`, if the order as stated is lower than the order.
#[must_use]
pub fn as_stated(method: &Method, check: &OrderCheck) -> Option<Fact> {
    let order = check.order_as_stated();
    let reason = check.digits_off().map_or_else(String::new, |off| format!("; {}", reason(method, off)));
    (order < check.order()).then(|| ("as stated", format!("order {order}{reason}")))
}

fn reason(method: &Method, off: &DigitsOff) -> String {
    let Some((_, units)) = off.cells.first() else {
        return format!("coefficients are off by up to {}", describe::rounded(off.largest_change, 2));
    };
    let named = off.cells.iter().take(NAMED).map(|(cell, _)| coefficient(method, *cell));
    let names = named.collect::<Vec<String>>().join(", ");
    let rest = off.cells.len().saturating_sub(NAMED);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let by = if units.ceil() > 1.0 { format!("up to {} units", units.ceil()) } else { "one unit".to_owned() };
    let (digits, are) = if off.cells.len() == 1 { ("the last digit", "is") } else { ("last digits", "are") };
    format!("{digits} of {names}{rest} {are} off by {by}")
}

/// `a[3][2]`, `b[1]`, with indices from 1, and the partition if there are several.
#[must_use]
pub fn coefficient(method: &Method, cell: Cell) -> String {
    let place = match cell.place {
        Place::Matrix { row, column } => format!("a[{}][{}]", row + 1, column + 1),
        Place::Weight { column } => format!("b[{}]", column + 1),
    };
    match method.partitions() {
        [_] => place,
        several => format!("{} {place}", several[cell.partition].name),
    }
}
