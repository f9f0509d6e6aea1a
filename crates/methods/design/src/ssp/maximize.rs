//! The largest radius from one start, by sequential linear programs.

use crate::ssp::canonical_form::CanonicalForm;
use crate::ssp::linear_program::LinearProgram;

/// Smallest radius during the iteration.
const LEAST_RADIUS: f64 = 0.02;
/// Largest number of linear programs of a start.
const MOST_STEPS: usize = 600;
/// Sum of the residuals below which the equations are solved.
const SOLVED: f64 = 1e-11;
/// Size of the trust region below which a start ends.
const LEAST_REGION: f64 = 1e-9;
/// Predicted gain below which a start ends.
const LEAST_GAIN: f64 = 1e-13;

/// A local maximum of the radius.
#[derive(Clone, Debug)]
pub(crate) struct LocalMaximum {
    /// The unknowns of the [`CanonicalForm`], the radius last. Entries at their bound are exactly zero.
    pub(crate) x: Vec<f64>,
}

impl LocalMaximum {
    pub(crate) fn radius(&self) -> f64 {
        self.x.last().copied().unwrap_or_default()
    }

    /// Returns the number of entries at their bound.
    pub(crate) fn zeros(&self) -> usize {
        self.x.iter().filter(|x| **x == 0.0).count()
    }
}

/// Maximizes the radius from a start that satisfies the inequalities; `None` if the equations cannot be solved.
///
/// Each step maximizes r − μΣ|F| with linearized equations F in a trust region. At most optima the number of active
/// inequalities equals the number of free unknowns, and the steps converge quadratically. A second program with the
/// residuals of the trial point corrects steps along curved equations.
pub(crate) fn maximize(form: &CanonicalForm, start: Vec<f64>) -> Option<LocalMaximum> {
    let mut x = start;
    let (mut penalty, mut region) = (4.0, 0.3);
    let (mut values, mut jacobian) = form.linearized(&x);
    for _ in 0..MOST_STEPS {
        let step = step(form, &x, &values, &jacobian, penalty, region)?;
        let merit = |x: &[f64], size: f64| x[x.len() - 1] - penalty * size;
        let now = merit(&x, size(&values));
        let predicted = merit(&step.x, step.left) - now;
        if step.left > 0.1 * size(&values) && step.left > SOLVED && penalty < 1e5 {
            penalty *= 2.0;
            continue;
        }
        if predicted <= LEAST_GAIN || region < LEAST_REGION {
            break;
        }
        let mut trial = step.x;
        let mut found = size(&residuals(form, &trial));
        if merit(&trial, found) - now < 0.25 * predicted {
            let corrected = corrected(form, &x, &trial, &jacobian, penalty, region);
            if let Some(other) = corrected {
                let size = size(&residuals(form, &other));
                if merit(&other, size) > merit(&trial, found) {
                    (trial, found) = (other, size);
                }
            }
        }
        let gain = merit(&trial, found) - now;
        if gain >= 0.7 * predicted {
            region = f64::min(2.0 * region, 0.5);
        } else if gain < 0.25 * predicted {
            region *= 0.4;
        }
        if gain > 0.0 {
            x = trial;
            (values, jacobian) = form.linearized(&x);
        }
    }
    (size(&values) <= 1e-7).then_some(LocalMaximum { x })
}

fn size(values: &[f64]) -> f64 {
    values.iter().map(|value| value.abs()).sum()
}

fn residuals(form: &CanonicalForm, x: &[f64]) -> Vec<f64> {
    form.residuals(&form.double_tableau(x))
}

/// A solution of a linearized problem.
struct LinearStep {
    x: Vec<f64>,
    /// The sum of the remaining linearized residuals.
    left: f64,
}

/// Solves the program with the residuals of a trial point in place of those at x.
fn corrected(
    form: &CanonicalForm,
    x: &[f64],
    trial: &[f64],
    jacobian: &[Vec<f64>],
    penalty: f64,
    region: f64,
) -> Option<Vec<f64>> {
    let change: Vec<f64> = trial.iter().zip(x).map(|(trial, x)| trial - x).collect();
    let linear = |row: &Vec<f64>| row.iter().zip(&change).map(|(slope, change)| slope * change).sum::<f64>();
    let shifted: Vec<f64> =
        residuals(form, trial).iter().zip(jacobian).map(|(value, row)| value - linear(row)).collect();
    step(form, x, &shifted, jacobian, penalty, region).map(|step| step.x)
}

/// Maximizes r − μΣ|F + Jd| over the steps d within the trust region that satisfy the inequalities.
fn step(
    form: &CanonicalForm,
    x: &[f64],
    values: &[f64],
    jacobian: &[Vec<f64>],
    penalty: f64,
    region: f64,
) -> Option<LinearStep> {
    let (n, s, equations) = (x.len(), form.row_sums(), values.len());
    let r = x[n - 1];
    let low = |k: usize| if k + 1 < n { (x[k] - region).max(0.0) } else { (r * (1.0 - region)).max(LEAST_RADIUS) };
    let high =
        |k: usize| if k + 1 < n { (x[k] + region).min(1.0) } else { (r * (1.0 + region)).max(2.0 * LEAST_RADIUS) };
    let lows: Vec<f64> = (0..n).map(low).collect();
    // Unknowns above their lower limits, slacks of the rows, then the positive and the negative residuals.
    let width = n + s + 2 * equations;
    let mut program = LinearProgram {
        rows: Vec::with_capacity(s + equations),
        right: Vec::with_capacity(s + equations),
        upper: (0..n).map(|k| high(k) - lows[k]).chain(vec![f64::INFINITY; width - n]).collect(),
        costs: vec![0.0; width],
        basis: Vec::with_capacity(s + equations),
    };
    program.costs[n - 1] = 1.0;
    program.costs[n + s..].fill(-penalty);
    let slacks = form.slacks(&lows[..n - 1]);
    for (row, slack) in slacks.iter().enumerate() {
        let mut coefficients = vec![0.0; width];
        for (k, _) in form.entries.iter().enumerate().filter(|(_, entry)| form.row_sum(entry) == row) {
            coefficients[k] = 1.0;
        }
        coefficients[n + row] = 1.0;
        program.rows.push(coefficients);
        program.right.push(slack.max(0.0));
        program.basis.push(n + row);
    }
    for (k, (value, slopes)) in values.iter().zip(jacobian).enumerate() {
        // The residual at the lower limits; the sign makes the right-hand side nonnegative.
        let at_low =
            value + slopes.iter().zip(lows.iter().zip(x)).map(|(slope, (low, x))| slope * (low - x)).sum::<f64>();
        let sign = if at_low > 0.0 { -1.0 } else { 1.0 };
        let mut coefficients = vec![0.0; width];
        coefficients.iter_mut().zip(slopes).for_each(|(entry, slope)| *entry = sign * slope);
        let [own, other] = [n + s + k, n + s + equations + k];
        (coefficients[own], coefficients[other]) = (1.0, -1.0);
        program.rows.push(coefficients);
        program.right.push(at_low.abs());
        program.basis.push(own);
    }
    let y = program.maximize()?;
    let next = lows.iter().zip(&y).map(|(low, y)| low + y).collect();
    Some(LinearStep { x: next, left: y[n + s..].iter().sum() })
}
