//! Random starts of SSP designs.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::ssp::canonical_form::CanonicalForm;

/// Returns start number `index`: rows of positive entries whose sum is at most one, and a radius below the number of
/// stages. Each start has its own stream of random numbers.
///
/// Optimal methods mostly use the previous stage, so two of three starts prefer it.
pub(crate) fn random_start(form: &CanonicalForm, seed: u64, index: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index as u64);
    let preference = [0.0, 1.0, 4.0][index % 3];
    let mut x: Vec<f64> = form
        .entries
        .iter()
        .map(|entry| {
            let u = random.random::<f64>();
            u * u * if entry.column + 1 == entry.row { 1.0 + preference } else { 1.0 }
        })
        .collect();
    for row in 0..form.row_sums() {
        let wanted = 0.4 + 0.6 * random.random::<f64>();
        let own: Vec<usize> = (0..x.len()).filter(|&k| form.row_sum(&form.entries[k]) == row).collect();
        let sum: f64 = own.iter().map(|&k| x[k]).sum();
        own.iter().for_each(|&k| x[k] *= wanted / sum.max(1e-3));
    }
    x.push(0.5 + random.random::<f64>() * (form.stages as f64 - 1.0));
    x
}
