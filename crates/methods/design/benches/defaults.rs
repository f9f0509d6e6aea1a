//! Designs as they come: the time and the norm of a search with default options for each size. Prints a table in
//! Markdown.
//!
//! `cargo bench -p hemiola-design --bench defaults` designs every size, `-- 4-7 5-9/real` only those, with
//! `--effort LEVEL`; `--effort 0` follows all starts. `scripts/design-defaults` writes the table into
//! `reports/design-defaults.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

use hemiola_design::search::FIRST_METHOD;
use hemiola_design::{Design, ProofStatus, Specification, Stability, design};
use hemiola_number::Update;
use hemiola_order::principal_error_norm;
use hemiola_polynomial::Axis;
use hemiola_tableau::library;

/// Sizes of the library with default objectives, and others.
const SIZES: [&str; 28] = [
    "2-3", "2-5", "2-6", "2-6/real", "2-7", "2-9", "2-20", "3-4", "3-5", "3-6", "3-7", "3-8", "3-8/real", "3-9", "4-5",
    "4-6", "4-7", "4-7/real", "4-8", "4-10", "4-12", "5-9", "5-9/real", "6-7", "6-8", "6-9", "6-10", "6-12",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let effort = arguments.iter().skip_while(|argument| *argument != "--effort").nth(1);
    let effort: usize = effort.map_or(1, |level| level.parse().unwrap());
    let named: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| argument.contains('-') && !argument.starts_with("--"))
        .collect();
    println!(
        "| pair | axis | order | starts | solved | first method | processor time | time | error norm | library | ratio | amplification | proved |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    for size in if named.is_empty() { SIZES.to_vec() } else { named } {
        println!("{}", row(size, effort));
    }
}

/// Returns the specification of a size such as 4-7 or 4-7/real, with the options of the command line.
fn specification(size: &str, effort: usize) -> Specification {
    let (pair, axis) = size.split_once('/').unwrap_or((size, "imaginary"));
    let (slow, fast) = pair.split_once('-').unwrap();
    let mut specification = Specification::new(slow.parse().unwrap(), fast.parse().unwrap(), None).unwrap();
    if axis == "real" {
        specification.stability[1] =
            Stability::Optimal { axis: Axis::Real, damping: 0.0, band: hemiola_design::DEFAULT_BAND };
    }
    specification.stability[0] = Stability::Auto;
    specification.objective.internal = None;
    if effort == 0 { specification } else { specification.with_effort(effort) }
}

/// Designs a pair and returns its row of the table.
fn row(size: &str, effort: usize) -> String {
    let specification = specification(size, effort);
    let (pair, axis) = size.split_once('/').unwrap_or((size, "imaginary"));
    let (begin, used) = (Instant::now(), processor_time());
    let first = Mutex::new(None);
    let see = |update: Update<'_>| {
        if update.phase == FIRST_METHOD {
            *first.lock().unwrap() = Some((begin.elapsed().as_secs_f64(), processor_time(), update.values[0].1));
        }
        ControlFlow::Continue(())
    };
    let found = design(&specification, &see).unwrap();
    let (time, processor) = (begin.elapsed().as_secs_f64(), seconds_since(used, processor_time()));
    let first = first
        .into_inner()
        .unwrap()
        .map_or_else(|| "–".to_owned(), |(_, at, norm)| format!("{} ({norm:.6})", seconds_since(used, at)));
    let known = library::method(&format!("hemiola-{pair}")).ok().filter(|_| axis == "imaginary");
    let known = known.and_then(|method| principal_error_norm(&method.exact(), specification.order).ok());
    let norm = found.error_norm;
    let [known, ratio] = known
        .map_or(["–".to_owned(), "–".to_owned()], |known| [format!("{known:.6}"), format!("{:.4}", norm / known)]);
    format!(
        "| {} | {axis} | {} | {} | {} | {first} | {processor} | {time:.2} s | {norm:.8} | {known} | {ratio} | {} | {} |",
        pair.replace('-', "–"),
        specification.order,
        found.tried,
        found.solved,
        amplification(&found),
        if matches!(found.certificate.status, ProofStatus::Verified { .. }) { "no" } else { "yes" },
    )
}

/// Describes the amplification before and after it was reduced, with its bound.
fn amplification(found: &Design) -> String {
    found.internal.as_ref().map_or_else(
        || "in bounds".to_owned(),
        |balance| {
            format!(
                "{:.0} → {:.0} (bound {:.0})",
                balance.plain.amplification, balance.chosen.amplification, balance.bound
            )
        },
    )
}

/// Returns the processor time of this process in seconds, where the system tells it.
fn processor_time() -> Option<f64> {
    /// Ticks in a second, on all Linux systems.
    const TICKS: f64 = 100.0;
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = status.rsplit(')').next()?.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / TICKS)
}

fn seconds_since(begin: Option<f64>, end: Option<f64>) -> String {
    begin.zip(end).map_or_else(|| "–".to_owned(), |(begin, end)| format!("{:.2} s", end - begin))
}
