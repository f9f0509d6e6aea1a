//! Findings as workflow commands, which GitHub turns into annotations.

use crate::finding::{LintFinding, Severity};
use crate::formats::findings;
use crate::lint::LintReport;

/// Formats findings as workflow commands of GitHub, which annotate the files of a change: one line for each.
#[must_use]
pub fn github(all: &[LintReport]) -> String {
    findings(all).map(|(file, finding)| command(file, finding)).collect()
}

fn command(file: &str, finding: &LintFinding) -> String {
    let LintFinding { rule, message, line, column, .. } = finding;
    let line = line.map_or_else(String::new, |line| format!(",line={line}"));
    let column = column.map_or_else(String::new, |column| format!(",col={column}"));
    let level = match rule.severity() {
        Severity::Note => "notice",
        other => other.name(),
    };
    let title = rule.id();
    format!("::{level} file={}{line}{column},title={title}::{}\n", property(relative(file)), data(message))
}

/// Returns the path as GitHub compares it with those of a change.
fn relative(file: &str) -> &str {
    file.strip_prefix("./").unwrap_or(file)
}

/// Escapes characters that would end a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes characters that would end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_ends_messages_and_properties_is_escaped() {
        assert_eq!(data("50 %,\r\nb: c"), "50 %25,%0D%0Ab: c");
        assert_eq!(property("a,b:c.json"), "a%2Cb%3Ac.json");
    }
}
