//! Assignments and other statements that define a method or change an array.

use super::blocks::Binding;
use super::entry;
use super::reader::{Call, ProgramReader, conditional};
use crate::read::arrays::draft::RunCondition;
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::{evaluate, path};
use crate::read::expressions::expression::{Expression, ExpressionNode};
use crate::read::expressions::parser::Parser;
use crate::read::expressions::token::{Token, TokenKind};
use crate::read::expressions::value::{DeclaredType, ProgramValue, is_integer_type};

/// Left side of an assignment.
struct AssignmentTarget {
    name: String,
    indices: Vec<Expression>,
    /// Type with which C declares the name.
    declared: Option<DeclaredType>,
}

impl ProgramReader<'_> {
    /// Reads a statement that neither begins nor ends a block.
    pub(super) fn plain(&mut self, start: usize, end: usize) {
        let end = end.min(self.tokens.len());
        if self.block().never_runs() {
            return;
        }
        self.calls(start, end);
        let is_decided_later = self.top_level(start, end).any(|i| {
            let token = self.at(i);
            token.is("&&") || token.is("||") || token.kind == TokenKind::Other('?')
        });
        if is_decided_later {
            let condition = RunCondition { text: self.written(start, end), place: self.at(start).place };
            for (name, place) in self.assigned(start, end) {
                self.set(&name, Err(conditional(&name, &condition, place)), place, Binding::Assigned);
            }
        }
        self.changes_in_place(start, end);
        if self.dialect != Dialect::C {
            self.assignments(start, end, None);
            return;
        }
        // `double a = 1, b[2] = {0, 1};` declares both.
        let commas: Vec<usize> = self.top_level(start, end).filter(|i| self.at(*i).is(",")).collect();
        let mut declared = None;
        let mut from = start;
        for comma in commas.into_iter().chain([end]) {
            declared = self.assignments(from, comma, declared);
            from = comma + 1;
        }
    }

    /// Reads `x = y = value` or a statement without a value. Returns the declared type.
    fn assignments(&mut self, start: usize, end: usize, declared: Option<DeclaredType>) -> Option<DeclaredType> {
        let mut equals = Vec::new();
        for i in self.top_level(start, end) {
            let token = self.at(i);
            // Increments and decrements: `b[0]++` and `--b[0]`.
            let steps = ["+", "-"].iter().any(|mark| token.is(mark) && self.at(i + 1).is(mark));
            let is_step = steps && self.dialect == Dialect::C && (i == start || i + 2 >= end);
            match token.kind {
                TokenKind::Mark("=") => equals.push(i),
                TokenKind::Mark("+=" | "-=" | "*=" | "/=") => {
                    self.changed(start, i, i);
                    return declared;
                }
                _ if is_step && i == start => {
                    self.changed(i + 2, end, i);
                    return declared;
                }
                _ if is_step => {
                    self.changed(start, i, i);
                    return declared;
                }
                _ => {}
            }
        }
        let Some((last, first)) = equals.split_last() else {
            return self.declaration(start, end, declared);
        };
        let mut from = start;
        let mut of_type = declared;
        let mut groups = Vec::new();
        for equals in first.iter().chain([last]) {
            let targets = self.targets(from, *equals, declared);
            of_type = targets.iter().flatten().find_map(|target| target.declared).or(of_type);
            groups.push(targets);
            from = equals + 1;
        }
        self.assignment(groups, start, *last, end);
        of_type
    }

    /// Reads `double x, b[2]`: names with a type but without a value.
    fn declaration(&mut self, start: usize, end: usize, declared: Option<DeclaredType>) -> Option<DeclaredType> {
        if self.dialect != Dialect::C || self.top_level(start, end).any(|i| self.at(i).is("=")) {
            return declared;
        }
        let target = self.target(start, end, declared)?;
        let of_type = target.declared?;
        self.enter();
        self.parameter(&target.name);
        self.unit().scope.declare(&target.name, of_type);
        Some(of_type)
    }

    /// Marks a value as unknown after a compound assignment, since its result is known only at run time.
    fn changed(&mut self, start: usize, end: usize, operator: usize) {
        let place = self.at(operator).place;
        if let Some(AssignmentTarget { name, indices, .. }) = self.target(start, end, None) {
            let found = self.at(operator).shown();
            let fault = TextFault::new(place, found, "`=` with the value itself");
            let binding = if indices.is_empty() { Binding::Assigned } else { Binding::Entry };
            self.set(&name, Err(fault), place, binding);
        }
    }

    /// Reads the left side of an assignment: a name and, for an entry, its indices.
    fn target(&self, start: usize, equals: usize, declared: Option<DeclaredType>) -> Option<AssignmentTarget> {
        // Types precede the name in C and follow it in Python and Julia.
        let mut from = start;
        if self.dialect == Dialect::C {
            let is_declared =
                |i: usize| self.at(i).name().is_some() && (self.at(i + 1).name().is_some() || self.at(i + 1).is("*"));
            while from + 1 < equals && (is_declared(from) || self.at(from).is("*")) {
                from += 1;
            }
        }
        let mut depth = 0usize;
        let annotated = (from..equals).find(|&i| {
            match self.tokens[i].kind {
                TokenKind::Mark("(" | "[" | "{") => depth += 1,
                TokenKind::Mark(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (self.at(i).is("::") || self.at(i).is(":"))
        });
        let to = annotated.filter(|_| self.dialect != Dialect::C).unwrap_or(equals);
        let mut tokens = self.tokens.get(from..to)?;
        // `A[]` has no index.
        while tokens.len() >= 2 && tokens[tokens.len() - 1].is("]") && tokens[tokens.len() - 2].is("[") {
            tokens = &tokens[..tokens.len() - 2];
        }
        let last = Token::end_at(self.at(equals));
        let mut parser = Parser::new(tokens, &last, self.dialect);
        let mut base = parser.expression().ok().filter(|_| parser.peek().kind == TokenKind::End)?;
        let mut indices = Vec::new();
        loop {
            base = match base.node {
                ExpressionNode::Index(inner, items) => {
                    indices.splice(0..0, items);
                    *inner
                }
                // An entry in MATLAB, but a short function definition elsewhere.
                ExpressionNode::Call(inner, arguments) if self.dialect == Dialect::Matlab => {
                    indices.splice(0..0, arguments.into_iter().map(|argument| argument.value));
                    *inner
                }
                _ => break,
            };
        }
        let name = path(&base)?;
        let declared = if from > start { Some(self.declared_type(start, from)) } else { declared };
        // The lengths in a declaration are not indices.
        let indices = if declared.is_some() && self.dialect == Dialect::C { Vec::new() } else { indices };
        Some(AssignmentTarget { name, indices, declared })
    }

    /// Returns the type that the words of a C declaration denote.
    fn declared_type(&self, start: usize, end: usize) -> DeclaredType {
        let words = || (start..end).filter_map(|i| self.at(i).name());
        if words().any(|word| matches!(word, "double" | "float")) {
            DeclaredType::Real
        } else if words().any(is_integer_type) {
            DeclaredType::Integer
        } else if words().any(|word| word == "auto") {
            DeclaredType::Any
        } else {
            DeclaredType::Real
        }
    }

    /// Reads the targets before an `=`. A target that is not understood yields its first name.
    fn targets(
        &self,
        start: usize,
        equals: usize,
        declared: Option<DeclaredType>,
    ) -> Vec<Result<AssignmentTarget, Option<String>>> {
        let mut targets = Vec::new();
        let mut from = start;
        let commas = self.top_level(start, equals).filter(|i| self.at(*i).is(",") && self.dialect != Dialect::C);
        for i in commas.chain([equals]) {
            let first_name = || (from..i).find_map(|i| self.at(i).name()).map(str::to_owned);
            targets.push(self.target(from, i, declared).ok_or_else(first_name));
            from = i + 1;
        }
        targets
    }

    fn assignment(
        &mut self,
        groups: Vec<Vec<Result<AssignmentTarget, Option<String>>>>,
        start: usize,
        equals: usize,
        end: usize,
    ) {
        self.enter();
        let place = self.at(start).place;
        let (tokens, last) = (&self.tokens[(equals + 1).min(end)..end], Token::end_at(self.at(end)));
        let mut parser = Parser::new(tokens, &last, self.dialect);
        let mut values = Vec::new();
        loop {
            let value = parser.expression().and_then(|expression| evaluate(&expression, self.scope(), self.dialect));
            let failed = value.is_err();
            values.push(value);
            if failed || !parser.take(",") {
                break;
            }
        }
        if parser.peek().kind != TokenKind::End && values.iter().all(Result::is_ok) {
            values = vec![Err(parser.unexpected("an operator or the end of the statement"))];
        }
        // Each further name of `x = y = value` is a copy.
        let copies = groups.len() - 1;
        let copied = values.iter().flatten().try_for_each(|value| self.scope().spend(value, copies, place));
        if let Err(fault) = copied {
            values = vec![Err(fault)];
        }
        for targets in groups {
            if let [Ok(AssignmentTarget { name, indices, .. })] = &targets[..]
                && indices.is_empty()
                && !tokens.iter().any(|token| token.name() == Some(name.as_str()))
            {
                self.begin_next(name, place);
            }
            self.assign(targets, values.clone(), place);
        }
    }

    fn assign(
        &mut self,
        targets: Vec<Result<AssignmentTarget, Option<String>>>,
        values: Vec<Result<ProgramValue, TextFault>>,
        place: TextPosition,
    ) {
        let single = targets.len() == 1;
        let values: Vec<Result<ProgramValue, TextFault>> = match &values[..] {
            [Ok(ProgramValue::List(items, _))] if !single && items.len() == targets.len() => {
                items.iter().cloned().map(Ok).collect()
            }
            [_, _, ..] if single => {
                let items: Result<Vec<ProgramValue>, TextFault> = values.into_iter().collect();
                vec![items.and_then(|items| ProgramValue::list(items, place))]
            }
            _ if values.len() == targets.len() => values,
            _ => {
                let fault = values.into_iter().find_map(Result::err);
                let fault =
                    fault.unwrap_or_else(|| TextFault::new(place, "a different number of values", "one for each name"));
                targets.iter().map(|_| Err(fault.clone())).collect()
            }
        };
        for (target, value) in targets.into_iter().zip(values) {
            match target {
                Ok(target) => self.assign_one(target, value, place),
                // The effect of the statement on this name is unknown.
                Err(Some(name)) => {
                    let fault =
                        TextFault::new(place, "an unsupported statement", "an assignment to a name or an entry");
                    self.set(&name, Err(fault), place, Binding::Entry);
                }
                Err(None) => {}
            }
        }
    }

    fn assign_one(&mut self, target: AssignmentTarget, value: Result<ProgramValue, TextFault>, place: TextPosition) {
        let AssignmentTarget { name, indices, declared } = target;
        let of_type = match (declared, self.scope().declared(&name)) {
            _ if self.dialect != Dialect::C => DeclaredType::Any,
            (Some(of_type), _) | (None, Some(of_type)) => of_type,
            // Arrays hold coefficients, while single numbers may be counters.
            (None, None) => {
                if indices.is_empty() {
                    DeclaredType::Any
                } else {
                    DeclaredType::Real
                }
            }
        };
        let value = value.and_then(|value| value.converted(of_type, place));
        if let Some(of_type) = declared {
            self.enter();
            self.unit().scope.declare(&name, of_type);
        }
        if indices.is_empty() {
            let binding = if declared.is_some() { Binding::Declared } else { Binding::Assigned };
            self.set(&name, value.map(|value| value.placed(place)), place, binding);
        } else {
            self.assign_entry(&name, &indices, value, place);
        }
    }

    fn assign_entry(
        &mut self,
        name: &str,
        indices: &[Expression],
        value: Result<ProgramValue, TextFault>,
        place: TextPosition,
    ) {
        self.enter();
        let dialect = self.dialect;
        let scope = &mut self.unit().scope;
        let (array, declared, grows) = match scope.take(name) {
            Some((Err(fault), given)) => return self.set_by(name, (Err(fault), given), place, Binding::Entry),
            Some((Ok(array @ ProgramValue::List(..)), given)) => (array, given, dialect == Dialect::C),
            // Undeclared arrays grow: `B->A[1][0] = …`.
            _ => (ProgramValue::List(Vec::new(), place), place, true),
        };
        let mut array = array;
        let result =
            value.and_then(|value| entry::set(&mut array, indices, value.placed(place), scope, dialect, grows));
        self.set_by(name, (result.map(|()| array), declared), place, Binding::Entry);
    }

    /// Collects the calls that construct methods, anywhere in the statement.
    fn calls(&mut self, start: usize, end: usize) {
        for i in start..end {
            let Some(name) = self.at(i).name() else { continue };
            // `Tableau{T}(…)` of Julia has a type parameter.
            let is_typed = self.dialect == Dialect::Julia && self.at(i + 1).is("{") && self.at(i + 3).is("}");
            let open = if is_typed { i + 4 } else { i + 1 };
            if !self.at(open).is("(") || !(self.makes)(name) {
                continue;
            }
            let (function, place) = (name.to_owned(), self.at(i).place);
            let last = Token::end_at(self.at(end));
            let tokens = &self.tokens[open.min(end)..end];
            self.enter();
            let scope = self.scope();
            let arguments = match Parser::new(tokens, &last, self.dialect).arguments() {
                Ok(arguments) => arguments
                    .into_iter()
                    .map(|argument| (argument.name, evaluate(base(&argument.value), scope, self.dialect)))
                    .collect(),
                Err(fault) => vec![(None, Err(fault))],
            };
            let target = self.at(start).name().filter(|_| self.at(start + 1).is("=")).map(str::to_owned);
            self.unit().calls.push(Call { function, place, target, arguments });
        }
    }

    /// Returns the names that assignments between two positions set.
    pub(super) fn assigned(&self, start: usize, end: usize) -> Vec<(String, TextPosition)> {
        let is_assignment = |i: &usize| matches!(self.at(*i).kind, TokenKind::Mark("=" | "+=" | "-=" | "*=" | "/="));
        (start..end).filter(is_assignment).filter_map(|i| self.name_before(start, i)).collect()
    }

    /// Returns the name whose entry or value precedes a position.
    fn name_before(&self, start: usize, position: usize) -> Option<(String, TextPosition)> {
        let mut depth = 0usize;
        let mut i = position;
        loop {
            i = i.checked_sub(1).filter(|i| *i >= start)?;
            match self.at(i).kind {
                TokenKind::Mark(")" | "]") => depth += 1,
                TokenKind::Mark("(" | "[") => depth = depth.checked_sub(1)?,
                TokenKind::Name(_) if depth == 0 => break,
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        let last = i;
        while i >= start + 2 && (self.at(i - 1).is(".") || self.at(i - 1).is("->")) && self.at(i - 2).name().is_some() {
            i -= 2;
        }
        let names: Vec<&str> = (i..=last).filter_map(|i| self.at(i).name()).collect();
        Some((names.join("."), self.at(i).place))
    }

    /// Handles calls that change their array arguments: `b.reverse()`, `push!(b, x)`, `memcpy(b, x, n)`.
    fn changes_in_place(&mut self, start: usize, end: usize) {
        const METHODS: [&str; 9] =
            ["append", "extend", "insert", "pop", "remove", "reverse", "sort", "fill", "push_back"];
        const FUNCTIONS: [&str; 10] =
            ["memcpy", "memmove", "memset", "swap", "reverse", "fill_diagonal", "copyto", "putmask", "shuffle", "fill"];
        let is_statement = !self.top_level(start, end).any(|i| self.at(i).is("="));
        let Some(open) = (start..end).find(|i| self.at(*i).is("(")).filter(|open| is_statement && *open > start) else {
            return;
        };
        let mut changed: Vec<usize> = Vec::new();
        let bang = self.at(open - 1).is("!") && self.dialect == Dialect::Julia;
        let word = self.at(open - 1).name().unwrap_or_default();
        let is_method = open >= start + 3 && self.at(open - 2).is(".");
        if is_method && METHODS.contains(&word) {
            changed.extend(start..open - 1);
        } else if bang || FUNCTIONS.contains(&word) {
            changed.extend(open + 1..end);
        }
        let is_array = |i: &usize| {
            let value = self.at(*i).name().and_then(|name| self.scope().get(name));
            matches!(value, Some((Ok(ProgramValue::List(..)), _)))
        };
        changed.retain(is_array);
        for i in changed {
            let (name, place) = (self.at(i).name().unwrap_or_default().to_owned(), self.at(i).place);
            let found = format!("{} changed by a call of {}", quoted(&name), quoted(word));
            self.set(&name, Err(TextFault::new(place, found, "coefficients given in the text")), place, Binding::Entry);
        }
    }
}

/// Returns the array whose first entry is passed: `A` for `&A[0][0]`.
fn base(expression: &Expression) -> &Expression {
    let is_zero = |index: &Expression| matches!(&index.node, ExpressionNode::Number(text) if text == "0");
    match &expression.node {
        ExpressionNode::Index(inner, indices) if indices.iter().all(is_zero) => base(inner),
        _ => expression,
    }
}
