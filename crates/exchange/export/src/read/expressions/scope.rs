//! Names of a program and their values.

use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;

use super::expression::Operator;
use super::shared_map::SharedMap;
use super::value::{DeclaredType, ProgramValue};
use crate::read::error::{TextFault, TextPosition};

/// Largest number of entries of arrays that the statements of a text copy from other arrays. Without this limit, lines
/// that build an array from itself take memory that grows exponentially with their number.
const MOST_COPIED: usize = 1 << 19;

/// Value of a name, or the reason why it could not be read, and its position.
type NamedValue = (Result<ProgramValue, TextFault>, TextPosition);

/// Values of names, with their positions. A value that could not be read is stored as its fault, which counts only if a
/// coefficient needs the value. Copies of a scope share the values.
#[derive(Clone, Debug)]
pub(crate) struct NameScope {
    values: SharedMap<Rc<NamedValue>>,
    /// Names assigned in this scope, in order.
    own: Vec<Rc<str>>,
    is_own: HashSet<Rc<str>>,
    /// Types declared in C.
    types: SharedMap<DeclaredType>,
    /// Functions and macros that the text defines.
    functions: SharedMap<KnownFunction>,
    /// Macros with an operator outside of parentheses: the loosest one.
    open_macros: SharedMap<Operator>,
    /// Whether the quotient of two integers drops its remainder.
    pub(crate) has_integer_division: bool,
    /// Number of entries that may still be copied in the whole text.
    copies_left: Rc<Cell<usize>>,
}

impl Default for NameScope {
    fn default() -> Self {
        Self {
            values: SharedMap::default(),
            own: Vec::new(),
            is_own: HashSet::new(),
            types: SharedMap::default(),
            functions: SharedMap::default(),
            open_macros: SharedMap::default(),
            has_integer_division: false,
            copies_left: Rc::new(Cell::new(MOST_COPIED)),
        }
    }
}

/// Function or macro that the text itself defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownFunction {
    /// Returns its argument.
    Identity,
    /// Converts its argument to a floating-point number.
    Conversion,
    /// Computes something other than its argument.
    Computes,
}

impl NameScope {
    pub(crate) fn get(&self, name: &str) -> Option<&NamedValue> {
        self.values.get(name).map(Rc::as_ref)
    }

    /// Returns the value for another scope, without a copy.
    pub(crate) fn shared(&self, name: &str) -> Option<Rc<NamedValue>> {
        self.values.get(name).cloned()
    }

    /// Sets a name and returns whether it is new in this scope.
    pub(crate) fn set(&mut self, name: &str, value: Result<ProgramValue, TextFault>, place: TextPosition) -> bool {
        self.set_shared(name, Rc::new((value, place)))
    }

    /// Sets a name to a value of another scope and returns whether it is new in this scope.
    pub(crate) fn set_shared(&mut self, name: &str, value: Rc<NamedValue>) -> bool {
        self.set_without_owning(name, value);
        let is_new = !self.is_own.contains(name);
        if is_new {
            let name: Rc<str> = Rc::from(name);
            self.own.push(name.clone());
            self.is_own.insert(name);
        }
        is_new
    }

    /// Sets a name without recording it as assigned in this scope.
    pub(crate) fn set_without_owning(&mut self, name: &str, value: Rc<NamedValue>) {
        self.open_macros.remove(name);
        self.values.insert(name, value);
    }

    /// Removes a value so that it can be changed and set again; a value of several scopes is copied.
    pub(crate) fn take(&mut self, name: &str) -> Option<NamedValue> {
        let found = self.values.remove(name)?;
        let of_several = |found: Rc<NamedValue>| {
            let (value, place) = found.as_ref();
            (value.as_ref().map_err(Clone::clone).and_then(|value| self.copied(value, *place)), *place)
        };
        Some(Rc::try_unwrap(found).unwrap_or_else(of_several))
    }

    /// Removes a value: the name now denotes something unknown.
    pub(crate) fn forget(&mut self, name: &str) {
        self.values.remove(name);
        self.open_macros.remove(name);
    }

    /// Iterates over the names assigned in this scope, in order.
    pub(crate) fn own(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(Rc::as_ref)
    }

    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.is_own.contains(name)
    }

    pub(crate) fn declare(&mut self, name: &str, of_type: DeclaredType) {
        self.types.insert(name, of_type);
    }

    pub(crate) fn declared(&self, name: &str) -> Option<DeclaredType> {
        self.types.get(name).copied()
    }

    pub(crate) fn define(&mut self, name: &str, function: KnownFunction) {
        self.functions.insert(name, function);
    }

    pub(crate) fn function(&self, name: &str) -> Option<KnownFunction> {
        self.functions.get(name).copied()
    }

    pub(crate) fn open_macro(&mut self, name: &str, operator: Operator) {
        self.open_macros.insert(name, operator);
    }

    pub(crate) fn loosest_operator(&self, name: &str) -> Option<Operator> {
        self.open_macros.get(name).copied()
    }

    /// Builds an inner scope, which knows the values but does not own the names.
    pub(crate) fn inner(&self) -> Self {
        Self { own: Vec::new(), is_own: HashSet::new(), ..self.clone() }
    }

    /// Copies a value. Single numbers are free; the entries of arrays count toward a limit.
    pub(crate) fn copied(&self, value: &ProgramValue, place: TextPosition) -> Result<ProgramValue, TextFault> {
        self.spend(value, 1, place)?;
        Ok(value.clone())
    }

    /// Counts copies of a value toward the limit of the text, before they are made.
    pub(crate) fn spend(&self, value: &ProgramValue, copies: usize, place: TextPosition) -> Result<(), TextFault> {
        // Beyond the limit the entries need not be counted.
        let is_exhausted = matches!(value, ProgramValue::List(..)) && self.copies_left.get() == 0;
        let entries = if is_exhausted { 1 } else { value.weight() - 1 };
        self.spend_entries(entries.saturating_mul(copies), place)
    }

    /// Counts entries toward the limit of the text.
    pub(crate) fn spend_entries(&self, entries: usize, place: TextPosition) -> Result<(), TextFault> {
        let left = self.copies_left.get();
        self.copies_left.set(left.saturating_sub(entries));
        if entries <= left {
            return Ok(());
        }
        let expected = format!("statements that copy at most {MOST_COPIED} entries in the whole text");
        Err(TextFault::new(place, "a copy of an array", expected))
    }
}
