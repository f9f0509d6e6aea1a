//! Low-storage methods of orders three and four, published ones and ours, as a report in Markdown.
//!
//! `cargo run --release -p hemiola-design --example low_storage -- tableaus reports`, which `scripts/low-storage` does, reads
//! all methods from the first folder and writes `low-storage.md` to the second.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use hemiola_design::level_on;
use hemiola_order::principal_error_norm;
use hemiola_polynomial::Spectrum;
use hemiola_stability::{Limit, stability_limit};
use hemiola_tableau::low_storage::{StorageClass, storage_form};
use hemiola_tableau::{Claims, Method};
use num_complex::Complex64;

/// Orders of the methods.
const ORDERS: [usize; 2] = [3, 4];
/// Largest number of registers.
const MOST_REGISTERS: usize = 3;
/// The forms in the order of preference for equally many registers.
const CLASSES: [StorageClass; 6] = [
    StorageClass::TwoN,
    StorageClass::Houwen(2),
    StorageClass::TwoSStar,
    StorageClass::TwoS,
    StorageClass::Houwen(3),
    StorageClass::ThreeSStar,
];
/// Beginning of the ids of our methods.
const OWN: &str = "hemiola-ls-";

/// A row of the table.
struct Row {
    method: Method,
    form: String,
    registers: usize,
    with_embedded: Option<usize>,
    stages: usize,
    norm: f64,
    axes: [f64; 2],
    advection: f64,
    waves: f64,
    optimum: f64,
    amplification: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, reports] = folders.as_slice() else {
        return Err("expected two folders: that of the methods, and the one to write to".into());
    };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.retain(|file| !file.to_string_lossy().ends_with("schema.json"));
    files.sort();
    let methods: Vec<Method> = files.iter().map(|file| Method::read(file)).collect::<Result<_, _>>()?;
    let spectra: [Spectrum; 2] = ["dg:3".parse()?, "waves-2d:dg=3".parse()?];
    let mut text = INTRODUCTION.to_owned();
    for order in ORDERS {
        let mut rows = Vec::new();
        for method in &methods {
            rows.extend(row(method, order, &spectra)?);
        }
        rows.sort_by_key(|row| (row.registers, row.stages));
        text += &format!("\n## Order {order}\n\n{}", table(&rows, order));
        text += &comparison(&rows);
    }
    text += &commands(&methods);
    fs::write(reports.join("low-storage.md"), text)?;
    Ok(())
}

const INTRODUCTION: &str = "# Low-storage methods\n\n\
    `scripts/low-storage` writes this page: all methods of the library with one partition, order 3 or 4, at most 20 stages and at most three \
    registers, vectors as long as the solution, with the form that needs fewest. A second number of registers is that with \
    the embedded solution. The norm is that of the principal error; the second column compares methods at equal cost, with \
    the norm times the p-th power of the stages s. Limits are those on the imaginary and the real axis and on dg:3, \
    the spectrum of advection by discontinuous Galerkin methods of degree three (the step in units of cell width over \
    speed), and on waves-2d:dg=3, that of acoustic waves in the plane by methods of the same degree. The share is that of the largest limit of any method with as many stages and this order, that of the optimal \
    polynomial. The amplification is the largest factor of a perturbation of a stage in the step, on dg:3 up to the limit.\n";

/// Measures a method; `None` if it is not among those of the report.
fn row(method: &Method, order: usize, [advection, waves]: &[Spectrum; 2]) -> Result<Option<Row>, Box<dyn Error>> {
    let Claims { order: claimed, .. } = method.claims();
    if method.partitions().len() != 1 || claimed != Some(order) || method.stages() > 20 {
        return Ok(None);
    }
    let found = CLASSES.iter().filter_map(|class| storage_form(method, 0, *class)).min_by_key(|found| found.registers);
    let Some(found) = found.filter(|found| found.registers <= MOST_REGISTERS) else { return Ok(None) };
    let limit = |direction| stability_limit(method, 0, direction).map(Limit::value);
    let level = level_on(method, 0, order, advection)?;
    Ok(Some(Row {
        form: found.form.class().to_string(),
        registers: found.registers,
        with_embedded: found.registers_with_embedded,
        stages: level.evaluations,
        norm: principal_error_norm(&method.exact(), order)?,
        axes: [limit(Complex64::I)?, limit(-Complex64::ONE)?],
        advection: level.limit,
        waves: level_on(method, 0, order, waves)?.limit,
        optimum: level.optimum,
        amplification: level.amplification,
        method: method.clone(),
    }))
}

fn table(rows: &[Row], order: usize) -> String {
    let names = [
        "Method",
        "Form",
        "Registers",
        "Stages",
        "Norm",
        "Norm · sᵖ",
        "Imaginary",
        "Real",
        "dg:3",
        "dg:3 / s",
        "Waves",
        "Share",
        "Amplification",
    ];
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&names.map(str::to_owned)) + &line(&names.map(|_| "--:".to_owned()));
    for row in rows {
        let registers = match row.with_embedded {
            Some(more) => format!("{}, {more}", row.registers),
            None => row.registers.to_string(),
        };
        let own = if row.method.id().starts_with(OWN) { "**" } else { "" };
        text += &line(&[
            format!("{own}{}{own}", row.method.id()),
            row.form.clone(),
            registers,
            row.stages.to_string(),
            format!("{:.3e}", row.norm),
            format!("{:.3}", row.norm * (row.stages as f64).powi(order as i32)),
            format!("{:.3}", row.axes[0]),
            format!("{:.3}", row.axes[1]),
            format!("{:.4}", row.advection),
            format!("{:.4}", row.advection / row.stages as f64),
            format!("{:.4}", row.waves),
            format!("{:.1} %", 100.0 * row.advection / row.optimum),
            format!("{:.2}", row.amplification),
        ]);
    }
    text
}

/// Compares each of our methods with the published ones of as many stages and no fewer registers.
fn comparison(rows: &[Row]) -> String {
    let mut text = String::new();
    let is_own = |row: &&Row| row.method.id().starts_with(OWN);
    for own in rows.iter().filter(is_own) {
        let peers =
            || rows.iter().filter(|row| !is_own(row) && row.stages == own.stages && row.registers <= own.registers);
        let longest = peers().max_by(|x, y| x.advection.total_cmp(&y.advection));
        let farthest = peers().max_by(|x, y| x.waves.total_cmp(&y.waves));
        let smallest = peers().min_by(|x, y| x.norm.total_cmp(&y.norm));
        let id = own.method.id();
        text += &match (longest, farthest, smallest) {
            (Some(longest), Some(farthest), Some(smallest)) => format!(
                "\n- {id}: {:.3} times the limit on dg:3 of {}, the longest published step with as many stages and at most \
                 as many registers; {:.3} times that on waves in the plane of {}, the longest there; {:.3} times the norm of {}, \
                 the smallest.",
                own.advection / longest.advection,
                longest.method.id(),
                own.waves / farthest.waves,
                farthest.method.id(),
                own.norm / smallest.norm,
                smallest.method.id(),
            ),
            _ => format!("\n- {id}: no published method has as many stages and at most as many registers."),
        };
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// Lists the commands of our methods.
fn commands(methods: &[Method]) -> String {
    let own = methods.iter().filter(|method| method.id().starts_with(OWN));
    let line =
        |method: &Method| format!("- {}: `{}`\n", method.id(), method.source().place.as_deref().unwrap_or_default());
    format!("\n## Commands\n\n{}", own.map(line).collect::<String>())
}
