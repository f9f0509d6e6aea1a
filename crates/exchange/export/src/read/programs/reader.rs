//! State of the program reader: the current unit, the enclosing blocks, and their effect on values.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::blocks::{Binding, BlockEnd, BlockExecution, BranchChain, CodeBlock, OuterAssignment};
use crate::read::arrays::draft::{ReadValue, RunCondition};
use crate::read::arrays::roles::{self, ArrayRole};
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::scope::{KnownFunction, NameScope};
use crate::read::expressions::token::Token;
use crate::read::expressions::value::ProgramValue;

/// Unit of a program: a function, a class, a branch, an entry of a list, or the code outside of them.
#[derive(Debug)]
pub(crate) struct ProgramUnit {
    /// Name of the function.
    pub(crate) name: Option<String>,
    pub(crate) place: TextPosition,
    pub(crate) scope: NameScope,
    pub(crate) calls: Vec<Call>,
    /// Conditions under which the code runs.
    pub(crate) conditions: Vec<RunCondition>,
    /// Whether the names belong to the surrounding code rather than to a method of this unit.
    pub(crate) is_part: bool,
    /// Names that differ from those of the surrounding code: parameters and C declarations.
    pub(super) declared: HashSet<String>,
    /// Names of coefficients among those assigned in the unit.
    coefficients: Vec<Rc<str>>,
    /// Branches that hold methods of their own. Later changes of their coefficients invalidate them.
    variants: Vec<usize>,
}

/// Call that constructs a method, with the values of its arguments.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) function: String,
    pub(crate) place: TextPosition,
    /// Name that the result is assigned to.
    pub(crate) target: Option<String>,
    pub(crate) arguments: Vec<(Option<String>, Result<ProgramValue, TextFault>)>,
}

/// Largest number of names that are restored before branches, in all branches together.
const MOST_RESTORED: usize = 1 << 20;
/// Deepest nesting of blocks with names of their own. The names set in deeper blocks are unknown.
const DEEPEST_NESTING: usize = 32;
/// Largest number of conditions that are stored for one unit.
const MOST_CONDITIONS: usize = 8;

pub(super) struct ProgramReader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) dialect: Dialect,
    pub(super) makes: fn(&str) -> bool,
    pub(super) position: usize,
    pub(super) units: Vec<ProgramUnit>,
    pub(super) current: usize,
    pub(super) blocks: Vec<CodeBlock>,
    /// Condition whose branch has just ended.
    pub(super) chain: Option<BranchChain>,
    /// Whether functions of MATLAB end with `end`.
    pub(super) functions_end: bool,
    /// Fault of overlapping blocks and preprocessor conditions.
    pub(super) fault: Option<TextFault>,
    restored: usize,
    /// For each token the bracket that closes it.
    pub(super) closings: Vec<usize>,
}

impl<'a> ProgramReader<'a> {
    pub(super) fn new(tokens: &'a [Token], dialect: Dialect, makes: fn(&str) -> bool, scope: NameScope) -> Self {
        let outside = ProgramUnit::new(None, TextPosition::START, scope);
        let mut reader = Self {
            tokens,
            dialect,
            makes,
            position: 0,
            units: vec![outside],
            current: 0,
            blocks: Vec::new(),
            chain: None,
            functions_end: false,
            fault: None,
            restored: 0,
            closings: Self::closings(tokens),
        };
        reader.open(BlockEnd::Text, BlockExecution::Runs, None);
        reader.blocks[0].unit = Some(0);
        reader
    }

