//! Comparison of the library's dual-rate methods with published ones: tables and a figure.
//!
//! `cargo run --release -p hemiola-cli --example dual_rate_methods -- designs reports` reads the certificates in
//! `designs` and writes `reports/dual-rate-methods.md` and `.svg`; `scripts/dual-rate-methods` designs the methods
//! first.

mod figure;
mod pair;
mod tables;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use hemiola::tableau::library;

use pair::Pair;

/// Prefix of the ids of our own methods.
const OWN: &str = "hemiola-";
/// Prefix of families with more than two rates, which have a separate report.
const FAMILY: &str = "hemiola-family-";
/// Prefixes of SSP pairs and low-storage methods, which have separate reports, too.
const SSP: &str = "hemiola-ssp-";
const LOW_STORAGE: &str = "hemiola-ls-";
/// Prefixes of implicit methods and of pairs with implicit partitions.
const ESDIRK: &str = "hemiola-esdirk-";
const IMEX: &str = "hemiola-imex-";
/// Published dual-rate pairs: the method of Shome, Haug & Jay's Table 6, PETSc's, and paired explicit ones.
const PUBLISHED: [&str; 3] = ["shome-haug-jay-2-5", "mprk-p2", "mprk-p3"];
const PAIRED_EXPLICIT: &str = "perk-";

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let [designs, reports] = folders.as_slice() else {
        return Err("expected two folders: the certificates', and the one to write to".into());
    };
    let own = library::ids()
        .filter(|id| id.starts_with(OWN))
        .filter(|id| ![FAMILY, SSP, LOW_STORAGE, ESDIRK, IMEX].iter().any(|other| id.starts_with(other)));
    let mut own = pairs(own, designs)?;
    own.sort_by_key(|pair| (pair.evaluations, pair.variant));
    let published = library::ids().filter(|id| PUBLISHED.contains(id) || id.starts_with(PAIRED_EXPLICIT));
    let mut published = pairs(published, designs)?;
    published.sort_by_key(|pair| (pair.order, pair.evaluations));
    fs::write(reports.join("dual-rate-methods.svg"), figure::profiles(&own, &published)?)?;
    fs::write(reports.join("dual-rate-methods.md"), tables::report(&own, &published, "dual-rate-methods.svg"))?;
    Ok(())
}

/// Collects the methods with two partitions.
fn pairs<'a>(ids: impl Iterator<Item = &'a str>, designs: &Path) -> Result<Vec<Pair>, Box<dyn Error>> {
    let methods = ids.map(library::method).collect::<Result<Vec<_>, _>>()?;
    let pairs = methods.into_iter().filter(|method| method.partitions().len() == 2);
    pairs.map(|method| Pair::new(method, designs)).collect()
}
