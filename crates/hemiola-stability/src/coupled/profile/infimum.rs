//! The least max(X, Y) of all unstable points.
//!
//! Points are described by p = max(X, Y), a place s along the two sides of the square of that size, with κ/κ* = 1 + s below
//! the diagonal and 1/(1 − s) above it, and the part θ of the strongest coupling at that κ. First ρ is sampled on a grid.
//! Unstable sets begin where a column of the grid meets its first unstable point; those that slip through the grid are
//! sought from the grid's local maxima of ρ and from resonances, the places where R_s and R_f nearly agree: there a
//! weak coupling moves eigenvalues by its root. From each of these the smallest unstable p is followed down.

use hemiola_number::parallel;

use super::growth::{Growth, Infimum};
use super::radius::{CoupledRadius, Point};
use super::step::Ray;

/// s from −0.9 to 0.9 is κ from κ*/10 to 10κ*.
const END: f64 = 0.9;
/// Steps of the grid in p, and in s on each side of the diagonal.
const ROWS: usize = 200;
const SIDE: usize = 90;
const COLUMNS: usize = 2 * SIDE + 1;
/// The parts θ of the strongest coupling at which the grid is sampled, for each γ.
const PARTS: [f64; 2] = [0.5, 1.0];
/// Pattern searches end at steps of this size in p, s and θ. Near a maximum ρ is flat, so that it is known to the square.
const FINEST: f64 = 1e-6;
/// The infimum is bracketed to this width.
const WIDTH: f64 = 1e-8;

/// Which couplings are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// 0 ≤ g ≤ γ².
    Symmetric,
    /// −γ² ≤ g ≤ 0 with 4|g|κ ≤ (1 − κ)².
    Skew,
}

/// ρ on a grid, for each coupling strength.
pub(super) struct Grid {
    sign: Sign,
    gammas: Vec<f64>,
    /// Where the grid ends: nothing beyond the decoupled limits for practical growth can be the infimum.
    farthest: f64,
    /// Row by row from p = 0, one for each strength and part.
    samples: Vec<Vec<f64>>,
    /// Where |R_s − R_f| has local minima.
    resonances: Vec<[f64; 2]>,
}

/// A place and ρ there.
#[derive(Clone, Copy, Debug)]
struct Place {
    p: f64,
    s: f64,
    theta: f64,
    rho: f64,
}

impl Grid {
    pub(super) fn new(radius: &CoupledRadius, gammas: &[f64], sign: Sign) -> Self {
        let farthest = decoupled(radius, Growth::Practical);
        let mut grid = Self { sign, gammas: gammas.to_vec(), farthest, samples: Vec::new(), resonances: Vec::new() };
        let row = |i: usize, gamma: f64, theta: f64| -> Vec<Point> {
            (0..COLUMNS).map(|j| grid.point(radius, gamma, grid.p(i), s(j), theta)).collect()
        };
        let levels: Vec<(f64, f64)> = gammas.iter().flat_map(|&gamma| PARTS.map(|part| (gamma, part))).collect();
        let rows = parallel::map((levels.len() + 1) * (ROWS + 1), |k| {
            let (level, i) = (k / (ROWS + 1), k % (ROWS + 1));
            match levels.get(level) {
                Some(&(gamma, theta)) => radius.at(&row(i, gamma, theta)),
                None => radius.differences(&row(i, 0.0, 0.0)),
            }
        });
        let mut sheets: Vec<Vec<f64>> = rows.chunks(ROWS + 1).map(<[Vec<f64>]>::concat).collect();
        let differences = sheets.pop().unwrap_or_default();
        let opposite: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        grid.resonances = peaks(&opposite).map(|(i, j)| [grid.p(i), s(j)]).collect();
        grid.samples = sheets;
        grid
    }

    /// The infimum for each coupling strength.
    pub(super) fn infima(&self, radius: &CoupledRadius, growth: Growth) -> Vec<Infimum> {
        let own = parallel::map(self.gammas.len(), |k| self.infimum(radius, k, growth));
        // Sets of couplings contain those of weaker ones.
        let weaker = |k: usize| (0..own.len()).filter(move |&j| self.gammas[j] <= self.gammas[k]);
        let least = |k| weaker(k).map(|j| own[j]).min_by(|x, y| x.value.total_cmp(&y.value));
        (0..own.len()).filter_map(least).collect()
    }

