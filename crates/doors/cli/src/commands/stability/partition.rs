//! Results for single partitions, as text.

use hemiola::atlas::PartitionReport;

use crate::output::text::{self, Column};

/// Formats the results for a partition, with its name if there are several, and with the digits of its SSP coefficient if
/// they are known.
pub(crate) fn page(report: &PartitionReport, ssp_digits: Option<&str>, several: bool) -> String {
    let mut entries = report.entries();
    if let Some((digits, (_, text))) = ssp_digits.zip(entries.iter_mut().find(|(name, _)| *name == "SSP coefficient")) {
        digits.clone_into(text);
    }
    if several {
        entries.insert(0, ("partition", report.name.clone()));
    }
    let columns = [
        ("ζ", Column::Right),
        ("Limit L", Column::Right),
        ("|R| at L/2", Column::Right),
        ("at 0.9 L", Column::Right),
        ("d|R|/dt at L", Column::Right),
    ];
    // A-stable methods have no limits.
    let rays = if report.damped_rays.iter().all(|ray| ray.limit.is_none()) {
        String::new()
    } else {
        format!("\n{}", text::table(&columns, report.damped_rays.iter().map(|ray| ray.row().to_vec())))
    };
    text::entries(&entries) + &rays
}
