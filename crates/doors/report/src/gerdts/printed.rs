//! Comparison of equations (9) and (10), and of the starting value zero.

use hemiola_tableau::{Butcher, library};

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError};

/// Variant of the linearized method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Equation (9): row i contains the Jacobian of stage i.
    Nine,
    /// Equation (10) as printed: the sum over j contains the Jacobian of stage j.
    Ten,
    /// Equation (9) started from k = 0.
    Zero,
}

/// Computes the error at t = 1 for y' = −y², y(0) = 1, of the linearized two-stage Gauss method.
pub(crate) fn error(gauss: &Butcher<f64>, variant: Variant, steps: u32) -> f64 {
    let h = 1.0 / f64::from(steps);
    let y = (0..steps).fold(1.0, |y, _| step(gauss, variant, h, y));
    (y - 0.5).abs()
}

/// Performs a step; k − k⁽⁰⁾ solves a 2 × 2 linear system by Cramer's rule.
fn step(gauss: &Butcher<f64>, variant: Variant, h: f64, y: f64) -> f64 {
    let start = if variant == Variant::Zero { 0.0 } else { -y * y };
    let at = [0, 1].map(|i| y + h * gauss.c[i] * start);
    let jacobian = |i: usize, j: usize| -2.0 * at[if variant == Variant::Ten { j } else { i }];
    let right = [0, 1].map(|i| -at[i] * at[i] - start);
    let entry = |i: usize, j: usize| f64::from(u8::from(i == j)) - h * gauss.a[i][j] * jacobian(i, j);
    let determinant = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
    let change = [
        (right[0] * entry(1, 1) - entry(0, 1) * right[1]) / determinant,
        (entry(0, 0) * right[1] - right[0] * entry(1, 0)) / determinant,
    ];
    y + h * (gauss.b[0] * (start + change[0]) + gauss.b[1] * (start + change[1]))
}

/// Computes the observed order between 64 and 128 steps.
pub(crate) fn slope(gauss: &Butcher<f64>, variant: Variant) -> f64 {
    (error(gauss, variant, 64) / error(gauss, variant, 128)).log2()
}

/// Returns Gauss's method of order four.
pub(crate) fn gauss() -> Result<Butcher<f64>, ReportError> {
    Ok(library::method("gauss-2")?.to_f64().partitions[0].clone())
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let gauss = gauss()?;
    let named =
        [("(9), from k = f(y)", Variant::Nine), ("(10) as printed", Variant::Ten), ("(9), from k = 0", Variant::Zero)];
    let row = |(name, variant): (&str, Variant)| {
        let errors = [16, 32, 64, 128].map(|steps| digits(error(&gauss, variant, steps), 3));
        let slope = format!("{:.2}", slope(&gauss, variant));
        std::iter::once(name.to_owned()).chain(errors).chain([slope]).collect()
    };
    let rows = named.map(row);
    let columns = ["", ">16 steps", ">32", ">64", ">128", ">slope"];
    Ok(Report { text: TEXT.replace("{variants}", &table(&columns, rows)), figures: Vec::new() })
}

const TEXT: &str = "\
### A misprint, and a worse start

(10) has f′(η + h cⱼ f) inside the sum over j. It should be f′(η + h cᵢ f) outside the sum, as in (9) and as
differentiation of (5) yields. This matters: as printed, the order drops to 3. And the start k = 0, which according to
the paper “only allows to create methods with maximal order of convergence 2”, behaves so. Errors of gauss-2 on y′ =
−y², y(0) = 1, at t = 1:

{variants}";

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_integrate::{Comparison, LinearizedStepper, Reference, System};

    #[test]
    fn equation_ten_loses_an_order_and_the_start_from_zero_two() {
        let gauss = gauss().unwrap();
        for (variant, order) in [(Variant::Nine, 4.0), (Variant::Ten, 3.0), (Variant::Zero, 2.0)] {
            assert!((slope(&gauss, variant) - order).abs() < 0.05, "{variant:?}");
        }
    }

    #[test]
    fn equation_nine_is_the_stepper() {
        struct Square;
        impl System for Square {
            fn sizes(&self) -> &[usize] {
                &[1]
            }
            fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
                rate[0] = -y[0] * y[0];
            }
            fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
                jacobian[0] = -2.0 * y[0];
            }
        }
        let method = library::method("gauss-2").unwrap();
        let exact = Reference::exact(|t| vec![1.0 / (1.0 + t)], [0.0, 1.0], 1);
        let mut stepper = LinearizedStepper::new(&method, 1, &Square).unwrap();
        let comparison =
            Comparison { system: &Square, span: [0.0, 1.0], start: &[1.0], reference: &exact, variables: &[0] };
        let found = comparison.sample(&mut stepper, 16, &()).error;
        // Both errors are relative to a scale of one.
        assert!((found - error(&gauss().unwrap(), Variant::Nine, 16)).abs() < 1e-14);
    }
}
