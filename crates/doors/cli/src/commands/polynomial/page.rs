//! Polynomial as text for the terminal.

use hemiola::atlas::polynomial::{ContactJson, ImplementationForm, PolynomialReport, PolynomialResults, axis, basis};
use hemiola::polynomial::{Axis, Optimum, StabilityPolynomial, StageForm};

use crate::output::text;

/// Length of the longest fraction in the table; longer ones are omitted, since their decimals are more readable.
const LONGEST_FRACTION: usize = 40;
/// Number of leading zeros above which coefficients are written with an exponent.
const LEADING_ZEROS: usize = 5;
/// Largest number of contact points that are listed; the JSON output has all of them.
const LISTED: usize = 8;
/// Rounding error of a step that is noticeable in ordinary computations.
const ROUNDING: f64 = 1e-8;
/// Loss of digits at which the rounding error reaches this value.
const DIGITS_LOST: f64 = 8.0;

pub(crate) fn page(findings: &PolynomialResults) -> String {
    let PolynomialResults { polynomial, report, .. } = findings;
    let optimum = polynomial.optimum();
    let mut page = format!("{}\n\n{}\n", title(optimum), coefficients(polynomial, report));
    page += &text::entries(&entries(findings));
    if !report.implementations.is_empty() {
        page += &format!("\n{}", forms(&report.implementations));
    }
    if let Some(warning) = warning(report) {
        page += &format!("\n{warning}\n");
    }
    page
}

/// Describes the problem that was solved.
pub(crate) fn title(optimum: &Optimum) -> String {
    let problem = optimum.problem();
    let damping = if problem.eta() > 0.0 { format!(", damping {}", problem.eta()) } else { String::new() };
    let stages = text::counted(problem.stages(), "stage");
    format!("Optimal on the {}: {stages}, order {}{damping}", problem.spectrum(), problem.order())
}

fn coefficients(polynomial: &StabilityPolynomial, report: &PolynomialReport) -> String {
    let columns = text::columns(">k|<Coefficient of zᵏ|<Decimal");
    let row = |(k, (exact, decimal)): (usize, (&_, &String))| {
        let fraction = Some(ToString::to_string(exact)).filter(|fraction| fraction.len() <= LONGEST_FRACTION);
        vec![k.to_string(), fraction.unwrap_or_default(), scientific(decimal)]
    };
    text::table(&columns, polynomial.coefficients().iter().zip(&report.shown).enumerate().map(row))
}

/// Writes a decimal with many leading zeros with an exponent: 1.25e-12.
fn scientific(decimal: &str) -> String {
    let (sign, size) = decimal.strip_prefix('-').map_or(("", decimal), |size| ("-", size));
    let Some(places) = size.strip_prefix("0.") else { return decimal.to_owned() };
    let digits = places.trim_start_matches('0');
    let exponent = places.len() - digits.len() + 1;
    match digits.split_at_checked(1) {
        Some((first, rest)) if exponent > LEADING_ZEROS => {
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e-{exponent}")
        }
        _ => decimal.to_owned(),
    }
}

fn entries(findings: &PolynomialResults) -> Vec<(&'static str, String)> {
    let PolynomialResults { polynomial, report, .. } = findings;
    let optimum = polynomial.optimum();
    let known = if report.polished { "" } else { " (to the eight digits of a conic program)" };
    let mut entries = vec![("limit", report.limit.clone() + known)];
    if let Some(source) = report.closed_form {
        entries.push(("closed form", source.to_owned()));
    }
    match &report.certificate {
        Some(certificate) => entries.push(("certificate", certificate.line())),
        None if findings.tried => entries.push(("certificate", "not proved".to_owned())),
        None => {}
    }
    if let Some((name, value)) = efficiency(optimum) {
        entries.push(("efficiency", format!("{name} = {}", text::number(value))));
    }
    if !report.contact_points.is_empty() {
        entries.push(("contact points", contacts(&report.contact_points, axis(optimum.problem().spectrum()))));
    }
    entries.push(("digits lost", format!("{:.1} by rounding the coefficients", report.digits_lost)));
    entries
        .push(("stable form", format!("R = {}; its coefficients are in the JSON", basis(&polynomial.stable_form()))));
    entries
}

/// Returns the limit per evaluation, or per squared number of evaluations if the limit grows quadratically.
pub(crate) fn efficiency(optimum: &Optimum) -> Option<(&'static str, f64)> {
    let s = optimum.problem().stages() as f64;
    match axis(optimum.problem().spectrum())? {
        Axis::Imaginary => Some(("L/s", optimum.limit() / s)),
        Axis::Real => Some(("L/s²", optimum.limit() / (s * s))),
    }
}

/// Lists the number of contact points, and the first of them.
fn contacts(contacts: &[ContactJson], axis: Option<Axis>) -> String {
    let place = |contact: &ContactJson| {
        let [x, y] = contact.z;
        match axis {
            Some(Axis::Imaginary) => short(y),
            Some(Axis::Real) => short(x),
            None => complex(x, y),
        }
    };
    let variable = match axis {
        Some(Axis::Imaginary) => "y",
        Some(Axis::Real) => "x",
        None => "z",
    };
    let mut places: Vec<String> = contacts.iter().take(LISTED).map(place).collect();
    if contacts.len() > LISTED {
        places.push("…".to_owned());
    }
    format!("{}: {variable} = {}", contacts.len(), places.join(", "))
}

/// Formats a number in a list of points.
fn short(value: f64) -> String {
    text::rounded(value, 5)
}

/// Formats a point in the upper half-plane.
fn complex(x: f64, y: f64) -> String {
    match (x == 0.0, y == 0.0) {
        (_, true) => short(x),
        (true, false) => format!("{}i", short(y)),
        (false, false) => format!("{}+{}i", short(x), short(y)),
    }
}

fn forms(forms: &[ImplementationForm]) -> String {
    let columns = text::columns("<Realization|>Amplification M|>Rounding");
    let row = |form: &ImplementationForm| {
        vec![form.scheme.to_string(), text::rounded(form.amplification, 3), text::residual(form.rounding)]
    };
    text::table(&columns, forms.iter().map(row))
}

/// Returns a warning with a remedy if a tableau of doubles would lose its digits.
fn warning(report: &PolynomialReport) -> Option<String> {
    let chain = report.implementations.iter().find(|form| form.scheme == StageForm::Chain);
    let rounding = chain.map_or(0.0, |chain| chain.rounding);
    if report.digits_lost <= DIGITS_LOST && rounding <= ROUNDING {
        return None;
    }
    let best = report.implementations.iter().min_by(|a, b| a.rounding.total_cmp(&b.rounding));
    let remedy = match best.filter(|form| form.rounding <= ROUNDING) {
        Some(form) => format!("the realization `{}` avoids the loss", form.scheme),
        None => "none of the realizations above avoids the loss".to_owned(),
    };
    let lost = report.digits_lost;
    Some(format!("Warning: a tableau of doubles loses {lost:.1} of its 16 digits in every step; {remedy}."))
}

#[cfg(test)]
mod tests {
    use super::scientific;

    #[test]
    fn many_leading_zeros_become_an_exponent() {
        for (plain, shown) in [
            ("0.0625", "0.0625"),
            ("0.0000125", "0.0000125"),
            ("0.00000125", "1.25e-6"),
            ("-0.0000001", "-1e-7"),
            ("1.0000001", "1.0000001"),
            ("0", "0"),
        ] {
            assert_eq!(scientific(plain), shown);
        }
    }
}
