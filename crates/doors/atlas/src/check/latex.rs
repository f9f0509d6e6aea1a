//! Order conditions for a paper: trees, index sums, residuals and verdicts as a LaTeX table.

use hemiola_order::{Condition, Grammar, NodeKind, OrderError, Tree, condition_latex, conditions, forest_style};

use super::method_check::MethodCheck;
use super::orders::ClaimOrders;
use super::properties::verdict;

/// Largest number of rows (about 150 pages); LaTeX takes many minutes for more.
const MOST_ROWS: u128 = 6000;
const PACKAGES: &str = "\\usepackage{forest}\n\\usepackage{longtable}\n";

/// Writes the order conditions of a method as a LaTeX table for `\input`, or as a standalone document.
///
/// The table contains the conditions up to the claimed order, or up to the requested order.
///
/// # Errors
/// [`OrderError`] if there are too many conditions, or a condition cannot be evaluated.
pub fn condition_table(checked: &MethodCheck<impl ClaimOrders>, is_document: bool) -> Result<String, OrderError> {
    let table = format!("{}\n{}", introduction(checked), table(checked)?);
    let style = forest_style(colors(checked));
    let id = checked.method.id();
    Ok(if is_document {
        format!(
            "\\documentclass{{article}}\n\\usepackage[margin=25mm]{{geometry}}\n{PACKAGES}{style}\
             \\begin{{document}}\n{table}\\end{{document}}\n"
        )
    } else {
        let packages: String = PACKAGES.lines().map(|line| format!("%   {line}\n")).collect();
        format!("% Order conditions of {id}, by `hemiola check --latex`. The preamble needs\n{packages}{style}{table}")
    })
}

fn colors(checked: &MethodCheck<impl ClaimOrders>) -> usize {
    checked.method.partitions().len()
}

/// Writes an introduction that explains the symbols.
fn introduction(checked: &MethodCheck<impl ClaimOrders>) -> String {
    let name = text(checked.method.name());
    let problems = if checked.is_separable() { " for separable problems" } else { "" };
    let (sums, nodes) = if colors(checked) == 1 {
        ("c_{i} = \\sum_j a_{ij}", String::new())
    } else {
        let node = |(color, partition): (usize, &hemiola_tableau::Partition)| {
            format!("{} {}", Tree::new(NodeKind::Partition(color), Vec::new()).latex(), text(&partition.name))
        };
        let nodes: Vec<String> = checked.method.partitions().iter().enumerate().map(node).collect();
        ("c^{\\nu}_{i} = \\sum_j a^{\\nu}_{ij}", format!(" The nodes stand for the partitions: {}.", nodes.join(", ")))
    };
    format!("\\noindent\nThe order conditions of {name}{problems}. Sums run over all indices, and ${sums}$.{nodes}\n")
}

fn table(checked: &MethodCheck<impl ClaimOrders>) -> Result<String, OrderError> {
    const HEAD: &str = "\\begin{longtable}{@{}clll@{}}\n\\hline\nTree & Condition & Residual & Verdict \\\\\n\\hline\n\\noalign{\\vskip 3pt}\n\\endhead\n\
                        \\hline\n\\endfoot\n";
    let labels = checked.labels();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let conditions = listed(checked)?;
    let mut rows = String::new();
    for order in conditions.chunk_by(|a, b| a.tree.order() == b.tree.order()) {
        let heading = order.first().map_or(0, |condition| condition.tree.order());
        rows += &format!("\\multicolumn{{4}}{{@{{}}l}}{{Order {heading}}} \\\\*[2pt]\n");
        rows.extend(order.iter().map(|condition| row(condition, &labels)));
    }
    Ok(format!("{HEAD}{rows}\\end{{longtable}}\n"))
}

/// Returns the conditions up to the claimed order, or up to the requested order.
fn listed(checked: &MethodCheck<impl ClaimOrders>) -> Result<Vec<Condition>, OrderError> {
    let (method, options) = (&checked.method, checked.options);
    let claimed = checked.claimed_order.filter(|_| !checked.is_order_asked);
    let order = claimed.unwrap_or(options.highest_order);
    let of_colors = if checked.is_separable() { Grammar::separable } else { Grammar::partitioned };
    let grammar = of_colors(method.partitions().len());
    let count = grammar.counts(order)?.into_iter().fold(0, u128::saturating_add);
    if count > MOST_ROWS {
        return Err(OrderError::TooManyTrees { order, count, limit: MOST_ROWS });
    }
    conditions(method, &grammar, order, options.tolerance)
}

fn row(condition: &Condition, labels: &[&str]) -> String {
    let (tree, sum) = (condition.tree.latex(), condition_latex(&condition.tree, labels));
    format!("{tree} & ${sum}$ & ${}$ & {} \\\\[3pt]\n", scientific(condition.residual), verdict(condition.verdict))
}

/// Formats a number as −4.3 × 10⁻⁴.
fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    match text.split_once('e') {
        Some((digits, exponent)) if value != 0.0 => format!("{digits}\\times10^{{{exponent}}}"),
        _ => "0".to_owned(),
    }
}

/// Converts a name to LaTeX text.
fn text(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => text.extend(['\\', c]),
            '\\' => text.push_str("\\textbackslash{}"),
            '^' => text.push_str("\\^{}"),
            '~' => text.push_str("\\~{}"),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_text() {
        assert_eq!(text("a_b & 100 % {x}"), "a\\_b \\& 100 \\% \\{x\\}");
        assert_eq!(text("~\\^"), "\\~{}\\textbackslash{}\\^{}");
    }

    #[test]
    fn residuals_are_rounded() {
        assert_eq!((scientific(0.0), scientific(-4.32e-4)), ("0".to_owned(), "-4.3\\times10^{-4}".to_owned()));
    }
}
