//! Embedded rows: another last stage over the slow evaluations of the method.

use hemiola_multirate::{ConsistentConditions, InfinitesimalStage};
use hemiola_order::NodeKind;
use hemiola_tableau::{Exact, Scalar};
use nalgebra::{DMatrix, DVector};

use crate::decomposition::decomposed;
use crate::error::DesignError;
use crate::mri::form::summing_to;
use crate::pair::decimals::{WORKING_DECIMALS, as_written, from_doubles};
use crate::refinement::decimals::refined;

/// Principal error norms of embedded rows of orders 1, 2, …, similar to those of published methods.
pub(crate) const NORMS: [f64; 4] = [0.4, 0.2, 0.08, 0.05];
/// Singular values below this fraction of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-9;

/// The last stage with different forcing of the slow partitions. The unknowns are γᵏⱼ with j ≥ 2, and γᵏ₁ makes the row
/// consistent. The corrections are those of the last stage.
pub(crate) struct EmbeddedForm {
    pub(crate) columns: usize,
    pub(crate) powers: usize,
    pub(crate) parts: usize,
}

impl EmbeddedForm {
    /// Returns the unknowns of a row.
    pub(crate) fn unknowns_of<T: Clone>(&self, row: &InfinitesimalStage<T>) -> Vec<T> {
        row.forcing.iter().flatten().flat_map(|columns| columns[1..].to_vec()).collect()
    }

    /// Computes the row.
    pub(crate) fn row<T: Scalar>(&self, last: &InfinitesimalStage<T>, x: &[T]) -> InfinitesimalStage<T> {
        let power = |part: usize, k: usize| {
            let start = (part * self.powers + k) * self.columns;
            let whole = if k == 0 { last.interval.clone() } else { T::zero() };
            summing_to(whole, &x[start..start + self.columns])
        };
        let forcing = (0..self.parts).map(|part| (0..self.powers).map(|k| power(part, k)).collect()).collect();
        InfinitesimalStage { forcing, ..last.clone() }
    }

    /// Computes the rows with the embedded row in place of the last.
    pub(crate) fn rows<T: Scalar>(&self, rows: &[InfinitesimalStage<T>], x: &[T]) -> Vec<InfinitesimalStage<T>> {
        let (last, rest) = rows.split_last().unwrap_or_else(|| unreachable!("a method has a last row"));
        rest.iter().cloned().chain([self.row(last, x)]).collect()
    }
}

/// Finds an embedded row of order p − 1, or of a lower order if every row of order p − 1 has the slow weights of the
/// last stage and would give no error estimate for slow variables. Returns the row and its order; `None` if there is
/// none.
///
/// Up to order four the conditions are affine functions of the row. Among their solutions, the row moves from the last
/// stage in a direction that changes the conditions of the next order for roots of every color. The step gives an error
/// similar to that of published methods, with free entries of at most twice the requested bound.
pub(crate) fn embedded_row(
    rows: &[InfinitesimalStage<Exact>],
    order: usize,
    largest: f64,
) -> Result<Option<(InfinitesimalStage<Exact>, usize)>, DesignError> {
    for lower in (1..order).rev() {
        if let Some(row) = row_of_order(rows, lower, largest)? {
            return Ok(Some((row, lower)));
        }
    }
    Ok(None)
}

