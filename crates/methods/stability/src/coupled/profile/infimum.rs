//! Smallest max(X, Y) of all unstable points.
//!
//! ρ is sampled on a grid. Unstable sets begin where a column of the grid meets its first unstable point. To find sets
//! between grid points, the search also starts from the local maxima of ρ on the grid and from resonances. These are
//! points where R_s and R_f nearly agree, so that a weak coupling moves eigenvalues by its square root. From each
//! starting point the search descends to the smallest unstable p.

use hemiola_number::parallel;

use super::couplings::{COLUMNS, CouplingSign, ProfileBox, ROWS, decoupled_exit, s};
use super::descent::{Descent, ProfilePoint};
use super::growth::{Growth, Infimum};
use super::radius::{CoupledRadius, Point};

/// Fractions θ of the strongest coupling at which the grid is sampled, for each γ.
const PARTS: [f64; 2] = [0.5, 1.0];
/// Computes the infima for each coupling strength γ, one for each kind of growth.
pub(super) fn infima(
    radius: &CoupledRadius,
    sign: CouplingSign,
    gammas: &[f64],
    growths: &[Growth],
) -> Vec<Vec<Infimum>> {
    let couplings = ProfileBox::new(radius, sign);
    let sheet =
        |gamma, theta, values: &(dyn Fn(&[Point]) -> Vec<f64> + Sync)| sampled(&couplings, gamma, theta, values);
    let differences = sheet(0.0, 0.0, &|points| radius.differences(points));
    let opposite: Vec<f64> = differences.iter().map(|difference| -difference).collect();
    let resonances: Vec<[f64; 2]> = peaks(&opposite).map(|(i, j)| [couplings.p(i), s(j)]).collect();
    // Drop the samples of each γ after use: those of hundreds of values would exhaust the memory.
    let own = parallel::map(gammas.len(), |k| {
        let sheets = PARTS.map(|theta| sheet(gammas[k], theta, &|points| radius.at(points)));
        let edges = couplings.edges(gammas[k]);
        let infimum = |&growth: &Growth| {
            let descent =
                Descent { couplings: &couplings, gamma: gammas[k], level: 1.0 + growth.margin(), edges: &edges };
            infimum(&descent, &sheets, &resonances, decoupled_exit(radius, growth))
        };
        growths.iter().map(infimum).collect::<Vec<_>>()
    });
    // The couplings of a strength include those of all weaker ones.
    let weaker = |k: usize| (0..own.len()).filter(move |&j| gammas[j] <= gammas[k]);
    let least = |k, i: usize| weaker(k).map(|j| own[j][i]).min_by(|x, y| x.value.total_cmp(&y.value));
    (0..own.len()).map(|k| (0..growths.len()).filter_map(|i| least(k, i)).collect()).collect()
}

/// Samples values on the grid of p and s, row by row from p = 0.
fn sampled(couplings: &ProfileBox, gamma: f64, theta: f64, values: &(dyn Fn(&[Point]) -> Vec<f64> + Sync)) -> Vec<f64> {
    let row = |i: usize| (0..COLUMNS).map(|j| couplings.point(gamma, couplings.p(i), s(j), theta)).collect::<Vec<_>>();
    parallel::map(ROWS + 1, |i| values(&row(i))).concat()
}

/// Computes the infimum for one γ and one kind of growth, from the samples at both fractions θ.
fn infimum(descent: &Descent, sheets: &[Vec<f64>; 2], resonances: &[[f64; 2]], limit: f64) -> Infimum {
    let couplings = descent.couplings;
    // Without coupling both parts reach their limits together.
    let mut best = ProfilePoint { p: limit, s: 0.0, theta: 0.0, rho: descent.level };
    let mut starts = Vec::new();
    for (sheet, theta) in sheets.iter().zip(PARTS) {
        let place =
            |(i, j): (usize, usize)| ProfilePoint { p: couplings.p(i), s: s(j), theta, rho: sheet[i * COLUMNS + j] };
        starts.extend(first_unstable(sheet, descent.level).map(place));
        let hidden = peaks(sheet).map(place).filter(|place| place.rho <= descent.level);
        let resonant = resonances.iter().map(|&[p, s]| ProfilePoint { p, s, theta, rho: 0.0 });
        let found =
            hidden.chain(resonant).filter(|place| place.p <= best.p).map(|place| descent.climb_to_maximum(place));
        starts.extend(found.filter(|place| place.rho > descent.level));
        starts.extend(descent.edges.iter().flat_map(|&s| descent.along_edge(s, theta, best.p)));
    }
    starts.sort_by(|x, y| x.p.total_cmp(&y.p));
    for start in starts {
        // Minima more than a few cells away have their own starting points.
        if start.p <= best.p + 2.0 * couplings.p(1) {
            best = descent.descend_to_infimum(start, best);
        }
    }
    let [slow, fast] = couplings.radius.limits();
    let [x, y, coupling] = couplings.point(descent.gamma, best.p, best.s, best.theta);
    Infimum { value: best.p, kappa: y * fast / (x * slow), coupling }
}

/// Returns the first unstable point of each column if it is a local minimum among the columns.
fn first_unstable(samples: &[f64], level: f64) -> impl Iterator<Item = (usize, usize)> {
    let first: Vec<usize> =
        (0..COLUMNS).map(|j| (0..=ROWS).find(|i| samples[i * COLUMNS + j] > level).unwrap_or(usize::MAX)).collect();
    (0..COLUMNS).filter_map(move |j| {
        let row = first[j];
        let before = j == 0 || first[j - 1] >= row;
        let after = j == COLUMNS - 1 || first[j + 1] > row;
        (row != usize::MAX && before && after).then_some((row, j))
    })
}

/// Returns the local maxima of samples: no neighbor is larger, and at least one is smaller.
fn peaks(samples: &[f64]) -> impl Iterator<Item = (usize, usize)> {
    let at = |i: usize, j: usize| samples[i * COLUMNS + j];
    (1..=ROWS).flat_map(move |i| (0..COLUMNS).map(move |j| (i, j))).filter(move |&(i, j)| {
        let here = at(i, j);
        let around = || {
            let rows = i - 1..=(i + 1).min(ROWS);
            rows.flat_map(move |k| (j.saturating_sub(1)..=(j + 1).min(COLUMNS - 1)).map(move |l| at(k, l)))
        };
        around().all(|other| other <= here) && around().any(|other| other < here)
    })
}
