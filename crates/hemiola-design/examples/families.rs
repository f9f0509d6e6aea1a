//! Writes the report on families of many rates to the file that its argument names.

use std::error::Error;
use std::fmt::Write;
use std::ops::ControlFlow;

use hemiola_design::{FamilyLevel, LeastRatio, coupled_step, level_on};
use hemiola_integrate::{Explicit, equal_steps};
use hemiola_models::{Model, Value, model_with};
use hemiola_order::principal_error;
use hemiola_stability::BlockSystem;
use hemiola_study::stable_steps::linearized;
use hemiola_tableau::{Method, library};

/// Advection by discontinuous Galerkin methods of degree three, the same on Lobatto nodes, and by differences of order five.
const SPECTRA: [&str; 3] = ["dg:3", "dgsem:3", "upwind:5"];
/// P-ERK4 of Doehring et al. (2024).
const PUBLISHED: [&str; 3] = ["perk-4-9-5", "perk-4-10-6-5", "perk-4-16-10-5"];
/// Cells of the wider kind on the meshes for coupled steps.
const CELLS: f64 = 6.0;

const HEAD: &str = "\
# Families of many rates

Made by `scripts/families`. A family is a method with a partition for each level, over the same stages, with shared weights and \
abscissae; any two levels may be neighbors on a mesh. All conditions of its order hold exactly for every mixture \
(`hemiola check`), because the last stages, which all levels share, satisfy them in closed form, and because \
(bᵀAᵐ)_j = 0, m = 0 … p − 3, for the one shared row j that leans on what the levels do not share.

*Norm*: principal error norm, of all levels together, and the largest of two levels. *Evaluations*: those of the level with \
the fewest. *Share*: the largest stable step over that of the optimal polynomial with as many evaluations and the order, \
on the eigenvalues of u_t + u_x = 0 by discontinuous Galerkin methods of degree three with exact integrals (dg:3), on Lobatto \
nodes (dgsem:3, for which P-ERK4 16–10 was made), and by upwind-biased differences of order five (upwind:5). *Amplification*: the \
largest internal amplification factor on the eigenvalues of dg:3 within the stable step.
";

const COUPLED: &str = "
## Coupled steps

Two or three widths of cells, each on an equal part of the period, the wide ones with few evaluations: the largest stable step of \
the whole over the smallest of the parts alone, where a part alone is a mesh of its width around the whole period (`hemiola \
system METHOD@I,J --model dg-advection:cells=6,nodes=lobatto`). The blocks of the Jacobian themselves say nothing of a part alone: \
what flows through a piece of a mesh leaves it, so that its eigenvalues are those of the inflow cell, two to three times as small. \
The least of all choices of two levels (of three on three meshes), up to 1.2, and the levels for which it is.

";

const NONLINEAR: &str = "
## Nonlinear equations, levels mixed cell by cell

Burgers' equation, where each cell has another level than its neighbors, on a line (`dg-burgers`, six sequences of all levels) and in the \
plane (`dg-plane:law=burgers`, two sequences, two rows), by polynomials of degree two up to t = 0.2: the order that is observed \
between 160 and 320 steps, and the mass that is lost in the longest run, in units of the sum of all means.

";

const TAIL: &str = "
## What bounds what

