//! Measures the families of the library and published ones, and writes the report in Markdown.
//!
//! `cargo run --release -p hemiola-design --example families -- designs reports/families.md`, which `scripts/families` does, reads
//! the design files of the first folder.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hemiola_design::{FamilyFile, FamilySpecification, LeastRatio, coupled_step, design_family, level_on};
use hemiola_integrate::{Explicit, equal_steps};
use hemiola_models::{Model, Value, model_with};
use hemiola_order::principal_error;
use hemiola_polynomial::Spectrum;
use hemiola_stability::BlockSystem;
use hemiola_study::stable_steps::linearized;
use hemiola_tableau::{Method, library};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Advection by discontinuous Galerkin methods of degree three on Gauss and on Lobatto nodes, advection by differences of order
/// five, and waves and the linearized Euler equations in the plane by discontinuous Galerkin methods.
const SPECTRA: [&str; 5] = ["dg:3", "dgsem:3", "upwind:5", "waves-2d:dg=3", "euler-2d:dg=3,mach=0..0.5,flux=rusanov"];
/// P-ERK4 of Doehring et al. (2024), and the spectra on which their amplification is measured.
const PUBLISHED: [(&str, &str); 3] = [("perk-4-9-5", "dg:3"), ("perk-4-10-6-5", "dg:3"), ("perk-4-16-10-5", "dgsem:3")];
/// The family that is designed with several shares of the optimal steps.
const TRADED: &str = "hemiola-family-4-waves";
const SHARES: [f64; 6] = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5];
/// The number of wide cells on the meshes for coupled steps.
const CELLS: f64 = 6.0;
/// Largest ratio of coupled steps that `coupled_step` examines.
const FARTHEST: f64 = 1.2;

/// A family with the spectrum on which its amplification is measured: that for which ours were made.
struct Row {
    method: Method,
    order: usize,
    spectrum: String,
}

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [designs, report] = arguments.as_slice() else {
        return Err("expected the folder of the design files, and the file to write".into());
    };
    let rows = rows(designs)?;
    let mut text = include_str!("head.md").to_owned();
    text += &norms(&rows)?;
    text += &levels(&rows)?;
    text += include_str!("trade.md");
    text += &trade(designs)?;
    text += include_str!("coupled.md");
    text += &coupled(&rows)?;
    text += include_str!("nonlinear.md");
    text += &nonlinear(&rows)?;
    text += include_str!("limits.md");
    fs::write(report, text)?;
    Ok(())
}

fn rows(designs: &Path) -> Result<Vec<Row>> {
    let row = |id: &str, spectrum: String| -> Result<Row> {
        let method = library::method(id)?;
        Ok(Row { order: method.claims().order.ok_or("a family claims its order")?, method, spectrum })
    };
    let own = library::ids().filter(|id| id.starts_with("hemiola-family"));
    let own = own.map(|id| row(id, design(designs, id)?.shape.ok_or("the spectra of the library are shapes")?));
    own.chain(PUBLISHED.map(|(id, spectrum)| row(id, spectrum.to_owned()))).collect()
}

/// Reads the design file of a family.
fn design(designs: &Path, id: &str) -> Result<FamilyFile> {
    Ok(FamilyFile::read(&designs.join(format!("{id}.family.json")))?)
}

fn evaluations(method: &Method, partition: usize) -> usize {
    method.to_f64().partitions[partition].evaluated_stages().len()
}

/// Returns the evaluations of some levels, for example `5–8`.
fn named(method: &Method, levels: &[usize]) -> String {
    let counts: Vec<String> = levels.iter().map(|&level| evaluations(method, level).to_string()).collect();
    counts.join("–")
}