    pub(super) fn at(&self, position: usize) -> &'a Token {
        &self.tokens[position.min(self.tokens.len() - 1)]
    }

    pub(super) fn unit(&mut self) -> &mut ProgramUnit {
        &mut self.units[self.current]
    }

    pub(super) fn scope(&self) -> &NameScope {
        &self.units[self.current].scope
    }

    /// Returns the innermost block.
    pub(super) fn block(&self) -> &CodeBlock {
        &self.blocks[self.blocks.len() - 1]
    }

    pub(super) fn block_mut(&mut self) -> &mut CodeBlock {
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    pub(super) fn open(&mut self, closing: BlockEnd, effect: BlockExecution, chain: Option<BranchChain>) {
        let index = self.blocks.len();
        let around = self.blocks.last();
        let is_function = matches!(effect, BlockExecution::Function);
        let is_too_deep = index >= DEEPEST_NESTING;
        let mut block = CodeBlock {
            closing,
            is_dead: around.is_some_and(CodeBlock::never_runs),
            repeats: is_too_deep
                || matches!(effect, BlockExecution::Repeats)
                || around.is_some_and(|block| block.repeats && !is_function),
            in_function: is_function || around.is_some_and(|block| block.in_function),
            has_left: false,
            owner: around.map_or(index, |block| block.owner),
            unit: None,
            outer: self.current,
            label: None,
            sequence: Vec::new(),
            sets: BTreeMap::new(),
            effect,
            chain,
        };
        if block.has_names() && !is_too_deep {
            block.owner = index;
        }
        self.blocks.push(block);
    }

    /// Begins a unit inside the current one.
    fn push_unit(&mut self, name: Option<String>, place: TextPosition, condition: Option<RunCondition>) {
        let inner = self.scope().inner();
        let mut conditions = self.units[self.current].conditions.clone();
        conditions.extend(condition.filter(|_| conditions.len() < MOST_CONDITIONS));
        self.units.push(ProgramUnit { conditions, ..ProgramUnit::new(name, place, inner) });
        self.current = self.units.len() - 1;
    }

    /// Creates the units of the blocks around the next statement that have names of their own.
    pub(super) fn enter(&mut self) {
        let mut missing = Vec::new();
        let mut index = self.block().owner;
        while self.blocks[index].unit.is_none() && index > 0 {
            missing.push(index);
            index = self.blocks[index - 1].owner;
        }
        for index in missing.into_iter().rev() {
            let outer = self.current;
            let block = &self.blocks[index];
            let name = block.label.clone().or_else(|| self.units[outer].name.clone());
            let condition = match &block.effect {
                BlockExecution::Branch(condition) => Some(condition.clone()),
                _ => None,
            };
            let place = self.at(self.position).place;
            self.push_unit(name, place, condition);
            self.restore(index);
            let block = &mut self.blocks[index];
            (block.unit, block.outer, block.sequence) = (Some(self.current), outer, vec![self.current]);
        }
    }

    /// Restores the values from before the branches of the same condition.
    fn restore(&mut self, block: usize) {
        let Some(chain) = &mut self.blocks[block].chain else { return };
        let before = std::mem::take(&mut chain.before);
        // Beyond the limit, names set by other branches stay unknown.
        if self.restored + before.len() <= MOST_RESTORED {
            self.restored += before.len();
            for (name, found) in &before {
                match found {
                    Some(value) => self.unit().scope.set_without_owning(name, value.clone()),
                    None => self.unit().scope.forget(name),
                }
            }
        }
        if let Some(chain) = &mut self.blocks[block].chain {
            chain.before = before;
        }
    }

    /// Begins a function.
    pub(super) fn begin(&mut self, name: &str, place: TextPosition, closing: BlockEnd) {
        if self.block().never_runs() {
            return self.open(closing, BlockExecution::Function, None);
        }
        // Names in a function are its own, so its values need not be unknown.
        if self.blocks.len() >= DEEPEST_NESTING {
            return self.open(closing, BlockExecution::Never, None);
        }
        self.enter();
        self.unit().scope.define(name, KnownFunction::Computes);
        let outer = self.current;
        self.open(closing, BlockExecution::Function, None);
        // The constructor of a class of Python sets the coefficients of the class.
        let class = self.units[outer].name.clone().filter(|_| name == "__init__");
        self.push_unit(class.or_else(|| Some(name.to_owned())), place, None);
        let unit = self.current;
        let block = self.block_mut();
        (block.unit, block.outer) = (Some(unit), outer);
    }

    /// Declares a local name of a function or block, with an unknown value.
    pub(super) fn parameter(&mut self, name: &str) {
        self.unit().scope.forget(name);
        self.unit().declared.insert(name.to_owned());
    }

    /// Begins the next method if a matrix is assigned again after its weights.
    pub(super) fn begin_next(&mut self, name: &str, place: TextPosition) {
        if self.block().never_runs() || roles::role(name) != Some(ArrayRole::A) {
            return;
        }
        self.enter();
        let unit = self.unit();
        if unit.scope.is_own(name) && unit.coefficients.iter().any(|own| roles::role(own) == Some(ArrayRole::B)) {
            let (name, declared) = (unit.name.clone(), unit.declared.clone());
            self.push_unit(name, place, None);
            self.unit().declared = declared;
            let (owner, unit) = (self.block().owner, self.current);
            self.blocks[owner].sequence.push(unit);
        }
    }

    /// Assigns a value to a name, or the reason why it has none.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: Result<ProgramValue, TextFault>,
        place: TextPosition,
        binding: Binding,
    ) {
        self.set_by(name, (value, place), place, binding);
    }

    /// Assigns a value that is positioned elsewhere than the statement.
    pub(super) fn set_by(&mut self, name: &str, found: ReadValue, place: TextPosition, binding: Binding) {
        let (value, given) = found;
        if self.block().never_runs() {
            return;
        }
        self.enter();
        let is_too_deep = self.blocks.len() > DEEPEST_NESTING;
        let unknown = || if is_too_deep { set_too_deep(place) } else { set_by_loop(place) };
        let value = if self.block().repeats { Err(value.err().unwrap_or_else(unknown)) } else { value };
        self.note(name, place, binding);
        self.invalidate_variants(name, place, binding);
        self.unit().own(name, Rc::new((value, given)));
    }

    /// Records that the block changes a name of the surrounding code.
    fn note(&mut self, name: &str, place: TextPosition, binding: Binding) {
        let owner = self.block().owner;
        let unit = &mut self.units[self.current];
        let block = &mut self.blocks[owner];
        if binding == Binding::Declared && block.closing != BlockEnd::Directive {
            unit.declared.insert(name.to_owned());
        }
        let root = name.split('.').next().unwrap_or(name);
        if unit.declared.contains(name) || unit.declared.contains(root) {
            return;
        }
        // Assignments in a function create local names, except in C and for entries of outer arrays.
        let reaches_out = self.dialect == Dialect::C || (binding == Binding::Entry && !unit.scope.is_own(name));
        if !matches!(block.effect, BlockExecution::Function) || reaches_out || binding == Binding::Global {
            block.sets.entry(name.to_owned()).or_insert(OuterAssignment { place, binding });
        }
    }

    /// Invalidates the methods of preceding branches if later code changes their coefficients.
    fn invalidate_variants(&mut self, name: &str, place: TextPosition, binding: Binding) {
        if self.unit().variants.is_empty() || !roles::is_coefficient(name) {
            return;
        }
        let variants = std::mem::take(&mut self.unit().variants);
        // A complete matrix begins another method.
        if roles::role(name) == Some(ArrayRole::A) && binding != Binding::Entry {
            return;
        }
        for variant in variants {
            let found = format!("{} set after a branch that sets coefficients", quoted(name));
            self.forget_coefficients(
                variant,
                &TextFault::new(place, found, "all coefficients of a method in one branch"),
            );
        }
    }

    /// Marks the coefficients of a unit as unknown.
    pub(super) fn forget_coefficients(&mut self, unit: usize, fault: &TextFault) {
        let ProgramUnit { scope, coefficients, .. } = &mut self.units[unit];
        for name in coefficients {
            scope.set(name, Err(fault.clone()), fault.place);
        }
    }

    /// Ends the innermost block.
    pub(super) fn close(&mut self) {
        if self.blocks.len() < 2 {
            return;
        }
        self.end_chain();
        let Some(mut block) = self.blocks.pop() else { return };
        let leaves = block.has_left;
        let runs = matches!(block.effect, BlockExecution::Runs | BlockExecution::Scope);
        let is_never = matches!(block.effect, BlockExecution::Never);
        if let Some(chain) = block.chain.as_mut().filter(|_| !is_never) {
            chain.all_leave &= leaves;
        }
        let all_leave = block.chain.as_ref().is_some_and(|chain| chain.is_exhausted && chain.all_leave);
        self.chain = block.chain.take();
        if block.unit.is_some() {
            let last = std::mem::replace(&mut self.current, block.outer);
            self.merge(block, last);
        }
        // Nothing runs after a block has been left, but the names that the block has set still count.
        self.block_mut().has_left |= (leaves && runs) || all_leave;
    }

    /// Ends a condition after its last branch.
    pub(super) fn end_chain(&mut self) {
        if let Some(chain) = self.chain.take() {
            self.unit().variants.extend(chain.variants);
        }
    }

    /// Passes the names that a block has set to the surrounding code.
    fn merge(&mut self, block: CodeBlock, last: usize) {
        let CodeBlock { effect, sets, sequence, has_left, .. } = block;
        let is_method = match &effect {
            BlockExecution::Branch(_) => sequence.iter().all(|unit| self.is_method(*unit)),
            BlockExecution::Scope => !sets.keys().any(|name| roles::is_coefficient(name)),
            _ => false,
        };
        for unit in &sequence {
            self.units[*unit].is_part |= !is_method;
        }
        for (name, OuterAssignment { place, binding }) in sets {
            if matches!(effect, BlockExecution::Function) && !self.scope().is_own(&name) {
                continue;
            }
            if let Some(chain) = &mut self.chain {
                let before = self.units[self.current].scope.shared(&name);
                chain.before.entry(name.clone()).or_insert(before);
            }
            let value = self.value_behind(&effect, last, &name, place);
            let is_inside = |unit: &usize| self.units[*unit].scope.is_own(&name);
            let is_branch = matches!(effect, BlockExecution::Branch(_));
            let is_quiet = (is_method && is_branch) || !(sequence.iter().any(is_inside) || is_inside(&last));
            if is_quiet && !self.scope().is_own(&name) {
                self.note(&name, place, binding);
                self.unit().scope.set_without_owning(&name, Rc::new((value, place)));
            } else {
                self.set(&name, value, place, binding);
            }
        }
        if matches!(effect, BlockExecution::Function) {
            return;
        }
        // Code after a `return` does not change the method.
        let mut variants = std::mem::take(&mut self.units[last].variants);
        if is_method && matches!(effect, BlockExecution::Branch(_)) {
            sequence.iter().for_each(|unit| self.share(*unit));
            variants.extend(sequence);
        }
        variants.retain(|_| !has_left);
        match &mut self.chain {
            Some(chain) => chain.variants.extend(variants),
            None => self.unit().variants.extend(variants),
        }
    }

    /// Returns the value of a name after a block that sets it.
    fn value_behind(
        &self,
        effect: &BlockExecution,
        unit: usize,
        name: &str,
        place: TextPosition,
    ) -> Result<ProgramValue, TextFault> {
        let value = self.units[unit].scope.get(name).map(|(value, _)| value.as_ref().map_err(Clone::clone));
        let unknown = |found: String| Err(TextFault::new(place, found, "coefficients given in the text"));
        match effect {
            BlockExecution::Function => unknown(format!("{} set by a function", quoted(name))),
            BlockExecution::Branch(condition) => Err(conditional(name, condition, place)),
            BlockExecution::Repeats => Err(value.and_then(Result::err).unwrap_or_else(|| set_by_loop(place))),
            BlockExecution::Scope | BlockExecution::Runs | BlockExecution::Never => {
                value.map_or_else(|| unknown(quoted(name)), |value| self.scope().copied(value?, place))
            }
        }
    }

    /// Returns whether a unit holds a complete method.
    fn is_method(&self, unit: usize) -> bool {
        let unit = &self.units[unit];
        !unit.calls.is_empty() || roles::holds_method(&unit.scope)
    }

    /// Gives the method of a branch the abscissae and embedded weights that precede the branch.
    fn share(&mut self, unit: usize) {
        let around = &self.units[self.current];
        if around.coefficients.iter().any(|name| roles::role(name) == Some(ArrayRole::A)) {
            return;
        }
        let is_shared = |name: &&Rc<str>| {
            !self.units[unit].scope.is_own(name)
                && matches!(roles::role(name), Some(ArrayRole::C | ArrayRole::Hat | ArrayRole::Difference))
        };
        let names: Vec<Rc<str>> = around.coefficients.iter().filter(is_shared).cloned().collect();
        for name in names {
            if let Some(value) = self.scope().shared(&name) {
                self.units[unit].own(&name, value);
            }
        }
    }
}

