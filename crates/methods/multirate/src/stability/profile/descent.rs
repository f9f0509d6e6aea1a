//! The way from an unstable point down to the smallest p of its set.

use super::radius::{Excess, FlowRadius};
use super::task::Task;
use crate::stability::fixed_pair::{FixedPair, PairStages};

/// First steps in y and θ, which equal the spacing of the samples, and the fraction of them at which the search for a
/// maximum ends: there the maximum is found up to the square.
const FIRST: [f64; 2] = [0.16, 0.25];
const FINEST: f64 = 1e-5;
/// Width of the final bracket of p, and most steps of any loop.
const WIDTH: f64 = 1e-9;
const MOST: usize = 60;
/// Points by which a bracket is divided at once.
const DIVISIONS: usize = 8;

/// A point of the search: p, y = κt, and the fraction θ of the strongest coupling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) p: f64,
    pub(super) y: f64,
    pub(super) theta: f64,
}

/// S at one y.
struct Column {
    y: f64,
    fixed: FixedPair,
}

pub(super) struct Descent<'a> {
    radius: &'a FlowRadius,
    task: Task,
    stages: PairStages,
}

impl<'a> Descent<'a> {
    pub(super) fn new(radius: &'a FlowRadius, task: Task) -> Self {
        Self { radius, task, stages: PairStages::default() }
    }

    /// Computes the excess at a place.
    pub(super) fn at(&mut self, place: Place) -> Excess {
        let fixed = self.radius.fixed(place.y);
        let point = [place.p, self.task.coupling(place.p, place.y, place.theta)];
        self.radius.at(&fixed, self.task.level(), &[point], &mut self.stages)[0]
    }

    /// Finds the smallest p of the unstable set of a place, if it is smaller than the best.
    pub(super) fn descend(&mut self, start: Place, best: Place) -> Place {
        // Starts in the set of the best point end here, because this set is stable just below.
        let below = (best.p - WIDTH).max(0.0);
        let Some(mut place) = self.unstable_at(Place { p: start.p.min(below), ..start }) else { return best };
        for _ in 0..MOST {
            let fixed = self.radius.fixed(place.y);
            place.p = self.exit(&fixed, place, 0.0);
            place = self.down_edges(place);
            match self.unstable_at(Place { p: (place.p - WIDTH).max(0.0), ..place }) {
                Some(next) if place.p > WIDTH => place = next,
                _ => break,
            }
        }
        if place.p < best.p { place } else { best }
    }

    /// Follows the edges of the region of couplings down from a place: ρ has ridges there, along which p decreases with
    /// y.
    fn down_edges(&mut self, start: Place) -> Place {
        let mut best = start;
        for kappa in self.task.edges() {
            let on_edge = |p: f64| Place { p, y: kappa * p * self.radius.slow_limit(), theta: start.theta };
            let (mut low, mut high) = (None, (best.p - WIDTH).max(0.0));
            if self.at(on_edge(high)).rho <= self.task.level() {
                continue;
            }
            // Growing steps down to a stable point, and bisection from there.
            let mut step = 1e-4 * high;
            while high - low.unwrap_or(0.0) > WIDTH {
                let next = low.map_or((high - step).max(0.0), |low| f64::midpoint(low, high));
                if self.at(on_edge(next)).rho > self.task.level() {
                    (high, step) = (next, 2.0 * step);
                } else {
                    low = Some(next);
                }
            }
            best = on_edge(high);
        }
        best
    }

    /// Finds the end of the unstable interval below a place: the first unstable of the samples between `low` and p, and
    /// of those of each smaller bracket.
    pub(super) fn exit(&mut self, fixed: &FixedPair, place: Place, low: f64) -> f64 {
        let (mut low, mut high) = (low, place.p);
        while high - low > WIDTH {
            let p = |k: usize| low + (high - low) * k as f64 / DIVISIONS as f64;
            let points: Vec<[f64; 2]> =
                (1..DIVISIONS).map(|k| [p(k), self.task.coupling(p(k), place.y, place.theta)]).collect();
            let samples = self.radius.at(fixed, self.task.level(), &points, &mut self.stages);
            let first = samples.iter().position(|sample| sample.rho > self.task.level());
            let k = first.unwrap_or(DIVISIONS - 1);
            let ends = [if k == 0 { low } else { points[k - 1][0] }, points.get(k).map_or(high, |point| point[0])];
            if ends == [low, high] {
                break;
            }
            [low, high] = ends;
        }
        high
    }

    /// Finds an unstable point at the p of a place.
    fn unstable_at(&mut self, start: Place) -> Option<Place> {
        let (place, excess) = self.maximize(start);
        (excess.rho > self.task.level()).then_some(place)
    }

