//! Coefficients whose last digits are off, of a table whose conditions hold numerically.

use hemiola::order::{Cell, DigitsOff, Place};

use crate::output::text;

use super::checked::Checked;

/// If there are more coefficients than this, the rest are counted, not named.
const NAMED: usize = 6;

/// `order 1; last digits of a[3][2], b[1] are off by up to 4 units`, if the order as stated is lower than the order.
pub(crate) fn as_stated(checked: &Checked) -> Option<(&'static str, String)> {
    let check = &checked.report.check;
    let order = check.order_as_stated();
    let reason = check.digits_off().map_or_else(String::new, |off| format!("; {}", reason(checked, off)));
    (order < check.order()).then(|| ("as stated", format!("order {order}{reason}")))
}

fn reason(checked: &Checked, off: &DigitsOff) -> String {
    let Some((_, units)) = off.cells.first() else {
        return format!("coefficients are off by up to {}", text::rounded(off.largest_change, 2));
    };
    let named = off.cells.iter().take(NAMED).map(|(cell, _)| name(checked, *cell));
    let names = named.collect::<Vec<String>>().join(", ");
    let rest = off.cells.len().saturating_sub(NAMED);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let by = if units.ceil() > 1.0 { format!("up to {} units", units.ceil()) } else { "one unit".to_owned() };
    let (digits, are) = if off.cells.len() == 1 { ("the last digit", "is") } else { ("last digits", "are") };
    format!("{digits} of {names}{rest} {are} off by {by}")
}

/// `a[3][2]`, `b[1]`, with indices from 1, and the partition if there are several.
pub(crate) fn name(checked: &Checked, cell: Cell) -> String {
    let place = match cell.place {
        Place::Matrix { row, column } => format!("a[{}][{}]", row + 1, column + 1),
        Place::Weight { column } => format!("b[{}]", column + 1),
    };
    match checked.method.partitions() {
        [_] => place,
        several => format!("{} {place}", several[cell.partition].name),
    }
}
