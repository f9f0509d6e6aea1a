//! Front as a table, for the terminal and in Markdown.

use crate::commands::design::report::line;
use crate::output::text::{self, Column};

use super::compromises::{Front, FrontPoint};

/// Significant digits of the table, slightly more than the figure shows.
const DIGITS: usize = 5;

pub(crate) fn page(front: &Front) -> String {
    let header = header(front);
    let columns: Vec<(&str, Column)> = header.iter().map(|name| (name.as_str(), Column::Right)).collect();
    let rows = front.points.iter().enumerate().map(|(k, point)| row(front, k + 1, point));
    let written: String = front.written().iter().map(|file| format!("wrote {}\n", file.display())).collect();
    let facts = [
        ("emphases", format!("{}, {} of them Pareto-optimal{}", front.asked, front.points.len(), ended(front))),
        ("seed", front.file.specification.seed.to_string()),
        ("time", format!("{:.2} s", front.time.as_secs_f64())),
    ];
    format!(
        "{}: compromises of {}\n\n{}\n{}\n{written}",
        front.file.id,
        front.file.name,
        text::table(&columns, rows),
        text::entries(&facts)
    )
}

/// Writes the report, which depends only on the design file and the number of emphases: equal input gives equal bytes.
pub(crate) fn report(front: &Front) -> String {
    let header = header(front);
    let rule: Vec<String> = header.iter().map(|_| "--:".to_owned()).collect();
    let rows = front.points.iter().enumerate().map(|(k, point)| row(front, k + 1, point));
    let table: String = [header, rule].into_iter().chain(rows).map(|cells| line(&cells)).collect();
    let (id, asked, others) = (&front.file.id, front.asked, front.others());
    let interrupted = if front.interrupted {
        "\nThe search was interrupted; running it again may give different methods.\n"
    } else {
        ""
    };
    format!(
        "# Compromises of {}\n\n\
         Errors versus {others}. Command:\n\n    hemiola design {id}.design.json --pareto {asked}\n\
         {interrupted}\n\
         Of {asked} emphases on the latter, these lead to pairs that are not dominated by another one. `{id}-1.json` and its \
         certificate and design belong to the first row, and so on. A design file `{id}-1.design.json` has the square root of its \
         emphasis in these weights; since it ranks its starts by them, running it alone may lead to a different pair.\n\n\
         {table}\n![Errors versus {others}]({})\n",
        front.file.name,
        front.files.figure_name(),
    )
}

fn ended(front: &Front) -> &'static str {
    if front.interrupted { ", after an interrupted search" } else { "" }
}

fn header(front: &Front) -> Vec<String> {
    let mut header = vec![String::new(), "emphasis".to_owned()];
    if !front.is_plain() {
        header.push(front.errors().to_owned());
    }
    header.extend(["principal error norm".to_owned(), front.others()]);
    if let Some(wish) = &front.file.specification.objective.coupling {
        header.extend(wish.gammas.iter().map(|gamma| format!("profile at γ = {gamma}, ζ = {}", wish.damping)));
    }
    header.extend(["largest coefficient", "fast limit"].map(str::to_owned));
    header
}

fn row(front: &Front, number: usize, point: &FrontPoint) -> Vec<String> {
    let shown = |value: f64| text::rounded(value, DIGITS);
    let compromise = &point.compromise;
    let mut row = vec![number.to_string(), text::rounded(compromise.emphasis, 3)];
    if !front.is_plain() {
        row.push(shown(compromise.error));
    }
    row.extend([compromise.design.error_norm, compromise.others].map(shown));
    // The scan over frequency ratios determines the profile to three decimals.
    let values = point.profile.iter().flat_map(|profile| &profile.values);
    row.extend(values.map(|at| text::number((at.practical.value * 1e3).round() / 1e3)));
    row.extend([compromise.design.largest_coefficient, point.fast_limit].map(shown));
    row
}
