//! Windows for the values that shared stages impose on the polynomials of the levels.
//!
//! At a zero of B(z), R = A + B κ takes the value A(z) for all levels. Each level has an interval of values with
//! which it still reaches its share. Expressed by the remainder of the exponential series, these intervals vary
//! slowly with z, and are computed at a few points once for all searches.

use hemiola_number::{Counter, Progress};
use hemiola_polynomial::{LinearCondition, Problem};

use crate::error::DesignError;
use crate::family::level::{OptimalLevel, SpectrumBoundary, remainder};

/// Points z of the windows. Near the origin all polynomials agree too well for a reliable condition.
const PLACES: [f64; 6] = [-0.7, -1.5, -2.5, -3.5, -5.0, -7.0];
/// Number of bisections for an end of an interval.
const BISECTIONS: usize = 9;
/// Fraction of half an interval that is used, because parameters are rounded and windows interpolated.
const USED: f64 = 0.9;

/// Smallest half width of a window, the resolution of the bisection.
const NARROW: f64 = 5e-4;

/// The admissible remainders at [`PLACES`] for each level.
pub(crate) struct RemainderWindows(Vec<Vec<[f64; 2]>>);

impl RemainderWindows {
    /// Computes the windows; `None` if `progress` stops it before the end.
    pub(crate) fn new(
        boundary: &SpectrumBoundary,
        levels: &[OptimalLevel],
        order: usize,
        share: f64,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, DesignError> {
        let counter = Counter::new(progress, "levels", Some(levels.len()));
        let mut found = Vec::with_capacity(levels.len());
        for level in levels {
            let problem = boundary.problem(level.evaluations, order);
            let places = PLACES.iter().map(|&z| interval(&problem, level, z, order, share));
            found.push(places.collect::<Result<_, _>>()?);
            if counter.advance(1).is_break() {
                return Ok(None);
            }
        }
        Ok(Some(Self(found)))
    }

    /// Computes the sum of squares by which a remainder misses the windows at z, in units of their half width.
    pub(crate) fn penalty(&self, z: f64, found: f64) -> f64 {
        let (first, last) = (PLACES[0], PLACES[PLACES.len() - 1]);
        let outside = (z - first).max(last - z).max(0.0);
        let inside = z.clamp(last, first);
        let cell = PLACES.windows(2).position(|pair| inside >= pair[1]).unwrap_or_default();
        let part = (PLACES[cell] - inside) / (PLACES[cell] - PLACES[cell + 1]);
        let miss = |windows: &Vec<[f64; 2]>| {
            let at = |end: usize| windows[cell][end] + part * (windows[cell + 1][end] - windows[cell][end]);
            let (low, high) = (at(0), at(1));
            let half = (0.5 * (high - low)).max(NARROW);
            (((found - 0.5 * (low + high)).abs() / half - USED).max(0.0)).powi(2)
        };
        self.0.iter().map(miss).sum::<f64>() + outside.powi(2)
    }
}

/// Computes the interval of the remainders at z of polynomials that are stable at the share of the optimum, around
/// that of the optimum.
fn interval(
    problem: &Problem,
    level: &OptimalLevel,
    z: f64,
    order: usize,
    share: f64,
) -> Result<[f64; 2], DesignError> {
    let center = remainder(&level.polynomial, z, order);
    let h = share * level.limit;
    let (mut term, mut taylor) = (1.0, 0.0);
    for k in 0..=order {
        taylor += term;
        term *= z / (k + 1) as f64;
    }
    let is_stable = |found: f64| -> Result<bool, DesignError> {
        let condition = LinearCondition::Value { z, value: taylor + term * found };
        Ok(problem.at_scale(h, &[condition])?.is_some_and(|found| found.level <= 0.0))
    };
    let end = |direction: f64| -> Result<f64, DesignError> {
        let (mut inside, mut outside) = (center, center + direction);
        for _ in 0..BISECTIONS {
            let middle = f64::midpoint(inside, outside);
            if is_stable(middle)? { inside = middle } else { outside = middle }
        }
        Ok(inside)
    };
    Ok([end(-0.5)?, end(0.5)?])
}
