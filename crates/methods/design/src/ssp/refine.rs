//! Refinement of a local maximum to fifty decimals.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use nalgebra::{DMatrix, DVector};

use crate::pair::decimals::{from_doubles, moved};
use crate::refinement::newton::newton_step;
use crate::ssp::canonical_form::CanonicalForm;
use crate::ssp::maximize::LocalMaximum;

/// Sizes below which an entry or a slack counts as active.
const ACTIVE: [f64; 3] = [1e-9, 1e-6, 1e-4];
/// Largest residual of a refined solution.
const SOLVED: f64 = 1e-50;
/// Largest denominator of a radius that is tried as a fraction.
const LARGEST_DENOMINATOR: u32 = 24;
/// Distance from a radius within which a fraction is tried.
const NEAR: f64 = 1e-6;
/// Violation of inequalities that rounding of the working decimals explains.
const ROUNDING: f64 = 1e-52;

/// Refines the unknowns; `None` if the active inequalities and the equations have no solution nearby.
///
/// Active entries are fixed at zero and active row sums at one, and the remaining unknowns change as little as
/// possible. A radius near a simple fraction is also fixed if the equations allow it.
pub(crate) fn refine(form: &CanonicalForm, maximum: &LocalMaximum) -> Option<Vec<RBig>> {
    let r = maximum.radius();
    let near = |sign: f64| RBig::try_from(r + sign * NEAR).unwrap_or_default();
    let simplest = RBig::simplest_in(near(-1.0), near(1.0));
    let simple = (*simplest.denominator() <= LARGEST_DENOMINATOR.into()).then_some(simplest);
    ACTIVE.iter().find_map(|active| {
        let fixed = simple.clone().and_then(|simple| solve(form, &maximum.x, *active, Some(simple)));
        fixed.or_else(|| solve(form, &maximum.x, *active, None))
    })
}

fn solve(form: &CanonicalForm, x: &[f64], active: f64, radius: Option<RBig>) -> Option<Vec<RBig>> {
    const STEPS: usize = 60;
    let entries = form.entries.len();
    let cleared = |(k, x): (usize, &f64)| if k < entries && *x < active { 0.0 } else { *x };
    let doubles: Vec<f64> = x.iter().enumerate().map(cleared).collect();
    let mut free: Vec<usize> = (0..entries).filter(|&k| doubles[k] > 0.0).collect();
    let slacks = form.slacks(&doubles[..entries]);
    let full: Vec<usize> = (0..slacks.len()).filter(|&row| slacks[row].abs() < 4.0 * active).collect();
    let mut exact = from_doubles(doubles);
    match radius {
        Some(radius) => exact[entries] = radius,
        None => free.push(entries),
    }
    let mut residual = residuals(form, &full, &exact);
    for _ in 0..STEPS {
        let doubles: Vec<f64> = exact.iter().map(|x| x.to_f64().value()).collect();
        let jacobian = jacobian(form, &full, &doubles);
        let step = newton_step(&jacobian.select_columns(&free), &residual)?;
        let mut trial = exact.clone();
        let changed = moved(&free.iter().map(|&k| exact[k].clone()).collect::<Vec<_>>(), step.iter());
        free.iter().zip(changed).for_each(|(&k, value)| trial[k] = value);
        if trial[entries] <= RBig::ZERO {
            return None;
        }
        let next = residuals(form, &full, &trial);
        // At the last digits, rounding ends the decrease.
        if next.amax() >= residual.amax() {
            break;
        }
        (exact, residual) = (trial, next);
    }
    let is_solved = residual.amax() <= SOLVED;
    let is_monotone = exact[..entries].iter().all(|alpha| alpha.to_f64().value() >= -ROUNDING)
        && exact_slacks(form, &exact).iter().all(|slack| slack.to_f64().value() >= -ROUNDING);
    (is_solved && is_monotone).then_some(exact)
}

fn exact_slacks(form: &CanonicalForm, x: &[RBig]) -> Vec<RBig> {
    let mut slacks = vec![RBig::ONE; form.row_sums()];
    for (entry, alpha) in form.entries.iter().zip(x) {
        slacks[form.row_sum(entry)] -= alpha;
    }
    slacks
}

/// Returns the residuals of the equations and of the active row sums.
fn residuals(form: &CanonicalForm, full: &[usize], x: &[RBig]) -> DVector<f64> {
    let slacks = exact_slacks(form, x);
    let rows = full.iter().map(|&row| slacks[row].to_f64().value());
    let values = form.residuals(&form.exact_tableau(x)).iter().map(Exact::to_f64).chain(rows).collect();
    DVector::from_vec(values)
}

fn jacobian(form: &CanonicalForm, full: &[usize], x: &[f64]) -> DMatrix<f64> {
    let mut rows = form.linearized(x).1;
    for &row in full {
        let mut slopes: Vec<f64> =
            form.entries.iter().map(|entry| if form.row_sum(entry) == row { -1.0 } else { 0.0 }).collect();
        slopes.push(0.0);
        rows.push(slopes);
    }
    DMatrix::from_fn(rows.len(), x.len(), |i, j| rows[i][j])
}
