//! Random starts with the structure of a useful method.
//!
//! Uniformly random tableaus fail for eight and more fast stages. Suitable starts have a fast partition that is
//! nearly a chain, with each stage slightly ahead of the previous one, and slow stages spread over the step. They
//! almost always lead to a solution.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pair::partitions::FAST;
use crate::pair::place::CoefficientIndex;
use crate::unknowns::free_entries::Unknowns;

/// Entry of a fast stage for the previous stage.
const CHAIN: f64 = 0.45;
/// Entry of a fast stage for the first stage.
const FIRST: f64 = 0.1;
/// Standard deviation of the noise on every coefficient.
const NOISE: f64 = 0.12;

/// Returns the unknowns of start number `index`. It has its own stream of random numbers, independent of other
/// starts.
pub(crate) fn random_start(unknowns: &Unknowns, slow: usize, seed: u64, index: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index as u64);
    // Two of three starts have more noise: small systems have several basins.
    let noise = NOISE * (1 + index % 3) as f64;
    unknowns
        .places()
        .iter()
        .map(|place| typical(*place, unknowns.stages(), slow) + noise * normal(&mut random))
        .collect()
}

/// Returns unknowns displaced by normal numbers of a standard deviation, from stream number `index`.
pub(crate) fn displaced(x: &[f64], deviation: f64, seed: u64, index: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index as u64);
    x.iter().map(|x| x + deviation * normal(&mut random)).collect()
}

fn typical(place: CoefficientIndex, stages: usize, slow: usize) -> f64 {
    let CoefficientIndex { partition, row, column } = place;
    match (partition, row == stages) {
        (FAST, true) => 1.0 / stages as f64,
        (FAST, false) if column + 1 == row => CHAIN,
        (FAST, false) if column == 0 => FIRST,
        (FAST, false) => 0.0,
        (_, true) => 1.0 / slow as f64,
        // Slow entries in a row add up to row/stages, the abscissa of an even distribution.
        (_, false) => row as f64 / (stages * slow) as f64,
    }
}

/// Returns a standard normal number from twelve uniform ones, without logarithms, so that its bits agree on every
/// machine.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}
