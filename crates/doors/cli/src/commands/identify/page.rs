//! Fits as text.

use hemiola::models::Model;
use hemiola::optimize::identification::ParameterFit;
use hemiola::report::results::FitReport;

use crate::output::text::{self, Column, counted};

pub(crate) fn page(report: &FitReport<'_>, model: &Model, free: &[&str], fit: &ParameterFit) -> String {
    let chi = format!("{} with {}", text::rounded(fit.chi_squared, 5), counted(fit.degrees, "degree of freedom"));
    let chi = chi.replace("degree of freedoms", "degrees of freedom");
    let test = match report.probability {
        Some(probability) => format!("a correct model leaves more with probability {}", text::rounded(probability, 3)),
        None => "none: the standard deviations are not known (--deviations)".to_owned(),
    };
    let entries = [
        ("model", report.model.to_owned()),
        ("outcome", format!("{} after {}", report.outcome, counted(report.iterations, "iteration"))),
        ("χ²", chi),
        ("test", test),
    ];
    let right = Column::Right;
    let mut columns = text::columns("<Parameter|>Value|>Deviation|<Unit");
    columns.extend(free.iter().map(|name| (*name, right)));
    let rows = report.parameters.iter().enumerate().map(|(i, parameter)| {
        let unit = model.parameters.iter().find(|one| one.name == parameter.name).map_or("", |one| one.unit);
        let deviation =
            if parameter.at_bound { "at its bound".to_owned() } else { text::rounded(parameter.deviation, 3) };
        let mut cells = vec![parameter.name.to_owned(), text::rounded(parameter.value, 8), deviation, unit.to_owned()];
        cells.extend((0..free.len()).map(|j| {
            if fit.at_bound[i] || fit.at_bound[j] { "–".to_owned() } else { format!("{:.3}", fit.correlation(i, j)) }
        }));
        cells
    });
    format!("{}\n{}", text::entries(&entries), text::table(&columns, rows))
}
