//! Tables in programs: reading, and the findings of those that cannot be read.

use crate::finding::{LintFinding, Rule};
use crate::method::LintedMethod;
use hemiola_export::{ImportFormat, ImportedMethods, MethodPositions, ReadError, ReadOptions, read_with};

/// A method in a program, with the positions of its numbers.
#[derive(Clone, Debug)]
pub(crate) struct SourceTable {
    pub(crate) method: LintedMethod,
    pub(crate) positions: MethodPositions,
}

/// Reads the tables of a program.
///
/// `must_hold` tells whether a program without tables is an error.
pub(crate) fn read(
    file: &str,
    text: &[u8],
    options: &ReadOptions,
    must_hold: bool,
) -> (Vec<SourceTable>, Vec<LintFinding>) {
    match read_with(text, file, options) {
        Ok(ImportedMethods { methods, multirate, positions, failures, .. }) => {
            let ordinary = methods.into_iter().map(|method| LintedMethod::Ordinary(Box::new(method)));
            let multirate = multirate.into_iter().map(|method| LintedMethod::Multirate(Box::new(method)));
            let tables = ordinary.chain(multirate).zip(positions);
            let tables = tables.map(|(method, positions)| SourceTable { method, positions });
            let tables = tables.filter(|table| must_hold || is_tableau(&table.method)).collect();
            (tables, failures.iter().map(|failure| finding(Rule::Unread, file, failure)).collect())
        }
        Err(error) if must_hold => (Vec::new(), vec![finding(Rule::Unreadable, file, &error)]),
        Err(error) => {
            let is_table = is_collection(text, file) && !matches!(error, ReadError::NoMethod { .. });
            (Vec::new(), is_table.then(|| finding(Rule::Unread, file, &error)).into_iter().collect())
        }
    }
}

/// Returns whether arrays of a program without a claimed order are meant as a tableau: their weights sum to about 1.
fn is_tableau(method: &LintedMethod) -> bool {
    const AGREEMENT: f64 = 0.5;
    let LintedMethod::Ordinary(method) = method else { return true };
    let sums = method.to_f64().partitions;
    let mut sums = sums.iter().map(|part| part.b.iter().sum::<f64>());
    method.claims().order.is_some() || sums.all(|sum| (sum - 1.0).abs() < AGREEMENT)
}

/// Returns whether a text uses words of a package of methods. In other programs that contain no method, arrays named A
/// and b are usually something else.
fn is_collection(text: &[u8], file: &str) -> bool {
    use ImportFormat::{NodePy, Petsc, Sundials};
    matches!(ImportFormat::guess(&String::from_utf8_lossy(text), file), Sundials | Petsc | NodePy)
}

/// Turns a reading error into a finding; file name and position are reported separately from the message.
fn finding(rule: Rule, file: &str, error: &ReadError) -> LintFinding {
    let position = match error {
        ReadError::NotText { line, column, .. }
        | ReadError::Unexpected { line, column, .. }
        | ReadError::Method { line, column, .. } => Some((*line, *column)),
        _ => None,
    };
    let message = error.to_string();
    let place = position.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
    let message = message.strip_prefix(&format!("{file}{place}: ")).unwrap_or(&message).to_owned();
    LintFinding::new(rule, "", message).at(position)
}
