//! The page of a method with micro-steps.

use hemiola::export::describe;
use hemiola::multirate::microsteps::{Entries, MicroStepTableau};
use hemiola::multirate::{MicroStepMethod, RatioPolynomial};
use hemiola::tableau::printable;

use crate::failure::Failure;
use crate::output::text::{self, Column};

/// Describes a method: its tableaus, and the couplings as expressions in λ and M.
pub(super) fn page(method: &MicroStepMethod) -> Result<String, Failure> {
    let [slow, fast] = method.stages();
    let is_explicit = method.coupled_stages(method.least_ratio().max(2))?.is_empty();
    let kind = if is_explicit { "explicit" } else { "implicit" };
    let mut entries = vec![("id", method.id().to_owned())];
    entries.extend(describe::publication(method.source()).map(|text| ("source", text)));
    entries.push(("claims", describe::claimed(method.claims())));
    let counts = [describe::counted(slow, "slow stage"), describe::counted(fast, "fast stage")];
    entries.push(("structure", format!("{}, {} in each of M micro-steps; {kind}", counts[0], counts[1])));
    entries.push(("pair", format!("{}@M=4 is the ordinary pair with four micro-steps", method.id())));
    if method.least_ratio() > 1 {
        entries.push(("micro-steps", format!("M ≥ {}", method.least_ratio())));
    }
    entries.extend(method.source().note.clone().map(|note| ("note", note)));
    entries.iter_mut().for_each(|(_, text)| *text = printable(text).into_owned());
    let mut page = format!("{}\n\n{}", printable(method.name()), text::entries(&entries));
    for (name, part) in [("slow", method.slow()), ("fast", method.fast())] {
        page += &format!("\n{}", tableau(name, part));
    }
    let (fast_slow, coupling) = (method.fast_slow(), method.slow_fast());
    let [divisor, first_divisor, last_divisor] = &fast_slow.divisors;
    let times = |name: &str, divisor: &Option<RatioPolynomial>| {
        divisor.as_ref().map_or_else(|| name.to_owned(), |divisor| format!("{name}·({divisor})"))
    };
    page += &format!("\n{}", matrix(["fast stage", "slow slope"], &times("A^FS,λ", divisor), &fast_slow.every));
    for (name, entries, divisor) in
        [("A^FS,1 instead", &fast_slow.first, first_divisor), ("A^FS,M instead", &fast_slow.last, last_divisor)]
    {
        if !entries.is_empty() {
            page += &format!("\n{}", matrix(["fast stage", "slow slope"], &times(name, divisor), entries));
        }
    }
    for (name, entries) in [("A^SF,λ", &coupling.every), ("A^SF,1 adds", &coupling.first)] {
        if !entries.is_empty() {
            let name = times(name, &coupling.divisor);
            page += &format!("\n{}", matrix(["slow stage", "fast slope"], &name, entries));
        }
    }
    Ok(page)
}

/// Formats a tableau, the weights in its last row.
fn tableau(name: &str, tableau: &MicroStepTableau) -> String {
    let names: Vec<String> = (1..=tableau.b.len()).map(|j| format!("{name} slope {j}")).collect();
    let rows = tableau.a.iter().enumerate().map(|(i, row)| (format!("{name} stage {}", i + 1), row));
    let rows = rows.chain([("weights".to_owned(), &tableau.b)]);
    let rows = rows.map(|(label, row)| labeled(label, row.iter().map(|entry| entry.text().to_owned())));
    text::table(&columns(if name == "slow" { "A^S" } else { "A^F" }, &names), rows)
}

fn matrix([rows, slopes]: [&str; 2], name: &str, entries: &Entries) -> String {
    let names: Vec<String> = (1..=entries.first().map_or(0, Vec::len)).map(|j| format!("{slopes} {j}")).collect();
    let rows = entries
        .iter()
        .enumerate()
        .map(|(i, row)| labeled(format!("{rows} {}", i + 1), row.iter().map(ToString::to_string)));
    text::table(&columns(name, &names), rows)
}

fn columns<'a>(name: &'a str, names: &'a [String]) -> Vec<(&'a str, Column)> {
    let columns = names.iter().map(|name| (name.as_str(), Column::Right));
    std::iter::once((name, Column::Left)).chain(columns).collect()
}

fn labeled(label: String, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(label).chain(cells).collect()
}