- **Errors.** A chain in which every stage leans on the first and the one before, with a level of five evaluations, can carry \
weights at the first and the last two stages alone (others would multiply α_{s−3} of some level and zero of the other in \
b·AʳA^q c), so that two parameters are free: `hemiola design --levels 9,5 --order 4 --chain` finds none that keeps .95 of the steps, and with \
`--share 0.5` one with a norm of .0567. Where the last four stages lean on each other, the norm is .0196 at .95. So order four gives up \
the chain there; orders two and three keep it.
- **Amplification.** Before the shared stages the chain makes R from its powers: stage j − m, with abscissa one, amplifies \
by |B(z)| times |κ_{m+2} zᵐ|, and the coefficients of a polynomial of degree 16 that is at most one on a spectrum as wide as \
dg:3 are so large that their terms reach 10⁴. Up to nine evaluations it stays below 100. Only stages that lean on more than one \
stage before can do better.
- **Shares.** Where B has a zero besides the origin, all levels have the same R there. The search places the zero where the \
admissible values of all levels overlap. The `share` of a design file, .95, is what levels above the lowest give for smaller errors.
- **Coupling.** Where the wide cells limit the step, the narrow ones beside them lengthen it; where two levels are in balance, \
the ratio is near one. A family with five levels and errors as small as they get has choices a little below; \
`hemiola-family-4-5-8-16` was designed with `--for` until none was, on both meshes of its design, which have four wide cells; on others, such as those above, it may be a few hundredths below.
- P-ERK4 16–10–5 was made for dgsem:3, 10–6–5 for linearized Euler equations, 9–5 for another system; five evaluations leave it no free coefficient.
";

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("expected the file to write")?;
    let mut text = HEAD.to_owned();
    let families: Vec<&str> = library::ids().filter(|id| id.starts_with("hemiola-family")).collect();
    text += "\n| method | order | norm, all | norm, worst pair | × evaluationsᵖ | largest coefficient | least b | c |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|\n";
    for id in families.iter().chain(&PUBLISHED) {
        text += &facts(&library::method(id)?)?;
    }
    text += "\n## Levels\n";
    for id in families.iter().chain(&PUBLISHED) {
        let method = library::method(id)?;
        writeln!(
            text,
            "\n`{id}`\n\n| evaluations | share, dg:3 | share, dgsem:3 | share, upwind:5 | amplification |\n|--:|--:|--:|--:|--:|"
        )?;
        for partition in 0..method.partitions().len() {
            text += &level(&method, partition)?;
        }
    }
    text += COUPLED;
    text += &coupled(&families)?;
    text += NONLINEAR;
    text += &nonlinear(&families)?;
    text += TAIL;
    std::fs::write(file, text)?;
    Ok(())
}

fn facts(method: &Method) -> Result<String, Box<dyn Error>> {
    let order = method.claims().order.unwrap_or_default();
    let all = principal_error(&method.exact(), order)?.total.two;
    let count = method.partitions().len();
    let mut worst = (0.0, String::new());
    for few in 0..count {
        for many in few + 1..count {
            let pair = method.pair([few, many]).ok_or("two levels")?;
            let norm = principal_error(&pair.exact(), order)?.total.two;
            if norm > worst.0 {
                worst = (norm, [few, many].map(|k| evaluations(method, k).to_string()).join("–"));
            }
        }
    }
    let tableau = method.to_f64();
    let entries = tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b));
    let largest = entries.fold(0.0, |most: f64, entry| most.max(entry.abs()));
    let least = tableau.partitions.iter().flat_map(|butcher| &butcher.b).fold(f64::INFINITY, |a, b| a.min(*b));
    let c = || tableau.partitions.iter().flat_map(|butcher| &butcher.c);
    let range = [c().fold(f64::INFINITY, |a, c| a.min(*c)), c().fold(0.0, |a: f64, c| a.max(*c))];
    let fewest = (0..count).map(|k| evaluations(method, k)).min().unwrap_or_default() as f64;
    Ok(format!(
        "| `{}` | {order} | {all:.4} | {:.4} ({}) | {:.2} | {largest:.3} | {least:.3} | {:.3} … {:.3} |\n",
        method.id(),
        worst.0,
        worst.1,
        worst.0 * fewest.powi(order as i32),
        range[0],
        range[1],
    ))
}

fn evaluations(method: &Method, partition: usize) -> usize {
    method.to_f64().partitions[partition].evaluated_stages().len()
}

fn level(method: &Method, partition: usize) -> Result<String, Box<dyn Error>> {
    let order = method.claims().order.unwrap_or_default();
    let on = |spectrum: &str| -> Result<Option<FamilyLevel>, Box<dyn Error>> {
        // Without a free coefficient there is nothing to compare.
        if evaluations(method, partition) <= order {
            return Ok(None);
        }
        Ok(level_on(method, partition, order, &spectrum.parse()?).ok())
    };
    let [dg, elements, upwind] = SPECTRA.map(on);
    let (dg, elements, upwind) = (dg?, elements?, upwind?);
    let share = |level: &Option<FamilyLevel>| level.as_ref().map_or("–".to_owned(), |l| format!("{:.3}", l.share()));
    let amplification = dg.as_ref().map_or("–".to_owned(), |level| format!("{:.3e}", level.amplification));
    let shares = [&dg, &elements, &upwind].map(share).join(" | ");
    Ok(format!("| {} | {shares} | {amplification} |\n", evaluations(method, partition)))
}

