//! Benchmarks of whole commands, from the start of the process to its end. Prints a table in Markdown.
//!
//! `cargo bench -p hemiola-cli` runs it; `scripts/benchmarks` writes the table to `reports/benchmarks.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the commands are known to work")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let pair = folder.path().join("pair.json").display().to_string();
    println!("| command | time |");
    println!("|---|--:|");
    for arguments in [
        vec!["check", "perk-2-12-6", "--order", "10"],
        vec!["check", "shome-haug-jay-2-5"],
        vec!["stability", "shome-haug-jay-2-5"],
        vec!["map", "shome-haug-jay-2-5", "--output", "regions.svg"],
        vec!["design", "--slow", "2", "--fast", "5", "--output", "pair.json"],
        vec!["design", "--slow", "4", "--fast", "6", "--output", "pair.json"],
        vec!["check", &pair],
    ] {
        let run = |_| {
            let start = Instant::now();
            let mut command = Command::new(env!("CARGO_BIN_EXE_hemiola"));
            let command = command.args(&arguments).current_dir(folder.path()).stdout(Stdio::null());
            assert!(command.status().unwrap().success());
            start.elapsed()
        };
        let time = (0..5).map(run).min().unwrap_or(Duration::ZERO);
        let shown = arguments.join(" ").replace(&pair, "pair.json");
        println!("| `hemiola {shown}` | {:.0} ms |", time.as_secs_f64() * 1e3);
    }
}
