//! Starts of diagonally implicit designs: random numbers, and methods of the library.

use hemiola_tableau::{Butcher, Method, Tableau};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::implicit::layout::Layout;

/// Largest random displacements of a given method; the first start is the method itself.
const DISPLACEMENTS: [f64; 4] = [0.02, 0.06, 0.15, 0.3];

/// Returns start number `index`: random numbers or, if a method is given, this method, displaced in all starts except
/// the first.
///
/// Each start has its own stream of random numbers.
pub(crate) fn start(layout: &Layout, from: Option<&Method>, seed: u64, index: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index as u64);
    let Some(method) = from else { return random_start(layout, &mut random) };
    let mut x = layout.values(&sorted(method, layout));
    if index > 0 {
        let reach = DISPLACEMENTS[random.random_range(0..DISPLACEMENTS.len())];
        x.iter_mut().for_each(|x| *x += reach * (2.0 * random.random::<f64>() - 1.0));
    }
    x
}

/// Returns the table with its partitions in the order of the layout, explicit and implicit ones matched.
fn sorted(method: &Method, layout: &Layout) -> Tableau<f64> {
    let mut tableau = method.to_f64();
    let table = layout.doubles(&vec![1.0; layout.unknowns.len()]);
    let is_explicit = |k: usize| table.partitions[k].is_explicit();
    let fits = |part: &Butcher<f64>, k: usize| part.is_explicit() == is_explicit(k);
    if let [first, second] = &tableau.partitions[..]
        && !(fits(first, 0) && fits(second, 1))
        && fits(first, 1)
        && fits(second, 0)
    {
        tableau.partitions.reverse();
    }
    tableau
}

/// Returns random numbers of moderate size; a common diagonal is positive.
fn random_start(layout: &Layout, random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut x: Vec<f64> = layout.unknowns.iter().map(|_| 1.2 * random.random::<f64>() - 0.5).collect();
    for (x, places) in x.iter_mut().zip(&layout.unknowns) {
        if places.iter().any(|place| place.row == place.column) {
            *x = 0.1 + 0.35 * random.random::<f64>();
        }
    }
    x
}