impl ProgramUnit {
    fn new(name: Option<String>, place: TextPosition, scope: NameScope) -> Self {
        Self {
            name,
            place,
            scope,
            calls: Vec::new(),
            conditions: Vec::new(),
            is_part: false,
            declared: HashSet::new(),
            coefficients: Vec::new(),
            variants: Vec::new(),
        }
    }

    /// Assigns a value to a name of the unit.
    fn own(&mut self, name: &str, value: Rc<ReadValue>) {
        if self.scope.set_shared(name, value) && roles::is_coefficient(name) {
            self.coefficients.push(Rc::from(name));
        }
    }
}

/// Builds the fault of a name that is set in too many nested blocks.
fn set_too_deep(place: TextPosition) -> TextFault {
    let found = format!("a value set inside more than {DEEPEST_NESTING} nested blocks");
    TextFault::new(place, found, "coefficients given in the text")
}

pub(super) fn set_by_loop(place: TextPosition) -> TextFault {
    TextFault::new(place, "a value set in a loop", "coefficients given in the text")
}

/// Builds the fault of a name that is set only under a condition.
pub(super) fn conditional(name: &str, condition: &RunCondition, place: TextPosition) -> TextFault {
    let found = format!("{} set only under the condition {}", quoted(name), quoted(&condition.text));
    TextFault::new(place, found, "unconditional coefficients: remove the branches that do not apply")
}
