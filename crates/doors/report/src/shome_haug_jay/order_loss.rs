//! Theorem 1 and Appendix A: the order of a pair does not exceed the number of its slow evaluations.

use hemiola_integrate::{Explicit, Outcome, equal_steps};
use hemiola_models::{Model, linear};
use hemiola_number::Progress;
use hemiola_tableau::{Method, library};

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};

/// Euler's method for x and the Taylor method of order two for y, (A6) and (A7), as a pair: with the stages x₀ and x₁
/// of x, Heun's weights reproduce the Taylor terms exactly for linear equations.
const APPENDIX_A: &str = r#"{"format": "hemiola-method/1", "id": "appendix-a", "name": "(A6) and (A7)", "partitions": [
    {"name": "slow", "a": [["0", "0"], ["1", "0"]], "b": ["1", "0"]},
    {"name": "fast", "a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"]}], "claims": {"order": 1}, "source": {}}"#;

/// Coefficients A, B, C, D of (A1), slow and fast.
const COUPLED: [[f64; 2]; 2] = [[-1.0, 0.5], [2.0, -4.0]];
/// Coefficients of (A1) without the effect of x on y.
const UNCOUPLED: [[f64; 2]; 2] = [[-1.0, 0.5], [0.0, -4.0]];
/// Numbers of steps from 0 to 1 in the table.
const STEPS: [u64; 5] = [10, 40, 160, 640, 2560];
/// Number of steps of the reference, which has order eight and is exact up to rounding.
const EXACT: u64 = 500;

/// Errors of x and y.
type Errors = [f64; 2];

fn model(matrix: [[f64; 2]; 2]) -> Result<Model, ReportError> {
    Ok(linear(&matrix.map(Vec::from), &[1])?)
}

fn state(method: &Method, model: &Model, end: f64, steps: u64) -> Result<Vec<f64>, ReportError> {
    let mut y = model.initial.clone();
    let mut stepper = Explicit::new(method, model)?;
    let watch = &mut |_: &hemiola_integrate::Accepted<'_>| std::ops::ControlFlow::Continue(());
    let run = equal_steps(&mut stepper, model, [0.0, end], steps, &mut y, watch);
    match run.outcome {
        Outcome::Finished => Ok(y),
        outcome => Err(ReportError::NoReference { model: model.name, outcome }),
    }
}

/// Computes the errors of x and y at the end of a number of steps.
fn errors(method: &Method, model: &Model, end: f64, steps: u64) -> Result<Errors, ReportError> {
    let found = state(method, model, end, steps)?;
    let exact = state(&library::method("dormand-prince-8")?, model, end, EXACT)?;
    Ok([0, 1].map(|k| (found[k] - exact[k]).abs()))
}

/// Tabulates, by number of slow evaluations, the highest order claimed by a pair of the library, the largest modulus of
/// the elementary weight of the tall tree with one more node, and the number of pairs.
fn tall_trees() -> Result<Vec<(usize, usize, f64, usize)>, ReportError> {
    let mut rows: Vec<(usize, usize, f64, usize)> = Vec::new();
    for id in library::ids() {
        let method = library::method(id)?;
        let tableau = method.to_f64();
        let Some(order) = method.claims().order.filter(|_| tableau.partitions.len() == 2 && tableau.is_explicit())
        else {
            continue;
        };
        let slow = &tableau.partitions[0];
        let evaluations = slow.evaluated_stages().len();
        let chain = (0..evaluations).fold(vec![1.0; slow.stages()], |chain, _| slow.times(&chain));
        let tall = slow.b.iter().zip(&chain).map(|(b, chain)| b * chain).sum::<f64>().abs();
        match rows.iter_mut().find(|row| row.0 == evaluations) {
            Some(row) => *row = (evaluations, row.1.max(order), row.2.max(tall), row.3 + 1),
            None => rows.push((evaluations, order, tall, 1)),
        }
    }
    rows.sort_unstable_by_key(|row| row.0);
    Ok(rows)
}

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    next(progress, "Theorem 1 and Appendix A")?;
    let method = Method::from_json(APPENDIX_A.as_bytes(), "Appendix A")?;
    let (coupled, uncoupled) = (model(COUPLED)?, model(UNCOUPLED)?);
    let mut rows = Vec::new();
    let mut before: Option<[Errors; 3]> = None;
    for steps in STEPS {
        let h = 1.0 / steps as f64;
        let all = [
            errors(&method, &coupled, h, 1)?,
            errors(&method, &coupled, 1.0, steps)?,
            errors(&method, &uncoupled, 1.0, steps)?,
        ];
        let mut row = vec![digits(h, 3)];
        for (k, errors) in all.iter().enumerate() {
            for i in 0..2 {
                let slope = before.map(|before| (before[k][i] / errors[i]).ln() / 4f64.ln());
                let slope = slope.map_or_else(String::new, |slope| format!(" ({slope:.2})"));
                row.push(format!("{}{slope}", digits(errors[i], 2)));
            }
        }
        rows.push(row);
        before = Some(all);
    }
    let columns = [">h", ">one step: x", ">y", ">at t = 1: x", ">y", ">at t = 1 with C = 0: x", ">y"];
    let trees = tall_trees()?.into_iter().map(|(evaluations, order, tall, count)| {
        vec![evaluations.to_string(), count.to_string(), order.to_string(), digits(tall, 1)]
    });
    let trees = table(&[">slow evaluations", ">pairs", ">highest order", ">tall tree, b·Aᵖ1"], trees);
    let text = format!(
        "\
## Theorem 1 and Appendix A: order lost by coupling

A method cannot have an order larger than the number of its evaluations, and a pair none larger than the number of its slow ones. The reason is a single tree: that without branches,
all of its p + 1 nodes slow, has Φ = b·Aᵖ1, and a slow part that uses p derivatives is zero there, where 1/(p + 1)! is wanted. The explicit pairs of the library with a claim:

{trees}
No pair exceeds the bound, and the tall tree's Φ is zero in all of them. With five slow evaluations the order is four at most, as for any method (Butcher 1964).

Appendix A combines Euler's method for x with a Taylor step of order two for y. On x' = −x + y/2, y' = 2x − 4y from x = y = 1 (as a pair: Euler's and Heun's weights over the
same two stages), errors with observed orders in parentheses:

