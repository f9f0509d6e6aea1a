//! SSP designs: the optima of one partition, dual-rate pairs, and a limiter experiment, as a report in Markdown.
//!
//! `cargo run --release -p hemiola-design --example ssp -- tableaus > reports/ssp.md`, which `scripts/ssp` does, reads our
//! pairs from the folder.

mod conservation_law;
mod limiter;
mod optima;
mod pairs;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("expected the folder of our pairs")?;
    let pairs = pairs::all(&folder)?;
    let parts = [optima::report()?, pairs::report(&pairs)?, limiter::report(&pairs)?];
    let page = format!("# Strong stability preservation\n\n`scripts/ssp` writes this page.\n\n{}", parts.join("\n"));
    Ok(io::stdout().write_all(page.as_bytes())?)
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
