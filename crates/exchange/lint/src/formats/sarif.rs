//! Findings as a SARIF log.

use serde_json::{Value, json};

use crate::finding::{LintFinding, Rule};
use crate::formats::findings;
use crate::lint::LintReport;

/// Formats findings as a log for code scanning: SARIF 2.1.0 (OASIS standard, 2020).
#[must_use]
pub fn sarif(all: &[LintReport]) -> Value {
    let rules: Vec<Value> = Rule::ALL.iter().map(|rule| descriptor(*rule)).collect();
    let results: Vec<Value> = findings(all).map(|(file, finding)| result(file, finding)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "hemiola lint", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn descriptor(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.description() },
        "defaultConfiguration": { "level": rule.severity().name() },
    })
}

fn result(file: &str, finding: &LintFinding) -> Value {
    let LintFinding { rule, message, line, column, .. } = finding;
    let mut place = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(line) = line {
        place["region"] = json!({ "startLine": line });
    }
    if let Some(column) = column {
        place["region"]["startColumn"] = json!(column);
    }
    json!({
        "ruleId": rule.id(),
        "ruleIndex": Rule::ALL.iter().position(|other| other == rule),
        "level": rule.severity().name(),
        "message": { "text": message },
        "locations": [{ "physicalLocation": place }],
    })
}

/// Converts a path to a URI reference (RFC 3986). Relative paths stay relative to the working directory; a colon in the
/// first component is escaped, since it would delimit a scheme.
fn uri(file: &str) -> String {
    let path = file.replace('\\', "/");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped: String = path
        .bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    if escaped.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        for (file, reference) in [
            ("tableaus/rk4.json", "tableaus/rk4.json"),
            ("my methods/a%b.json", "my%20methods/a%25b.json"),
            ("/tmp/x:y.json", "file:///tmp/x%3Ay.json"),
            ("folder\\é.json", "folder/%C3%A9.json"),
        ] {
            assert_eq!(uri(file), reference);
        }
    }
}
