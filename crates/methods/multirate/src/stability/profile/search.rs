//! Smallest unstable fraction p = t/L_s over all frequencies and couplings.
//!
//! A smooth function of p, y = κt and the coupling number is positive at unstable points. It is sampled on a grid that
//! resolves its oscillations. The search starts from the first unstable point of each column and from maxima that may be
//! positive between samples, and follows each unstable set to its smallest p.

use hemiola_number::parallel;
use hemiola_stability::{Growth, Infimum};

use super::columns::columns;
use super::descent::{Descent, Place};
use super::radius::FlowRadius;
use super::task::{Sign, Task};
use crate::stability::fixed_pair::{FixedPair, PairStages};

/// Rows of the grid in p, and fractions θ of the strongest coupling.
const ROWS: usize = 64;
const PARTS: [f64; 2] = [0.5, 1.0];
/// Samples of p along an edge of the region of couplings.
const EDGE_ROWS: usize = 192;
/// Largest p at which the slow part alone is searched for growth, and the number of samples.
const LARGEST: f64 = 2.0;
const SLOW_SAMPLES: usize = 2000;

/// The samples of y with S at each.
pub(super) struct ProfileGrid<'a> {
    radius: &'a FlowRadius,
    y: Vec<f64>,
    fixed: Vec<FixedPair>,
}

/// Smooth excesses over the levels of both kinds of growth, at `[θ][column][row]`; NaN where κ < 1.
type Sheets = Vec<Vec<Vec<[f64; 2]>>>;

/// The kinds of growth in the order of the samples.
const GROWTHS: [Growth; 2] = [Growth::Practical, Growth::Strict];

/// The minimizers of one strength.
#[derive(Clone, Copy)]
pub(super) struct Minimizers {
    gamma: f64,
    practical: Place,
    strict: Place,
    skew: Place,
}

impl<'a> ProfileGrid<'a> {
    pub(super) fn new(radius: &'a FlowRadius) -> Self {
        let y = columns(radius);
        let fixed = y.iter().map(|y| radius.fixed(*y)).collect();
        Self { radius, y, fixed }
    }

    /// Finds the practical, strict and skew infimum for each strength.
    pub(super) fn infima(&self, gammas: &[f64]) -> Vec<[Infimum; 3]> {
        let slow = GROWTHS.map(|growth| self.slow_exit(growth));
        let halves = parallel::map(2 * gammas.len(), |k| {
            let sign = if k % 2 == 0 { Sign::Symmetric } else { Sign::Skew };
            self.first_search(gammas[k / 2], sign, slow)
        });
        let found: Vec<Minimizers> = gammas
            .iter()
            .zip(halves.chunks(2))
            .map(|(&gamma, halves)| Minimizers {
                gamma,
                practical: halves[0][0],
                strict: halves[0][1],
                skew: halves[1][0],
            })
            .collect();
        let refined = self.compare_strengths(found);
        (0..refined.len()).map(|k| self.with_weaker(&refined, k)).collect()
    }

    /// Searches from the samples; returns the places of practical and strict growth, which agree for skew couplings.
    fn first_search(&self, gamma: f64, sign: Sign, slow: [Place; 2]) -> [Place; 2] {
        let mut tasks = GROWTHS.map(|growth| Task::new(self.radius, gamma, sign, growth));
        if sign == Sign::Skew {
            tasks[1] = tasks[0];
        }
        let farthest = slow[0].p;
        let sheets = self.sheets(tasks, farthest);
        let practical = self.minimum(tasks[0], self.starts(tasks[0], 0, farthest, &sheets), slow[0], farthest);
        if sign == Sign::Skew {
            return [practical; 2];
        }
        // What is unstable in practice is unstable in the strict sense.
        let mut starts = self.starts(tasks[1], 1, farthest, &sheets);
        starts.push(practical);
        [practical, self.minimum(tasks[1], starts, slow[1], farthest)]
    }

    /// Searches the columns of the minimizers of the next stronger and the next weaker coupling, from the strongest to
    /// the weakest and back: minimizers move with the strength, and a set too narrow for the samples of one is wide for
    /// another.
    fn compare_strengths(&self, mut found: Vec<Minimizers>) -> Vec<Minimizers> {
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by(|&x, &y| found[y].gamma.total_cmp(&found[x].gamma));
        let there = order.windows(2).map(|pair| (pair[0], pair[1]));
        let back = order.windows(2).rev().map(|pair| (pair[1], pair[0]));
        for (from, to) in there.chain(back) {
            found[to] = self.compared(found[to], found[from]);
        }
        found
    }

