//! Fields of CSV files.

/// Quotes a text as a field (RFC 4180) if necessary.
pub(super) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
