//! What shared stages may impose on the polynomials of the levels.
//!
//! Where B(z) vanishes, R = A + B κ takes the value A(z) for all levels. Each level has an interval of values with which it
//! still reaches its share; as the remainder of the exponential series these intervals vary slowly with z, and are
//! found on a few places once for all searches.

use hemiola_polynomial::{Condition, Problem};

use crate::error::DesignError;
use crate::family::level::{Boundary, Optimal, remainder};

/// The places: near the origin all polynomials agree so well that the condition is none to rely on.
const PLACES: [f64; 6] = [-0.7, -1.5, -2.5, -3.5, -5.0, -7.0];
/// Bisections for an end of an interval.
const BISECTIONS: usize = 9;
/// The fraction of an interval's half that is used: parameters are rounded, and windows interpolated.
const USED: f64 = 0.9;

/// No window is narrower: bisection tells no more.
const NARROW: f64 = 5e-4;

/// For each level the admissible remainders at [`PLACES`].
pub(crate) struct Windows(Vec<Vec<[f64; 2]>>);

impl Windows {
    /// `None` if `goes_on` says no before all are known.
    pub(crate) fn new(
        boundary: &Boundary,
        levels: &[Optimal],
        order: usize,
        share: f64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, DesignError> {
        let mut found = Vec::with_capacity(levels.len());
        for level in levels {
            let problem = Problem::new(boundary.spectrum.clone(), level.evaluations, order);
            let places = PLACES.iter().map(|&z| interval(&problem, level, z, order, share));
            found.push(places.collect::<Result<_, _>>()?);
            if !goes_on() {
                return Ok(None);
            }
        }
        Ok(Some(Self(found)))
    }

    /// The sum of the squares by which a remainder misses the windows at z, in units of their half width.
    pub(crate) fn missed(&self, z: f64, found: f64) -> f64 {
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

/// The remainders at z of the polynomials that are stable at the share of the optimum, around that of the optimum.
fn interval(problem: &Problem, level: &Optimal, z: f64, order: usize, share: f64) -> Result<[f64; 2], DesignError> {
    let center = remainder(&level.polynomial, z, order);
    let h = share * level.limit;
    let (mut term, mut taylor) = (1.0, 0.0);
    for k in 0..=order {
        taylor += term;
        term *= z / (k + 1) as f64;
    }
    let is_stable = |found: f64| -> Result<bool, DesignError> {
        let condition = Condition::Value { z, value: taylor + term * found };
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
