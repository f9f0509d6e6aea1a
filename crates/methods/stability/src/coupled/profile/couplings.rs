//! Search box for unstable points.
//!
//! Its points are described by p = max(X, Y), a position s along two sides of the square of that size, with κ/κ* = 1 +
//! s below the diagonal and 1/(1 − s) above it, and the fraction θ of the strongest coupling at that κ.

use super::growth::Growth;
use super::radius::{CoupledRadius, Point};
use super::step::CouplingRay;

/// Largest |s|: s from −0.9 to 0.9 corresponds to κ from κ*/10 to 10κ*.
const END: f64 = 0.9;
/// Number of grid steps in p, and in s on each side of the diagonal.
pub(super) const ROWS: usize = 200;
const SIDE: usize = 90;
pub(super) const COLUMNS: usize = 2 * SIDE + 1;
/// Distance between columns.
pub(super) const CELL: f64 = END / SIDE as f64;
/// Sign of the couplings considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CouplingSign {
    /// Symmetric couplings, 0 ≤ g ≤ γ².
    Symmetric,
    /// Skew couplings, −γ² ≤ g ≤ 0 with 4|g|κ ≤ (1 − κ)².
    Skew,
}

/// Box of p, s and θ for couplings of one sign.
pub(super) struct ProfileBox<'a> {
    pub(super) radius: &'a CoupledRadius,
    sign: CouplingSign,
    /// End of the box; no infimum lies beyond the decoupled limits for practical growth.
    pub(super) farthest: f64,
}

impl<'a> ProfileBox<'a> {
    pub(super) fn new(radius: &'a CoupledRadius, sign: CouplingSign) -> Self {
        Self { radius, sign, farthest: decoupled_exit(radius, Growth::Practical) }
    }

    /// Returns the values of s at which ρ has edges: the diagonal, where both limits meet, and the points at which the
    /// strongest skew coupling begins to depend on κ.
    ///
    /// Maxima on edges may be too narrow for the grid.
    pub(super) fn edges(&self, gamma: f64) -> Vec<f64> {
        let [slow, fast] = self.radius.limits();
        // The edges solve (1 − κ)² = 4γ²κ.
        let (middle, root) = (1.0 + 2.0 * gamma * gamma, 2.0 * gamma * (1.0 + gamma * gamma).sqrt());
        let place = |kappa: f64| {
            let ratio = kappa * slow / fast;
            if ratio < 1.0 { ratio - 1.0 } else { 1.0 - ratio.recip() }
        };
        let skew = [middle - root, middle, middle + root].map(place);
        let skew = skew.into_iter().filter(|s| self.sign == CouplingSign::Skew && s.abs() <= END);
        std::iter::once(0.0).chain(skew).collect()
    }

    /// Returns p of row i.
    pub(super) fn p(&self, i: usize) -> f64 {
        self.farthest * i as f64 / ROWS as f64
    }

    /// Computes X, Y and g of a point of the box.
    pub(super) fn point(&self, gamma: f64, p: f64, s: f64, theta: f64) -> Point {
        let [x, y] = [1.0 - s.max(0.0), 1.0 + s.min(0.0)];
        let strongest = gamma * gamma;
        let coupling = match self.sign {
            CouplingSign::Symmetric => strongest,
            CouplingSign::Skew => {
                let [slow, fast] = self.radius.limits();
                let kappa = y * fast / (x * slow);
                -strongest.min((1.0 - kappa).powi(2) / (4.0 * kappa))
            }
        };
        [p * x, p * y, theta * coupling]
    }
}

/// Returns s of column j.
pub(super) fn s(j: usize) -> f64 {
    END * (j as f64 - SIDE as f64) / SIDE as f64
}

/// Clamps s to the box.
pub(super) fn bounded(s: f64) -> f64 {
    s.clamp(-END, END)
}

/// Finds the smallest p at which one of the parts alone exceeds the growth bound.
pub(super) fn decoupled_exit(radius: &CoupledRadius, growth: Growth) -> f64 {
    let exit = |direction: [f64; 2]| CouplingRay::new(radius, direction, 0.0, growth).first_exit();
    exit([1.0, 0.0]).min(exit([0.0, 1.0]))
}
