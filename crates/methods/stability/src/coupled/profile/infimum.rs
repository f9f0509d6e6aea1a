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
    let descent = |gamma: f64, growth: Growth| Descent::new(&couplings, gamma, growth);
    // Drop the samples of each γ after use: those of hundreds of values would exhaust the memory.
    let mut own = parallel::map(gammas.len(), |k| {
        let sheets = PARTS.map(|theta| sheet(gammas[k], theta, &|points| radius.at(points)));
        let mut found: Vec<ProfilePoint> = Vec::new();
        for &growth in growths {
            // A point that is unstable for one kind of growth is so for every smaller margin.
            let best =
                minimum(&descent(gammas[k], growth), &sheets, &resonances, &found, decoupled_exit(radius, growth));
            found.push(best);
        }
        found
    });
    compare_strengths(&mut own, gammas, growths, &descent);
    // The couplings of a strength include those of all weaker ones.
    let infimum = |j: usize, i: usize| descent(gammas[j], growths[i]).infimum(own[j][i]);
    let weaker = |k: usize| (0..own.len()).filter(move |&j| gammas[j] <= gammas[k]);
    let least = |k, i: usize| weaker(k).min_by(|&x, &y| own[x][i].p.total_cmp(&own[y][i].p)).map(|j| infimum(j, i));
    (0..own.len()).map(|k| (0..growths.len()).filter_map(|i| least(k, i)).collect()).collect()
}

/// Searches the columns of the minimizers of the next stronger and the next weaker coupling, from the strongest to the
/// weakest and back: minimizers move with the strength, and a set too narrow for the samples of one is wide for another.
fn compare_strengths<'a>(
    own: &mut [Vec<ProfilePoint>],
    gammas: &[f64],
    growths: &[Growth],
    descent: &dyn Fn(f64, Growth) -> Descent<'a>,
) {
    let mut order: Vec<usize> = (0..gammas.len()).collect();
    order.sort_by(|&x, &y| gammas[y].total_cmp(&gammas[x]));
    let there = order.windows(2).map(|pair| (pair[0], pair[1]));
    let back = order.windows(2).rev().map(|pair| (pair[1], pair[0]));
    for (from, to) in there.chain(back) {
        for (i, &growth) in growths.iter().enumerate() {
            let descent = descent(gammas[to], growth);
            let (other, best) = (own[from][i], own[to][i]);
            let theta = (other.theta * (gammas[from] / gammas[to]).powi(2)).min(1.0);
            let mut starts = descent.along_edge(other.s, theta, best.p);
            starts.extend(own[to][..i].iter().copied());
            own[to][i] = starts.into_iter().fold(best, |best, start| descent.descend_to_infimum(start, best));
        }
    }
}

/// Samples values on the grid of p and s, row by row from p = 0.
fn sampled(couplings: &ProfileBox, gamma: f64, theta: f64, values: &(dyn Fn(&[Point]) -> Vec<f64> + Sync)) -> Vec<f64> {
    let row = |i: usize| (0..COLUMNS).map(|j| couplings.point(gamma, couplings.p(i), s(j), theta)).collect::<Vec<_>>();
    parallel::map(ROWS + 1, |i| values(&row(i))).concat()
}

/// Finds the minimizer for one γ and one kind of growth, from the samples at both fractions θ and further starts.
fn minimum(
    descent: &Descent,
    sheets: &[Vec<f64>; 2],
    resonances: &[[f64; 2]],
    further: &[ProfilePoint],
    limit: f64,
) -> ProfilePoint {
    let couplings = descent.couplings;
    // Without coupling both parts reach their limits together.
    let mut best = ProfilePoint { p: limit, s: 0.0, theta: 0.0, rho: descent.level };
    let mut starts = further.to_vec();
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
    best
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
