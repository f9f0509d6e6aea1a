//! SSP coefficients and regions of dual-rate pairs, ours and published ones.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use dashu::rational::RBig;
use hemiola_stability::monotonicity::{MonotonicityRegion, ssp_coefficient};
use hemiola_tableau::{Claims, Coefficient, Method, Partition, Source, library};

use crate::{header, row};

/// Beginning of the names of our pairs' files.
const OWN: &str = "hemiola-ssp-";
/// Pairs of Constantinescu & Sandu (2007) in the library, with their slow evaluations away from the interface, where the
/// repeated ones are equal.
const PUBLISHED: [(&str, usize); 3] = [("mprk-2a22", 2), ("mprk-2a32", 2), ("mprk-p2", 2)];
/// Stages of the optimal SSP methods of order two to which their construction is applied with two fast substeps.
const BASES: [usize; 3] = [3, 4, 5];

/// A pair with the evaluations of its slow partition in a step.
pub(crate) type Pair = (Method, usize);

/// Returns our pairs in a folder and the published ones.
pub(crate) fn all(folder: &Path) -> Result<Vec<Pair>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(OWN)));
    files.sort();
    let mut pairs = Vec::new();
    for file in files {
        let method = Method::read(&file)?;
        let slow = method.exact().partitions[0].evaluated_stages().len();
        pairs.push((method, slow));
    }
    for (id, slow) in PUBLISHED {
        pairs.push((library::method(id)?, slow));
    }
    for stages in BASES {
        pairs.push((two_substeps(stages)?, stages));
    }
    Ok(pairs)
}

/// Applies the construction of Constantinescu & Sandu (2007, §3.1) with two fast substeps to the optimal method of order
/// two with s stages, aᵢⱼ = 1/(s − 1) and bⱼ = 1/s: the slow partition repeats the base method, the fast one takes two half
/// steps, and both have the weights b/2.
fn two_substeps(stages: usize) -> Result<Method, Box<dyn Error>> {
    let count = 2 * stages;
    let entry = |is_fast: bool, i: usize, j: usize| match (i / stages, j / stages) {
        _ if j >= i => "0".to_owned(),
        (k, l) if k == l && is_fast => format!("1/{}", 2 * (stages - 1)),
        (k, l) if k == l => format!("1/{}", stages - 1),
        _ if is_fast => format!("1/{count}"),
        _ => "0".to_owned(),
    };
    let weights = vec![Coefficient::parse(&format!("1/{count}"))?; count];
    let partition = |name: &str, is_fast| -> Result<Partition, Box<dyn Error>> {
        let row = |i| (0..count).map(|j| Coefficient::parse(&entry(is_fast, i, j))).collect::<Result<Vec<_>, _>>();
        let a = (0..count).map(row).collect::<Result<Vec<_>, _>>()?;
        Ok(Partition { name: name.to_owned(), a, b: weights.clone(), c: None, b_hat: None, dense: None })
    };
    let partitions = vec![partition("slow", false)?, partition("fast", true)?];
    let claims = Claims { order: Some(2), ..Claims::default() };
    let id = format!("mprk-of-ssp-{stages}-2");
    Ok(Method::new(&id, &id, partitions, claims, None, Source::default())?)
}

pub(crate) fn report(pairs: &[Pair]) -> Result<String, Box<dyn Error>> {
    let mut text = "## Dual-rate pairs\n\n\
         C of each partition by itself and two radii of the region of absolute monotonicity for sums f₁ + f₂ (Higueras \
         2006): the largest r with (r, r) and with (r, 2r) in it. Bounds and maximum norms of disjoint sets of variables \
         need only the C of both partitions; all other norms of sums need the region. Pairs with equal weights conserve sums \
         over both partitions. The pairs mprk-… are those of Constantinescu & Sandu (2007): a base method with fast \
         substeps, order 2, for mprk-of-ssp-s-2 the optimal one with s stages and two substeps. Their slow evaluations are \
         counted as few as possible: repeated ones, which differ at the interface, count once.\n\n"
        .to_owned();
    let mut per_slow = Vec::new();
    text += &header(&[
        "Pair",
        "Order",
        "Slow",
        "Fast",
        "C slow",
        "C fast",
        "(r, r)",
        "(r, 2r)",
        "C slow per slow evaluation",
        "(r, 2r) per slow evaluation",
        "Equal weights",
    ]);
    for (method, slow) in pairs {
        let coefficients = [0, 1].map(|k| ssp_coefficient(method, k));
        let [c_slow, c_fast] = coefficients.map(|c| c.map(|c| c.value().unwrap_or(f64::INFINITY)));
        let (c_slow, c_fast) = (c_slow?, c_fast?);
        let region = MonotonicityRegion::new(method);
        let along = |ratio: u8| -> Result<f64, Box<dyn Error>> {
            Ok(region.radius_along(&[RBig::ONE, RBig::from(ratio)])?.value().unwrap_or(f64::INFINITY))
        };
        let (diagonal, double) = (along(1)?, along(2)?);
        let exact = method.exact();
        per_slow.push((method.id().to_owned(), c_slow / *slow as f64));
        let fast = exact.partitions[1].evaluated_stages().len();
        text += &row(&[
            method.id().to_owned(),
            method.claims().order.unwrap_or_default().to_string(),
            slow.to_string(),
            fast.to_string(),
            format!("{c_slow:.4}"),
            format!("{c_fast:.4}"),
            format!("{diagonal:.4}"),
            format!("{double:.4}"),
            format!("{:.4}", c_slow / *slow as f64),
            format!("{:.4}", double / *slow as f64),
            (if exact.partitions[0].b == exact.partitions[1].b { "yes" } else { "no" }).to_owned(),
        ]);
    }
    Ok(text + &leader(&per_slow))
}

/// States which pair has the largest C of the slow part for a slow evaluation, and how far behind the best of ours is.
fn leader(per_slow: &[(String, f64)]) -> String {
    let best = |is_candidate: &dyn Fn(&str) -> bool| {
        let candidates = per_slow.iter().filter(|(id, _)| is_candidate(id));
        candidates.max_by(|one, other| one.1.total_cmp(&other.1))
    };
    let (Some(first), Some(ours)) = (best(&|_| true), best(&|id| id.starts_with("hemiola-"))) else {
        return String::new();
    };
    if ours.1 >= first.1 {
        return format!("\nFor a slow evaluation, `{}` has the largest C of the slow part: {:.4}.\n", ours.0, ours.1);
    }
    format!(
        "\n**For a slow evaluation ours lose**: `{}` has the largest C of the slow part, {:.4}; the best of ours, `{}`, has {:.4}.\n",
        first.0, first.1, ours.0, ours.1
    )
}
