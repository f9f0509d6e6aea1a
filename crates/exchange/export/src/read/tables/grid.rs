//! Plain tables: rows of numbers in CSV or separated by blanks, with or without labels.

use super::butcher;
use super::rows::{CellRow, list};
use crate::read::arrays::draft::Draft;
use crate::read::arrays::roles::{self, NamingRules};
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::dialect::Dialect;
use crate::read::expressions::evaluate::cell_number_in;
use crate::read::expressions::evaluate::evaluate;
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::parser::Parser;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::token::{Token, TokenKind, tokens};
use crate::read::expressions::value::ProgramValue;

/// Rows under a label or between blank lines.
#[derive(Debug, Default)]
struct TableBlock {
    label: Option<(String, TextPosition)>,
    rows: Vec<CellRow>,
}

/// Separator of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    Blanks,
    Mark(char),
}

/// Detects the separator of CSV: semicolons before commas before tabs.
pub(crate) fn separator(text: &str) -> Separator {
    let lines = || text.lines().filter(|line| !is_comment(line));
    let has = |mark: char| lines().any(|line| line.contains(mark));
    // Tabs that are not next to commas separate cells, and commas then belong to the numbers.
    let beside_comma = lines().any(|line| line.contains(",\t") || line.contains("\t,"));
    if has('\t') && !has(';') && !beside_comma {
        return Separator::Mark('\t');
    }
    [';', ',', '\t'].into_iter().find(|mark| has(*mark)).map_or(Separator::Blanks, Separator::Mark)
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#', '%', '!'])
}

/// Reads the methods of a table.
pub(crate) fn read(text: &str, separator: Separator) -> Result<Vec<Draft>, TextFault> {
    let mut reader = GridReader { scope: NameScope::default(), blocks: vec![TableBlock::default()], separator };
    for (i, line) in text.lines().enumerate() {
        reader.line(line, i + 1)?;
    }
    let header = stages_and_order(text);
    let mut blocks = reader.blocks;
    blocks.retain(|block| !block.rows.is_empty());
    if header.is_some() && blocks.first().is_some_and(|block| block.label.is_none()) {
        blocks.remove(0);
    }
    let is_labeled = |block: &TableBlock| block.label.as_ref().is_some_and(|(label, _)| roles::named(label).is_some());
    let mut drafts = if blocks.iter().any(is_labeled) {
        labeled(blocks)
    } else {
        blocks.retain(|block| block.label.is_none());
        butcher::draft(blocks.into_iter().map(|block| block.rows).collect())?.into_iter().collect()
    };
    for draft in &mut drafts {
        draft.order = header.map(|(_, order)| order);
    }
    Ok(drafts)
}

/// Reads the numbers of a table without labels; rows of one number each form a vector.
pub(crate) fn numbers(text: &str, separator: Separator) -> Result<ProgramValue, TextFault> {
    let mut reader = GridReader { scope: NameScope::default(), blocks: vec![TableBlock::default()], separator };
    for (i, line) in text.lines().enumerate() {
        reader.line(line, i + 1)?;
    }
    let label = reader.blocks.iter().find_map(|block| block.label.as_ref());
    if let Some((label, place)) = label {
        return Err(TextFault::new(*place, quoted(label), "rows of numbers"));
    }
    let rows = reader.blocks.into_iter().flat_map(|block| block.rows);
    let rows = rows.map(|(row, place)| list(row.into_iter().flatten().collect(), place));
    Ok(column(ProgramValue::List(rows.collect(), TextPosition::START)))
}

