//! Checks a table typed from a paper, finds the misprint in it, and reports the properties of the corrected method.
//!
//! ```console
//! $ cargo run --release -p hemiola --example check_a_table
//! ```
//!
//! prints
//!
//! ```text
//! as typed: order 1, claimed 4; the first conditions that fail:
//!     [τ]        by +0.2500
//!     [τ,τ]      by +1.0000
//!     [[τ]]      by +0.0833
//! misprint (lost or added sign): a42 = 1 should be -1
//! corrected: order 4, exactly
//!     principal error norm 0.012669
//!     stable on the imaginary axis up to 2.828427
//!     stable on the negative real axis up to 2.785294
//! ```

use std::error::Error;
use std::io::Write;

use hemiola::order::{CheckOptions, DiagnoseOptions, OrderReport, diagnose};
use hemiola::stability::stability_limit;
use num_complex::Complex64;

/// Kutta's 3/8 rule with one minus sign missing.
const TABLE: &str = "
    0   |
    1/3 | 1/3
    2/3 | -1/3  1
    1   | 1     1    1
        | 1/8   3/8  3/8  1/8
";
/// The order claimed by the author.
const ORDER: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let typed = &hemiola::export::read(TABLE.as_bytes(), "three-eighths.txt", None)?.methods[0];
    let options = CheckOptions { highest_order: ORDER + 1, ..CheckOptions::default() };
    let report = OrderReport::new(typed, options, &())?;
    writeln!(out, "as typed: order {}, claimed {ORDER}; the first conditions that fail:", report.check.order())?;
    for condition in report.check.failures().take(3) {
        writeln!(out, "    {:10} by {:+.4}", condition.tree.text(&[""]), condition.residual)?;
    }

    let diagnosis = diagnose(typed, &DiagnoseOptions { order: ORDER, ..DiagnoseOptions::default() }, &())?;
    let suggestion = diagnosis.plausible().next().ok_or("no single misprint explains the table")?;
    for change in &suggestion.changes {
        let (place, old, new) = (change.cell.place, change.old.text(), change.new.text());
        writeln!(out, "misprint ({}): {place} = {old} should be {new}", suggestion.slip)?;
    }

    let corrected = &suggestion.method;
    let report = OrderReport::new(corrected, options, &())?;
    writeln!(out, "corrected: order {}, exactly", report.check.exact_order())?;
    if let Some(norm) = report.principal_error_norm() {
        writeln!(out, "    principal error norm {norm:.6}")?;
    }
    for (axis, direction) in [("imaginary axis", Complex64::I), ("negative real axis", -Complex64::ONE)] {
        let limit = stability_limit(corrected, 0, direction)?.value();
        writeln!(out, "    stable on the {axis} up to {limit:.6}")?;
    }
    Ok(())
}
