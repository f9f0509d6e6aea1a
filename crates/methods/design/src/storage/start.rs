//! Random starts of low-storage designs.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::storage::coordinates::{ParameterKind, StorageCoordinates};

/// Returns start number `index`. Each start has its own stream of random numbers.
///
/// The ranges are those of published methods: 2N partly reverses the previous change, stages of 3S* consist mostly of
/// the previous stage, and steps become shorter with more stages. Every other start varies more.
pub(crate) fn random_start(coordinates: &StorageCoordinates, seed: u64, index: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index as u64);
    let size = 2.0 / coordinates.family.stages as f64;
    let wide = [0.6, 1.0, 1.4][index % 3];
    let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    coordinates
        .kinds()
        .map(|kind| match kind {
            ParameterKind::Retained => -wide * between(0.0, 1.3),
            ParameterKind::Step => between(0.2, 1.0 + wide) * size,
            ParameterKind::Summand => wide * between(-0.3, 0.6),
            ParameterKind::OfSum => wide * between(-0.4, 0.6),
            ParameterKind::OfPrevious => between(1.0 - 0.7 * wide, 1.0),
        })
        .collect()
}
