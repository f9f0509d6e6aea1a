//! Smallest unstable fraction p = t/L_s over all frequencies and couplings.
//!
//! ρ is sampled over p and y = κt. The search starts from the first unstable point of each grid column and from peaks
//! of ρ that the samples suggest, and follows each unstable set to its smallest p.

use hemiola_stability::Infimum;

use super::coupled::FixedPair;
use super::flow_radius::FlowRadius;
use super::search::root;

/// Rows of the grid in p, and fractions θ of the strongest coupling.
const ROWS: usize = 48;
const PARTS: [f64; 2] = [0.5, 1.0];
/// Spacing of y, with sixty samples in a period of e^{iy}; e^{−ζy} is negligible beyond `NEGLIGIBLE`/ζ.
const SPACING: f64 = 0.1;
const NEGLIGIBLE: f64 = 12.0;
const MOST: f64 = 400.0;
/// Ratio of neighboring y beyond the uniform samples, and the largest y.
const RATIO: f64 = 1.1;
const FARTHEST: f64 = 1e6;
/// Step size at which pattern searches end.
const FINEST: f64 = 1e-6;
/// Width of the final bracket of p.
const WIDTH: f64 = 1e-8;
/// Largest p at which the slow part alone is searched for growth.
const LARGEST: f64 = 2.0;

/// The sign of the coupling numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// 0 ≤ g ≤ γ².
    Symmetric,
    /// −γ² ≤ g ≤ 0 with 4|g|κ ≤ (1 − κ)².
    Skew,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    p: f64,
    y: f64,
    theta: f64,
    rho: f64,
}

/// The samples of y with S at each.
pub(super) struct ProfileGrid<'a> {
    radius: &'a FlowRadius,
    y: Vec<f64>,
    fixed: Vec<FixedPair>,
}

/// The set of couplings, and the level above which ρ counts as unstable.
#[derive(Clone, Copy)]
struct Task {
    gamma: f64,
    sign: Sign,
    level: f64,
}

impl<'a> ProfileGrid<'a> {
    pub(super) fn new(radius: &'a FlowRadius) -> Self {
        let uniform = (NEGLIGIBLE / radius.damping()).min(MOST);
        let mut y: Vec<f64> = (1..=(uniform / SPACING) as usize).map(|k| SPACING * k as f64).collect();
        if radius.damping() > 0.0 {
            let beyond = std::iter::successors(Some(uniform * RATIO), |y| Some(y * RATIO));
            y.extend(beyond.take_while(|y| *y < FARTHEST));
            y.push(f64::INFINITY);
        }
        let fixed = y.iter().map(|y| radius.fixed(*y)).collect();
        Self { radius, y, fixed }
    }

    /// Finds the smallest p for one strength; at g = 0 the slow part alone is unstable.
    pub(super) fn infimum(&self, gamma: f64, sign: Sign, margin: f64) -> Infimum {
        let task = Task { gamma, sign, level: 1.0 + margin };
        let mut best = self.slow_exit(task.level);
        let farthest = best.p;
        let mut starts = Vec::new();
        for theta in PARTS {
            let sheet: Vec<Vec<f64>> = (0..self.y.len())
                .map(|k| (1..=ROWS).map(|i| self.sample(task, farthest, k, i, theta)).collect())
                .collect();
            starts.extend(self.starts(task, farthest, &sheet, theta));
        }
        starts.sort_by(|x, y| x.p.total_cmp(&y.p));
        for start in starts {
            if start.p <= best.p + 2.0 * farthest / ROWS as f64 {
                best = self.descend(task, start, best, farthest);
            }
        }
        let kappa = best.y / (best.p * self.radius.slow_limit());
        Infimum { value: best.p, kappa, coupling: self.coupling(task, best.p, best.y, best.theta) }
    }

    /// Finds the first p at which the slow part alone grows, up to two; it is reported with κ = 1.
    fn slow_exit(&self, level: f64) -> Place {
        let fixed = self.radius.fixed(1.0);
        let excess = |p: f64| self.radius.at(&fixed, p, 0.0) - level;
        let at = |k: usize| LARGEST * k as f64 / 2000.0;
        let exit = (1..=2000).find(|&k| excess(at(k)) > 0.0);
        let p = exit.map_or(LARGEST, |k| root(excess, at(k - 1), at(k)));
        Place { p, y: p * self.radius.slow_limit(), theta: 0.0, rho: level }
    }

    /// Returns g at a point.
    fn coupling(&self, task: Task, p: f64, y: f64, theta: f64) -> f64 {
        let strongest = task.gamma * task.gamma;
        let kappa = y / (p * self.radius.slow_limit());
        let bound = if kappa.is_finite() { (1.0 - kappa).powi(2) / (4.0 * kappa) } else { f64::INFINITY };
        match task.sign {
            Sign::Symmetric => theta * strongest,
            Sign::Skew => -theta * strongest.min(bound),
        }
    }

