//! SSP designs: the optima of one partition, dual-rate pairs, and a limiter experiment, as a report in Markdown.
//!
//! `cargo run --release -p hemiola-design --example ssp -- tableaus reports`, which `scripts/ssp` does, reads our pairs from
//! the first folder and writes `ssp.md` to the second.

mod conservation_law;
mod limiter;
mod optima;
mod pairs;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, reports] = folders.as_slice() else {
        return Err("expected two folders: that of our pairs, and the one to write to".into());
    };
    let pairs = pairs::all(folder)?;
    let parts = [optima::report()?, pairs::report(&pairs)?, limiter::report(&pairs)?];
    let text = format!("# Strong stability preservation\n\n`scripts/ssp` writes this page.\n\n{}", parts.join("\n"));
    fs::write(reports.join("ssp.md"), text)?;
    Ok(())
}

/// Formats a table row of Markdown.
fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Formats the header of a table whose columns are aligned to the right.
fn header(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    row(&names) + &row(&vec!["--:".to_owned(); names.len()])
}