fn row_of_order(
    rows: &[InfinitesimalStage<Exact>],
    order: usize,
    largest: f64,
) -> Result<Option<InfinitesimalStage<Exact>>, DesignError> {
    let Some(last) = rows.last() else { return Ok(None) };
    let powers = last.forcing[0].len();
    let parts = last.forcing.len();
    let form = EmbeddedForm { columns: last.forcing[0][0].len() - 1, powers, parts };
    let conditions = ConsistentConditions::new(parts + 1, order + 1)?;
    let doubles: Vec<InfinitesimalStage<f64>> = rows.iter().map(|row| row.map(Exact::to_f64)).collect();
    let own = form.unknowns_of(&doubles[rows.len() - 1]);
    // A single stage has only the first column.
    if own.is_empty() {
        return Ok(None);
    }
    let values = |x: &[f64]| DVector::from_vec(conditions.residuals(&form.rows(&doubles, x)));
    let (at, n) = (values(&own), own.len());
    // The conditions are affine, so unit steps give their derivatives.
    let column = |k: usize| {
        let mut x = own.clone();
        x[k] += 1.0;
        values(&x) - &at
    };
    let columns: Vec<DVector<f64>> = (0..n).map(column).collect();
    let next = conditions.of_order(order + 1);
    let kept = DMatrix::from_fn(next.start, n, |i, j| columns[j][i]);
    let rows_of = |wanted: &dyn Fn(&NodeKind) -> bool| {
        let is_wanted = |k: &usize| wanted(&conditions.conditions()[*k].tree.kind());
        let chosen: Vec<usize> = next.clone().filter(is_wanted).collect();
        let weight = |k: usize| conditions.conditions()[k].weight.sqrt();
        DMatrix::from_fn(chosen.len(), n, |i, j| columns[j][chosen[i]] * weight(chosen[i]))
    };
    let raised = rows_of(&|_| true);
    let by_color: Vec<DMatrix<f64>> =
        (0..=parts).map(|color| rows_of(&|kind| *kind == NodeKind::Partition(color))).collect();
    let Some(direction) = steepest(&kept, &by_color) else { return Ok(None) };
    let grown = (&raised * &direction).norm();
    let wanted = NORMS[(order - 1).min(NORMS.len() - 1)];
    // Entries of the last row may be as large as allowed.
    let room = own.iter().zip(direction.iter()).map(|(x, d)| (2.0 * largest - x.abs()) / d.abs().max(1e-300));
    let length = room.fold(wanted / grown, f64::min);
    let x: Vec<f64> = own.iter().zip(direction.iter()).map(|(x, d)| x + length * d).collect();
    let lower = ConsistentConditions::new(parts + 1, order)?;
    let residuals = |x: &[Exact]| lower.residuals(&form.rows(rows, x));
    let Some(x) = refined(from_doubles(x), &kept, WORKING_DECIMALS, residuals) else { return Ok(None) };
    // Sums of decimals are decimals, so the row with rounded unknowns is exactly consistent.
    Ok(Some(form.row(last, &as_written(x)?)))
}

/// Returns a unit vector in the null space of one matrix that the matrices of all root colors map far from zero; `None`
/// if the matrix of a slow color maps the whole null space to zero.
pub(crate) fn steepest(kept: &DMatrix<f64>, by_color: &[DMatrix<f64>]) -> Option<DVector<f64>> {
    let n = kept.ncols();
    // AᵀA has the null space of A, and its decomposition is complete; that of a rectangular A omits the null space.
    let svd = decomposed(kept.tr_mul(kept))?;
    let cutoff = (RANK_TOLERANCE * svd.singular_values.max()).max(f64::MIN_POSITIVE);
    let basis: Vec<DVector<f64>> = match kept.nrows() {
        0 => (0..n).map(|k| DVector::from_fn(n, |j, _| f64::from(u8::from(j == k)))).collect(),
        _ => {
            let rows = svd.v_t?;
            let is_null = |k: &usize| svd.singular_values[*k] <= cutoff;
            (0..n).filter(is_null).map(|k| rows.row(k).transpose()).collect()
        }
    };
    if basis.is_empty() {
        return None;
    }
    let basis = DMatrix::from_columns(&basis);
    let mut sum = DVector::zeros(basis.ncols());
    for (color, matrix) in by_color.iter().enumerate() {
        let image = matrix * &basis;
        if image.norm() <= RANK_TOLERANCE * matrix.norm() || matrix.is_empty() {
            if color > 0 {
                return None;
            }
            continue;
        }
        let svd = decomposed(image.tr_mul(&image))?;
        let best = svd.v_t?.row(0).transpose();
        // Each color adds its own direction, with the sign that avoids cancellation with the others.
        let sign = if best.dot(&sum) < 0.0 { -1.0 } else { 1.0 };
        sum += best * sign;
    }
    let direction = basis * sum.try_normalize(f64::MIN_POSITIVE)?;
    // The sign is a convention.
    let sign = direction.iter().find(|x| x.abs() > 1e-9).map_or(1.0, |x| x.signum());
    Some(direction * sign)
}
