//! The report in Markdown.

use hemiola::tableau::bound_text;
use serde_json::Value;

use crate::pair::{DAMPING, GAMMAS, Pair, Variant};

pub(crate) fn report(own: &[Pair], published: &[Pair], figure: &str) -> String {
    let all: Vec<&Pair> = own.iter().chain(published).collect();
    format!(
        "# Dual-rate methods\n\n\
         Written by `scripts/dual-rate-methods`, which designs the methods of this library (`hemiola-…`) from the files in\n\
         `designs/` and measures them beside published pairs: the 2–5 method of Shome, Haug & Jay (2004, Table 6), PETSc's\n\
         P2 and P3 (Constantinescu & Sandu 2007) and paired explicit methods (Doehring et al. 2024). Each size comes as the\n\
         pair of the smallest principal error norm, as a coupled-stable variant, whose coupled profile counts as well, and as a\n\
         consistent one, whose parts share their abscissae: where fast and slow variables move on together and stiff springs\n\
         hold them together, as tires and vehicles, nothing else keeps the forces at the stages right (see the report on\n\
         [Shome, Haug & Jay](shome-haug-jay-2004.md)).\n\n\
         ## Limits\n\n\
         Sizes are slow and fast evaluations in a step. Limits are the first exits of |R| ≤ 1: on the imaginary axis, along\n\
         z = t(−ζ + i√(1−ζ²)) with ζ = {DAMPING}, and on the negative real axis; zero where |R| exceeds one at once. Embedded is the\n\
         order of the embedded pair, dense that of the dense output.\n\n{}\n\
         ## Errors and coupled profiles\n\n\
         Principal error norms: of all trees of order p + 1, of those of the slow part alone, of the fast part alone, and of\n\
         those that couple them. They compare methods of the same order and size only. The coupled profile is the part of the\n\
         decoupled step that coupling of strength γ leaves, in the worst case over frequency ratios and both signs (ζ = {DAMPING}).\n\n{}\n\
         ![Coupled profiles]({figure})\n\n\
         A profile jumps up where a frequency ratio is left out because its coupled problem is hardly damped itself: the modes of\n\
         z_ss and z_ff with a negative coupling number meet where 4κγ² = (κ − 1)², and one of them is damped less beyond.\n\n\
         ## What coupled stability gains and costs\n\n\
         The profile of the coupled-stable variant beside that of the error-optimal one, its gain, and its price in the\n\
         principal error norm and in the fast part's limits.\n\n{}\n\
         ## What shared abscissae cost\n\n\
         The principal error norm of the consistent variant beside that of the error-optimal one; limits are the same.\n\n{}\n\
         ## Certificates\n\n\
         What is proved of the decimals in the method files. Exact: all conditions hold as identities. Enclosed: a true\n\
         solution lies within the radius; it satisfies simplifying assumptions and those conditions from which with them all\n\
         others follow. What is verified to some decimals is not proved.\n\
         `hemiola check METHOD --certificate designs/METHOD.certificate.json` verifies each.\n\n{}",
        limits(&all),
        errors(&all),
        gains(own),
        costs(own),
        certificates(own),
    )
}

fn limits(pairs: &[&Pair]) -> String {
    let head = [
        "method",
        "size",
        "order",
        "slow, imaginary",
        "slow, damped",
        "fast, imaginary",
        "fast, damped",
        "fast, real",
        "largest coefficient",
        "embedded",
        "dense",
    ];
    let row = |pair: &&Pair| {
        let [slow, fast] = &pair.limits;
        let claims = pair.method.claims();
        let order = |order: Option<usize>| order.map_or_else(none, |order| order.to_string());
        let numbers = [slow.imaginary, slow.damped, fast.imaginary, fast.damped, fast.real].map(|x| format!("{x:.3}"));
        let mut cells = vec![id(pair), pair.size(), pair.order.to_string()];
        cells.extend(numbers);
        cells.extend([format!("{:.3}", pair.largest), order(claims.embedded_order), order(claims.dense_order)]);
        cells
    };
    table(&head, pairs.iter().map(row))
}

fn errors(pairs: &[&Pair]) -> String {
    let gammas = GAMMAS.map(|gamma| format!("γ = {gamma}"));
    let mut head = vec!["method", "order", "error norm", "slow", "fast", "coupling"];
    head.extend(gammas.iter().map(String::as_str));
    let row = |pair: &&Pair| {
        let error = &pair.error;
        let norms = [error.total, error.partitions[0], error.partitions[1], error.coupling];
        let mut cells = vec![id(pair), pair.order.to_string()];
        cells.extend(norms.map(|norm| format!("{:.5}", norm.two)));
        cells.extend((0..GAMMAS.len()).map(|k| pair.profile_at(k).map_or_else(none, |value| format!("{value:.3}"))));
        cells
    };
    table(&head, pairs.iter().map(row))
}

