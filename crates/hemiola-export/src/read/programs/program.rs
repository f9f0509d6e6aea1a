//! A program read for its assignments: statement by statement, each function a scope of its own.
//!
//! Nothing is run. Conditions are passed over, and what a loop sets has no value, so that no coefficient is guessed.

use super::entry;
use crate::read::arrays::roles::{self, Role};
use crate::read::error::{Fault, Place};
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::{evaluate, path};
use crate::read::expressions::expression::{Expression, Node, Parser};
use crate::read::expressions::scope::Scope;
use crate::read::expressions::token::{Kind, Token};
use crate::read::expressions::value::Value;

/// A function, a class, an entry of a list, or what stands outside of them.
#[derive(Debug)]
pub(crate) struct Unit {
    /// The name of the function.
    pub(crate) name: Option<String>,
    pub(crate) place: Place,
    pub(crate) scope: Scope,
    pub(crate) calls: Vec<Call>,
}

/// A call that makes a method, with the values of its arguments.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) function: String,
    pub(crate) place: Place,
    /// The name that the result is given to.
    pub(crate) target: Option<String>,
    pub(crate) arguments: Vec<(Option<String>, Result<Value, Fault>)>,
}

/// A name with the indices of an entry; of what is not understood the first name in it.
type Target = Result<(String, Vec<Expression>), Option<String>>;

/// The units of a program; `makes` says which functions make methods.
pub(crate) fn read(tokens: &[Token], dialect: Dialect, makes: fn(&str) -> bool) -> Vec<Unit> {
    let outside = Unit { name: None, place: Place::START, scope: Scope::default(), calls: Vec::new() };
    let mut reader = Reader { tokens, dialect, makes, position: 0, units: vec![outside], current: 0, outside: 0 };
    while reader.position < tokens.len() {
        reader.statement();
    }
    reader.units
}

/// Up to this many units know the values outside of them.
const MOST_SHARING: usize = 2048;

struct Reader<'a> {
    tokens: &'a [Token],
    dialect: Dialect,
    makes: fn(&str) -> bool,
    position: usize,
    units: Vec<Unit>,
    current: usize,
    /// The unit outside of all functions: the last of them, where there are several methods.
    outside: usize,
}

