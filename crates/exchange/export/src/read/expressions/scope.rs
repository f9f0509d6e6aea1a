//! Names of a program and their values.

use std::collections::{HashMap, HashSet};

use super::expression::Operator;
use super::value::{DeclaredType, ProgramValue};
use crate::read::error::{TextFault, TextPosition};

/// Values of names, with their positions. A value that could not be read is stored as its fault, which counts only if a
/// coefficient needs the value.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameScope {
    values: HashMap<String, (Result<ProgramValue, TextFault>, TextPosition)>,
    /// Names assigned in this scope, in order.
    own: Vec<String>,
    is_own: HashSet<String>,
    /// Types declared in C.
    types: HashMap<String, DeclaredType>,
    /// Functions and macros that the text defines.
    functions: HashMap<String, KnownFunction>,
    /// Macros with an operator outside of parentheses: the loosest one.
    open_macros: HashMap<String, Operator>,
    /// Whether the quotient of two integers drops its remainder.
    pub(crate) has_integer_division: bool,
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
    pub(crate) fn get(&self, name: &str) -> Option<&(Result<ProgramValue, TextFault>, TextPosition)> {
        self.values.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Result<ProgramValue, TextFault>, place: TextPosition) {
        if self.is_own.insert(name.to_owned()) {
            self.own.push(name.to_owned());
        }
        self.set_without_owning(name, value, place);
    }

    /// Sets a name without recording it as assigned in this scope.
    pub(crate) fn set_without_owning(
        &mut self,
        name: &str,
        value: Result<ProgramValue, TextFault>,
        place: TextPosition,
    ) {
        self.open_macros.remove(name);
        self.values.insert(name.to_owned(), (value, place));
    }

    /// Removes a value so that it can be changed and set again.
    pub(crate) fn take(&mut self, name: &str) -> Option<(Result<ProgramValue, TextFault>, TextPosition)> {
        self.values.remove(name)
    }

    /// Removes a value: the name now denotes something unknown.
    pub(crate) fn forget(&mut self, name: &str) {
        self.values.remove(name);
        self.open_macros.remove(name);
    }

    /// Returns the names assigned in this scope, in order.
    pub(crate) fn own(&self) -> &[String] {
        &self.own
    }

    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.is_own.contains(name)
    }

    pub(crate) fn declare(&mut self, name: &str, of_type: DeclaredType) {
        self.types.insert(name.to_owned(), of_type);
    }

    pub(crate) fn declared(&self, name: &str) -> Option<DeclaredType> {
        self.types.get(name).copied()
    }

    pub(crate) fn define(&mut self, name: &str, function: KnownFunction) {
        self.functions.insert(name.to_owned(), function);
    }

    pub(crate) fn function(&self, name: &str) -> Option<KnownFunction> {
        self.functions.get(name).copied()
    }

    pub(crate) fn open_macro(&mut self, name: &str, operator: Operator) {
        self.open_macros.insert(name.to_owned(), operator);
    }

    pub(crate) fn loosest_operator(&self, name: &str) -> Option<Operator> {
        self.open_macros.get(name).copied()
    }

    /// Builds an inner scope, which knows the values but does not own the names.
    pub(crate) fn inner(&self) -> Self {
        Self { own: Vec::new(), is_own: HashSet::new(), ..self.clone() }
    }

    /// Builds a scope without names.
    pub(crate) fn new(has_integer_division: bool) -> Self {
        Self { has_integer_division, ..Self::default() }
    }

    /// Returns the cost of a copy: the number of names and numbers.
    pub(crate) fn weight(&self) -> usize {
        let value = |value: &Result<ProgramValue, TextFault>| value.as_ref().map_or(1, ProgramValue::weight);
        let names = self.types.len() + self.functions.len() + self.open_macros.len();
        names + self.values.values().map(|(found, _)| 1 + value(found)).sum::<usize>()
    }
}
