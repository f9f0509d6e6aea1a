//! One step of a partitioned method on a real linear system.

use hemiola_tableau::Tableau;
use nalgebra::DMatrix;

/// M − I = Σ_i B_i K_i, where K_i = hJ (I + Σ_j A_ij K_j) and the row of a variable in A_ij and B_i takes the coefficient of its
/// partition. `None` where stage equations are singular or a number is not finite.
pub(crate) fn increment(tableau: &Tableau<f64>, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<DMatrix<f64>> {
    let is_sequential = tableau.partitions.iter().all(|part| part.is_explicit() || part.is_diagonally_implicit());
    let slopes =
        if is_sequential { sequential(tableau, hj, partition_of) } else { simultaneous(tableau, hj, partition_of) }?;
    let n = partition_of.len();
    let mut sum = DMatrix::zeros(n, n);
    for (i, slope) in slopes.iter().enumerate() {
        add(&mut sum, slope, |variable| tableau.partitions[partition_of[variable]].b[i]);
    }
    sum.iter().all(|value| value.is_finite()).then_some(sum)
}

/// Stage by stage; a diagonal entry makes (I − hJ A_ii) K_i = hJ Y_i.
fn sequential(tableau: &Tableau<f64>, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<Vec<DMatrix<f64>>> {
    let n = partition_of.len();
    let mut slopes: Vec<DMatrix<f64>> = Vec::with_capacity(tableau.stages());
    for i in 0..tableau.stages() {
        let a = |variable: usize, j: usize| tableau.partitions[partition_of[variable]].a[i][j];
        let mut stage = DMatrix::identity(n, n);
        for (j, slope) in slopes.iter().enumerate() {
            add(&mut stage, slope, |variable| a(variable, j));
        }
        let right = hj * stage;
        let is_explicit = tableau.partitions.iter().all(|part| part.a[i][i] == 0.0);
        slopes.push(if is_explicit {
            right
        } else {
            let system = DMatrix::from_fn(n, n, |row, column| {
                f64::from(u8::from(row == column)) - hj[(row, column)] * a(column, i)
            });
            system.lu().solve(&right)?
        });
    }
    Some(slopes)
}

/// All stages at once: (I − [A_ij by columns of hJ]) K = hJ.
fn simultaneous(tableau: &Tableau<f64>, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<Vec<DMatrix<f64>>> {
    let (n, s) = (partition_of.len(), tableau.stages());
    let system = DMatrix::from_fn(n * s, n * s, |row, column| {
        let ((i, p), (j, q)) = ((row / n, row % n), (column / n, column % n));
        let identity = f64::from(u8::from(row == column));
        identity - hj[(p, q)] * tableau.partitions[partition_of[q]].a[i][j]
    });
    let right = DMatrix::from_fn(n * s, n, |row, column| hj[(row % n, column)]);
    let slopes = system.lu().solve(&right)?;
    Some((0..s).map(|i| slopes.rows(i * n, n).into_owned()).collect())
}

/// sum += diag(weight) · slope.
fn add(sum: &mut DMatrix<f64>, slope: &DMatrix<f64>, weight: impl Fn(usize) -> f64) {
    for row in 0..sum.nrows() {
        let weight = weight(row);
        if weight != 0.0 {
            for column in 0..sum.ncols() {
                sum[(row, column)] += weight * slope[(row, column)];
            }
        }
    }
}