fn norms(rows: &[Row]) -> Result<String> {
    let mut text =
        "| method | order | norm, all | norm, worst pair | × evaluationsᵖ | largest coefficient | least b | c |\n\
                    |---|--:|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for Row { method, order, .. } in rows {
        let count = method.partitions().len();
        let all = principal_error(&method.exact(), *order)?.total.two;
        let mut worst = (0.0, String::new());
        for levels in (0..count).flat_map(|few| (few + 1..count).map(move |many| [few, many])) {
            let pair = method.pair(levels).ok_or("the levels are a pair")?;
            let norm = principal_error(&pair.exact(), *order)?.total.two;
            if norm > worst.0 {
                worst = (norm, named(method, &levels));
            }
        }
        let tableau = method.to_f64();
        let parts = || tableau.partitions.iter();
        let largest = parts()
            .flat_map(|part| part.a.iter().flatten().chain(&part.b))
            .fold(0.0, |most: f64, entry| most.max(entry.abs()));
        let least = parts().flat_map(|part| &part.b).fold(f64::INFINITY, |least, b| least.min(*b));
        let c = || parts().flat_map(|part| &part.c).copied();
        let fewest = (0..count).map(|level| evaluations(method, level)).min().unwrap_or_default() as f64;
        writeln!(
            text,
            "| `{}` | {order} | {all:.4} | {:.4} ({}) | {:.2} | {largest:.3} | {least:.3} | {:.3} … {:.3} |",
            method.id(),
            worst.0,
            worst.1,
            worst.0 * fewest.powi(*order as i32),
            c().fold(f64::INFINITY, f64::min),
            c().fold(0.0, f64::max),
        )?;
    }
    Ok(text)
}

fn levels(rows: &[Row]) -> Result<String> {
    let mut text = "\n## Levels\n".to_owned();
    let spectra: Vec<Spectrum> =
        SPECTRA.iter().map(|spectrum| spectrum.parse()).collect::<std::result::Result<_, _>>()?;
    for Row { method, order, spectrum: own } in rows {
        writeln!(text, "\n`{}`, amplification on `{own}`\n", method.id())?;
        let names = SPECTRA.map(|name| if name.contains("2d") { name.split(':').next().unwrap_or(name) } else { name });
        writeln!(text, "| evaluations | {} | amplification |", names.join(" | "))?;
        writeln!(text, "|--:{}|--:|", "|--:".repeat(SPECTRA.len()))?;
        for level in 0..method.partitions().len() {
            let count = evaluations(method, level);
            write!(text, "| {count} |")?;
            for spectrum in &spectra {
                // The optimum of a level without a free coefficient is the only polynomial.
                let share = (count > *order).then(|| level_on(method, level, *order, spectrum)).transpose()?;
                write!(text, " {} |", share.map_or_else(|| "–".to_owned(), |found| format!("{:.3}", found.share())))?;
            }
            writeln!(text, " {:.3e} |", level_on(method, level, *order, &own.parse()?)?.amplification)?;
        }
    }
    Ok(text)
}

/// Designs a family again with several shares of the optimal steps.
fn trade(designs: &Path) -> Result<String> {
    let specification = design(designs, TRADED)?.specification;
    let counts: Vec<String> = specification.levels.iter().rev().map(ToString::to_string).collect();
    let columns: Vec<String> = counts.iter().map(|count| format!("amplification, {count}")).collect();
    let mut text =
        format!("| share | norm, all | {} |\n|--:|--:{}|\n", columns.join(" | "), "|--:".repeat(counts.len()));
    for share in SHARES {
        let family = design_family(&FamilySpecification { share, ..specification.clone() }, &[], &())?;
        let amplifications: Vec<String> =
            family.levels.iter().map(|level| format!("{:.0}", level.amplification)).collect();
        writeln!(text, "| {share} | {:.4} | {} |", family.error_norm, amplifications.join(" | "))?;
    }
    Ok(text)
}

