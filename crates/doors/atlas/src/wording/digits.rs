//! Effects of the digits of a table on its order: wrong last digits, and short decimals presumed to be rounded.

use hemiola_export::describe;
use hemiola_order::{Cell, DigitsOff, OrderCheck, TableauPosition};
use hemiola_tableau::{Method, Precision};

use super::properties::Property;

/// Largest number of coefficients listed; the others are only counted.
const NAMED: usize = 6;

/// Describes the order with the coefficients as stated, if the digits of the table affect it.
///
/// If the order as stated is lower than the order:
/// `order 1; last digits of a[3][2], b[1] are off by up to 4 units`. If short decimals are presumed to be rounded:
/// `order 4 with decimals rounded to 6 digits, order 2 with exact ones`.
///
/// ```
/// use hemiola_atlas::wording::as_stated;
/// use hemiola_order::{CheckOptions, OrderCheck};
/// let text = br#"{"format": "hemiola-method/1", "id": "kutta", "name": "Kutta", "partitions": [{"name": "all",
///     "a": [["0", "0", "0"], ["0.5", "0", "0"], ["-1", "2", "0"]], "b": ["0.1667", "0.6667", "0.1667"]}]}"#;
/// let kutta = hemiola_tableau::Method::from_json(text, "kutta.json").unwrap();
/// let check = OrderCheck::new(&kutta, CheckOptions { highest_order: 4, ..Default::default() }).unwrap();
/// let (_, text) = as_stated(&kutta, &check).unwrap();
/// assert_eq!(text, "order 3 with decimals rounded to 4 digits, order 0 with exact ones");
/// ```
#[must_use]
pub fn as_stated(method: &Method, check: &OrderCheck) -> Option<Property> {
    let order = check.order_as_stated();
    if let Some(Precision { decimals }) = check.overstated() {
        return Some(("as stated", format!("order {order}; the stated precision of {decimals} decimals is too high")));
    }
    if order < check.order() {
        let reason = check.digits_off().map_or_else(String::new, |off| format!("; {}", reason(method, off)));
        return Some(("as stated", format!("order {order}{reason}")));
    }
    let (digits, exact) = (method.rounding().presumed_digits()?, check.exact_order());
    let text = || format!("order {order} with decimals rounded to {digits} digits, order {exact} with exact ones");
    (exact < order).then(|| ("as stated", text()))
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

/// Names a coefficient, as `a[3][2]` or `b[1]`, with indices from 1 and, if there are several, the partition.
#[must_use]
pub fn coefficient(method: &Method, cell: Cell) -> String {
    let place = match cell.place {
        TableauPosition::Matrix { row, column } => format!("a[{}][{}]", row + 1, column + 1),
        TableauPosition::Weight { column } => format!("b[{}]", column + 1),
    };
    match method.partitions() {
        [_] => place,
        several => format!("{} {place}", several[cell.partition].name),
    }
}
