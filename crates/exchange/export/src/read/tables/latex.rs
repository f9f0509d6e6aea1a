//! Butcher tableaus of papers: `array` and `tabular` of LaTeX.

use std::ops::Range;

use super::butcher;
use super::latex_text::{PositionFinder, visible};
use super::own::Header;
use super::rows::CellRow;
use crate::read::arrays::draft::Draft;
use crate::read::error::{TextFault, TextPosition, quoted};
use crate::read::expressions::evaluate::cell_number;
use crate::read::expressions::number::WrittenNumber;

/// Reads the method whose partitions are the arrays of a text.
pub(crate) fn read(text: &str, header: &Header) -> Result<Vec<Draft>, TextFault> {
    let mut parts = Vec::new();
    let mut first = None;
    let text = visible(text);
    let mut places = PositionFinder::new(&text);
    for body in arrays(&text)? {
        first.get_or_insert(places.at(body.start));
        let rows = rows(&text, body, &mut places)?;
        let draft = butcher::draft(vec![rows])?;
        parts.extend(draft.into_iter().flat_map(|draft| draft.parts));
    }
    let Some(place) = first else { return Ok(Vec::new()) };
    let several = parts.len() > 1;
    for (i, part) in parts.iter_mut().enumerate().filter(|_| several) {
        part.name = header.partitions.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
    }
    Ok(vec![Draft::new("", place, parts)])
}

/// Finds the bodies of all arrays.
fn arrays(text: &str) -> Result<Vec<Range<usize>>, TextFault> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = text[rest..].find("\\begin{").map(|at| rest + at) {
        rest = start + 7;
        let Some(kind) = ["array", "tabular"].into_iter().find(|kind| text[rest..].starts_with(&format!("{kind}}}")))
        else {
            continue;
        };
        let end_mark = format!("\\end{{{kind}}}");
        let Some(end) = text[rest..].find(&end_mark).map(|at| rest + at) else {
            return Err(TextFault::new(
                PositionFinder::new(text).at(start),
                quoted(&format!("\\begin{{{kind}}}")),
                format!("its {end_mark}"),
            ));
        };
        // The column specification is enclosed in braces.
        let columns = rest + kind.len() + 1;
        let body = if text[columns..].starts_with('{') { columns + group(&text[columns..]).len() + 2 } else { columns };
        found.push(body.min(end)..end);
        rest = end;
    }
    Ok(found)
}

/// Returns the contents of a brace at the beginning of a text.
fn group(text: &str) -> &str {
    let mut depth = 0usize;
    for (i, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &text[1..i];
                }
            }
            _ => {}
        }
    }
    text.get(1..).unwrap_or_default()
}

fn rows(text: &str, body: Range<usize>, places: &mut PositionFinder<'_>) -> Result<Vec<CellRow>, TextFault> {
    let mut rows = Vec::new();
    let mut offset = body.start;
    for line in text[body].split("\\\\") {
        let begin = places.at(offset + (line.len() - line.trim_start().len()));
        let mut row = Vec::new();
        let mut at = offset;
        for cell in line.split('&') {
            let trimmed = cell.len() - cell.trim_start().len();
            row.push(number(cell, places.at(at + trimmed))?);
            at += cell.len() + 1;
        }
        offset += line.len() + 2;
        // Empty cells above the diagonal are dropped; the one in front of the weights is significant.
        while row.last().is_some_and(Option::is_none) {
            row.pop();
        }
        if !row.is_empty() {
            rows.push((row, begin));
        }
    }
    Ok(rows)
}

/// Parses the number of a cell; `None` for labels such as `\hat b` and for empty cells.
fn number(cell: &str, place: TextPosition) -> Result<Option<WrittenNumber>, TextFault> {
    let mut text = cell.to_owned();
    for rule in ["\\hline", "\\midrule", "\\toprule", "\\bottomrule"] {
        text = text.replace(rule, "");
    }
    let plain = formula(text.trim(), place, 0)?;
    let letters: String = plain.chars().filter(|c| !c.is_whitespace()).collect();
    if letters.is_empty()
        || matches!(letters.as_str(), "b" | "bhat" | "hatb" | "widehatb" | "b^T" | "b^*" | "barb" | "tildeb")
    {
        return Ok(None);
    }
    cell_number(&plain, place).map(Some)
}

/// Translates a formula to an expression: fractions, roots and implicit products.
fn formula(text: &str, place: TextPosition, depth: usize) -> Result<String, TextFault> {
    const DEEPEST: usize = 16;
    if depth > DEEPEST {
        return Err(TextFault::new(place, quoted(text), "fewer nested fractions and roots"));
    }
    let mut result = String::new();
    let mut rest = text;
    let inner = |text: &str| formula(text, place, depth + 1);
    while let Some(character) = rest.chars().next() {
        if let Some(command) = rest.strip_prefix('\\') {
            let length = command.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(command.len());
            let (name, behind) = command.split_at(length);
            let mut behind = behind.trim_start();
            let mut argument = || {
                let (argument, after) = argument(behind);
                behind = after;
                argument.to_owned()
            };
            match name {
                "frac" | "dfrac" | "tfrac" | "nicefrac" | "sfrac" => {
                    let (numerator, denominator) = (inner(&argument())?, inner(&argument())?);
                    factor(&mut result, &fraction(&numerator, &denominator));
                }
                "sqrt" => {
                    let radicand = inner(&argument())?;
                    factor(&mut result, &format!("sqrt({radicand})"));
                }
                "phantom" | "hphantom" | "vphantom" => {
                    argument();
                }
                "cdot" | "times" => result.push('*'),
                "" => {
                    // `\,`, `\;`, `\!` and `\ ` are blanks.
                    behind = behind.strip_prefix([',', ';', '!', ':', ' ']).unwrap_or(behind);
                }
                "left" | "right" | "displaystyle" | "textstyle" | "scriptstyle" | "quad" | "qquad" => {}
                "hat" | "widehat" | "bar" | "tilde" => result += name,
                other => {
                    return Err(TextFault::new(place, quoted(&format!("\\{other}")), "a number, \\frac or \\sqrt"));
                }
            }
            rest = behind;
        } else if character == '{' {
            let enclosed = group(rest);
            let value = inner(enclosed)?;
            result += &value;
            rest = rest.get(enclosed.len() + 2..).unwrap_or_default();
        } else {
            if !matches!(character, '$' | '}' | '~') {
                if character == '(' {
                    factor(&mut result, "(");
                } else {
                    result.push(character);
                }
            }
            rest = &rest[character.len_utf8()..];
        }
    }
    Ok(result)
}

fn fraction(numerator: &str, denominator: &str) -> String {
    let enclosed = |text: &str| {
        let is_number = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if is_number { text.to_owned() } else { format!("({text})") }
    };
    format!("{}/{}", enclosed(numerator), enclosed(denominator))
}

/// Appends a factor, preceded by a multiplication sign if a number precedes it.
fn factor(text: &mut String, factor: &str) {
    let before = text.trim_end().chars().next_back();
    if before.is_some_and(|c| c.is_ascii_digit() || c == ')') {
        text.push('*');
    }
    text.push_str(factor);
}

/// Returns the argument of a command: a group or one character.
fn argument(text: &str) -> (&str, &str) {
    if text.starts_with('{') {
        let enclosed = group(text);
        (enclosed, text.get(enclosed.len() + 2..).unwrap_or_default().trim_start())
    } else {
        let length = text.chars().next().map_or(0, char::len_utf8);
        (&text[..length], text[length..].trim_start())
    }
}
