//! Step matrix of a partitioned method on a real linear system.

use hemiola_tableau::Tableau;
use nalgebra::DMatrix;

/// Computes M − I = Σ_i B_i K_i, where K_i = hJ (I + Σ_j A_ij K_j).
///
/// In A_ij and B_i the row of a variable takes the coefficient of its partition. Returns `None` if the stage equations
/// are singular or a number is not finite.
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

/// M − I of an explicit method as a polynomial in h.
pub(crate) struct IncrementPolynomial {
    /// Coefficients C₁, C₂, … of M(h) = I + Σ hᵏ C_k.
    coefficients: Vec<DMatrix<f64>>,
    /// Bounds Σ |b||A|…|J|… of their norms, without cancellation.
    sizes: Vec<f64>,
}

/// Largest error of M − I by powers of h, relative to the larger of one and its norm.
const LOST: f64 = 1e-12;

impl IncrementPolynomial {
    /// Expands K_i = hJ(I + Σ A_ij K_j) as polynomials in h.
    pub(crate) fn new(tableau: &Tableau<f64>, jacobian: &DMatrix<f64>, partition_of: &[usize]) -> Self {
        let (n, s) = (partition_of.len(), tableau.stages());
        let norm = jacobian.norm();
        let mut slopes: Vec<Vec<DMatrix<f64>>> = Vec::with_capacity(s);
        let mut bounds: Vec<Vec<f64>> = Vec::with_capacity(s);
        let most = |of: &dyn Fn(usize) -> f64| (0..tableau.partitions.len()).map(|r| of(r).abs()).fold(0.0, f64::max);
        for i in 0..s {
            let mut stage = vec![DMatrix::identity(n, n)];
            let mut bound = vec![1.0];
            for (j, (slope, known)) in slopes.iter().zip(&bounds).enumerate() {
                let weight = |variable: usize| tableau.partitions[partition_of[variable]].a[i][j];
                let largest = most(&|r| tableau.partitions[r].a[i][j]);
                if largest == 0.0 {
                    continue;
                }
                for (k, coefficient) in slope.iter().enumerate() {
                    if stage.len() <= k + 1 {
                        stage.push(DMatrix::zeros(n, n));
                        bound.push(0.0);
                    }
                    add(&mut stage[k + 1], coefficient, weight);
                    bound[k + 1] += largest * known[k];
                }
            }
            slopes.push(stage.into_iter().map(|coefficient| jacobian * coefficient).collect());
            bounds.push(bound.into_iter().map(|bound| norm * bound).collect());
        }
        let mut coefficients = vec![DMatrix::zeros(n, n); s];
        let mut sizes = vec![0.0; s];
        for (i, (slope, bound)) in slopes.iter().zip(&bounds).enumerate() {
            let largest = most(&|r| tableau.partitions[r].b[i]);
            for (k, coefficient) in slope.iter().enumerate().filter(|_| largest != 0.0) {
                add(&mut coefficients[k], coefficient, |variable| tableau.partitions[partition_of[variable]].b[i]);
                sizes[k] += largest * bound[k];
            }
        }
        Self { coefficients, sizes }
    }

    /// Computes M − I; returns `None` if powers cancel.
    pub(crate) fn at(&self, h: f64) -> Option<DMatrix<f64>> {
        let (last, rest) = self.coefficients.split_last()?;
        let largest = self.sizes.iter().rev().fold(0.0, |sum, size| (sum + size) * h);
        let mut sum = last * h;
        for coefficient in rest.iter().rev() {
            sum += coefficient;
            sum *= h;
        }
        let roundings = (2 * self.coefficients.len()) as f64 * f64::EPSILON;
        (roundings * largest <= LOST * sum.norm().max(1.0)).then_some(sum)
    }
}

/// Computes the K_i stage by stage; a diagonal entry gives (I − hJ A_ii) K_i = hJ Y_i.
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

/// Computes all K_i at once: (I − [A_ij by columns of hJ]) K = hJ.
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

/// Computes sum += diag(weight) · slope.
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
