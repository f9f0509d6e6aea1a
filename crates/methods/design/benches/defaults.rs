//! Designs as they come: the time and the norm of a search with default options for each size. Prints a table in
//! Markdown.
//!
//! `cargo bench -p hemiola-design --bench defaults` designs every size, `-- 4-7 5-9/real 5-9/real/damped` only those, with
//! `--effort LEVEL`; `--effort 0` follows all starts. Damped pairs have a damping of .05 in the default band. With `--in-step`
//! all abscissae lie in the step.
//! `scripts/design-defaults` writes the table into `reports/design-defaults.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

use hemiola_design::search::FIRST_METHOD;
use hemiola_design::{Design, ProofGap, ProofStatus, Specification, Stability, design};
use hemiola_number::Update;
use hemiola_order::principal_error_norm;
use hemiola_polynomial::Axis;
use hemiola_stability::stability_limit;
use hemiola_tableau::library;
use num_complex::Complex64;

/// Sizes of the library with default objectives, and others.
const SIZES: [&str; 31] = [
    "2-3", "2-3/real", "2-5", "2-6", "2-6/real", "2-7", "2-9", "3-4", "3-4/real", "3-5", "3-6", "3-7", "3-8",
    "3-8/real", "3-9", "4-5", "4-5/real", "4-6", "4-7", "4-7/real", "4-8", "4-10", "4-12", "5-9", "5-9/real", "6-7",
    "6-7/real", "6-8", "6-9", "6-10", "6-12",
];

/// The damping of damped pairs.
const DAMPING: f64 = 0.05;

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
        "| pair | axis | order | starts | solved | first method | processor time | time | error norm | library | ratio | slow limit | fast limit | abscissae | amplification | proved |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|---|");
    for size in if named.is_empty() { SIZES.to_vec() } else { named } {
        println!("{}", row(size, effort));
    }
}

/// Separates the pair, the axis and the damping of a size such as 4-7, 4-7/real or 4-7/imaginary/damped.
fn parts(size: &str) -> (&str, Axis, f64) {
    let mut words = size.split('/');
    let pair = words.next().unwrap_or_default();
    let axis = match words.next() {
        None | Some("imaginary") => Axis::Imaginary,
        Some("real") => Axis::Real,
        Some(other) => panic!("{size}: found {other}; expected imaginary or real"),
    };
    let damping = match words.next() {
        None => 0.0,
        Some("damped") => DAMPING,
        Some(other) => panic!("{size}: found {other}; expected damped"),
    };
    (pair, axis, damping)
}

/// Returns the specification of a size, with the options of the command line.
fn specification(size: &str, effort: usize) -> Specification {
    let (pair, axis, damping) = parts(size);
    let (slow, fast) = pair.split_once('-').unwrap();
    let mut specification = Specification::new(slow.parse().unwrap(), fast.parse().unwrap(), None).unwrap();
    specification.stability[1] = Stability::Optimal { axis, damping, band: hemiola_design::DEFAULT_BAND };
    specification.stability[0] = Stability::Auto;
    specification.objective.internal = None;
    specification.structure.abscissae_in_step = std::env::args().any(|argument| argument == "--in-step");
    if effort == 0 { specification } else { specification.with_effort(effort) }
}

/// Designs a pair and returns its row of the table.
fn row(size: &str, effort: usize) -> String {
    let specification = specification(size, effort);
    let (pair, axis, damping) = parts(size);
    let named = format!(
        "{} | {}{}",
        pair.replace('-', "–"),
        if axis == Axis::Real { "real" } else { "imaginary" },
        if damping > 0.0 { ", damped" } else { "" }
    );
    let (begin, used) = (Instant::now(), processor_time());
    let first = Mutex::new(None);
    let see = |update: Update<'_>| {
        if update.phase == FIRST_METHOD {
            *first.lock().unwrap() = Some((begin.elapsed().as_secs_f64(), processor_time(), update.values[0].1));
        }
        ControlFlow::Continue(())
    };
    let found = match design(&specification, &see) {
        Ok(found) => found,
        Err(problem) => return format!("| {named} | {} | {problem} {}", specification.order, "| ".repeat(13)),
    };
    let (time, processor) = (begin.elapsed().as_secs_f64(), seconds_since(used, processor_time()));
    let first = first
        .into_inner()
        .unwrap()
        .map_or_else(|| "–".to_owned(), |(_, at, norm)| format!("{} ({norm:.6})", seconds_since(used, at)));
    let known = library::method(&format!("hemiola-{pair}")).ok().filter(|_| axis == Axis::Imaginary && damping == 0.0);
    let known = known.and_then(|method| principal_error_norm(&method.exact(), specification.order).ok());
    let norm = found.error_norm;
    let [known, ratio] = known
        .map_or(["–".to_owned(), "–".to_owned()], |known| [format!("{known:.6}"), format!("{:.4}", norm / known)]);
    let direction = if axis == Axis::Real { -Complex64::ONE } else { Complex64::I };
    let [slow, fast] = [0, 1].map(|part| stability_limit(&found.method, part, direction).unwrap().value());
    format!(
        "| {named} | {} | {} | {} | {first} | {processor} | {time:.2} s | {norm:.8} | {known} | {ratio} | {slow:.3} | {fast:.3} | {} | {} | {} |",
        specification.order,
        found.tried,
        found.solved,
        abscissae(&found),
        amplification(&found),
        proved(&found),
    )
}

/// Returns the range of the abscissae of both partitions.
fn abscissae(found: &Design) -> String {
    let tableau = found.method.to_f64();
    let sums = tableau.partitions.iter().flat_map(|part| &part.a).map(|row| row.iter().sum::<f64>());
    let (first, last) = sums.fold((0.0_f64, 0.0_f64), |(first, last), c| (first.min(c), last.max(c)));
    format!("{first:.2} to {last:.2}")
}

/// Returns whether a pair is proved, or why not.
fn proved(found: &Design) -> &'static str {
    match (&found.certificate.status, found.gap) {
        (ProofStatus::Verified { .. }, Some(ProofGap::Distant)) => "no: no enclosure",
        (ProofStatus::Verified { .. }, Some(ProofGap::Dependent)) => "no: dependent",
        (ProofStatus::Verified { .. }, _) => "no",
        _ => "yes",
    }
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
