//! Coupled steps of a family on partitioned systems, such as meshes of several widths: the largest stable step of
//! the coupled system, relative to the smallest limit of the decoupled parts.
//!
//! Results for two coupled oscillators say little about partial differential equations, so the system itself is
//! examined.

use hemiola_stability::BlockSystem;
use hemiola_tableau::Method;

use crate::error::DesignError;

/// The smallest ratio of a family on a system, and the levels that attain it.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastRatio {
    /// The largest stable step of the coupled system, relative to the smallest limit of the decoupled parts.
    pub ratio: f64,
    /// The partitions of the method, one for each part of the system, from few evaluations to many.
    pub levels: Vec<usize>,
}

/// Number of examined ratios, equally spaced up to [`FARTHEST`].
const PLACES: usize = 48;
/// Largest examined ratio; larger ones count as this value.
const FARTHEST: f64 = 1.2;
/// Number of bisections between a stable ratio and the next, unstable one, to a ten-thousandth.
const BISECTIONS: usize = 8;
/// Largest excess of the spectral radius ρ over one that counts as stable.
const MARGIN: f64 = 1e-9;

/// Computes the smallest coupled step over all choices of levels, one for each part of the system: few evaluations
/// for its first part, many for its last.
///
/// Ratios are limited to 1.2 and found on a grid, so that narrow gaps of instability below the first exit may be
/// missed.
///
/// ```
/// use hemiola_design::coupled_step;
/// use hemiola_stability::BlockSystem;
/// // Upwind differences on eight cells, of which the last four are half as wide.
/// let w = |i: usize| if i < 4 { 1.0 } else { 0.5 };
/// let entry = |i: usize, j: usize| (f64::from(j == (i + 7) % 8) - f64::from(i == j)) / w(i);
/// let rows: Vec<Vec<f64>> = (0..8).map(|i| (0..8).map(|j| entry(i, j)).collect()).collect();
/// let system = BlockSystem::new(&rows, (0..8).map(|i| i / 4).collect())?;
/// let family = hemiola_tableau::library::method("hemiola-family-2-4-8")?;
/// let least = coupled_step(&family, &system)?;
/// assert!(least.ratio > 0.3 && least.levels.len() == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`DesignError::OutOfRange`] if the system has more parts than the method, and [`DesignError::Stability`]
/// if eigenvalues cannot be found.
pub fn coupled_step(method: &Method, system: &BlockSystem) -> Result<LeastRatio, DesignError> {
    let parts = system.partition_of().iter().max().map_or(1, |last| last + 1);
    let count = method.partitions().len();
    if parts > count {
        let expected = "at most the number of levels of the family";
        return Err(DesignError::OutOfRange {
            name: "the number of parts of a system",
            found: parts.to_string(),
            expected,
        });
    }
    let mut least = LeastRatio { ratio: FARTHEST, levels: (0..parts).collect() };
    for levels in choices(count, parts) {
        let Some(some) = method.selected(&levels) else { continue };
        let ratio = ratio(&some, system)?;
        if ratio < least.ratio {
            least = LeastRatio { ratio, levels };
        }
    }
    Ok(least)
}

fn ratio(method: &Method, system: &BlockSystem) -> Result<f64, DesignError> {
    let alone = system.decoupled_limit(method)?.value();
    if !(alone > 0.0 && alone.is_finite()) {
        return Ok(if alone > 0.0 { FARTHEST } else { 0.0 });
    }
    let tableau = method.to_f64();
    let is_stable = |ratios: &[f64]| -> Result<Vec<bool>, DesignError> {
        let steps: Vec<f64> = ratios.iter().map(|ratio| ratio * alone).collect();
        Ok(system.spectral_radii(&tableau, &steps)?.iter().map(|radius| *radius <= 1.0 + MARGIN).collect())
    };
    let places: Vec<f64> = (1..=PLACES).map(|k| FARTHEST * k as f64 / PLACES as f64).collect();
    let Some(exit) = is_stable(&places)?.iter().position(|stable| !stable) else { return Ok(FARTHEST) };
    let (mut low, mut high) = (if exit == 0 { 0.0 } else { places[exit - 1] }, places[exit]);
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if is_stable(&[middle])? == [true] { low = middle } else { high = middle }
    }
    Ok(low)
}

/// Returns all increasing choices of `k` numbers below `n`.
fn choices(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..k {
        found = found
            .iter()
            .flat_map(|chosen: &Vec<usize>| {
                let first = chosen.last().map_or(0, |last| last + 1);
                (first..n).map(move |next| chosen.iter().copied().chain([next]).collect())
            })
            .collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_all_of_them() {
        assert_eq!(choices(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!((choices(5, 3).len(), choices(5, 5).len(), choices(2, 3).len()), (10, 1, 0));
    }

    #[test]
    fn one_tableau_for_all_parts_has_the_step_of_the_whole() {
        // Two uncoupled decays with rates one and three: two equal levels are one method, which is stable up to the
        // step 2/3.
        let system = BlockSystem::new(&[vec![-1.0, 0.0], vec![0.0, -3.0]], vec![0, 1]).unwrap();
        let euler = hemiola_tableau::library::method("explicit-euler").unwrap();
        let part = euler.partitions()[0].clone();
        let parts = ["slow", "fast"].map(|name| hemiola_tableau::Partition { name: name.to_owned(), ..part.clone() });
        let two = Method::new("two", "two", parts.into(), euler.claims(), None, euler.source().clone());
        let found = coupled_step(&two.unwrap(), &system).unwrap();
        assert!((found.ratio - 1.0).abs() < 1e-3 && found.levels == [0, 1], "{found:?}");
    }
}