impl Reader<'_> {
    fn at(&self, position: usize) -> &Token {
        &self.tokens[position.min(self.tokens.len() - 1)]
    }

    fn unit(&mut self) -> &mut Unit {
        &mut self.units[self.current]
    }

    fn begin(&mut self, name: &str, place: Place) {
        // Beyond that number functions share no constants, as copies would take unbounded memory.
        let scope =
            if self.units.len() < MOST_SHARING { self.units[self.outside].scope.inner() } else { Scope::default() };
        self.units.push(Unit { name: Some(name.to_owned()), place, scope, calls: Vec::new() });
        self.current = self.units.len() - 1;
    }

    /// A matrix that is given anew when there are weights already begins the next method.
    fn begin_next(&mut self, name: &str, place: Place) {
        let unit = &self.units[self.current];
        let role = |name: &String| roles::named(name).map(|named| named.role);
        let is_complete = role(&name.to_owned()) == Some(Role::A)
            && unit.scope.own().iter().any(|own| own == name)
            && unit.scope.own().iter().any(|own| role(own) == Some(Role::B));
        if is_complete && self.units.len() < MOST_SHARING {
            let scope = unit.scope.inner();
            let name = unit.name.clone();
            self.units.push(Unit { name, place, scope, calls: Vec::new() });
            if self.current == self.outside {
                self.outside = self.units.len() - 1;
            }
            self.current = self.units.len() - 1;
        }
    }

    fn statement(&mut self) {
        let start = self.position;
        let token = self.at(start).clone();
        if matches!(token.kind, Kind::Break | Kind::End | Kind::Mark(";" | "," | ")" | "}" | "{" | "]")) {
            self.position += 1;
            return;
        }
        if self.entry(start) {
            return;
        }
        let end = self.end_of_statement(start);
        // Where a line begins at the left edge, a function of Python is over, and one of Julia ends.
        let is_outside = self.dialect == Dialect::Python && token.place.column == 1;
        if is_outside {
            self.current = self.outside;
        }
        self.header(start, end);
        self.position = end.max(start + 1);
        if self.dialect == Dialect::Julia && token.place.column == 1 && token.name() == Some("end") {
            self.current = self.outside;
        }
    }

    /// `ARK_BUTCHER_TABLE(NAME, {` and `case(NAME):` begin an entry of a list.
    fn entry(&mut self, start: usize) -> bool {
        if self.dialect != Dialect::C {
            return false;
        }
        let Some(first) = self.at(start).name() else { return false };
        let open = usize::from(self.at(start + 1).is("("));
        let Some(name) = self.at(start + 1 + open).name() else { return false };
        let after = start + 2 + open;
        let is_table = first.ends_with("_TABLE") && self.at(after).is(",") && self.at(after + 1).is("{");
        let is_case = first == "case" && (self.at(after).is(":") || self.at(after + 1).is(":"));
        if is_table || is_case {
            let (name, place) = (name.to_owned(), self.at(start).place);
            self.begin(&name, place);
            self.position = after + 2;
        }
        is_table || is_case
    }

    /// The position behind a statement: its end stands outside of all brackets.
    fn end_of_statement(&self, start: usize) -> usize {
        let mut depth = 0usize;
        for position in start..self.tokens.len() {
            match self.tokens[position].kind {
                // The block of a function or a condition begins here, unless it is a list of numbers.
                Kind::Mark("{") if depth == 0 && self.dialect == Dialect::C => {
                    let before = &self.at(position.saturating_sub(1)).kind;
                    if !matches!(before, Kind::Mark("=" | "," | "(")) {
                        return position;
                    }
                    depth += 1;
                }
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => {
                    if depth == 0 {
                        return position;
                    }
                    depth -= 1;
                }
                Kind::Mark(";") if depth == 0 => return position,
                Kind::Mark(",") if depth == 0 && self.dialect == Dialect::Matlab => return position,
                Kind::Break if depth == 0 && self.dialect.has_lines() && !self.goes_on(position) => return position,
                Kind::End => return position,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// In Julia a line that ends with an operator goes on.
    fn goes_on(&self, position: usize) -> bool {
        let before = &self.at(position.saturating_sub(1)).kind;
        self.dialect == Dialect::Julia && matches!(before, Kind::Mark("+" | "-" | "*" | "/" | "//" | "=" | ","))
    }

    /// What a statement begins with decides what it is.
    fn header(&mut self, start: usize, end: usize) {
        let mut start = start;
        while self.at(start).is("@") {
            start += 2;
        }
        let place = self.at(start).place;
        let word = self.at(start).name().unwrap_or_default().to_owned();
        match (word.as_str(), self.dialect) {
            ("def" | "class" | "async", Dialect::Python) | ("function", Dialect::Julia | Dialect::Matlab) => {
                if let Some(name) = self.function_name(start + 1, end) {
                    self.begin(&name, place);
                }
            }
            ("for" | "while", _) => self.looped(start, end),
            ("const" | "local" | "global" | "return", _) => self.plain(start + 1, end),
            ("if" | "elseif" | "elif" | "else" | "end" | "import" | "from" | "using" | "struct", _)
                if self.dialect != Dialect::C => {}
            _ if self.dialect == Dialect::C && self.at(end).is("{") => {
                // A function of C: the name before its parameters.
                if let Some(name) = self.name_before_parenthesis(start, end)
                    && !matches!(name.as_str(), "if" | "for" | "while" | "switch" | "struct" | "enum")
                {
                    self.begin(&name, place);
                }
                self.looped_names(start, end);
            }
            _ => self.plain(start, end),
        }
    }

    fn name_before_parenthesis(&self, start: usize, end: usize) -> Option<String> {
        let open = (start..end).find(|&i| self.at(i).is("("))?;
        self.at(open.checked_sub(1)?).name().map(str::to_owned)
    }

    /// `function tableau = name(x)` of MATLAB, `function name(x)` and `def name(x):`.
    fn function_name(&self, start: usize, end: usize) -> Option<String> {
        let equals = (start..end).find(|&i| self.at(i).is("=")).filter(|_| self.dialect == Dialect::Matlab);
        let from = equals.map_or(start, |equals| equals + 1);
        (from..end).find_map(|i| self.at(i).name().map(str::to_owned))
    }

    /// A loop: its variables have no values.
    fn looped(&mut self, start: usize, end: usize) {
        self.looped_names(start, end);
        if self.dialect == Dialect::C {
            // A body without braces belongs to the statement.
            self.mark_assigned(start, end);
        }
    }

    fn looped_names(&mut self, start: usize, end: usize) {
        if self.at(start).name() != Some("for") {
            return;
        }
        let is_set = |i: usize| {
            let next = self.at(i + 1);
            next.is("=") || next.is(",") || next.name() == Some("in") || self.at(i + 1).kind == Kind::Other('∈')
        };
        let names: Vec<(String, Place)> = (start + 1..end)
            .filter(|&i| is_set(i))
            .filter_map(|i| Some((self.at(i).name()?.to_owned(), self.at(i).place)))
            .collect();
        for (name, place) in names {
            self.unit().scope.set(&name, Err(set_by_loop(place)), place);
        }
    }

    fn mark_assigned(&mut self, start: usize, end: usize) {
        for i in start..end {
            let sets = self.at(i + 1).is("=") || self.at(i + 1).is("[") || self.at(i + 1).is("+=");
            let token = self.at(i).clone();
            if let Some(name) = token.name().filter(|_| sets) {
                self.unit().scope.set(name, Err(set_by_loop(token.place)), token.place);
            }
        }
    }

    /// An assignment, or a statement that may make a method.
    fn plain(&mut self, start: usize, end: usize) {
        self.calls(start, end);
        let mut depth = 0usize;
        for i in start..end {
            match self.tokens[i].kind {
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => depth = depth.saturating_sub(1),
                Kind::Mark("=") if depth == 0 => return self.assignment(start, i, end),
                Kind::Mark("+=" | "-=" | "*=" | "/=") if depth == 0 => return self.changed(start, i),
                _ => {}
            }
        }
    }

    /// A value that changes with what it was: only running the program would tell.
    fn changed(&mut self, start: usize, operator: usize) {
        let place = self.at(operator).place;
        if let Some((base, _)) = self.target(start, operator) {
            let found = self.at(operator).shown();
            let fault = Fault::new(place, found, "`=` with the value itself");
            self.unit().scope.set(&base, Err(fault), place);
        }
    }

    /// What is assigned to: its name and, where it is an entry, the indices.
    fn target(&self, start: usize, equals: usize) -> Option<(String, Vec<Expression>)> {
        // Types stand before the name in C, behind it in Python and Julia.
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
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (self.at(i).is("::") || self.at(i).is(":"))
        });
        let to = annotated.filter(|_| self.dialect != Dialect::C).unwrap_or(equals);
        let mut tokens: Vec<Token> = self.tokens[from..to].to_vec();
        // `A[]` has no index.
        while tokens.len() >= 2 && tokens[tokens.len() - 1].is("]") && tokens[tokens.len() - 2].is("[") {
            tokens.truncate(tokens.len() - 2);
        }
        tokens.push(Token { kind: Kind::End, ..self.at(equals).clone() });
        let mut parser = Parser::new(&tokens, self.dialect);
        let expression = parser.expression().ok().filter(|_| parser.peek().kind == Kind::End)?;
        let declares = from > start;
        let mut indices = Vec::new();
        let mut base = expression;
        loop {
            base = match base.node {
                Node::Index(inner, items) => {
                    indices.splice(0..0, items);
                    *inner
                }
                // An entry of MATLAB; elsewhere the short form of a function.
                Node::Call(inner, arguments) if self.dialect == Dialect::Matlab => {
                    indices.splice(0..0, arguments.into_iter().map(|argument| argument.value));
                    *inner
                }
                _ => break,
            };
        }
        let name = path(&base)?;
        // The lengths of a declaration are no indices.
        Some((name, if declares && self.dialect == Dialect::C { Vec::new() } else { indices }))
    }

    fn assignment(&mut self, start: usize, equals: usize, end: usize) {
        let targets = self.targets(start, equals);
        let place = self.at(start).place;
        let end = end.min(self.tokens.len());
        let mut tokens: Vec<Token> = self.tokens[equals + 1..end].to_vec();
        tokens.push(Token { kind: Kind::End, ..self.at(end).clone() });
        let mut parser = Parser::new(&tokens, self.dialect);
        let mut values = Vec::new();
        loop {
            let scope = &self.units[self.current].scope;
            let value = parser.expression().and_then(|expression| evaluate(&expression, scope, self.dialect));
            let failed = value.is_err();
            values.push(value);
            if failed || !parser.take(",") {
                break;
            }
            // `b[4] = {…}, c[4] = {…}` declares several arrays.
            if self.dialect == Dialect::C {
                break;
            }
        }
        let is_over = matches!(parser.peek().kind, Kind::End) || self.dialect == Dialect::C;
        if !is_over && values.iter().all(Result::is_ok) {
            values = vec![Err(parser.unexpected("an operator or the end of the statement"))];
        }
        let next = equals + 1 + parser.position();
        if let [Ok((name, indices))] = &targets[..] {
            let refers = tokens.iter().any(|token| token.name() == Some(name.as_str()));
            if indices.is_empty() && !refers {
                self.begin_next(name, place);
            }
        }
        self.assign(targets, values, place);
        if self.dialect == Dialect::C && next < end && self.at(next - 1).is(",") {
            self.declarators(next, end);
        }
    }

    /// The further names of a declaration.
    fn declarators(&mut self, start: usize, end: usize) {
        let Some(equals) = (start..end).find(|&i| self.at(i).is("=")) else { return };
        let Some(name) = (start..equals).find(|&i| self.at(i).name().is_some()) else { return };
        let mut tokens: Vec<Token> = self.tokens[equals + 1..end].to_vec();
        tokens.push(Token { kind: Kind::End, ..self.at(end).clone() });
        let mut parser = Parser::new(&tokens, self.dialect);
        let scope = &self.units[self.current].scope;
        let value = parser.expression().and_then(|expression| evaluate(&expression, scope, self.dialect));
        let next = equals + 1 + parser.position();
        let goes_on = parser.peek().is(",");
        let (name, place) = (self.at(name).name().unwrap_or_default().to_owned(), self.at(name).place);
        self.unit().scope.set(&name, value, place);
        if goes_on && next + 1 < end {
            self.declarators(next + 1, end);
        }
    }

    /// What stands before an `=`; of what is not understood the first name.
    fn targets(&self, start: usize, equals: usize) -> Vec<Target> {
        let mut targets = Vec::new();
        let (mut from, mut depth) = (start, 0usize);
        for i in start..=equals {
            match self.tokens[i].kind {
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            if i == equals || (depth == 0 && self.at(i).is(",") && self.dialect != Dialect::C) {
                targets.push(
                    self.target(from, i).ok_or_else(|| (from..i).find_map(|i| self.at(i).name()).map(str::to_owned)),
                );
                from = i + 1;
            }
        }
        targets
    }

    fn assign(&mut self, targets: Vec<Target>, values: Vec<Result<Value, Fault>>, place: Place) {
        let single = targets.len() == 1;
        let values: Vec<Result<Value, Fault>> = match &values[..] {
            [Ok(Value::List(items, _))] if !single && items.len() == targets.len() => {
                items.iter().cloned().map(Ok).collect()
            }
            [_, _, ..] if single => {
                let items: Result<Vec<Value>, Fault> = values.into_iter().collect();
                vec![items.map(|items| Value::List(items, place))]
            }
            _ if values.len() == targets.len() => values,
            _ => {
                let fault = values.into_iter().find_map(Result::err);
                let fault = fault.unwrap_or_else(|| Fault::new(place, "another number of values", "one for each name"));
                targets.iter().map(|_| Err(fault.clone())).collect()
            }
        };
        for (target, value) in targets.into_iter().zip(values) {
            let (name, indices) = match target {
                Ok(target) => target,
                // Whatever the statement does to it, it is not known.
                Err(Some(name)) => {
                    let fault = Fault::new(place, "an unsupported statement", "an assignment to a name or an entry");
                    self.unit().scope.set(&name, Err(fault), place);
                    continue;
                }
                Err(None) => continue,
            };
            if indices.is_empty() {
                self.unit().scope.set(&name, value, place);
            } else {
                self.assign_entry(&name, &indices, value, place);
            }
        }
    }

    fn assign_entry(&mut self, name: &str, indices: &[Expression], value: Result<Value, Fault>, place: Place) {
        let dialect = self.dialect;
        let scope = &mut self.units[self.current].scope;
        let (array, declared, grows) = match scope.take(name) {
            Some((Err(fault), place)) => return scope.set(name, Err(fault), place),
            Some((Ok(array @ Value::List(..)), place)) => (array, place, dialect == Dialect::C),
            // What nobody declared grows: `B->A[1][0] = …`.
            _ => (Value::List(Vec::new(), place), place, true),
        };
        let mut array = array;
        let result = value.and_then(|value| entry::set(&mut array, indices, value, scope, dialect, grows));
        scope.set(name, result.map(|()| array), declared);
    }

    /// The calls that make methods, wherever they stand in the statement.
    fn calls(&mut self, start: usize, end: usize) {
        for i in start..end {
            let Some(name) = self.at(i).name() else { continue };
            if !self.at(i + 1).is("(") || !(self.makes)(name) {
                continue;
            }
            let (function, place) = (name.to_owned(), self.at(i).place);
            let mut tokens: Vec<Token> = self.tokens[i + 1..end.min(self.tokens.len())].to_vec();
            tokens.push(Token { kind: Kind::End, ..self.at(end).clone() });
            let scope = &self.units[self.current].scope;
            let arguments = match Parser::new(&tokens, self.dialect).arguments() {
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
}

/// The array whose beginning is passed: `A` of `&A[0][0]`.
fn base(expression: &Expression) -> &Expression {
    let is_zero = |index: &Expression| matches!(&index.node, Node::Number(text) if text == "0");
    match &expression.node {
        Node::Index(inner, indices) if indices.iter().all(is_zero) => base(inner),
        _ => expression,
    }
}

fn set_by_loop(place: Place) -> Fault {
    Fault::new(place, "a value set in a loop", "coefficients given in the text")
}
