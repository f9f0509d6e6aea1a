//! Tables as JSON objects, such as those of differential-equations-rs: `{"name": "Heun", "A": [[0, 0], [1, 0]], "b":
//! ["1 / 2", "1 / 2"]}`.
//!
//! The fields become names with values, like the assignments of a program.

use std::fmt;

use num_traits::Zero;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::read::arrays::draft::Draft;
use crate::read::arrays::roles::{self, NamingRules};
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::evaluate::cell_number;
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::value::{MOST_ENTRIES, ProgramValue, arithmetic};

/// Deepest accepted nesting: the rows of a matrix.
const DEEPEST: usize = 2;

/// Reads the fields of an object. A field that is null has no value; one that cannot be read is stored as its fault.
pub(crate) fn object(text: &str) -> Result<NameScope, TextFault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let fields = reader.deserialize_map(FieldVisitor).and_then(|fields| reader.end().map(|()| fields));
    let fields = fields.map_err(|problem| {
        let place = TextPosition { line: problem.line().max(1), column: problem.column().max(1) };
        let message = problem.to_string();
        let reason = message.split(" at line ").next().unwrap_or_default().to_owned();
        TextFault::new(place, format!("no JSON object ({reason})"), "one object with the arrays of a method")
    })?;
    let (mut scope, mut cursor) = (NameScope::default(), TextCursor::new(text));
    for (name, raw) in fields {
        let place = cursor.place(raw.get());
        if scope.is_own(&name) {
            return Err(TextFault::new(place, format!("a second field {}", quoted(&name)), "each field once"));
        }
        if raw.get() != "null" {
            scope.set(&name, cursor.value(raw, 0), place);
        }
    }
    Ok(scope)
}

/// Builds the method of the fields A, b, c, `error` = b − b̂, and orders.
pub(crate) fn draft(scope: &mut NameScope) -> Result<Option<Draft>, TextFault> {
    check_kind(scope)?;
    if let Some((difference, place)) = scope.take("error") {
        let difference = difference?.vector(place)?;
        // Methods without embedded weights have zeros here.
        if difference.iter().any(|number| !number.value().is_zero()) {
            scope.set("btilde", Ok(negative(difference, place)?), place);
        }
    }
    let mut drafts = roles::drafts(None, scope, NamingRules { is_single: true, ..NamingRules::default() });
    if drafts.is_empty() {
        return Ok(None);
    }
    let mut draft = drafts.swap_remove(0);
    draft.name = name(scope).unwrap_or_default();
    for (claim, field) in [("order", "order"), ("embedded_order", "embedded_order")] {
        if let Some(order) = order(scope, field) {
            draft.claim(claim, Some(order), scope.get(field).map_or(TextPosition::START, |(_, place)| *place));
        }
    }
    Ok(Some(draft))
}

/// Refuses tables of other kinds, whose A and b mean something else.
fn check_kind(scope: &NameScope) -> Result<(), TextFault> {
    let text = |field: &str| match scope.get(field) {
        Some((Ok(ProgramValue::Text(text, place, _)), _)) => Some((text.as_str(), *place)),
        _ => None,
    };
    let Some((kind, place)) = text("kind") else { return Ok(()) };
    let is_tableau = matches!(kind, "explicit-runge-kutta" | "implicit-runge-kutta");
    let is_2n = kind == "low-storage-runge-kutta" && text("layout").is_some_and(|(layout, _)| layout == "two-n");
    if is_tableau || is_2n {
        return Ok(());
    }
    let expected = "explicit-runge-kutta, implicit-runge-kutta, or low-storage-runge-kutta with the layout two-n";
    Err(TextFault::new(place, quoted(kind), expected))
}

/// Returns the name that the object states.
pub(crate) fn name(scope: &NameScope) -> Option<String> {
    match scope.get("name") {
        Some((Ok(ProgramValue::Text(name, ..)), _)) => Some(name.clone()).filter(|name| !name.trim().is_empty()),
        _ => None,
    }
}

/// Returns an order that the object states.
pub(crate) fn order(scope: &NameScope, field: &str) -> Option<usize> {
    let (Ok(ProgramValue::Number(number)), _) = scope.get(field)? else { return None };
    number.as_whole().and_then(|order| usize::try_from(order).ok())
}

fn negative(numbers: Vec<WrittenNumber>, place: TextPosition) -> Result<ProgramValue, TextFault> {
    let numbers = numbers.into_iter().map(|number| {
        let at = number.place().unwrap_or(place);
        number.negative().map(|number| ProgramValue::Number(number.placed(at))).map_err(arithmetic(at))
    });
    Ok(ProgramValue::List(numbers.collect::<Result<_, _>>()?, place))
}

/// Reads the fields of an object in the order of the text.
struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

/// Converts values to those of a program, with their positions. It moves forward only, so that each character is counted
/// once.
struct TextCursor<'a> {
    text: &'a str,
    offset: usize,
    place: TextPosition,
    /// Entries of arrays so far.
    entries: usize,
}

impl<'a> TextCursor<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, offset: 0, place: TextPosition::START, entries: 0 }
    }

    /// Returns the position of a part of the text.
    fn place(&mut self, part: &str) -> TextPosition {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let passed = self.text.get(self.offset..start).unwrap_or_default();
        self.offset += passed.len();
        match passed.rsplit_once('\n') {
            Some((before, last)) => {
                self.place.line += before.matches('\n').count() + 1;
                self.place.column = last.chars().count() + 1;
            }
            None => self.place.column += passed.chars().count(),
        }
        self.place
    }

    fn value(&mut self, raw: &RawValue, depth: usize) -> Result<ProgramValue, TextFault> {
        let (text, place) = (raw.get(), self.place(raw.get()));
        match text.bytes().next() {
            Some(b'[') if depth == DEEPEST => Err(TextFault::new(place, "an array in a row", "a number")),
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                self.entries += items.len();
                if self.entries > MOST_ENTRIES {
                    return Err(TextFault::new(place, "more entries", format!("at most {MOST_ENTRIES} in all")));
                }
                let items = items.into_iter().map(|item| self.value(item, depth + 1)).collect::<Result<_, _>>()?;
                Ok(ProgramValue::List(items, place))
            }
            Some(b'"') => {
                let inside: String = serde_json::from_str(text).unwrap_or_default();
                Ok(ProgramValue::Text(inside, place, cell_number))
            }
            Some(b'-' | b'0'..=b'9') => Ok(ProgramValue::Number(cell_number(text, place)?)),
            _ => Ok(ProgramValue::Name(quoted(text).trim_matches('`').to_owned(), place)),
        }
    }
}