    /// Finds the local maximum of the smooth excess over y and θ at the p of a place.
    fn maximize(&mut self, start: Place) -> (Place, Excess) {
        let least = start.p * self.radius.slow_limit();
        let column = |y: f64| {
            let y = y.max(least);
            Column { y, fixed: self.radius.fixed(y) }
        };
        let mut center = column(start.y);
        let mut theta = start.theta;
        let mut best = self.rows(&center, start.p, &[theta])[0];
        let [mut dy, mut dt] = FIRST;
        for _ in 0..MOST {
            let thetas = [theta, (theta + dt).min(1.0), (theta - dt).max(0.0)];
            let sides =
                if center.y.is_finite() { vec![column(center.y - dy), column(center.y + dy)] } else { Vec::new() };
            let middle = self.rows(&center, start.p, &thetas);
            let outer: Vec<Vec<Excess>> = sides.iter().map(|side| self.rows(side, start.p, &thetas)).collect();
            let shift = match (&sides[..], &outer[..]) {
                ([left, right], [before, after]) => {
                    vertex([left.y, center.y, right.y], [before[0], middle[0], after[0]])
                }
                _ => None,
            };
            let turn = vertex([thetas[2], theta, thetas[1]], [middle[2], middle[0], middle[1]]);
            // The vertices of the parabolas in both directions, taken together.
            let guess = column(shift.unwrap_or(center.y));
            let guessed = self.rows(&guess, start.p, &[turn.unwrap_or(theta).clamp(0.0, 1.0), theta]);
            let mut chosen: Option<(Column, f64)> = None;
            let mut offer = |column: Column, samples: &[Excess], thetas: &[f64]| {
                let mut is_better = None;
                for (sample, theta) in samples.iter().zip(thetas) {
                    if sample.smooth > best.smooth {
                        best = *sample;
                        is_better = Some(*theta);
                    }
                }
                if let Some(theta) = is_better {
                    chosen = Some((column, theta));
                }
            };
            let moved = Column { y: center.y, fixed: center.fixed.clone() };
            offer(moved, &middle, &thetas);
            for (side, samples) in sides.into_iter().zip(&outer) {
                offer(side, samples, &thetas);
            }
            offer(guess, &guessed, &[turn.unwrap_or(theta).clamp(0.0, 1.0), theta]);
            let (step_y, step_t) = match chosen {
                Some((column, next)) => {
                    let steps = ((column.y - center.y).abs(), (next - theta).abs());
                    (center, theta) = (column, next);
                    steps
                }
                None => (0.0, 0.0),
            };
            // Converging steps of the parabolas shrink the pattern; otherwise it is halved.
            dy = if center.y.is_finite() { step_y.clamp(0.125 * dy, 2.0 * dy) } else { 0.0 };
            dt = step_t.clamp(0.125 * dt, 0.5);
            if dy < FINEST * FIRST[0] && dt < FINEST * FIRST[1] {
                break;
            }
        }
        (Place { p: start.p, y: center.y, theta }, best)
    }

    /// Computes the excess at several θ of a column.
    fn rows(&mut self, column: &Column, p: f64, thetas: &[f64]) -> Vec<Excess> {
        let points: Vec<[f64; 2]> = thetas.iter().map(|theta| [p, self.task.coupling(p, column.y, *theta)]).collect();
        self.radius.at(&column.fixed, self.task.level(), &points, &mut self.stages)
    }

    /// Climbs to a maximum over p, y and θ until a point is unstable; `None` if the maximum is stable.
    pub(super) fn climb(&mut self, start: Place, spacing: f64) -> Option<Place> {
        let (mut place, mut excess) = self.maximize(start);
        let mut step = 0.5 * spacing;
        for _ in 0..MOST {
            if excess.rho > self.task.level() {
                return Some(place);
            }
            if step < WIDTH {
                break;
            }
            let around = [place.p - step, place.p + step].map(|p| {
                let p = p.max(WIDTH);
                self.maximize(Place { p, ..place })
            });
            let best = if around[0].1.smooth > around[1].1.smooth { around[0] } else { around[1] };
            let values = [around[0].1, excess, around[1].1];
            let guess = vertex([place.p - step, place.p, place.p + step], values)
                .map(|p| self.maximize(Place { p: p.max(WIDTH), ..place }));
            let best = guess.filter(|guess| guess.1.smooth > best.1.smooth).unwrap_or(best);
            let moved = (best.0.p - place.p).abs();
            if best.1.smooth > excess.smooth {
                (place, excess) = best;
                step = moved.clamp(0.125 * step, step);
            } else {
                step *= 0.25;
            }
            // A peak that is not rising ends below zero.
            if excess.smooth < 0.0
                && -excess.smooth > 64.0 * (excess.smooth - values[0].smooth.min(values[2].smooth)).abs()
                && step < 0.01 * spacing
            {
                break;
            }
        }
        None
    }
}

/// Returns the vertex of a concave parabola through three samples, within the samples.
fn vertex(at: [f64; 3], samples: [Excess; 3]) -> Option<f64> {
    let [x0, x1, x2] = at;
    let [f0, f1, f2] = samples.map(|sample| sample.smooth);
    let (left, right) = ((f1 - f0) / (x1 - x0), (f2 - f1) / (x2 - x1));
    let curvature = (right - left) / (x2 - x0);
    // Derivative zero of Newton's form of the parabola.
    let place = f64::midpoint(x0, x1) - left / (2.0 * curvature);
    (curvature < 0.0 && place.is_finite()).then(|| place.clamp(x0, x2))
}