/// Reads the first numbers of an RK-Opt file, under `#stage  order`.
fn stages_and_order(text: &str) -> Option<(usize, usize)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().filter(|line| line.trim_start_matches('\u{feff}').starts_with("#stage"))?;
    let mut numbers = lines.next()?.split_whitespace().map(|word| word.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

struct GridReader {
    /// Constants defined in the text.
    scope: NameScope,
    blocks: Vec<TableBlock>,
    separator: Separator,
}

impl GridReader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), TextFault> {
        let line = line.trim_start_matches('\u{feff}');
        let place = TextPosition { line: number, column: 1 };
        let is_rule = line.chars().all(|c| c.is_whitespace() || "-+|=_─│┼━".contains(c)) && line.len() > 2;
        if line.trim().is_empty()
            || line.trim().chars().all(|c| ",;".contains(c))
            || (is_rule && !line.trim().is_empty())
        {
            if !is_rule && self.current().rows.iter().any(|(row, _)| !row.is_empty()) {
                self.blocks.push(TableBlock::default());
            }
            return Ok(());
        }
        if is_comment(line) {
            return Ok(());
        }
        decimal_comma(line, number, self.separator)?;
        let rest = self.label(line, place)?;
        let Some((rest, place)) = rest else { return Ok(()) };
        let row = match self.separator {
            Separator::Blanks => self.blanks(rest, place)?,
            Separator::Mark(mark) => self.fields(rest, mark, place)?,
        };
        if row.iter().any(Option::is_some) {
            self.current().rows.push((row, place));
        }
        Ok(())
    }

    fn current(&mut self) -> &mut TableBlock {
        if self.blocks.is_empty() {
            self.blocks.push(TableBlock::default());
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// Reads a label at the beginning of a line, or a constant that the line defines. Returns the remaining numbers.
    fn label<'a>(&mut self, line: &'a str, place: TextPosition) -> Result<Option<(&'a str, TextPosition)>, TextFault> {
        let blank = line.len() - line.trim_start().len();
        let body = &line[blank..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36f}').contains(&c);
        let length = body.find(|c: char| !is_part(c)).unwrap_or(body.len());
        let word = &body[..length];
        let begins_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let after = &body[length..];
        let at = |offset: usize| TextPosition { column: 1 + line[..blank + offset].chars().count(), ..place };
        if !begins_name || word == "sqrt" || after.starts_with('(') || self.scope.get(word).is_some() {
            return Ok(Some((line, place)));
        }
        let mark = after.trim_start_matches("^T").trim_start_matches('\'').trim_start();
        let rest = mark.strip_prefix([':', '=']).unwrap_or(mark);
        let start = body.len() - rest.len();
        if roles::named(word).is_none() && mark.starts_with('=') {
            let value = cell_number_in(rest.trim_end_matches([';', ',']), at(start), &self.scope);
            self.scope.set(word, value.map(ProgramValue::Number), at(0));
            return Ok(None);
        }
        let is_label = roles::named(word).is_some() || rest.trim().trim_matches([',', ';']).is_empty();
        if !is_label {
            return Err(TextFault::new(at(0), quoted(word), "a number, or a label such as A, b or c"));
        }
        // A label repeated in front of every row belongs to all of them.
        let continues = self.current().label.as_ref().is_some_and(|(label, _)| label == word);
        let has_numbers = !rest.trim().trim_matches([',', ';']).is_empty();
        if !(continues && has_numbers) {
            self.blocks.push(TableBlock { label: Some((word.to_owned(), at(0))), rows: Vec::new() });
        }
        let rest = match self.separator {
            Separator::Mark(mark) => rest.strip_prefix(mark).unwrap_or(rest),
            Separator::Blanks => rest,
        };
        Ok(has_numbers.then(|| (rest, at(body.len() - rest.len()))))
    }

    /// Reads numbers separated by blanks, bars or commas.
    fn blanks(&self, text: &str, place: TextPosition) -> Result<Vec<Option<WrittenNumber>>, TextFault> {
        let shift = |found: TextPosition| TextPosition { line: place.line, column: place.column + found.column - 1 };
        let all = tokens(text, Dialect::Cells);
        let is_bar =
            |token: &Token| matches!(token.kind, TokenKind::Mark("|" | "&" | "," | ";") | TokenKind::Other('│' | '|'));
        let mut row = Vec::new();
        for piece in all.split(is_bar) {
            let place = piece.last().map_or(TextPosition::START, |last| last.place);
            let end = Token { kind: TokenKind::End, place, after_blank: true };
            let piece = match piece.split_last() {
                Some((last, before)) if last.kind == TokenKind::End => before,
                _ => piece,
            };
            let mut parser = Parser::of_row(piece, &end);
            while parser.peek().kind != TokenKind::End {
                let place = shift(parser.peek().place);
                let value = parser
                    .expression()
                    .and_then(|expression| evaluate(&expression, &self.scope, Dialect::Cells)?.number(place))
                    .map(|number| number.placed(place))
                    .map_err(|fault| TextFault {
                        place: if fault.place == place { place } else { shift(fault.place) },
                        ..fault
                    })?;
                row.push(Some(value));
            }
        }
        Ok(row)
    }

    fn fields(&self, text: &str, mark: char, place: TextPosition) -> Result<Vec<Option<WrittenNumber>>, TextFault> {
        let mut row = Vec::new();
        for (field, column) in fields(text, mark) {
            let place = TextPosition { line: place.line, column: place.column + column };
            let number = if field.trim().is_empty() { None } else { Some(cell_number_in(&field, place, &self.scope)?) };
            row.push(number);
        }
        // A trailing comma does not begin another cell.
        if row.last().is_some_and(Option::is_none) {
            row.pop();
        }
        Ok(row)
    }
}

