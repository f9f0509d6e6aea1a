//! Contact points as local maxima of the excess along a boundary.

use hemiola_number::parallel;

use crate::problem::piece::BoundaryPiece;
use crate::problem::sampling::chebyshev_point;
use crate::solve::optimality::{ContactKind, ContactUnknown, OptimalityState};
use crate::solve::sampled::SampledProblem;

/// Search points per sample.
const FINENESS: usize = 8;
/// Number of basis function values above which the work is shared among threads: it then takes longer than starting a
/// thread.
const WORTH_SHARING: usize = 4096;

impl SampledProblem {
    /// Returns whether two contact points coincide: neighbors on one piece, or on pieces that meet.
    pub(crate) fn is_same(
        &self,
        state: &OptimalityState<f64>,
        a: &ContactUnknown<f64>,
        b: &ContactUnknown<f64>,
    ) -> bool {
        let place = |touch: &ContactUnknown<f64>| self.constraints.pieces[touch.piece].z(state.h, touch.t);
        let near = 1e-4 * self.reach * state.h / self.stages as f64;
        (place(a) - place(b)).norm_sqr().sqrt() < near
    }

    /// Finds the local maxima of F along all pieces, with their level F/W.
    pub(crate) fn maxima(&self, state: &OptimalityState<f64>) -> Vec<(f64, ContactUnknown<f64>)> {
        let mut all: Vec<(f64, ContactUnknown<f64>)> = Vec::new();
        for (index, piece) in self.constraints.pieces.iter().enumerate() {
            for (level, contact, t) in self.maxima_on(state, index, piece) {
                let touch = ContactUnknown { piece: index, contact, t, multiplier: 0.0 };
                if !all.iter().any(|(_, known)| self.is_same(state, known, &touch)) {
                    all.push((level, touch));
                }
            }
        }
        all
    }

    fn maxima_on(
        &self,
        state: &OptimalityState<f64>,
        index: usize,
        piece: &BoundaryPiece,
    ) -> Vec<(f64, ContactKind, f64)> {
        let level = |t: f64| self.constraints.level(state, index, t);
        if piece.curve.is_point() {
            return vec![(level(0.0), ContactKind::Fixed, 0.0)];
        }
        let count = FINENESS * self.samples.iter().filter(|(piece, _)| *piece == index).count().max(2);
        let places: Vec<f64> = (0..=count).map(|k| chebyshev_point(k, count)).collect();
        let begins_at_origin = piece.z(1.0, 0.0).norm_sqr() == 0.0;
        let ends_at_origin = piece.z(1.0, 1.0).norm_sqr() == 0.0;
        let level_at = |k: usize| match (k == 0 && begins_at_origin, k == count && ends_at_origin) {
            (false, false) => level(places[k]),
            _ => f64::NEG_INFINITY,
        };
        let levels: Vec<f64> = if count * self.constraints.basis.size() > WORTH_SHARING {
            parallel::map(count + 1, level_at)
        } else {
            (0..=count).map(level_at).collect()
        };
        let mut maxima = Vec::new();
        if piece.curve.leaves_the_origin_upwards() && piece.is_scaled {
            let excess = self.constraints.excess_at_origin(&state.gamma, &state.h, index);
            maxima.push((excess.value, ContactKind::Origin, 0.0));
        }
        if !begins_at_origin && levels[0] > levels[1] {
            maxima.push((levels[0], ContactKind::Fixed, 0.0));
        }
        for k in 1..count {
            if levels[k] >= levels[k - 1] && levels[k] > levels[k + 1] {
                let t = climb(&level, places[k - 1], places[k], places[k + 1]);
                // Next to the origin the level has a limit, which the origin itself represents.
                let is_next_to_origin = begins_at_origin && k == 1 || ends_at_origin && k == count - 1;
                if !is_next_to_origin {
                    maxima.push((level(t), ContactKind::Interior, t));
                }
            }
        }
        if !ends_at_origin && levels[count] > levels[count - 1] {
            maxima.push((levels[count], ContactKind::Fixed, 1.0));
        }
        maxima
    }
}

/// Finds the maximum between two points around a higher one, by golden section search.
fn climb(f: &impl Fn(f64) -> f64, mut low: f64, mut middle: f64, mut high: f64) -> f64 {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    let mut best = f(middle);
    // A maximum is determined only to the square root of the rounding error, which these steps reach.
    for _ in 0..30 {
        let from_left = middle - low > high - middle;
        let next = if from_left { middle - GOLDEN * (middle - low) } else { middle + GOLDEN * (high - middle) };
        let value = f(next);
        let (inner, outer) = if value > best { (next, middle) } else { (middle, next) };
        if value > best {
            best = value;
        }
        if outer < inner {
            low = outer;
        } else {
            high = outer;
        }
        middle = inner;
    }
    middle
}