    fn infimum(&self, radius: &CoupledRadius, k: usize, growth: Growth) -> Infimum {
        let edges = self.edges(radius, self.gammas[k]);
        let search = Search { grid: self, radius, gamma: self.gammas[k], level: 1.0 + growth.margin(), edges };
        // Without coupling both parts reach their limits together.
        let limit = decoupled(radius, growth);
        let mut best = Place { p: limit, s: 0.0, theta: 0.0, rho: search.level };
        let mut starts = Vec::new();
        for (part, theta) in PARTS.into_iter().enumerate() {
            let samples = &self.samples[k * PARTS.len() + part];
            let place = |(i, j): (usize, usize)| Place { p: self.p(i), s: s(j), theta, rho: samples[i * COLUMNS + j] };
            starts.extend(first_unstable(samples, search.level).map(place));
            let hidden = peaks(samples).map(place).filter(|place| place.rho <= search.level);
            let resonant = self.resonances.iter().map(|&[p, s]| Place { p, s, theta, rho: 0.0 });
            let found = hidden.chain(resonant).filter(|place| place.p <= best.p).map(|place| search.climbed(place));
            starts.extend(found.filter(|place| place.rho > search.level));
            starts.extend(search.edges.iter().flat_map(|&s| search.along_edge(s, theta, best.p)));
        }
        starts.sort_by(|x, y| x.p.total_cmp(&y.p));
        for start in starts {
            // From farther away than a few cells other minima have been found by starts of their own.
            if start.p <= best.p + 2.0 * self.p(1) {
                best = search.descended(start, best);
            }
        }
        let [slow, fast] = radius.limits();
        let [x, y, coupling] = self.point(radius, search.gamma, best.p, best.s, best.theta);
        Infimum { value: best.p, kappa: y * fast / (x * slow), coupling }
    }

    /// Where ρ has edges along s: on the diagonal, where both limits meet, and where the strongest skew coupling begins to depend
    /// on κ. Maxima on edges may be too narrow for the grid.
    fn edges(&self, radius: &CoupledRadius, gamma: f64) -> Vec<f64> {
        let [slow, fast] = radius.limits();
        // (1 − κ)² = 4γ²κ.
        let (middle, root) = (1.0 + 2.0 * gamma * gamma, 2.0 * gamma * (1.0 + gamma * gamma).sqrt());
        let place = |kappa: f64| {
            let ratio = kappa * slow / fast;
            if ratio < 1.0 { ratio - 1.0 } else { 1.0 - ratio.recip() }
        };
        let skew = [middle - root, middle, middle + root].map(place);
        let skew = skew.into_iter().filter(|s| self.sign == Sign::Skew && s.abs() <= END);
        std::iter::once(0.0).chain(skew).collect()
    }

    fn p(&self, i: usize) -> f64 {
        self.farthest * i as f64 / ROWS as f64
    }

    /// X, Y and g.
    fn point(&self, radius: &CoupledRadius, gamma: f64, p: f64, s: f64, theta: f64) -> Point {
        let [x, y] = [1.0 - s.max(0.0), 1.0 + s.min(0.0)];
        let strongest = gamma * gamma;
        let coupling = match self.sign {
            Sign::Symmetric => strongest,
            Sign::Skew => {
                let [slow, fast] = radius.limits();
                let kappa = y * fast / (x * slow);
                -strongest.min((1.0 - kappa).powi(2) / (4.0 * kappa))
            }
        };
        [p * x, p * y, theta * coupling]
    }
}

/// What a search for one infimum knows.
struct Search<'a> {
    grid: &'a Grid,
    radius: &'a CoupledRadius,
    gamma: f64,
    level: f64,
    /// See [`Grid::edges`].
    edges: Vec<f64>,
}

