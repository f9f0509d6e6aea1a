//! The names of a program and their values.

use std::collections::{HashMap, HashSet};

use super::expression::Operator;
use super::value::{NumberType, Value};
use crate::read::error::{Fault, Place};

/// The values of names, with where they were given. A name whose value could not be read has the fault instead: it counts
/// only if a coefficient needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    values: HashMap<String, (Result<Value, Fault>, Place)>,
    /// The names that were given here, in order.
    own: Vec<String>,
    is_own: HashSet<String>,
    /// The types that C declares.
    types: HashMap<String, NumberType>,
    /// Functions and macros that the text defines.
    functions: HashMap<String, Function>,
    /// Macros with an operator outside of parentheses: the loosest.
    open_macros: HashMap<String, Operator>,
    /// Whether the quotient of two integers drops its remainder.
    pub(crate) has_integer_division: bool,
}

/// A function or macro that the text itself defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// Returns its argument.
    Identity,
    /// Makes a floating-point number of its argument.
    Conversion,
    /// Computes something else.
    Computes,
}

impl Scope {
    pub(crate) fn get(&self, name: &str) -> Option<&(Result<Value, Fault>, Place)> {
        self.values.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Result<Value, Fault>, place: Place) {
        if self.is_own.insert(name.to_owned()) {
            self.own.push(name.to_owned());
        }
        self.set_quietly(name, value, place);
    }

    /// Sets a name without making it one that was given here.
    pub(crate) fn set_quietly(&mut self, name: &str, value: Result<Value, Fault>, place: Place) {
        self.open_macros.remove(name);
        self.values.insert(name.to_owned(), (value, place));
    }

    /// Takes a value out, to be changed and set again.
    pub(crate) fn take(&mut self, name: &str) -> Option<(Result<Value, Fault>, Place)> {
        self.values.remove(name)
    }

    /// Forgets a value: the name now stands for something unknown.
    pub(crate) fn forget(&mut self, name: &str) {
        self.values.remove(name);
        self.open_macros.remove(name);
    }

    /// The names that were given here, in order.
    pub(crate) fn own(&self) -> &[String] {
        &self.own
    }

    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.is_own.contains(name)
    }

    pub(crate) fn declare(&mut self, name: &str, of_type: NumberType) {
        self.types.insert(name.to_owned(), of_type);
    }

    pub(crate) fn declared(&self, name: &str) -> Option<NumberType> {
        self.types.get(name).copied()
    }

    pub(crate) fn define(&mut self, name: &str, function: Function) {
        self.functions.insert(name.to_owned(), function);
    }

    pub(crate) fn function(&self, name: &str) -> Option<Function> {
        self.functions.get(name).copied()
    }

    pub(crate) fn open_macro(&mut self, name: &str, operator: Operator) {
        self.open_macros.insert(name.to_owned(), operator);
    }

    pub(crate) fn loosest_operator(&self, name: &str) -> Option<Operator> {
        self.open_macros.get(name).copied()
    }

    /// A scope inside this one: the values are known, the names are not its own.
    pub(crate) fn inner(&self) -> Self {
        Self { own: Vec::new(), is_own: HashSet::new(), ..self.clone() }
    }

    /// A scope without names.
    pub(crate) fn new(has_integer_division: bool) -> Self {
        Self { has_integer_division, ..Self::default() }
    }

    /// The work of a copy: names and numbers.
    pub(crate) fn weight(&self) -> usize {
        let value = |value: &Result<Value, Fault>| value.as_ref().map_or(1, Value::weight);
        let names = self.types.len() + self.functions.len() + self.open_macros.len();
        names + self.values.values().map(|(found, _)| 1 + value(found)).sum::<usize>()
    }
}
