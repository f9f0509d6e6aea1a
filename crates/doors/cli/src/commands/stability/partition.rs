//! Results for single partitions, as text.

use hemiola::atlas::PartitionReport;

use crate::output::text::{self, Column};

/// Formats the results for a partition, with its name if there are several.
pub(crate) fn page(report: &PartitionReport, several: bool) -> String {
    let mut entries = report.entries();
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
