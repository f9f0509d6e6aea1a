//! Pattern searches for unstable points: up to a maximum of ρ, and down to the smallest p.

use super::couplings::{CELL, ProfileBox, ROWS, bounded};
use super::growth::{Growth, Infimum};
use crate::steps::search::bracketed;

/// Step in p, s and θ at which pattern searches end. Near a maximum ρ is flat, so its error is of the order of the
/// square.
const FINEST: f64 = 1e-6;
/// Width of the final bracket of the infimum.
const WIDTH: f64 = 1e-8;

/// Point of the box, and ρ there.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProfilePoint {
    pub(super) p: f64,
    pub(super) s: f64,
    pub(super) theta: f64,
    pub(super) rho: f64,
}

/// Data of the search for one infimum.
pub(super) struct Descent<'a> {
    pub(super) couplings: &'a ProfileBox<'a>,
    gamma: f64,
    /// Level of ρ above which a point is unstable.
    pub(super) level: f64,
    /// Values of s along which ρ may have edges.
    pub(super) edges: Vec<f64>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(couplings: &'a ProfileBox<'a>, gamma: f64, growth: Growth) -> Self {
        Self { couplings, gamma, level: 1.0 + growth.margin(), edges: couplings.edges(gamma) }
    }

    /// Returns the infimum of a minimizer.
    pub(super) fn infimum(&self, minimizer: ProfilePoint) -> Infimum {
        let [slow, fast] = self.couplings.radius.limits();
        let [x, y, coupling] = self.couplings.point(self.gamma, minimizer.p, minimizer.s, minimizer.theta);
        Infimum { value: minimizer.p, kappa: y * fast / (x * slow), coupling }
    }

    fn rho<const N: usize>(&self, places: &[[f64; 3]; N]) -> Vec<f64> {
        self.couplings.radius.at(&places.map(|[p, s, theta]| self.couplings.point(self.gamma, p, s, theta)))
    }

    /// Finds the local maximum of ρ over p and s at constant θ, or the first point above the level on the way to it.
    pub(super) fn climb_to_maximum(&self, start: ProfilePoint) -> ProfilePoint {
        let steps = [self.couplings.p(1), CELL];
        let at = |place: &ProfilePoint, [dp, ds]: [f64; 2]| {
            [(place.p + dp).clamp(0.0, self.couplings.farthest), bounded(place.s + ds), place.theta]
        };
        self.pattern(start, steps, at, |place| place.rho > self.level)
    }

    /// Finds the local maximum of ρ over s and θ on the square of size p.
    fn maximize_on_square(&self, start: ProfilePoint) -> ProfilePoint {
        let at = |place: &ProfilePoint, [ds, dt]: [f64; 2]| {
            [place.p, bounded(place.s + ds), (place.theta + dt).clamp(0.0, 1.0)]
        };
        let found = self.pattern(start, [CELL, 0.25], at, |_| false);
        let on_edge = |&s: &f64| {
            let ProfilePoint { p, theta, .. } = found;
            ProfilePoint { p, s, theta, rho: self.rho(&[[p, s, theta]])[0] }
        };
        self.edges.iter().map(on_edge).fold(found, |x, y| if y.rho > x.rho { y } else { x })
    }

    /// Finds the first unstable point along an edge, and unstable points hidden before it between the samples.
    pub(super) fn along_edge(&self, s: f64, theta: f64, farthest: f64) -> Vec<ProfilePoint> {
        let point = |i: usize| self.couplings.point(self.gamma, self.couplings.p(i), s, theta);
        let rho = self.couplings.radius.at(&(0..=ROWS).map(point).collect::<Vec<_>>());
        let place = |i: usize| ProfilePoint { p: self.couplings.p(i), s, theta, rho: rho[i] };
        let first = (0..=ROWS).find(|&i| rho[i] > self.level);
        let last = first.unwrap_or(ROWS);
        let peaks = (1..last).filter(|&i| rho[i] >= rho[i - 1] && rho[i] > rho[i + 1]);
        let hidden = peaks.map(|i| self.climb_to_maximum(place(i))).filter(|place| place.rho > self.level);
        hidden.chain(first.map(place)).filter(|place| place.p <= farthest).collect()
    }

    /// Runs a pattern search in two coordinates: evaluates all eight neighbors at once and halves the steps if none is
    /// higher.
    fn pattern(
        &self,
        mut place: ProfilePoint,
        mut steps: [f64; 2],
        at: impl Fn(&ProfilePoint, [f64; 2]) -> [f64; 3],
        is_done: impl Fn(&ProfilePoint) -> bool,
    ) -> ProfilePoint {
        const NEIGHBORS: [[f64; 2]; 8] =
            [[-1.0, -1.0], [-1.0, 0.0], [-1.0, 1.0], [0.0, -1.0], [0.0, 1.0], [1.0, -1.0], [1.0, 0.0], [1.0, 1.0]];
        const MOST: usize = 400;
        let [p, s, theta] = at(&place, [0.0; 2]);
        place = ProfilePoint { p, s, theta, rho: self.rho(&[[p, s, theta]])[0] };
        for _ in 0..MOST {
            if is_done(&place) || steps[0].max(steps[1]) < FINEST {
                break;
            }
            let around = NEIGHBORS.map(|[x, y]| at(&place, [x * steps[0], y * steps[1]]));
            let highest = self.rho(&around).into_iter().zip(around).max_by(|x, y| x.0.total_cmp(&y.0));
            match highest {
                Some((rho, [p, s, theta])) if rho > place.rho => place = ProfilePoint { p, s, theta, rho },
                _ => steps = steps.map(|step| 0.5 * step),
            }
        }
        place
    }

    /// Follows an unstable point to the smallest p; returns it if it is smaller than the best.
    pub(super) fn descend_to_infimum(&self, start: ProfilePoint, best: ProfilePoint) -> ProfilePoint {
        let mut high = self.maximize_on_square(ProfilePoint { p: start.p.min(best.p), ..start });
        if high.rho <= self.level {
            return best;
        }
        let mut step = self.couplings.p(1) / 4.0;
        let mut low = high;
        while low.rho > self.level && low.p > 0.0 {
            high = low;
            low = self.maximize_on_square(ProfilePoint { p: (high.p - step).max(0.0), ..high });
            step *= 1.5;
        }
        let ends = [low, high].map(|place| (place.p, place.rho - self.level));
        let excess = |p: f64| {
            let place = self.maximize_on_square(ProfilePoint { p, ..high });
            if place.rho > self.level {
                high = place;
            }
            place.rho - self.level
        };
        bracketed(excess, ends, WIDTH);
        if high.p < best.p { high } else { best }
    }
}
