//! The values of a program over any number type.

use hemiola_tableau::Scalar;

use super::program::{Program, Root, Step};
use crate::stage::InfinitesimalStage;

/// Polynomials along the rows, and values at the stages Y₁ … Y_{s+1}.
pub(super) struct Values<T> {
    pub(super) along: Vec<Vec<T>>,
    pub(super) at_end: Vec<T>,
}

/// Computes Φ(t) − 1/γ(t) of all conditions of a program.
pub(super) fn residuals<T: Scalar>(program: &Program, rows: &[InfinitesimalStage<T>]) -> Vec<T> {
    let mut values: Vec<Values<T>> = Vec::with_capacity(program.values.len());
    for value in &program.values {
        let computed = match value.step {
            Step::Abscissa => abscissa(rows),
            Step::Product(x, y) => product_of(&values[x], &values[y], value.along),
            Step::Tree { color: 0, forest } => fast_tree(rows, &values[forest]),
            Step::Tree { color, forest } => slow_tree(rows, color - 1, &values[forest], value.along),
        };
        values.push(computed);
    }
    let path = path(rows);
    program.roots.iter().map(|root| root_weight(rows, &path, root, &values) - T::ratio(1, root.density)).collect()
}

/// Returns the rows on the path from the beginning to the end of the step, last row first; only these contribute.
pub(super) fn path<T>(rows: &[InfinitesimalStage<T>]) -> Vec<usize> {
    std::iter::successors(rows.len().checked_sub(1), |e| rows[*e].from.checked_sub(2)).collect()
}

pub(super) fn abscissa<T: Scalar>(rows: &[InfinitesimalStage<T>]) -> Values<T> {
    let (mut along, mut at_end) = (Vec::with_capacity(rows.len()), vec![T::zero()]);
    for row in rows {
        let start = at_end[row.from - 1].clone();
        let mut end = start.clone();
        end += row.interval.clone();
        at_end.push(end);
        along.push(vec![start, row.interval.clone()]);
    }
    Values { along, at_end }
}

fn product_of<T: Scalar>(x: &Values<T>, y: &Values<T>, needs_along: bool) -> Values<T> {
    let ends = x.at_end.iter().zip(&y.at_end);
    let along =
        if needs_along { x.along.iter().zip(&y.along).map(|(x, y)| product(x, y)).collect() } else { Vec::new() };
    Values { along, at_end: ends.map(|(x, y)| x.clone() * y.clone()).collect() }
}

/// Computes the product of two polynomials without tests for zero coefficients.
fn product<T: Scalar>(x: &[T], y: &[T]) -> Vec<T> {
    let mut product = vec![T::zero(); x.len() + y.len() - 1];
    for (i, x) in x.iter().enumerate() {
        for (sum, y) in product[i..].iter_mut().zip(y) {
            *sum += x.clone() * y.clone();
        }
    }
    product
}

/// Integrates Δ Π V[u] along each row.
fn fast_tree<T: Scalar>(rows: &[InfinitesimalStage<T>], forest: &Values<T>) -> Values<T> {
    let (mut along, mut at_end) = (Vec::with_capacity(rows.len()), vec![T::zero()]);
    for (row, slope) in rows.iter().zip(&forest.along) {
        let mut polynomial = Vec::with_capacity(slope.len() + 1);
        let mut end = at_end[row.from - 1].clone();
        polynomial.push(end.clone());
        for (k, coefficient) in slope.iter().enumerate() {
            let term = row.interval.clone() * (coefficient.clone() * T::ratio(1, k as u64 + 1));
            end += term.clone();
            polynomial.push(term);
        }
        along.push(polynomial);
        at_end.push(end);
    }
    Values { along, at_end }
}

/// Integrates Σ_j γ_j(τ) Π Y_j[u] along each row, and adds the corrections.
pub(super) fn slow_tree<T: Scalar>(
    rows: &[InfinitesimalStage<T>],
    slow: usize,
    forest: &Values<T>,
    needs_along: bool,
) -> Values<T> {
    let powers = rows.iter().map(|row| row.forcing[slow].len()).max().unwrap_or(0);
    let (mut along, mut at_end) = (Vec::new(), vec![T::zero()]);
    for row in rows {
        let mut end = at_end[row.from - 1].clone();
        // All polynomials have the same length, and so do their products.
        let mut polynomial = vec![T::zero(); powers + 1];
        polynomial[0] = end.clone();
        for (k, columns) in row.forcing[slow].iter().enumerate() {
            let term = sum_of(columns, &forest.at_end) * T::ratio(1, k as u64 + 1);
            end += term.clone();
            polynomial[k + 1] = term;
        }
        end += sum_of(&row.correction[slow], &forest.at_end);
        at_end.push(end);
        if needs_along {
            along.push(polynomial);
        }
    }
    Values { along, at_end }
}

fn sum_of<T: Scalar>(columns: &[T], values: &[T]) -> T {
    let mut sum = T::zero();
    for (coefficient, value) in columns.iter().zip(values) {
        sum += coefficient.clone() * value.clone();
    }
    sum
}

pub(super) fn root_weight<T: Scalar>(
    rows: &[InfinitesimalStage<T>],
    path: &[usize],
    root: &Root,
    values: &[Values<T>],
) -> T {
    let mut sum = T::zero();
    let Some(slow) = root.color.checked_sub(1) else {
        for &e in path {
            sum += rows[e].interval.clone() * integral(&root.forest, values, e);
        }
        return sum;
    };
    let stages = rows.len() + 1;
    let mut products: Vec<Option<T>> = vec![None; stages];
    let mut product = |stage: usize| {
        let product = || root.forest.iter().map(|&value| values[value].at_end[stage].clone()).reduce(|x, y| x * y);
        products[stage].get_or_insert_with(|| product().unwrap_or_else(T::one)).clone()
    };
    for &e in path {
        let powers = rows[e].forcing[slow].iter().enumerate();
        let scaled = powers.map(|(k, columns)| (columns, T::ratio(1, k as u64 + 1)));
        for (columns, scale) in scaled.chain([(&rows[e].correction[slow], T::one())]) {
            for (stage, coefficient) in columns.iter().enumerate() {
                sum += scale.clone() * (coefficient.clone() * product(stage));
            }
        }
    }
    sum
}

/// Computes the integral of a product of one or two values along a row.
fn integral<T: Scalar>(forest: &[usize], values: &[Values<T>], e: usize) -> T {
    let mut sum = T::zero();
    let polynomial = |value: usize| &values[value].along[e];
    match forest {
        [x, y] => {
            for (i, x) in polynomial(*x).iter().enumerate() {
                for (j, y) in polynomial(*y).iter().enumerate() {
                    sum += (x.clone() * y.clone()) * T::ratio(1, (i + j) as u64 + 1);
                }
            }
        }
        factors => {
            for (k, x) in factors.iter().flat_map(|&value| polynomial(value).iter().enumerate()) {
                sum += x.clone() * T::ratio(1, k as u64 + 1);
            }
        }
    }
    sum
}