    /// Improves the minimizers of a strength by those of another.
    fn compared(&self, own: Minimizers, other: Minimizers) -> Minimizers {
        let again = |of: fn(&Minimizers) -> Place, sign: Sign, growth: Growth| {
            let (task, best, place) = (Task::new(self.radius, own.gamma, sign, growth), of(&own), of(&other));
            let theta = (place.theta * (other.gamma / own.gamma).powi(2)).min(1.0);
            let start = self.along_column(task, Place { theta, ..place }, best.p);
            self.minimum(task, start.into_iter().collect(), best, best.p)
        };
        let practical = again(|found| found.practical, Sign::Symmetric, Growth::Practical);
        let strict = again(|found| found.strict, Sign::Symmetric, Growth::Strict);
        let skew = again(|found| found.skew, Sign::Skew, Growth::Practical);
        let task = Task::new(self.radius, own.gamma, Sign::Symmetric, Growth::Strict);
        let strict = Descent::new(self.radius, task).descend(practical, strict);
        Minimizers { practical, strict, skew, ..own }
    }

    /// Returns the infima of a strength; its couplings include those of all weaker ones.
    fn with_weaker(&self, found: &[Minimizers], k: usize) -> [Infimum; 3] {
        let least = |of: fn(&Minimizers) -> Place, sign: Sign| {
            let weaker = found.iter().filter(|other| other.gamma <= found[k].gamma);
            let other = weaker.fold(&found[k], |x, y| if of(y).p < of(x).p { y } else { x });
            let (task, place) = (Task::new(self.radius, other.gamma, sign, Growth::Practical), of(other));
            let kappa = place.y / (place.p * self.radius.slow_limit());
            Infimum { value: place.p, kappa, coupling: task.coupling(place.p, place.y, place.theta) }
        };
        [
            least(|found| found.practical, Sign::Symmetric),
            least(|found| found.strict, Sign::Symmetric),
            least(|found| found.skew, Sign::Skew),
        ]
    }

    /// Finds the first p at which the slow part alone grows, up to two; it is reported with κ = 1.
    fn slow_exit(&self, growth: Growth) -> Place {
        let level = 1.0 + growth.margin();
        let fixed = self.radius.fixed(1.0);
        let points: Vec<[f64; 2]> =
            (1..=SLOW_SAMPLES).map(|k| [LARGEST * k as f64 / SLOW_SAMPLES as f64, 0.0]).collect();
        let samples = self.radius.at(&fixed, level, &points, &mut PairStages::default());
        let exit = samples.iter().position(|sample| sample.rho > level);
        let task = Task::new(self.radius, 0.0, Sign::Symmetric, growth);
        let mut descent = Descent::new(self.radius, task);
        let p = exit.map_or(LARGEST, |k| {
            let low = if k == 0 { 0.0 } else { points[k - 1][0] };
            descent.exit(&fixed, Place { p: points[k][0], y: 1.0, theta: 0.0 }, low)
        });
        Place { p, y: p * self.radius.slow_limit(), theta: 0.0 }
    }

    fn sheets(&self, tasks: [Task; 2], farthest: f64) -> Sheets {
        let mut stages = PairStages::default();
        let levels = tasks.map(|task| task.level());
        let mut column = |k: usize, theta: f64| {
            let (y, fixed) = (self.y[k], &self.fixed[k]);
            let points: Vec<[f64; 2]> =
                (0..ROWS).map(|i| row(farthest, i)).map(|p| [p, tasks[0].coupling(p, y, theta)]).collect();
            let mut samples = self.radius.excesses(fixed, levels, &points, &mut stages);
            for (point, sample) in points.iter().zip(&mut samples) {
                if y < point[0] * self.radius.slow_limit() {
                    *sample = [f64::NAN; 2];
                }
            }
            samples
        };
        PARTS.iter().map(|theta| (0..self.y.len()).map(|k| column(k, *theta)).collect()).collect()
    }

    /// Returns starting points for the search of smaller unstable p: first unstable samples of columns, maxima that may
    /// be unstable between samples, and both along the edges of the region of couplings.
    fn starts(&self, task: Task, growth: usize, farthest: f64, sheets: &Sheets) -> Vec<Place> {
        let mut descent = Descent::new(self.radius, task);
        let mut starts = Vec::new();
        let mut hidden = Vec::new();
        for (part, (sheet, theta)) in sheets.iter().zip(PARTS).enumerate() {
            let place = |k: usize, i: usize| Place { p: row(farthest, i), y: self.y[k], theta };
            let first: Vec<(usize, f64)> = sheet.iter().map(|column| first_exit(column, growth)).collect();
            for k in 0..sheet.len() {
                let (i, exit) = first[k];
                let is_before = k == 0 || first[k - 1].1 >= exit;
                if i < ROWS && is_before && first.get(k + 1).is_none_or(|next| next.1 > exit) {
                    starts.push(place(k, i));
                }
                for i in 0..i {
                    let at = |part: usize, k: usize, i: usize| {
                        sheets
                            .get(part)
                            .and_then(|sheet| sheet.get(k))
                            .and_then(|column| column.get(i))
                            .map_or(f64::NAN, |x| x[growth])
                    };
                    let here = sheet[k][i][growth];
                    let neighbors = [
                        [at(part, k.wrapping_sub(1), i), at(part, k + 1, i)],
                        [at(part, k, i.wrapping_sub(1)), at(part, k, i + 1)],
                        [at(part.wrapping_sub(1), k, i), at(part + 1, k, i)],
                    ];
                    if may_exceed_zero(here, &neighbors) {
                        hidden.push(place(k, i));
                    }
                }
            }
        }
        starts.extend(hidden.into_iter().filter_map(|place| descent.climb(place, farthest / ROWS as f64)));
        for kappa in task.edges() {
            for theta in PARTS {
                starts.extend(self.along_edge(task, kappa, theta, farthest));
            }
        }
        starts
    }

