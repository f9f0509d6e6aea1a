//! Short report on a design in Markdown: equal options give equal bytes.

use hemiola::tableau::butcher_text;

use crate::output::text;

use super::findings::DesignResults;
use super::{balance, comparison, profile_table};

use hemiola::atlas::wording;

pub(crate) fn report(findings: &DesignResults, figure: &str) -> String {
    let method = &findings.design.method;
    let specification = &findings.file.specification;
    let command = format!("hemiola design {}.design.json", findings.file.id);
    let interrupted = if findings.design.interrupted {
        format!(
            "\nThe search was interrupted after {} starts: running it again may give a different method.\n",
            findings.design.tried
        )
    } else {
        String::new()
    };
    format!(
        "# {}\n\n\
         A pair of order {} with {} slow and {} fast evaluations per step. Command:\n\n    {command}\n{interrupted}\n\
         Certificate: {}{}.\n\n{}{}{}{}\n![Stability regions of both partitions]({figure})\n\n\
         ## Coefficients\n\nRounded; the method file has 50 decimals.\n\n```text\n{}```\n\n\
         ## Conditions\n\nResiduals are computed in exact arithmetic from the coefficients in the method file.\n\n{}",
        method.name(),
        specification.order,
        specification.slow,
        specification.fast,
        wording::certificate(&findings.design.certificate),
        findings.design.gap.map_or_else(String::new, |gap| format!(": {gap}")),
        balanced(findings),
        properties(findings),
        wish(findings),
        compared(findings),
        butcher_text(method),
        conditions(findings),
    )
}

/// Formats the costs of the design: abscissae outside the step, damping, the slow limit and internal stability.
fn balanced(findings: &DesignResults) -> String {
    let design = &findings.design;
    let sentences = [
        ("Abscissae", balance::abscissae_sentence(&findings.pair)),
        ("Fast stability", findings.damping.as_ref().map(balance::damping_sentence)),
        ("Slow stability", design.slow_limit.as_ref().map(balance::slow_sentence)),
        ("Internal stability", design.internal.as_ref().map(balance::sentence)),
    ];
    let line = |(name, sentence): (&str, Option<String>)| sentence.map(|sentence| format!("{name}: {sentence}.\n\n"));
    sentences.into_iter().filter_map(line).collect()
}

fn properties(findings: &DesignResults) -> String {
    let mut header = vec![String::new(), "this design".to_owned()];
    header.extend(findings.published.iter().map(|published| published.name.clone()));
    let rule: Vec<String> = header.iter().map(|_| "---".to_owned()).collect();
    let rows = [header, rule].into_iter().chain(comparison::rows(findings));
    rows.map(|cells| line(&cells)).collect()
}

/// Formats the target and the result of the coupled profile.
fn wish(findings: &DesignResults) -> String {
    let Some(wish) = &findings.wish else { return String::new() };
    let rule = ["---", "--:", "--:", "--:"].map(str::to_owned);
    let rows = [profile_table::header(wish), rule].into_iter().chain(profile_table::rows(wish));
    format!("\nThe profile wanted by the design file:\n\n{}", rows.map(|cells| line(&cells)).collect::<String>())
}

/// Formats the evaluations that the pair needs on the runs that it was designed for.
fn compared(findings: &DesignResults) -> String {
    let Some(compared) = &findings.compared else { return String::new() };
    let rule = ["---", "---", "--:", "---", "--:", "--:", "--:"].map(str::to_owned);
    let rows = [compared.header(), rule].into_iter().chain(compared.rows());
    format!("\nThe runs that it is made for:\n\n{}", rows.map(|cells| line(&cells)).collect::<String>())
}

fn conditions(findings: &DesignResults) -> String {
    let head = ["Order", "Condition", "Kind", "Expected", "Residual"].map(str::to_owned);
    let rule = ["--:", "---", "---", "--:", "--:"].map(str::to_owned);
    let rows = findings.conditions.iter().map(|condition| {
        let residual = text::residual(condition.residual);
        let order = condition.order.to_string();
        line(&[order, format!("`{}`", condition.name), condition.kind.to_owned(), condition.expected.clone(), residual])
    });
    [line(&head), line(&rule)].into_iter().chain(rows).collect()
}

pub(crate) fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}