{errors}
In one step x is off by O(h²) and y by O(h³), (A8) and (A9). Over a run y inherits what x has lost: order one, (A21). Without what x does to y, C = 0, y keeps its order two: it is the coupling
that costs the order. The sum (A19) is its leading behavior only where nh is small, since it leaves out that errors of x and y decay or grow with the solution.
",
        errors = table(&columns, rows),
    );
    Ok(Report { text, figures: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_integrate::Stepper;

    /// Performs a step of (A6) and (A7) as printed, term by term.
    fn printed(matrix: [[f64; 2]; 2], h: f64, [x, y]: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = matrix;
        let second = c * a * x + c * b * y + d * c * x + d * d * y;
        [x + h * (a * x + b * y), y + h * (c * x + d * y) + h * h / 2.0 * second]
    }

    #[test]
    fn the_pair_is_the_printed_step() {
        let (method, coupled) = (Method::from_json(APPENDIX_A.as_bytes(), "A").unwrap(), model(COUPLED).unwrap());
        for h in [0.3, 0.01] {
            let mut y = [0.7, -1.2];
            Explicit::new(&method, &coupled).unwrap().step(&coupled, 0.0, h, &mut y).unwrap();
            let expected = printed(COUPLED, h, [0.7, -1.2]);
            assert!((0..2).all(|k| (y[k] - expected[k]).abs() < 1e-15), "{y:?} {expected:?}");
        }
    }

    #[test]
    fn coupling_costs_the_order() {
        let method = Method::from_json(APPENDIX_A.as_bytes(), "A").unwrap();
        let order = |matrix, k: usize| {
            let model = model(matrix).unwrap();
            let [rough, fine] = [200, 400].map(|steps| errors(&method, &model, 1.0, steps).unwrap()[k]);
            (rough / fine).log2()
        };
        assert!((order(COUPLED, 0) - 1.0).abs() < 0.05 && (order(COUPLED, 1) - 1.0).abs() < 0.05);
        assert!((order(UNCOUPLED, 0) - 1.0).abs() < 0.05 && (order(UNCOUPLED, 1) - 2.0).abs() < 0.05);
        // The local error of y is still one order better.
        let model = model(COUPLED).unwrap();
        let local = [1e-3, 5e-4].map(|h| errors(&method, &model, h, 1).unwrap());
        let slopes = [0, 1].map(|k: usize| (local[0][k] / local[1][k]).log2());
        assert!((slopes[0] - 2.0).abs() < 0.05 && (slopes[1] - 3.0).abs() < 0.05, "{slopes:?}");
    }

    #[test]
    fn no_pair_has_more_order_than_slow_evaluations() {
        let rows = tall_trees().unwrap();
        assert!(rows.len() >= 4 && rows.iter().map(|row| row.3).sum::<usize>() > 20, "{rows:?}");
        assert!(rows.iter().all(|&(evaluations, order, tall, _)| order <= evaluations && tall == 0.0), "{rows:?}");
    }
}