/// Splits a line into fields with their columns, counted from zero. Quotes may contain the separator (RFC 4180).
pub(crate) fn fields(line: &str, mark: char) -> Vec<(String, usize)> {
    let mut fields = vec![(String::new(), 0)];
    let mut quoted = false;
    let mut characters = line.chars().enumerate().peekable();
    while let Some((column, character)) = characters.next() {
        let last = fields.len() - 1;
        match character {
            '"' if quoted && characters.peek().is_some_and(|(_, next)| *next == '"') => {
                characters.next();
                fields[last].0.push('"');
            }
            '"' => quoted = !quoted,
            _ if character == mark && !quoted => fields.push((String::new(), column + 1)),
            '\r' => {}
            _ => {
                if fields[last].0.is_empty() && character.is_whitespace() {
                    fields[last].1 = column + 1;
                } else {
                    fields[last].0.push(character);
                }
            }
        }
    }
    fields
}

/// Rejects `0,5`, which may be one number or two.
fn decimal_comma(line: &str, number: usize, separator: Separator) -> Result<(), TextFault> {
    if separator == Separator::Mark(',') {
        return Ok(());
    }
    let characters: Vec<char> = line.chars().collect();
    let digit = |i: usize| characters.get(i).is_some_and(char::is_ascii_digit);
    match (1..characters.len()).find(|&i| characters[i] == ',' && digit(i - 1) && digit(i + 1)) {
        None => Ok(()),
        Some(i) => {
            let start = (0..i).rev().take_while(|&k| digit(k)).last().unwrap_or(i);
            let end = (i + 1..characters.len()).take_while(|&k| digit(k)).last().unwrap_or(i);
            let found: String = characters[start..=end].iter().collect();
            let place = TextPosition { line: number, column: start + 1 };
            Err(TextFault::new(place, format!("{}, a decimal comma", quoted(&found)), "a decimal point, as in 0.5"))
        }
    }
}

/// Builds the methods of labeled blocks; another A begins another method.
fn labeled(blocks: Vec<TableBlock>) -> Vec<Draft> {
    let mut scopes = vec![NameScope::default()];
    for block in blocks {
        let Some((label, place)) = block.label else { continue };
        let rows = block.rows.into_iter().map(|(row, place)| list(row.into_iter().flatten().collect(), place));
        let value = ProgramValue::List(rows.collect(), place);
        let last = scopes.len() - 1;
        if scopes[last].get(&label).is_some() {
            scopes.push(NameScope::default());
        }
        let last = scopes.len() - 1;
        scopes[last].set(&label, Ok(column(value)), place);
    }
    scopes.iter().flat_map(|scope| roles::drafts(None, scope, NamingRules::default())).collect()
}

/// Converts rows of one number each to a vector.
fn column(value: ProgramValue) -> ProgramValue {
    match value {
        ProgramValue::List(rows, place)
            if rows.len() > 1 && rows.iter().all(|row| matches!(row, ProgramValue::List(row, _) if row.len() == 1)) =>
        {
            let entries = rows.into_iter().flat_map(|row| match row {
                ProgramValue::List(row, _) => row,
                other => vec![other],
            });
            ProgramValue::List(entries.collect(), place)
        }
        other => other,
    }
}
