//! Blocks of a program: whether their code runs, and under which condition.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::read::arrays::draft::{ReadValue, RunCondition};
use crate::read::error::TextPosition;

/// Execution of a block.
#[derive(Clone, Debug)]
pub(super) enum BlockExecution {
    /// Runs once, together with the code around the block.
    Runs,
    /// Runs once; names that C declares inside end with the block.
    Scope,
    /// Runs when called.
    Function,
    /// Runs if a condition holds.
    Branch(RunCondition),
    /// Runs any number of times.
    Repeats,
    Never,
}

/// End of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockEnd {
    /// End of the text.
    Text,
    Brace,
    /// End of one statement of C.
    Statement,
    /// Next `case`, or the end of the enclosing block.
    Section,
    /// Next line that begins at this column or left of it.
    Indentation(usize),
    /// Keyword `end`.
    End,
    /// Directive `#endif`.
    Directive,
}

/// Branches of one condition so far.
#[derive(Clone, Debug)]
pub(super) struct BranchChain {
    /// First condition as written.
    pub(super) first: String,
    /// Whether one of the branches always runs, so that no later one does.
    pub(super) is_exhausted: bool,
    /// Whether the branch taken is known only at run time.
    pub(super) is_open: bool,
    /// Whether no branch reaches the code after the condition.
    pub(super) all_leave: bool,
    /// Values, before the first branch, of the names that branches set. The next branch begins with these values.
    pub(super) before: BTreeMap<String, Option<Rc<ReadValue>>>,
    /// Units of branches that hold methods.
    pub(super) variants: Vec<usize>,
}

impl BranchChain {
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

    /// Returns the effect of the next branch, given whether its own condition holds.
    pub(super) fn branch(&mut self, condition: RunCondition, holds: Option<bool>) -> BlockExecution {
        let effect = match holds {
            _ if self.is_exhausted => BlockExecution::Never,
            Some(false) => BlockExecution::Never,
            Some(true) if !self.is_open => BlockExecution::Runs,
            _ => BlockExecution::Branch(condition),
        };
        self.is_exhausted |= holds == Some(true);
        self.is_open |= holds.is_none();
        effect
    }
}

/// Block at the current position.
#[derive(Debug)]
pub(super) struct CodeBlock {
    pub(super) closing: BlockEnd,
    pub(super) effect: BlockExecution,
    pub(super) chain: Option<BranchChain>,
    /// Whether the enclosing block never runs.
    pub(super) is_dead: bool,
    pub(super) in_function: bool,
    /// Whether the block is in a loop of its function.
    pub(super) repeats: bool,
    /// Whether a statement has left the block: `return`, `break`, `raise`.
    pub(super) has_left: bool,
    /// Number of the innermost block with names of its own.
    pub(super) owner: usize,
    /// Unit that holds the names of the block, once it exists.
    pub(super) unit: Option<usize>,
    /// Enclosing unit.
    pub(super) outer: usize,
    /// Name of the methods in the block: the label of a `case`.
    pub(super) label: Option<String>,
    /// Units begun by methods in the block.
    pub(super) sequence: Vec<usize>,
    /// Names of the surrounding code that the block sets.
    pub(super) sets: BTreeMap<String, OuterAssignment>,
}

/// Position at which a block sets a name of the surrounding code.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterAssignment {
    pub(super) place: TextPosition,
    pub(super) binding: Binding,
}

/// Kind of binding that a statement makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// New variable of C.
    Declared,
    Assigned,
    /// Entry of an array.
    Entry,
    /// Name outside of the function.
    Global,
}

impl CodeBlock {
    /// Returns whether the names that the block sets are separate from the surrounding names.
    pub(super) fn has_names(&self) -> bool {
        !matches!(self.effect, BlockExecution::Runs | BlockExecution::Never)
    }

    pub(super) fn never_runs(&self) -> bool {
        self.is_dead || self.has_left || matches!(self.effect, BlockExecution::Never)
    }
}