    /// Samples ρ; zero where κ < 1.
    fn sample(&self, task: Task, farthest: f64, k: usize, i: usize, theta: f64) -> f64 {
        let (p, y) = (farthest * i as f64 / ROWS as f64, self.y[k]);
        if y < p * self.radius.slow_limit() {
            return 0.0;
        }
        self.radius.at(&self.fixed[k], p, self.coupling(task, p, y, theta))
    }

    /// Returns starting points for the search of smaller unstable p: first unstable samples, and peaks that may be
    /// unstable between samples.
    fn starts(&self, task: Task, farthest: f64, sheet: &[Vec<f64>], theta: f64) -> Vec<Place> {
        let place = |k: usize, i: usize| Place {
            p: farthest * (i + 1) as f64 / ROWS as f64,
            y: self.y[k],
            theta,
            rho: sheet[k][i],
        };
        let first: Vec<usize> =
            sheet.iter().map(|column| column.iter().position(|rho| *rho > task.level).unwrap_or(ROWS)).collect();
        let neighbor = |k: usize| first.get(k).copied().unwrap_or(ROWS);
        let is_first = |k: &usize| {
            let row = first[*k];
            row < ROWS && (*k == 0 || first[k - 1] >= row) && neighbor(k + 1) > row
        };
        let mut starts: Vec<Place> = (0..sheet.len()).filter(is_first).map(|k| place(k, first[k])).collect();
        for k in 1..sheet.len().saturating_sub(1) {
            for i in 0..ROWS {
                let here = sheet[k][i];
                let [left, right] = [sheet[k - 1][i], sheet[k + 1][i]];
                let is_peak = here >= left && here > right && here <= task.level;
                if is_peak && 3.0 * here - left - right > task.level {
                    starts.push(place(k, i));
                }
            }
        }
        starts
    }

    /// Finds the local maximum of ρ over y and θ at a fixed p.
    fn maximize(&self, task: Task, start: Place) -> Place {
        // S at fixed y costs far more than ρ for a coupling.
        let column = |y: f64| {
            let y = y.max(start.p * self.radius.slow_limit());
            (y, self.radius.fixed(y))
        };
        let at = |(y, fixed): &(f64, FixedPair), theta: f64| {
            let theta = theta.clamp(0.0, 1.0);
            let coupling = self.coupling(task, start.p, *y, theta);
            Place { y: *y, theta, rho: self.radius.at(fixed, start.p, coupling), ..start }
        };
        let mut columns = vec![column(start.y)];
        let mut best = at(&columns[0], start.theta);
        let mut step = 1.0;
        while step > FINEST {
            // The first steps equal the spacing of the samples.
            let (dy, dt) = (step * SPACING.max((RATIO - 1.0) * best.y), 0.25 * step);
            let dy = if best.y < MOST { step * SPACING } else { dy };
            columns.truncate(1);
            if best.y.is_finite() {
                columns.extend([column(best.y + dy), column(best.y - dy)]);
            }
            let thetas = [best.theta, best.theta + dt, best.theta - dt];
            let moves = columns.iter().enumerate().flat_map(|(k, column)| thetas.map(|theta| (k, at(column, theta))));
            match moves.max_by(|x, y| x.1.rho.total_cmp(&y.1.rho)) {
                Some((k, next)) if next.rho > best.rho => {
                    columns.swap(0, k);
                    best = next;
                }
                _ => step *= 0.5,
            }
        }
        best
    }

    /// Follows an unstable set to its smallest p; returns the point if it is smaller than the best.
    fn descend(&self, task: Task, start: Place, best: Place, farthest: f64) -> Place {
        // Starts in the set of the best point end here, because this set is stable just below.
        let below = (best.p - WIDTH).max(0.0);
        let mut high = self.maximize(task, Place { p: start.p.min(below), ..start });
        if high.rho <= task.level {
            return best;
        }
        let (mut low, mut step) = (0.0, farthest / (4 * ROWS) as f64);
        while high.p > 0.0 {
            let next = self.maximize(task, Place { p: (high.p - step).max(0.0), ..high });
            if next.rho <= task.level {
                low = next.p;
                break;
            }
            high = next;
            step *= 1.5;
        }
        while high.p - low > WIDTH {
            let middle = self.maximize(task, Place { p: f64::midpoint(low, high.p), ..high });
            if middle.rho > task.level {
                high = middle;
            } else {
                low = middle.p;
            }
        }
        if high.p < best.p { high } else { best }
    }
}