    /// Finds unstable points on κ = constant: the first sample, and maxima between samples before it.
    fn along_edge(&self, task: Task, kappa: f64, theta: f64, farthest: f64) -> Vec<Place> {
        let mut descent = Descent::new(self.radius, task);
        let place = |i: usize| {
            let p = farthest * i as f64 / EDGE_ROWS as f64;
            Place { p, y: kappa * p * self.radius.slow_limit(), theta }
        };
        let samples: Vec<f64> = (1..=EDGE_ROWS).map(|i| descent.at(place(i)).smooth).collect();
        let first = samples.iter().position(|excess| *excess > 0.0);
        let end = first.unwrap_or(EDGE_ROWS);
        let hidden =
            (1..end.saturating_sub(1)).filter(|&i| may_exceed_zero(samples[i], &[[samples[i - 1], samples[i + 1]]]));
        let hidden: Vec<Place> = hidden.map(|i| place(i + 1)).collect();
        let hidden = hidden.into_iter().filter_map(|place| descent.climb(place, farthest / EDGE_ROWS as f64));
        hidden.chain(first.map(|i| place(i + 1))).collect()
    }

    /// Finds the first unstable point in the column of a place, before `farthest`.
    fn along_column(&self, task: Task, place: Place, farthest: f64) -> Option<Place> {
        let fixed = self.radius.fixed(place.y);
        let end = farthest.min(place.y / self.radius.slow_limit());
        let rows: Vec<f64> = (1..=EDGE_ROWS).map(|i| end * i as f64 / EDGE_ROWS as f64).collect();
        let points: Vec<[f64; 2]> = rows.iter().map(|&p| [p, task.coupling(p, place.y, place.theta)]).collect();
        let samples = self.radius.at(&fixed, task.level(), &points, &mut PairStages::default());
        samples.iter().position(|sample| sample.rho > task.level()).map(|i| Place { p: rows[i], ..place })
    }

    /// Follows the unstable sets of all starts to the smallest p.
    fn minimum(&self, task: Task, mut starts: Vec<Place>, best: Place, farthest: f64) -> Place {
        let mut descent = Descent::new(self.radius, task);
        starts.sort_by(|x, y| x.p.total_cmp(&y.p));
        let reach = 2.0 * farthest / ROWS as f64;
        starts.into_iter().fold(best, |best, start| {
            // Minima more than two rows below their first sample have samples of their own.
            if start.p <= best.p + reach { descent.descend(start, best) } else { best }
        })
    }
}

/// Returns the first unstable row of a column, and the place between rows at which the smooth excess vanishes before it,
/// by linear interpolation: many columns have the same first row.
fn first_exit(column: &[[f64; 2]], growth: usize) -> (usize, f64) {
    let Some(i) = column.iter().position(|excess| excess[growth] > 0.0) else { return (ROWS, f64::INFINITY) };
    let before = if i == 0 { f64::NAN } else { column[i - 1][growth] };
    let part = column[i][growth] / (column[i][growth] - before);
    (i, if part.is_finite() { i as f64 - part } else { i as f64 })
}

/// Returns p of a row.
fn row(farthest: f64, i: usize) -> f64 {
    farthest * (i + 1) as f64 / ROWS as f64
}

/// Returns whether a sample that is no less than its neighbors in each direction may have a positive maximum near it.
///
/// A parabola through three samples rises above the middle one by at most an eighth of the second difference; this test
/// allows for four times as much. Missing neighbors are NaN and count as equal.
fn may_exceed_zero(here: f64, neighbors: &[[f64; 2]]) -> bool {
    let mut bound = here;
    for pair in neighbors {
        for other in pair.iter().filter(|other| !other.is_nan()) {
            if *other > here {
                return false;
            }
            bound += 0.5 * (here - other);
        }
    }
    here <= 0.0 && bound > 0.0
}