impl Search<'_> {
    fn rho<const N: usize>(&self, places: &[[f64; 3]; N]) -> Vec<f64> {
        self.radius.at(&places.map(|[p, s, theta]| self.grid.point(self.radius, self.gamma, p, s, theta)))
    }

    /// The local maximum of ρ over p and s with this θ, or the first place above the level on the way to it.
    fn climbed(&self, start: Place) -> Place {
        let steps = [self.grid.p(1), END / SIDE as f64];
        let at = |place: &Place, [dp, ds]: [f64; 2]| {
            [(place.p + dp).clamp(0.0, self.grid.farthest), bounded(place.s + ds), place.theta]
        };
        self.pattern(start, steps, at, |place| place.rho > self.level)
    }

    /// The local maximum of ρ over s and θ on the square of size p.
    fn highest(&self, start: Place) -> Place {
        let at =
            |place: &Place, [ds, dt]: [f64; 2]| [place.p, bounded(place.s + ds), (place.theta + dt).clamp(0.0, 1.0)];
        let found = self.pattern(start, [END / SIDE as f64, 0.25], at, |_| false);
        let on_edge = |&s: &f64| {
            let Place { p, theta, .. } = found;
            Place { p, s, theta, rho: self.rho(&[[p, s, theta]])[0] }
        };
        self.edges.iter().map(on_edge).fold(found, |x, y| if y.rho > x.rho { y } else { x })
    }

    /// The first unstable place along an edge, and unstable ones that hide before it.
    fn along_edge(&self, s: f64, theta: f64, farthest: f64) -> Vec<Place> {
        let point = |i: usize| self.grid.point(self.radius, self.gamma, self.grid.p(i), s, theta);
        let rho = self.radius.at(&(0..=ROWS).map(point).collect::<Vec<_>>());
        let place = |i: usize| Place { p: self.grid.p(i), s, theta, rho: rho[i] };
        let first = (0..=ROWS).find(|&i| rho[i] > self.level);
        let last = first.unwrap_or(ROWS);
        let peaks = (1..last).filter(|&i| rho[i] >= rho[i - 1] && rho[i] > rho[i + 1]);
        let hidden = peaks.map(|i| self.climbed(place(i))).filter(|place| place.rho > self.level);
        hidden.chain(first.map(place)).filter(|place| place.p <= farthest).collect()
    }

    /// A pattern search in two coordinates: all eight neighbors at once, steps halved where none is higher.
    fn pattern(
        &self,
        mut place: Place,
        mut steps: [f64; 2],
        at: impl Fn(&Place, [f64; 2]) -> [f64; 3],
        is_done: impl Fn(&Place) -> bool,
    ) -> Place {
        const NEIGHBORS: [[f64; 2]; 8] =
            [[-1.0, -1.0], [-1.0, 0.0], [-1.0, 1.0], [0.0, -1.0], [0.0, 1.0], [1.0, -1.0], [1.0, 0.0], [1.0, 1.0]];
        const MOST: usize = 400;
        let [p, s, theta] = at(&place, [0.0; 2]);
        place = Place { p, s, theta, rho: self.rho(&[[p, s, theta]])[0] };
        for _ in 0..MOST {
            if is_done(&place) || steps[0].max(steps[1]) < FINEST {
                break;
            }
            let around = NEIGHBORS.map(|[x, y]| at(&place, [x * steps[0], y * steps[1]]));
            let highest = self.rho(&around).into_iter().zip(around).max_by(|x, y| x.0.total_cmp(&y.0));
            match highest {
                Some((rho, [p, s, theta])) if rho > place.rho => place = Place { p, s, theta, rho },
                _ => steps = steps.map(|step| 0.5 * step),
            }
        }
        place
    }

    /// The smallest p to which an unstable place can be followed, if it is smaller than the best.
    fn descended(&self, start: Place, best: Place) -> Place {
        let mut high = self.highest(Place { p: start.p.min(best.p), ..start });
        if high.rho <= self.level {
            return best;
        }
        let mut step = self.grid.p(1) / 4.0;
        let mut low = high;
        while low.rho > self.level && low.p > 0.0 {
            high = low;
            low = self.highest(Place { p: (high.p - step).max(0.0), ..high });
            step *= 1.5;
        }
        // Illinois' false position between a stable and an unstable size.
        let mut weights = [low.rho - self.level, high.rho - self.level];
        let mut moved_low = None;
        for step in 1.. {
            if high.p - low.p < WIDTH || step > 100 {
                break;
            }
            let secant = low.p + (high.p - low.p) * weights[0] / (weights[0] - weights[1]);
            let p =
                if step % 3 != 0 && secant > low.p && secant < high.p { secant } else { f64::midpoint(low.p, high.p) };
            let place = self.highest(Place { p, ..high });
            let moves_low = place.rho <= self.level;
            let weight = if moved_low == Some(moves_low) { 0.5 } else { 1.0 };
            if moves_low {
                low = place;
                weights = [place.rho - self.level, weight * weights[1]];
            } else {
                high = place;
                weights = [weight * weights[0], place.rho - self.level];
            }
            moved_low = Some(moves_low);
        }
        if high.p < best.p { high } else { best }
    }
}

fn s(j: usize) -> f64 {
    END * (j as f64 - SIDE as f64) / SIDE as f64
}

fn bounded(s: f64) -> f64 {
    s.clamp(-END, END)
}

/// Where the columns meet their first unstable points, at local minima along the columns.
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

/// The local maxima of samples: no neighbor is larger, and one is smaller.
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

/// The first size at which one of the parts alone grows too much.
fn decoupled(radius: &CoupledRadius, growth: Growth) -> f64 {
    let exit = |direction: [f64; 2]| Ray::new(radius, direction, 0.0, growth).first_exit();
    exit([1.0, 0.0]).min(exit([0.0, 1.0]))
}