fn gains(own: &[Pair]) -> String {
    // γ = 0.1 and 0.2.
    const STRENGTHS: [usize; 2] = [2, 3];
    let mut head = vec!["size".to_owned(), "order".to_owned()];
    for gamma in STRENGTHS.map(|k| GAMMAS[k]) {
        head.extend([format!("γ = {gamma}, error-optimal"), "coupled-stable".to_owned(), "gain".to_owned()]);
    }
    head.extend(["error norm", "fast limit, imaginary", "fast limit, damped"].map(str::to_owned));
    let row = |(plain, coupled): (&Pair, &Pair)| {
        let mut cells = vec![plain.size(), plain.order.to_string()];
        for k in STRENGTHS {
            let values = plain.profile_at(k).zip(coupled.profile_at(k));
            cells.extend(values.map_or([none(), none(), none()], |(before, after)| {
                [format!("{before:.3}"), format!("{after:.3}"), percent(after / before)]
            }));
        }
        let [before, after] = [plain, coupled].map(|pair| &pair.limits[1]);
        cells.push(percent(coupled.error.total.two / plain.error.total.two));
        cells.push(percent(after.imaginary / before.imaginary));
        cells.push(percent(after.damped / before.damped));
        cells
    };
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    table(&head, variants(own, Variant::Coupled).map(row))
}

fn costs(own: &[Pair]) -> String {
    let row = |(plain, consistent): (&Pair, &Pair)| {
        let [before, after] = [plain, consistent].map(|pair| pair.error.total.two);
        let norms = [before, after].map(|norm| format!("{norm:.5}"));
        [vec![plain.size(), plain.order.to_string()], norms.to_vec(), vec![percent(after / before)]].concat()
    };
    let head = ["size", "order", "error-optimal", "consistent", "price"];
    table(&head, variants(own, Variant::Consistent).map(row))
}

/// The error-optimal pairs, each with another variant of its size where there is one.
pub(crate) fn variants(own: &[Pair], variant: Variant) -> impl Iterator<Item = (&Pair, &Pair)> {
    own.iter().filter(|pair| pair.variant == Variant::ErrorOptimal).filter_map(move |plain| {
        let is_other = |pair: &&Pair| pair.variant == variant && pair.evaluations == plain.evaluations;
        Some((plain, own.iter().find(is_other)?))
    })
}

fn certificates(own: &[Pair]) -> String {
    let head = ["method", "order", "proved", "radius", "assumptions", "conditions"];
    let row = |pair: &Pair| {
        let mut cells = vec![id(pair), pair.order.to_string()];
        cells.extend(pair.certificate.as_ref().map_or_else(|| vec![none(); 4], proved));
        cells
    };
    table(&head, own.iter().map(row))
}

/// What a certificate proves, its radius, and how many assumptions and conditions it rests on.
fn proved(certificate: &Value) -> Vec<String> {
    let status = &certificate["status"];
    let what = match status["proved"].as_str() {
        Some("exact") => "exact".to_owned(),
        Some("enclosed") => "enclosed".to_owned(),
        _ => format!("verified to {} decimals", status["decimals"]),
    };
    let radius = status["radius"].as_f64().map_or_else(none, |radius| bound_text(radius, 1));
    let count = |field: &str| certificate[field].as_array().map_or(0, Vec::len).to_string();
    vec![what, radius, count("assumptions"), count("conditions")]
}

fn id(pair: &Pair) -> String {
    format!("`{}`", pair.method.id())
}

fn none() -> String {
    "–".to_owned()
}

/// A ratio as a change in percent.
fn percent(ratio: f64) -> String {
    let change = format!("{:+.1} %", 100.0 * (ratio - 1.0));
    change.replace('-', "−")
}

/// A table whose first column is text and whose others are numbers.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let names: Vec<String> = head.iter().map(|name| (*name).to_owned()).collect();
    let rule: String = (0..head.len()).map(|k| if k == 0 { "|---" } else { "|--:" }).collect();
    let body: String = rows.map(|cells| line(&cells)).collect();
    format!("{}{rule}|\n{body}", line(&names))
}
