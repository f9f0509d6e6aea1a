//! Guard for kernels in double precision: finds points with large error bounds and evaluates them with more digits.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::plane::{Kind, Plane};
use super::quantity::{MapQuery, Quantity};
use super::rows::value;
use super::slice::Slice;
use crate::eigenvalues::pair::radius_of_pair;
use crate::map::window::Window;
use crate::rounding::adaptive_precision::{AdaptivePrecision, BoundedMatrix, is_settled, radius_error, reach};

/// Stride of the probes for a plane of two real parameters, in each direction.
const STRIDE: usize = 8;
/// Factor by which |z| may be larger between probes.
const BETWEEN: f64 = 1.25;
/// Ratio of the distance of ρ above the level to its error bound in a window beyond which the side of the level is
/// certain.
const FAR: f64 = 1e3;

/// Explicit pair on a plane.
#[derive(Clone, Debug)]
pub(super) struct PrecisionGuard {
    adaptive: AdaptivePrecision<2>,
    plane: Plane,
    /// Largest |ξ| on a slice up to which doubles suffice; zero for real parameters, where each window must be checked.
    covered: f64,
}

/// Window in which doubles may not suffice everywhere.
pub(super) struct GuardedWindow<'a> {
    guard: &'a PrecisionGuard,
    quantity: Quantity,
    level: f64,
    /// Value above which ρ certainly exceeds the level.
    far: f64,
}

impl PrecisionGuard {
    /// Creates a guard; `None` for implicit methods, whose stage equations are solved without cancellation.
    pub(super) fn new(tableau: &Tableau<f64>, plane: &Plane) -> Option<Self> {
        let adaptive = AdaptivePrecision::new(tableau)?;
        let covered = match &plane.0 {
            Kind::Slice(slice) => reach(|reach| adaptive.is_covered(&largest(slice, reach))),
            Kind::Real(_) => 0.0,
        };
        Some(Self { adaptive, plane: plane.clone(), covered })
    }

    /// Prepares a guard for a window; returns `None` if doubles suffice in all of it.
    pub(super) fn watch(&self, window: &Window, quantity: Quantity, level: f64) -> Option<GuardedWindow<'_>> {
        let sizes = match &self.plane.0 {
            Kind::Slice(_) if window.reach() <= self.covered => return None,
            Kind::Slice(slice) => largest(slice, window.reach()),
            Kind::Real(_) => self.largest_in(window),
        };
        if self.adaptive.is_covered(&sizes) {
            return None;
        }
        let is_radius = quantity == Quantity::Radius;
        let far = if is_radius { level + FAR * self.worst_radius_error(&sizes) } else { f64::INFINITY };
        Some(GuardedWindow { guard: self, quantity, level, far })
    }

    /// Prepares a guard for a single point.
    pub(super) fn watch_point(&self, quantity: Quantity, level: f64) -> GuardedWindow<'_> {
        GuardedWindow { guard: self, quantity, level, far: f64::INFINITY }
    }

    /// Corrects ρ at nearby points where doubles may not suffice.
    pub(super) fn correct_radii(&self, points: &[[Complex64; 3]], radii: &mut [f64]) {
        // |Re| + |Im| exceeds the modulus by at most √2 and takes a tenth of its time.
        let most = |entry: usize| points.iter().map(|z| z[entry].l1_norm()).fold(0.0, f64::max);
        let coupling = most(2).sqrt();
        if self.adaptive.is_covered(&[[most(0), coupling], [coupling, most(1)]]) {
            return;
        }
        let question = MapQuery::Value(Quantity::Radius);
        let watch = self.watch_point(question.quantity(), question.level());
        for (z, radius) in points.iter().zip(radii) {
            *radius = watch.answer_at(*z, *radius).0;
        }
    }

    /// Estimates the largest moduli in a window from probes and the factor [`BETWEEN`].
    fn largest_in(&self, window: &Window) -> [[f64; 2]; 2] {
        let cells = (window.cells.0.div_ceil(STRIDE), window.cells.1.div_ceil(STRIDE));
        let window = Window { cells, ..*window };
        let mut largest = [[0.0f64; 2]; 2];
        for j in 0..=cells.1 {
            for i in 0..=cells.0 {
                let [x, y] = window.point(i, j);
                for (largest, size) in
                    largest.as_flattened_mut().iter_mut().zip(sizes(self.plane.at(x, y)).as_flattened())
                {
                    *largest = largest.max(BETWEEN * size);
                }
            }
        }
        largest
    }

    /// Bounds the error of ρ(S) for any S.
    fn worst_radius_error(&self, sizes: &[[f64; 2]; 2]) -> f64 {
        let (error, most) = self.adaptive.worst(sizes);
        error + (4.0 * error * most + 2.0 * error * error).sqrt()
    }
}

impl GuardedWindow<'_> {
    /// Returns the quantity, given its value in doubles, and whether doubles failed to decide its side of the level.
    pub(super) fn answer(&self, [x, y]: [f64; 2], known: f64) -> (f64, bool) {
        let Self { guard, far, .. } = *self;
        if known > far || x * x + y * y <= guard.covered * guard.covered {
            return (known, false);
        }
        self.answer_at(guard.plane.at(x, y), known)
    }

    /// Returns the quantity, and whether doubles failed to decide it, at a point of the space that contains the plane.
    fn answer_at(&self, z: [Complex64; 3], known: f64) -> (f64, bool) {
        let Self { guard, quantity, level, .. } = *self;
        let sizes = sizes(z);
        if guard.adaptive.is_covered(&sizes) || !known.is_finite() {
            return (known, false);
        }
        if quantity == Quantity::Radius && is_settled(known, guard.worst_radius_error(&sizes), level) {
            return (known, false);
        }
        let coupling = z[2].sqrt();
        let matrix = [[z[0], coupling], [coupling, z[1]]];
        let found = guard.adaptive.settled(&matrix, |found| match quantity {
            Quantity::Radius => is_settled(radius_of_pair(found.s), radius_error(found), level),
            _ => entries_are_settled(found),
        });
        (value(quantity, found.s, z), found.in_more_digits)
    }
}

fn entries_are_settled(found: &BoundedMatrix<2>) -> bool {
    let size = found.s.as_flattened().iter().map(|entry| entry.norm()).fold(0.0, f64::max);
    found.error.as_flattened().iter().all(|&error| is_settled(size, error, 1.0))
}

/// Computes |Z| with equal couplings.
fn sizes([slow, fast, product]: [Complex64; 3]) -> [[f64; 2]; 2] {
    let coupling = product.norm().sqrt();
    [[slow.norm(), coupling], [coupling, fast.norm()]]
}

/// Bounds |Z| with equal couplings for |ξ| ≤ `reach`.
fn largest(slice: &Slice, reach: f64) -> [[f64; 2]; 2] {
    let affine = |[a, b]: [Complex64; 2]| a.norm() + b.norm() * reach;
    let [a, b, c] = slice.product.map(Complex64::norm);
    let coupling = (a + (b + c * reach) * reach).sqrt();
    [[affine(slice.slow), coupling], [coupling, affine(slice.fast)]]
}