/// Returns a row for each method, with a column for each system.
fn coupled(rows: &[Row]) -> Result<String> {
    let mesh = |name: &str, changes: &[(&str, Value<'_>)]| -> Result<BlockSystem> {
        Ok(linearized(&model_with(name, &[&[("cells", CELLS.into())], changes].concat())?)?)
    };
    let systems = [
        ("dg-advection", mesh("dg-advection", &[])?),
        ("dg-advection, Lobatto", mesh("dg-advection", &[("nodes", "lobatto".into())])?),
        ("dg-advection, three meshes", mesh("dg-advection", &[("meshes", 3.0.into()), ("cells", 2.0.into())])?),
        ("dg-waves", mesh("dg-waves", &[("cells", 3.0.into())])?),
        ("advection-diffusion", mesh("advection-diffusion", &[("cells", 16.0.into())])?),
    ];
    let names: Vec<&str> = systems.iter().map(|(name, _)| *name).collect();
    let mut text = format!("| method | {} |\n|---{}|\n", names.join(" | "), "|--:".repeat(names.len()));
    for Row { method, .. } in rows {
        write!(text, "| `{}` |", method.id())?;
        for (_, system) in &systems {
            write!(text, " {} |", least(method, system)?)?;
        }
        text += "\n";
    }
    Ok(text)
}

/// Describes the smallest coupled step over all choices of levels, one for each part of the system.
fn least(method: &Method, system: &BlockSystem) -> Result<String> {
    let parts = system.partition_of().iter().max().map_or(1, |last| last + 1);
    if parts > method.partitions().len() {
        return Ok("–".to_owned());
    }
    let LeastRatio { ratio, levels } = coupled_step(method, system)?;
    Ok(if ratio < FARTHEST { format!("{ratio:.3} ({})", named(method, &levels)) } else { format!("≥ {FARTHEST}") })
}

fn nonlinear(rows: &[Row]) -> Result<String> {
    let mut text = "| method | order | observed, line | mass lost, line | observed, plane | mass lost, plane |\n\
                    |---|--:|--:|--:|--:|--:|\n"
        .to_owned();
    for Row { method, order, .. } in rows {
        let levels: Value<'_> = (method.partitions().len() as f64).into();
        let mesh = [("meshes", levels), ("refinement", 1.0.into()), ("cells", 1.0.into()), ("degree", 2.0.into())];
        let line = model_with("dg-burgers", &[&mesh[..], &[("sequences", 6.0.into())]].concat())?;
        let plane = [("law", "burgers".into()), ("rows", 2.0.into()), ("sequences", 2.0.into())];
        let plane = model_with("dg-plane", &[&mesh[..], &plane[..]].concat())?;
        write!(text, "| `{}` | {order} |", method.id())?;
        for (model, size) in [(&line, 3), (&plane, 9)] {
            let (observed, lost) = observed(method, model, size)?;
            write!(text, " {observed:.2} | {lost:.0e} |")?;
        }
        text += "\n";
    }
    Ok(text)
}

/// Returns the observed order and the lost mass. A cell has `size` coefficients, the first of which is its mean.
fn observed(method: &Method, model: &Model, size: usize) -> Result<(f64, f64)> {
    const STEPS: [u64; 2] = [160, 320];
    const REFERENCE: u64 = 1600;
    let end = |method: &Method, steps: u64| -> Result<Vec<f64>> {
        let mut y = model.initial.clone();
        let mut stepper = Explicit::new(method, model)?;
        equal_steps(&mut stepper, model, [0.0, 0.2], steps, &mut y, &mut |_| ControlFlow::Continue(()));
        Ok(y)
    };
    let reference = end(&library::method("dormand-prince-8")?, REFERENCE)?;
    let error = |y: &[f64]| y.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let runs = [end(method, STEPS[0])?, end(method, STEPS[1])?];
    let mass = |y: &[f64]| y.iter().step_by(size).sum::<f64>();
    let lost = (mass(&runs[1]) / mass(&model.initial) - 1.0).abs();
    Ok(((error(&runs[0]) / error(&runs[1])).log2(), lost))
}
