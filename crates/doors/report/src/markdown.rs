//! Markdown: tables and numbers.

/// Formats a table. Columns whose name begins with `>` are right-aligned.
pub(crate) fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let names = columns.iter().map(|name| name.trim_start_matches('>')).collect();
    let rule = columns.iter().map(|name| if name.starts_with('>') { "--:" } else { "---" }).collect::<Vec<_>>();
    let mut text = line(names) + &format!("|{}|\n", rule.join("|"));
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}

/// Formats a number with the given number of significant digits.
pub(crate) fn digits(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let rounded: f64 = format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs());
    if is_plain { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_align_what_is_marked() {
        let text = table(&["method", ">step"], [vec!["rk4".to_owned(), digits(0.012_345, 3)]]);
        assert_eq!(text, "| method | step |\n|---|--:|\n| rk4 | 0.0123 |\n");
    }
}
