//! Fields of a single partition: stability, order stars and the error of a step.

use hemiola_tableau::Butcher;
use num_complex::Complex64;

use crate::function::evaluation::Evaluator;
use crate::map::field::Field;
use crate::map::scan::{Quantity, relative_growth};
use crate::map::window::Window;

/// Field of one partition over z = x + iy, selected by the [`Quantity`]: |R|, the order star |R(z)/eᶻ| (Wanner, Hairer
/// & Nørsett 1978), or the error |R(z) − eᶻ|.
///
/// [`Quantity::Smaller`] and [`Quantity::Additive`] also give |R|, since there is only one eigenvalue and one additive
/// term.
///
/// ```
/// use hemiola_stability::{Field, PartitionField, Quantity};
/// let euler = hemiola_tableau::library::method("implicit-euler").unwrap().to_f64();
/// let star = PartitionField::new(&euler.partitions[0], Quantity::Growth);
/// assert!((star.at(-1.0, 0.0) - 1f64.exp() / 2.0).abs() < 1e-15);
/// assert_eq!(star.at(1.0, 0.0), f64::INFINITY); // the pole
/// ```
#[derive(Clone, Debug)]
pub struct PartitionField {
    function: Evaluator,
    quantity: Quantity,
}

impl PartitionField {
    /// Creates the field of one tableau.
    ///
    /// The order star is computed by logarithms and overflows only if it exceeds the range of doubles. The error is
    /// accurate to the rounding of |R| and |eᶻ|, and infinite where these overflow.
    #[must_use]
    pub fn new(butcher: &Butcher<f64>, quantity: Quantity) -> Self {
        Self { function: Evaluator::new(butcher), quantity }
    }

    fn value(&self, x: f64, y: f64) -> (f64, bool) {
        let z = Complex64::new(x, y);
        let level = if self.quantity == Quantity::Growth { x.exp() } else { 1.0 };
        let (r, in_more_digits) = self.function.at(z, level);
        let value = match self.quantity {
            Quantity::Radius | Quantity::Smaller | Quantity::Additive => r.norm(),
            Quantity::Growth => relative_growth(r.norm(), x),
            Quantity::Error => (r - z.exp()).norm(),
        };
        (if value.is_nan() { f64::INFINITY } else { value }, in_more_digits)
    }
}

impl Field for PartitionField {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.value(x, y).0
    }

    fn count_refined(&self, window: &Window) -> usize {
        let is_settled = self.function.doubles_suffice(window.reach(), self.quantity != Quantity::Growth);
        if is_settled { 0 } else { window.count(|x, y| self.value(x, y).1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn field(id: &str, quantity: Quantity) -> PartitionField {
        PartitionField::new(&library::method(id).unwrap().to_f64().partitions[0], quantity)
    }

    #[test]
    fn order_stars_have_one_finger_for_each_order() {
        // Near the origin R/eᶻ − 1 = −C z^{p+1} changes its sign 2(p + 1) times around a small circle.
        for (id, order) in [("explicit-euler", 1), ("rk4", 4), ("gauss-2", 4), ("radau-iia-2", 3)] {
            let star = field(id, Quantity::Growth);
            let above = |k: usize| {
                let z = Complex64::from_polar(0.1, std::f64::consts::TAU * (k as f64 + 0.37) / 200.0);
                star.at(z.re, z.im) > 1.0
            };
            let changes = (0..200).filter(|&k| above(k) != above((k + 1) % 200)).count();
            assert_eq!(changes, 2 * (order + 1), "{id}");
        }
    }

    #[test]
    fn large_arguments_neither_overflow_nor_lose_digits() {
        // R(−600) = 1/601 of implicit Euler times e⁶⁰⁰, and R(600) of RK4 divided by e⁶⁰⁰.
        let z = 600.0f64;
        let expected = (z - 601f64.ln()).exp();
        assert!((field("implicit-euler", Quantity::Growth).at(-z, 0.0) / expected - 1.0).abs() < 1e-12);
        let rk4 = 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)));
        let found = field("rk4", Quantity::Growth).at(z, 0.0);
        assert!((found / (rk4.ln() - z).exp() - 1.0).abs() < 1e-12, "{found}");
        assert_eq!(field("rk4", Quantity::Growth).at(-1e3, 0.0), f64::INFINITY);
        assert_eq!(field("rk4", Quantity::Growth).at(1e3, 0.0), 0.0);
        // |R| of Gauss methods is one on the imaginary axis, and so is |eᶻ|.
        for y in [1e-3, 1.0, 1e3] {
            assert!((field("gauss-3", Quantity::Growth).at(0.0, y) - 1.0).abs() < 1e-14);
        }
        assert!((field("gauss-1", Quantity::Error).at(-1e3, 0.0) - 499.0 / 501.0).abs() < 1e-15);
    }

    #[test]
    fn diagonally_implicit_methods_keep_their_digits_far_from_the_origin() {
        // |R(−10³)| and |R(10³ i)| of the tableaux rounded to doubles, computed with 50 digits.
        for (id, left, up) in [
            ("alamri-ketcheson-8-6-14", 0.7929586705985055, 0.9187503725142135),
            ("kennedy-carpenter-esdirk-5-4-7", 0.01501880086013383, 0.01562231200826684),
            ("tr-bdf2", 0.004784046987343805, 0.004828384912014319),
        ] {
            let field = field(id, Quantity::Radius);
            for (found, expected) in [(field.at(-1e3, 0.0), left), (field.at(0.0, 1e3), up)] {
                assert!((found / expected - 1.0).abs() < 1e-10, "{id}: {found} {expected}");
            }
        }
    }

    #[test]
    fn errors_of_a_step() {
        // e − 65/24, and arguments that are not finite.
        let error = field("rk4", Quantity::Error);
        assert!((error.at(1.0, 0.0) - (std::f64::consts::E - 65.0 / 24.0)).abs() < 1e-15);
        for (x, y) in [(f64::NAN, 0.0), (0.0, f64::NAN), (f64::INFINITY, 0.0), (1e3, 0.0)] {
            assert_eq!(error.at(x, y), f64::INFINITY, "{x} {y}");
        }
        for quantity in [Quantity::Radius, Quantity::Growth] {
            assert_eq!(field("gauss-2", quantity).at(f64::NAN, 0.0), f64::INFINITY);
        }
    }
}
