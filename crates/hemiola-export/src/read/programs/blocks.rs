//! Blocks of a program: whether their code runs, and under which condition.

use std::collections::BTreeMap;

use crate::read::arrays::draft::{Condition, Found};
use crate::read::error::Place;

/// How the code of a block runs.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// Once, together with the code around the block.
    Runs,
    /// Once; names that C declares inside end with the block.
    Scope,
    /// When somebody calls it.
    Function,
    /// If a condition holds.
    Branch(Condition),
    /// Any number of times.
    Repeats,
    Never,
}

/// Where a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// At the end of the text.
    Text,
    Brace,
    /// After one statement of C.
    Statement,
    /// At the next `case`, or where the block around it ends.
    Section,
    /// At the next line that begins at this column or left of it.
    Indentation(usize),
    /// At the keyword `end`.
    End,
    /// At `#endif`.
    Directive,
}

/// The branches of one condition so far.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The first condition as written.
    pub(super) first: String,
    /// Whether one of the branches runs in any case, so that no later one does.
    pub(super) is_exhausted: bool,
    /// Whether only running the program tells which branch is taken.
    pub(super) is_open: bool,
    /// Whether no branch reaches the code behind.
    pub(super) all_leave: bool,
    /// Values before the first branch of the names that branches set: the next branch begins with these.
    pub(super) before: BTreeMap<String, Option<Found>>,
    /// The units of branches that hold methods.
    pub(super) variants: Vec<usize>,
}

impl Chain {
    pub(super) fn new(first: &str) -> Self {
        Self {
            first: first.to_owned(),
            is_exhausted: false,
            is_open: false,
            all_leave: true,
            before: BTreeMap::new(),
            variants: Vec::new(),
        }
    }

    /// The effect of the next branch, given whether its own condition holds.
    pub(super) fn branch(&mut self, condition: Condition, holds: Option<bool>) -> Effect {
        let effect = match holds {
            _ if self.is_exhausted => Effect::Never,
            Some(false) => Effect::Never,
            Some(true) if !self.is_open => Effect::Runs,
            _ => Effect::Branch(condition),
        };
        self.is_exhausted |= holds == Some(true);
        self.is_open |= holds.is_none();
        effect
    }
}

/// A block that the reader is in.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) closing: Closing,
    pub(super) effect: Effect,
    pub(super) chain: Option<Chain>,
    /// Whether the block around it never runs.
    pub(super) is_dead: bool,
    pub(super) in_function: bool,
    /// Whether it is in a loop of its function.
    pub(super) repeats: bool,
    /// Whether a statement has left the block: `return`, `break`, `raise`.
    pub(super) has_left: bool,
    /// The innermost block with names of its own, by its number.
    pub(super) owner: usize,
    /// The unit that has the names of the block, once there are some.
    pub(super) unit: Option<usize>,
    /// The unit around it.
    pub(super) outer: usize,
    /// Name of the methods in the block: the label of a `case`.
    pub(super) label: Option<String>,
    /// The units that methods in the block began.
    pub(super) sequence: Vec<usize>,
    /// The names of the code around it that the block sets.
    pub(super) sets: BTreeMap<String, Set>,
}

/// Where a block sets a name of the code around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    pub(super) place: Place,
    pub(super) binding: Binding,
}

/// How a statement names what it sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// As a new variable of C.
    Declared,
    Assigned,
    /// As an entry of an array.
    Entry,
    /// As a name outside of the function.
    Global,
}

impl Block {
    /// Whether the names that the block sets are kept apart from those around it.
    pub(super) fn has_names(&self) -> bool {
        !matches!(self.effect, Effect::Runs | Effect::Never)
    }

    pub(super) fn never_runs(&self) -> bool {
        self.is_dead || self.has_left || matches!(self.effect, Effect::Never)
    }
}
