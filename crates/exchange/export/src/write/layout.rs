//! Line breaking in generated programs.

/// Width of lines. Fortran allows 132 columns; shorter lines are easier to read.
pub(super) const WIDTH: usize = 100;

/// Joins items by a separator and breaks lines after it where necessary.
///
/// `first` begins the first line and `last` ends the last one. Continuation lines begin with `indent`, and broken lines
/// end with `mark` (`&` in Fortran).
pub(super) fn joined(first: &str, items: &[String], separator: &str, last: &str, indent: usize, mark: &str) -> String {
    let mut text = String::new();
    let mut line = first.to_owned();
    for (i, item) in items.iter().enumerate() {
        let is_last = i + 1 == items.len();
        let end = if is_last { last } else { separator };
        let starts_line = line.trim().is_empty() || i == 0;
        if !starts_line && line.len() + item.len() + end.len() + mark.len() > WIDTH {
            text += &format!("{}{mark}\n", line.trim_end());
            line = " ".repeat(indent);
        }
        line += item;
        line += end;
    }
    if items.is_empty() {
        line += last;
    }
    text + line.trim_end() + "\n"
}

/// Formats paragraphs as wrapped comment lines of ASCII characters; continuation lines are indented.
pub(super) fn comment(paragraphs: &[String], prefix: &str) -> String {
    let hanging = format!("{prefix}  ");
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(prefix)
        .subsequent_indent(&hanging)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let wrapped = paragraphs.iter().map(|paragraph| textwrap::fill(&ascii(paragraph), &options));
    wrapped.map(|lines| lines.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()).collect()
}

/// Converts a text to printable ASCII on one line, so that comments compile whatever characters they contain. A
/// backslash at the end of a line would continue a comment in C.
fn ascii(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.chars().map(letter).collect::<String>());
    words.collect::<Vec<_>>().join(" ")
}

fn letter(c: char) -> String {
    let near = match c {
        '\\' => "/",
        ' '..='~' => return c.to_string(),
        '‐' | '‑' | '‒' | '–' | '—' | '−' => "-",
        '‘' | '’' => "'",
        '“' | '”' | '„' => "\"",
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' => "A",
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'Æ' => "Ae",
        'æ' => "ae",
        'Ç' | 'Ć' | 'Č' => "C",
        'ç' | 'ć' | 'č' => "c",
        'Ď' | 'Đ' => "D",
        'ď' | 'đ' => "d",
        'È'..='Ë' | 'Ę' | 'Ě' => "E",
        'è'..='ë' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'Ì'..='Ï' | 'İ' => "I",
        'ì'..='ï' | 'ı' => "i",
        'Ł' => "L",
        'ł' => "l",
        'Ñ' | 'Ń' | 'Ň' => "N",
        'ñ' | 'ń' | 'ň' => "n",
        'Ò'..='Ö' | 'Ø' | 'Ő' => "O",
        'ò'..='ö' | 'ø' | 'ő' => "o",
        'Ř' => "R",
        'ř' => "r",
        'Ś' | 'Ş' | 'Š' => "S",
        'ś' | 'ş' | 'š' => "s",
        'ß' => "ss",
        'ť' => "t",
        'Ù'..='Ü' | 'Ů' | 'Ű' => "U",
        'ù'..='ü' | 'ů' | 'ű' => "u",
        'Ý' => "Y",
        'ý' | 'ÿ' => "y",
        'Ź' | 'Ż' | 'Ž' => "Z",
        'ź' | 'ż' | 'ž' => "z",
        '×' => "x",
        '°' => "deg",
        '√' => "sqrt",
        '≤' => "<=",
        '≥' => ">=",
        '…' => "...",
        _ if c.is_control() => "",
        _ => "?",
    };
    near.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_after_separators() {
        let terms: Vec<String> = (1..=12).map(|i| format!("a_{i}*k_{i}_{i}_{i}_{i}")).collect();
        let text = joined("  y = (", &terms, " + ", ")", 8, " &");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= WIDTH + 2));
        assert!(lines[0].ends_with(" + &") && lines[1].starts_with("        a_"), "{text}");
        assert_eq!(text.replace(" &\n       ", ""), format!("  y = ({})\n", terms.join(" + ")));
        assert_eq!(joined("[", &[], ", ", "]", 0, ""), "[]\n");
    }

    #[test]
    fn comments_are_harmless() {
        let text = comment(&["Störmer–Verlet */ \n%{ \u{202e}日 \\".to_owned()], "# ");
        assert_eq!(text, "# Stormer-Verlet */ %{ ?? /\n");
        assert!(
            comment(&["word ".repeat(100)], "// ").lines().all(|line| line.starts_with("// ") && line.len() <= WIDTH)
        );
    }
}
