//! Conditions, loops and functions: beginnings and ends of blocks.

use super::blocks::{Binding, BlockEnd, BlockExecution, BranchChain};
use super::reader::{ProgramReader, set_by_loop};
use crate::read::arrays::draft::RunCondition;
use crate::read::error::TextPosition;
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::token::TokenKind;
use crate::read::expressions::value::ProgramValue;

impl ProgramReader<'_> {
    /// Opens a branch, given the tokens of its condition. Without a chain it is the first branch.
    pub(super) fn branch(
        &mut self,
        closing: BlockEnd,
        chain: Option<BranchChain>,
        start: usize,
        condition: (usize, usize),
    ) {
        let (from, to) = condition;
        let place = self.at(start).place;
        let text = format!("if {}", self.written(from, to));
        let mut chain = chain.unwrap_or_else(|| BranchChain::new(&text));
        let holds = self.holds(from, to);
        let effect = chain.branch(RunCondition { text, place }, holds);
        self.open(closing, effect, Some(chain));
        self.block_mut().label = self.label(from, to);
    }

    /// Opens the branch that is taken if no other is.
    pub(super) fn open_else(&mut self, closing: BlockEnd, chain: Option<BranchChain>, start: usize) {
        // The condition of this `else` is not known.
        let mut chain = chain.unwrap_or_else(|| BranchChain { is_open: true, ..BranchChain::new("a condition") });
        let condition = RunCondition { text: format!("else of {}", chain.first), place: self.at(start).place };
        let effect = chain.branch(condition, Some(true));
        self.open(closing, effect, Some(chain));
    }

    /// Opens a branch without an evaluated condition: an exception, a case, a macro.
    pub(super) fn open_undecided_branch(
        &mut self,
        closing: BlockEnd,
        chain: Option<BranchChain>,
        start: usize,
        end: usize,
    ) {
        let condition = RunCondition { text: self.written(start, end), place: self.at(start).place };
        self.open(closing, BlockExecution::Branch(condition), chain);
        self.block_mut().label = self.label(start + 1, end);
    }

    /// Opens a case, which begins with the values before all cases.
    pub(super) fn case(&mut self, closing: BlockEnd, start: usize, end: usize) {
        let chain = self.chain.take().unwrap_or_else(|| BranchChain { is_open: true, ..BranchChain::new("switch") });
        self.open_undecided_branch(closing, Some(chain), start, end);
    }

    /// Opens a loop, whose variables have no values.
    pub(super) fn repeat(&mut self, closing: BlockEnd, start: usize, end: usize) {
        let is_while = self.at(start).name() == Some("while");
        let never = is_while && self.holds(start + 1, end) == Some(false);
        self.open(closing, if never { BlockExecution::Never } else { BlockExecution::Repeats }, None);
        if is_while {
            return;
        }
        let is_set = |i: usize| {
            let next = self.at(i + 1);
            next.is("=") || next.is(",") || next.name() == Some("in") || next.kind == TokenKind::Other('∈')
        };
        let names: Vec<(String, TextPosition)> = (start + 1..end)
            .filter(|&i| is_set(i))
            .filter_map(|i| Some((self.at(i).name()?.to_owned(), self.at(i).place)))
            .collect();
        let declares = self.dialect == Dialect::C && self.at(start + 2).name().is_some();
        let binding = if declares { Binding::Declared } else { Binding::Assigned };
        for (name, place) in names {
            self.set(&name, Err(set_by_loop(place)), place, binding);
        }
    }

    /// Begins a function with the parameters in the parentheses after its name.
    pub(super) fn function(
        &mut self,
        name: &str,
        closing: BlockEnd,
        place: TextPosition,
        (start, end): (usize, usize),
    ) {
        self.begin(name, place, closing);
        let Some(open) = (start..end).find(|i| self.at(*i).is("(")) else { return };
        if self.block().never_runs() {
            return;
        }
        let close = self.closing_bracket(open).min(end);
        let inside: Vec<usize> = self.top_level(open + 1, close).collect();
        let parameters = inside.split(|i| self.at(*i).is(",") || self.at(*i).is(";"));
        let names: Vec<String> = parameters
            .filter_map(|parameter| {
                let before = parameter.iter().take_while(|i| !self.at(**i).is("="));
                let mut names = before.filter_map(|i| self.at(*i).name());
                // The type precedes the name in C.
                if self.dialect == Dialect::C { names.last() } else { names.next() }.map(str::to_owned)
            })
            .collect();
        for name in names {
            self.parameter(&name);
        }
    }

    /// Returns whether a condition holds, if the text alone decides it.
    pub(super) fn holds(&self, start: usize, end: usize) -> Option<bool> {
        const LONGEST: usize = 64;
        let (mut from, mut to, mut is_negated) = (start, end, false);
        if from >= to || to - from > LONGEST {
            return None;
        }
        loop {
            let token = self.at(from);
            if token.is("!") || token.name() == Some("not") || token.kind == TokenKind::Other('~') {
                is_negated = !is_negated;
                from += 1;
            } else if token.is("(") && from + 1 < to && self.closing_bracket(from) + 1 == to {
                (from, to) = (from + 1, to - 1);
            } else {
                break;
            }
            if from >= to {
                return None;
            }
        }
        let is_main = self.at(from).name() == Some("__name__")
            && self.at(from + 1).is("==")
            && self.at(from + 2).kind == TokenKind::Text("__main__".to_owned());
        if is_main && from + 3 == to {
            return Some(!is_negated);
        }
        if from + 1 != to {
            return None;
        }
        let is_true = match &self.at(from).kind {
            TokenKind::Number(text) => Some(text.bytes().any(|b| matches!(b, b'1'..=b'9'))),
            TokenKind::Name(name) => constant(name).or_else(|| self.is_true(name)),
            _ => None,
        };
        is_true.map(|is_true| is_true != is_negated)
    }

    /// Returns whether a name that was set earlier in the same function is true. Variables of C are excluded, since
    /// they may change through pointers.
    fn is_true(&self, name: &str) -> Option<bool> {
        let is_own = self.dialect != Dialect::C && self.scope().is_own(name) && !self.block().repeats;
        match self.scope().get(name).filter(|_| is_own)? {
            (Ok(ProgramValue::Number(number)), _) => Some(number.as_whole() != Some(0)),
            (Ok(ProgramValue::Name(value, _)), _) => constant(value),
            _ => None,
        }
    }

    /// Returns the label in a condition: `RK4` of `case 'RK4'`, `if name == "RK4"` and `case(RK4)`.
    fn label(&self, start: usize, end: usize) -> Option<String> {
        let texts: Vec<&String> = (start..end)
            .filter_map(|i| match &self.at(i).kind {
                TokenKind::Text(text) => Some(text),
                _ => None,
            })
            .collect();
        match texts[..] {
            [text] => Some(text.clone()),
            [] => {
                let inner = (start..end).filter(|i| !self.at(*i).is("(") && !self.at(*i).is(")"));
                let names: Vec<Option<&str>> = inner.map(|i| self.at(i).name()).collect();
                let is_case = start > 0 && self.at(start - 1).name() == Some("case");
                match names[..] {
                    [Some(name)] if is_case => Some(name.to_owned()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns the truth value of a constant.
fn constant(name: &str) -> Option<bool> {
    match name {
        "True" | "true" | "TRUE" | "SUNTRUE" | "PETSC_TRUE" => Some(true),
        "False" | "false" | "FALSE" | "SUNFALSE" | "PETSC_FALSE" | "None" | "nothing" => Some(false),
        _ => None,
    }
}
