//! Writes the report on families of many rates to the file that its argument names.

use std::error::Error;
use std::fmt::Write;

use hemiola_design::{FamilyLevel, level_on};
use hemiola_order::principal_error;
use hemiola_tableau::{Method, library};

/// Advection by discontinuous Galerkin methods of degree three, and by differences of order five.
const SPECTRA: [&str; 2] = ["dg:3", "upwind:5"];
const PUBLISHED: &str = "perk-4-9-5";

const HEAD: &str = "\
# Families of many rates

Made by `scripts/families`. A family is a method with a partition for each level, over the same stages, with shared weights and \
abscissae; any two levels may be neighbors on a mesh. All conditions of its order hold exactly for every mixture \
(`hemiola check`), because the last stages, which all levels share, satisfy them in closed form, and because \
(bᵀAᵐ)_j = 0, m = 0 … p − 3, for the one shared row j that leans on what the levels do not share.

*Norm*: principal error norm, of all levels together, and the largest of two levels. *Evaluations*: those of the level with \
the fewest. *Share*: the largest stable step over that of the optimal polynomial with as many evaluations and the order, \
on the eigenvalues of u_t + u_x = 0 by discontinuous Galerkin methods of degree three (dg:3) and by upwind-biased differences \
of order five (upwind:5). *Amplification*: the largest internal amplification factor on the eigenvalues of dg:3 within the stable \
step.
";

const TAIL: &str = "
## What bounds what

- **Errors.** A chain in which every stage leans on the first and the one before, with a level of five evaluations, can carry \
weights at the first and the last two stages alone (others would multiply α_{s−3} of some level and zero of the other in \
b·AʳA^q c), so that two parameters are free, and the norm of a pair 5–9 does not get below .0386. Where the last four \
stages lean on each other, it does. So order four gives up the chain there; orders two and three keep it.
- **Amplification.** Before the shared stages the chain makes R from its powers: stage j − m, with abscissa one, amplifies \
by |B(z)| times |κ_{m+2} zᵐ|, and the coefficients of a polynomial of degree 16 that is at most one on a spectrum as wide as \
dg:3 are so large that their terms reach 10⁴. Up to nine evaluations it stays below 100. Only stages that lean on more than one \
stage before can do better.
- **Shares.** Where B has a zero besides the origin, all levels have the same R there. The search places the zero where the \
admissible values of all levels overlap. The `share` of a design file, .95, is what levels above the lowest give for smaller errors.
- P-ERK4 was made for other spectra than these; its share on its own is given by its authors.
";

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("expected the file to write")?;
    let mut text = HEAD.to_owned();
    let families: Vec<&str> = library::ids().filter(|id| id.starts_with("hemiola-family")).collect();
    text += "\n| method | order | norm, all | norm, worst pair | × evaluationsᵖ | largest coefficient | least b | c |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|\n";
    for id in families.iter().chain([&PUBLISHED]) {
        text += &facts(&library::method(id)?)?;
    }
    text += "\n## Levels\n";
    for id in families.iter().chain([&PUBLISHED]) {
        let method = library::method(id)?;
        writeln!(
            text,
            "\n`{id}`\n\n| evaluations | share, dg:3 | share, upwind:5 | amplification |\n|--:|--:|--:|--:|"
        )?;
        for partition in 0..method.partitions().len() {
            text += &level(&method, partition)?;
        }
    }
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
    let [dg, upwind] = SPECTRA.map(on);
    let (dg, upwind) = (dg?, upwind?);
    let share = |level: &Option<FamilyLevel>| level.as_ref().map_or("–".to_owned(), |l| format!("{:.3}", l.share()));
    let amplification = dg.as_ref().map_or("–".to_owned(), |level| format!("{:.3e}", level.amplification));
    Ok(format!("| {} | {} | {} | {amplification} |\n", evaluations(method, partition), share(&dg), share(&upwind)))
}
