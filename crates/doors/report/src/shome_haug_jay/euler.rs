//! Tables 2 to 4: Euler's method with two step sizes as a pair.

use hemiola_integrate::{Explicit, Outcome, Stepper};
use hemiola_models::{Model, linear};
use hemiola_number::Progress;
use hemiola_order::{CheckOptions, OrderReport};
use hemiola_tableau::{Tableau, library};

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};

/// Coefficients A, B, C, D of (3): a slow and a fast variable.
const MATRIX: [[f64; 2]; 2] = [[-1.0, 0.5], [2.0, -10.0]];
/// Initial values x₀ and y₀.
const START: [f64; 2] = [1.0, 0.5];
/// Step size of the comparison.
const STEP: f64 = 0.1;
/// Library methods of Tables 3 and 4.
const TABLES: [(&str, &str); 2] = [("Table 3", "shome-haug-jay-euler-1-3"), ("Table 4", "shome-haug-jay-averaged-1-3")];

/// Performs the four lines of Table 2: x over h, and y in thirds of h with x between x₀ and x₁ interpolated by (4)–(6).
fn table_2(h: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let [[a, b], [c, d]] = MATRIX;
    let last = x + h * (a * x + b * y);
    let between = |k: f64| (3.0 - k) / 3.0 * x + k / 3.0 * last;
    let fast = [0.0, 1.0, 2.0].into_iter().fold(y, |y, k| y + h / 3.0 * (c * between(k) + d * y));
    [last, fast]
}

/// Evaluates (7)–(12) as printed. A tableau provides the coefficients that Table 4 leaves free.
fn equations_7_to_12(h: f64, [x, y]: [f64; 2], pair: &Tableau<f64>) -> [f64; 2] {
    let [[a, b], [c, d]] = MATRIX;
    let (slow, fast) = (&pair.partitions[0].a, &pair.partitions[1]);
    let l1 = c * x + d * y;
    let k2 = a * x + b * (y + h * fast.a[1][0] * l1);
    let l2 = c * x + d * (y + h * fast.a[1][0] * l1);
    let l3 = c * (x + h * slow[2][1] * k2) + d * (y + h * fast.a[2][0] * l1 + h * fast.a[2][1] * l2);
    [x + h * k2, y + h * (fast.b[0] * l1 + fast.b[1] * l2 + fast.b[2] * l3)]
}

fn step(id: &str, model: &Model) -> Result<[f64; 2], ReportError> {
    let mut y = START;
    let mut stepper = Explicit::new(&library::method(id)?, model)?;
    let failed = |error| ReportError::NoReference { model: model.name, outcome: Outcome::Failed(error) };
    stepper.step(model, 0.0, STEP, &mut y).map_err(failed)?;
    Ok(y)
}

/// Returns the largest difference of both variables.
fn apart(p: [f64; 2], q: [f64; 2]) -> f64 {
    (0..2).map(|k| (p[k] - q[k]).abs()).fold(0.0, f64::max)
}

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    next(progress, "Tables 2 to 4")?;
    let model = linear(&MATRIX.map(Vec::from), &[1])?;
    let mut rows = Vec::new();
    let mut steps = Vec::new();
    for (name, id) in TABLES {
        let method = library::method(id)?;
        let report = OrderReport::new(&method, CheckOptions { highest_order: 2, ..Default::default() }, &())?;
        let made = step(id, &model)?;
        let tableau = method.to_f64();
        let evaluations = [0, 1].map(|r: usize| tableau.partitions[r].evaluated_stages().len().to_string());
        let norm = report.principal_error_norm().map_or_else(|| "–".to_owned(), |norm| digits(norm, 3));
        let values = made.map(|value| digits(value, 6));
        rows.push(
            [
                vec![name.to_owned(), format!("`{id}`")],
                evaluations.to_vec(),
                vec![report.check.order().to_string(), norm],
                values.to_vec(),
            ]
            .concat(),
        );
        steps.push(made);
    }
    let averaged = equations_7_to_12(STEP, START, &library::method(TABLES[1].1)?.to_f64());
    let columns = ["", "", ">slow evaluations", ">fast", ">order", ">error norm", ">x after a step", ">y"];
    let text = format!(
        "\
## Tables 2 to 4: Euler's method at two rates

One slow step and three fast ones, with x between x₀ and x₁ for the fast ones: Table 2 has the steps and Table 3 the pair that makes them. Table 4 evaluates the slow rate in the second stage instead, where it sees
a fast variable that has moved. It leaves α₂₁ (in (7)–(12) the same for both fast rates), α₃₁, α₃₂, the slow a₃₂ and the fast weights free; here the α are 1/3 and a₃₂ is 2/3. One step of
{STEP} on x' = −x + y/2, y' = 2x − 10y from (1, 1/2):

{rows}
The pair of Table 3 differs from Table 2's procedure by {first}, and that of Table 4 from (7)–(12) by {second}. The row of zeros in the slow part of Table 4 does not sum to its abscissa 1/3, so that it is only right for
equations without time, as (3) is. Averaging makes the principal error a little smaller, and leaves the order at one, which one slow evaluation cannot exceed (below).
",
        rows = table(&columns, rows),
        first = digits(apart(steps[0], table_2(STEP, START)), 1),
        second = digits(apart(steps[1], averaged), 1),
    );
    Ok(Report { text, figures: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_3_and_4_are_the_printed_procedures() {
        let model = linear(&MATRIX.map(Vec::from), &[1]).unwrap();
        let [conventional, averaged] = TABLES.map(|(_, id)| step(id, &model).unwrap());
        assert!(apart(conventional, table_2(STEP, START)) < 1e-15);
        let tableau = library::method(TABLES[1].1).unwrap().to_f64();
        assert!(apart(averaged, equations_7_to_12(STEP, START, &tableau)) < 1e-15);
        assert!(apart(conventional, averaged) > 1e-3);
    }
}