/// A row for each method, a column for each system.
fn coupled(families: &[&str]) -> Result<String, Box<dyn Error>> {
    let mesh = |name: &str, changes: &[(&str, Value<'_>)]| -> Result<Model, Box<dyn Error>> {
        Ok(model_with(name, &[&[("cells", CELLS.into())], changes].concat())?)
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
    let systems: Vec<BlockSystem> = systems.iter().map(|(_, model)| linearized(model)).collect::<Result<_, _>>()?;
    for id in families.iter().chain(&PUBLISHED) {
        let method = library::method(id)?;
        write!(text, "| `{id}` |")?;
        for system in &systems {
            write!(text, " {} |", least(&method, system)?)?;
        }
        text += "\n";
    }
    Ok(text)
}

/// A row for each family.
fn nonlinear(families: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut text = "| method | order | observed, line | mass lost, line | observed, plane | mass lost, plane |\n|---|--:|--:|--:|--:|--:|\n".to_owned();
    for id in families.iter().chain(&PUBLISHED) {
        let method = library::method(id)?;
        let levels: Value<'_> = (method.partitions().len() as f64).into();
        let mesh = [("meshes", levels), ("refinement", 1.0.into()), ("cells", 1.0.into()), ("degree", 2.0.into())];
        let line = model_with("dg-burgers", &[&mesh[..], &[("sequences", 6.0.into())]].concat())?;
        let plane = [("law", "burgers".into()), ("rows", 2.0.into()), ("sequences", 2.0.into())];
        let plane = model_with("dg-plane", &[&mesh[..], &plane[..]].concat())?;
        write!(text, "| `{id}` | {} |", method.claims().order.unwrap_or_default())?;
        for (model, size) in [(&line, 3), (&plane, 9)] {
            let (order, lost) = observed(&method, model, size)?;
            write!(text, " {order:.2} | {lost:.0e} |")?;
        }
        text += "\n";
    }
    Ok(text)
}

/// The observed order, and the mass lost; a cell has `size` coefficients, of which the first is its mean.
fn observed(method: &Method, model: &Model, size: usize) -> Result<(f64, f64), Box<dyn Error>> {
    const STEPS: [u64; 2] = [160, 320];
    let end = |method: &Method, steps: u64| -> Result<Vec<f64>, Box<dyn Error>> {
        let mut y = model.initial.clone();
        let mut stepper = Explicit::new(method, model)?;
        equal_steps(&mut stepper, model, [0.0, 0.2], steps, &mut y, &mut |_| ControlFlow::Continue(()));
        Ok(y)
    };
    let reference = end(&library::method("dormand-prince-8")?, 1600)?;
    let error = |y: &[f64]| y.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let runs = [end(method, STEPS[0])?, end(method, STEPS[1])?];
    let mass = |y: &[f64]| y.iter().step_by(size).sum::<f64>();
    let lost = (mass(&runs[1]) / mass(&model.initial) - 1.0).abs();
    Ok(((error(&runs[0]) / error(&runs[1])).log2(), lost))
}

/// The least of all choices of as many levels as the system has parts.
fn least(method: &Method, system: &BlockSystem) -> Result<String, Box<dyn Error>> {
    let parts = system.partition_of().iter().max().map_or(1, |last| last + 1);
    if parts > method.partitions().len() {
        return Ok("–".to_owned());
    }
    let LeastRatio { ratio, levels } = coupled_step(method, system)?;
    let counts: Vec<String> = levels.iter().map(|&level| evaluations(method, level).to_string()).collect();
    Ok(if ratio < FARTHEST { format!("{ratio:.3} ({})", counts.join("–")) } else { format!("≥ {FARTHEST}") })
}

/// Ratios are not followed beyond this.
const FARTHEST: f64 = 1.2;
