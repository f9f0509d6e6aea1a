//! The names of a program and their values.

use std::collections::{HashMap, HashSet};

use super::value::Value;
use crate::read::error::{Fault, Place};

/// The values of names, with where they were given. A name whose value could not be read has the fault instead: it counts
/// only if a coefficient needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    values: HashMap<String, (Result<Value, Fault>, Place)>,
    /// The names that were given here, in order.
    own: Vec<String>,
    is_own: HashSet<String>,
}

impl Scope {
    pub(crate) fn get(&self, name: &str) -> Option<&(Result<Value, Fault>, Place)> {
        self.values.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Result<Value, Fault>, place: Place) {
        if self.is_own.insert(name.to_owned()) {
            self.own.push(name.to_owned());
        }
        self.values.insert(name.to_owned(), (value, place));
    }

    /// Takes a value out, to be changed and set again.
    pub(crate) fn take(&mut self, name: &str) -> Option<(Result<Value, Fault>, Place)> {
        self.values.remove(name)
    }

    /// The names that were given here, in order.
    pub(crate) fn own(&self) -> &[String] {
        &self.own
    }

    /// A scope inside this one: the values are known, the names are not its own.
    pub(crate) fn inner(&self) -> Self {
        Self { values: self.values.clone(), ..Self::default() }
    }
}
