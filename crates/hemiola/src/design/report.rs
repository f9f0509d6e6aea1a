//! A design as a short report in Markdown: the same bytes for the same options.

use hemiola::tableau::butcher_text;

use crate::text;

use super::findings::Findings;

pub(super) fn report(findings: &Findings, figure: &str) -> String {
    let method = &findings.design.method;
    let specification = &findings.specification;
    let command = format!("hemiola design {specification}");
    format!(
        "# {}\n\n\
         A pair of order {} with {} slow and {} fast evaluations in a step. Made by\n\n    {command}\n\n\
         {}\n![Stability regions of both parts]({figure})\n\n\
         ## Coefficients\n\nRounded for reading; the method file has 40 decimals.\n\n```text\n{}```\n\n\
         ## Conditions\n\nResiduals are evaluated in exact arithmetic from the coefficients of the method file.\n\n{}",
        method.name(),
        specification.order,
        specification.slow,
        specification.fast,
        properties(findings),
        butcher_text(method),
        conditions(findings),
    )
}

fn properties(findings: &Findings) -> String {
    let design = &findings.design;
    let mut header = vec!["".to_owned(), "this design".to_owned()];
    header.extend(findings.published.iter().map(|published| published.name.clone()));
    let published = |value: fn(&super::findings::Published) -> f64| {
        findings.published.iter().map(move |published| text::number(value(published)))
    };
    let row = |name: &str, own: f64, others: Vec<String>| {
        let mut cells = vec![name.to_owned(), text::number(own)];
        cells.extend(others);
        cells
    };
    let mut rows = vec![
        header.clone(),
        header.iter().map(|_| "---".to_owned()).collect(),
        row("principal error norm", design.error_norm, published(|p| p.error_norm).collect()),
        row("fast limit, imaginary axis", findings.limits[1][0], published(|p| p.fast_limit).collect()),
        row("largest coefficient", design.largest_coefficient, published(|p| p.largest_coefficient).collect()),
    ];
    if let Some(profile) = &findings.profile {
        let blank = vec![String::new(); findings.published.len()];
        rows.extend(profile.values.iter().map(|(gamma, value)| {
            let name = format!("coupled profile at γ = {gamma}, damping {}", profile.damping);
            let value = (value * 1e3).round() / 1e3;
            row(&name, value, blank.clone())
        }));
    }
    rows.into_iter().map(|cells| line(&cells)).collect()
}

fn conditions(findings: &Findings) -> String {
    let head = ["Order", "Condition", "Kind", "Expected", "Residual"].map(str::to_owned);
    let rule = ["--:", "---", "---", "--:", "--:"].map(str::to_owned);
    let rows = findings.conditions.iter().map(|condition| {
        let residual = text::residual(condition.residual);
        let order = condition.order.to_string();
        line(&[order, format!("`{}`", condition.name), condition.kind.to_owned(), condition.expected.clone(), residual])
    });
    [line(&head), line(&rule)].into_iter().chain(rows).collect()
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}
