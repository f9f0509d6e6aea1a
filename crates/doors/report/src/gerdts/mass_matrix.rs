//! Systems with a mass matrix, M(y) y' = g(y), and systems that depend on time.

use hemiola_tableau::{Butcher, library};

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError};

/// Form of the stage equations to which Newton's method is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Residual Mᵢkᵢ − gᵢ, as in (5) of the paper.
    Mass,
    /// Residual kᵢ − Mᵢ⁻¹gᵢ.
    Solved,
}

/// Returns M = 1 + y² and its derivative.
fn mass(y: f64) -> [f64; 2] {
    [1.0 + y * y, 2.0 * y]
}

/// Returns f = −y² and its derivative; g = M f.
fn rate(y: f64) -> [f64; 2] {
    [-y * y, -2.0 * y]
}

/// Computes the error at t = 1 for y' = −y², y(0) = 1, of a linearized two-stage method.
pub(crate) fn error(method: &Butcher<f64>, form: Form, steps: u32) -> f64 {
    let h = 1.0 / f64::from(steps);
    ((0..steps).fold(1.0, |y, _| step(method, form, h, y)) - 0.5).abs()
}

/// Performs a step with one Newton iteration from kᵢ = f(y); the 2 × 2 system is solved by Cramer's rule.
fn step(method: &Butcher<f64>, form: Form, h: f64, y: f64) -> f64 {
    let start = rate(y)[0];
    let row = |i: usize| {
        let at = y + h * method.c[i] * start;
        let ([f, f_y], [m, m_y]) = (rate(at), mass(at));
        match form {
            // F = M k − M f: F_k = M δ + h a (M′k − M′f − M f′).
            Form::Mass => (m * (start - f), m, m_y * (start - f) - m * f_y),
            Form::Solved => (start - f, 1.0, -f_y),
        }
    };
    let rows = [row(0), row(1)];
    let entry = |i: usize, j: usize| {
        let (_, diagonal, slope) = rows[i];
        f64::from(u8::from(i == j)) * diagonal + h * method.a[i][j] * slope
    };
    let determinant = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
    let [right, left] = [-rows[0].0, -rows[1].0];
    let change = [
        (right * entry(1, 1) - entry(0, 1) * left) / determinant,
        (entry(0, 0) * left - right * entry(1, 0)) / determinant,
    ];
    y + h * (method.b[0] * (start + change[0]) + method.b[1] * (start + change[1]))
}

/// Computes the observed order between 128 and 256 steps.
pub(crate) fn slope(method: &Butcher<f64>, form: Form) -> f64 {
    (error(method, form, 128) / error(method, form, 256)).log2()
}

pub(crate) fn butcher(id: &str) -> Result<Butcher<f64>, ReportError> {
    Ok(library::method(id)?.to_f64().partitions[0].clone())
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let mut rows = Vec::new();
    for id in ["gauss-2", "radau-iia-2"] {
        let method = butcher(id)?;
        for (name, form) in [("M k − g", Form::Mass), ("k − M⁻¹g", Form::Solved)] {
            let errors = [32, 64, 128, 256].map(|steps| digits(error(&method, form, steps), 3));
            let cells = [id.to_owned(), name.to_owned()].into_iter().chain(errors);
            rows.push(cells.chain([format!("{:.2}", slope(&method, form))]).collect());
        }
    }
    let columns = ["", "Newton's method for", ">32 steps", ">64", ">128", ">256", ">slope"];
    Ok(Report { text: TEXT.replace("{forms}", &table(&columns, rows)), figures: Vec::new() })
}

const TEXT: &str = "\
### Mass matrices, and time

> “Notice, that Equation (5) can be easily adapted to (1) by multiplying row i with M evaluated at […].”

This holds for the nonlinear equations, whose solution is the same, but not for one Newton iteration: the factor changes the Jacobian at
the start. Errors on (1 + y²) y′ = −(1 + y²) y², y(0) = 1, at t = 1:

{forms}
A method of order 4 drops to 3 if the rows are multiplied by M; one of order 3 keeps its order. Theorem 2.3 holds for f = M⁻¹g, as the paper
writes after (2); in this form the Jacobian has the derivatives of M⁻¹.

> “the below defined LIRK method is invariant under autonomization, if and only if Σ bᵢ = 1 and (3) hold”

A test of this section lets linearized methods with (3) run on a system that depends on time and on the same one with time as a variable: the
results are equal to rounding.
";

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_integrate::{LinearizedStepper, Stepper, System};

    #[test]
    fn the_mass_matrix_form_loses_an_order_of_gauss() {
        let [gauss, radau] = ["gauss-2", "radau-iia-2"].map(|id| butcher(id).unwrap());
        let slopes = [
            (&gauss, Form::Mass, 3.0),
            (&gauss, Form::Solved, 4.0),
            (&radau, Form::Mass, 3.0),
            (&radau, Form::Solved, 3.0),
        ];
        for (method, form, order) in slopes {
            let found = slope(method, form);
            assert!((found - order).abs() < 0.06, "{form:?} {order}: {found}");
        }
    }

    /// The problem y' = cos(3t) y − t y², with or without time as a second variable.
    struct Timed(bool);

    impl System for Timed {
        fn sizes(&self) -> &[usize] {
            if self.0 { &[2] } else { &[1] }
        }

        fn rate(&self, _: usize, t: f64, y: &[f64], rate: &mut [f64]) {
            let t = if self.0 { y[1] } else { t };
            rate[0] = (3.0 * t).cos() * y[0] - t * y[0] * y[0];
            if self.0 {
                rate[1] = 1.0;
            }
        }

        fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
            let t = if self.0 { y[1] } else { t };
            let slope = (3.0 * t).cos() - 2.0 * t * y[0];
            if self.0 {
                jacobian.copy_from_slice(&[slope, -3.0 * (3.0 * t).sin() * y[0] - y[0] * y[0], 0.0, 0.0]);
            } else {
                jacobian[0] = slope;
            }
        }
    }

    #[test]
    fn linearized_methods_are_invariant_under_autonomization() {
        for (id, iterations) in [("gauss-2", 1), ("radau-iia-2", 1), ("radau-iia-3", 2), ("lobatto-iiia-3", 1)] {
            let method = library::method(id).unwrap();
            let (mut y, mut z) = ([1.0], [1.0, 0.0]);
            let mut timed = LinearizedStepper::new(&method, iterations, &Timed(false)).unwrap();
            let mut autonomous = LinearizedStepper::new(&method, iterations, &Timed(true)).unwrap();
            for k in 0..20 {
                let t = 0.1 * f64::from(k);
                timed.step(&Timed(false), t, 0.1, &mut y).unwrap();
                autonomous.step(&Timed(true), t, 0.1, &mut z).unwrap();
            }
            assert!((y[0] - z[0]).abs() < 1e-14 && (z[1] - 2.0).abs() < 1e-14, "{id}: {} {}", y[0], z[0]);
        }
    }
}
