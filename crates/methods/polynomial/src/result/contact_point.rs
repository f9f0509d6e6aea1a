//! Contact points: the points at which an optimum attains its bound.

use num_complex::Complex64;

use crate::arithmetic::complex::Complex;
use crate::problem::constraint::Constraints;
use crate::result::optimum::{Optimum, Solution};
use crate::solve::closed_form::ClosedForm;
use crate::solve::optimality::{ContactKind, ContactUnknown, OptimalityState};
use crate::solve::search::contacts;

/// Point at which |R| attains its bound, with the multiplier of that constraint.
///
/// The multipliers are those of the optimality conditions: no polynomial of the same degree and order is stable at a
/// larger scale, because Σ μ |R(z)|² cannot be reduced at all of these points together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Position, scaled by the limit; the origin stands for the lowest coefficient of |R(iy)|² − 1.
    pub z: Complex64,
    /// Multiplier μ ≥ 0 of |R(z)|² ≤ b², per unit of the limit.
    pub multiplier: f64,
}

impl Optimum {
    /// Returns the points in the closed upper half-plane at which |R| attains its bound, with their multipliers, from
    /// the origin outwards.
    ///
    /// The result is empty if the points are not isolated, or for closed forms of more than a hundred stages.
    #[must_use]
    pub fn contact_points(&self) -> Vec<ContactPoint> {
        let mut points = match &self.solution {
            Solution::Closed(form) => self.contacts_of_formula(form),
            Solution::Conic { .. } => Vec::new(),
            Solution::Alternating { doubles, .. } => {
                let multipliers = doubles.multipliers();
                let point = |(t, multiplier): (&f64, f64)| ContactPoint {
                    z: Complex64::new(-doubles.limit * t, 0.0),
                    // The derivative of |R|² is 2|R| times that of |R|.
                    multiplier: multiplier.abs() / (2.0 * doubles.level),
                };
                doubles.points.iter().zip(multipliers).map(point).collect()
            }
            Solution::Touching { constraints, doubles, .. } => contact_points(constraints, doubles),
        };
        points.sort_by(|a, b| a.z.norm().total_cmp(&b.z.norm()));
        points
    }

    fn contacts_of_formula(&self, form: &ClosedForm) -> Vec<ContactPoint> {
        const MOST: usize = 100;
        let (stages, order) = (self.problem.stages(), self.problem.order());
        let polynomial = self.polynomial(17).ok().filter(|_| stages <= MOST);
        let (Some(polynomial), Ok(pieces)) = (polynomial, self.problem.pieces()) else { return Vec::new() };
        let stable = polynomial.stable_form();
        let value = |z: &Complex<f64>| {
            let value = stable.at(Complex64::new(z.re, z.im));
            Complex::new(value.re, value.im)
        };
        let limit = form.limit_squared.to_f64().value().sqrt();
        let (constraints, state) = contacts(stages, order, pieces, limit, value);
        // On a disk |R| = 1 may hold everywhere: no isolated points.
        if state.touches.len() > stages + 1 { Vec::new() } else { contact_points(&constraints, &state) }
    }
}

fn contact_points(constraints: &Constraints, state: &OptimalityState<f64>) -> Vec<ContactPoint> {
    let point = |touch: &ContactUnknown<f64>| {
        let place = constraints.pieces[touch.piece].z(state.h, touch.t);
        let at_origin = touch.contact == ContactKind::Origin;
        let z = if at_origin { Complex64::ZERO } else { Complex64::new(place.re, place.im) };
        ContactPoint { z, multiplier: touch.multiplier.max(0.0) }
    };
    state.touches.iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::statement::Problem;

    fn contact(spectrum: &str, stages: usize, order: usize) -> Vec<ContactPoint> {
        Problem::new(spectrum.parse().unwrap(), stages, order).solve().unwrap().contact_points()
    }

    #[test]
    fn contact_points_of_formulas_are_where_they_are_known_to_be() {
        // |R(iy)|² = 1 − sin²Kθ cos²θ with y = K cos θ, K = s − 1.
        let touches = contact("imaginary", 9, 2);
        for (k, touch) in [(3.0, 0), (2.0, 1), (1.0, 2), (0.0, 3)].map(|(k, index): (f64, usize)| (k, touches[index])) {
            let y = 8.0 * (k * std::f64::consts::PI / 8.0).cos();
            assert!((touch.z.im - y).abs() < 1e-6 && touch.z.re == 0.0 && touch.multiplier > 0.0, "{touch:?} {y}");
        }
        // T_s(1 + z/s²) alternates at −s²(1 − cos(kπ/s)).
        let touches = contact("real", 6, 1);
        for (k, touch) in touches.iter().enumerate() {
            let x = -36.0 * (1.0 - ((k + 1) as f64 * std::f64::consts::PI / 6.0).cos());
            assert!((touch.z.re - x).abs() < 1e-5, "{touch:?} {x}");
        }
        assert_eq!((touches.len(), contact("disk", 6, 1).len()), (6, 0));
    }
}
