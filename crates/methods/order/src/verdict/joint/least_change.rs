//! Least changes of coefficients that satisfy linearized conditions, with bounds from both sides.
//!
//! Gz = −r with z_k = e_k/δ_k is solved by weighted least squares, Σ z_k²λ_k = min. The multipliers y of a
//! solution prove a lower bound (Farkas): max |z_k| ≥ yᵀr/Σ|Gᵀy|_k for every solution z. Lawson's iteration
//! (1961), λ ← |Gᵀy|, leads to the solution with the smallest maximum change, where both bounds meet. λ ← 1/|z|
//! leads to a solution with few changes instead (Gorodnitsky & Rao 1997).

use nalgebra::{DMatrix, DVector};

use crate::trees::tree::Tree;

/// Maximum number of iterations; the bounds then agree within a few percent.
const STEPS: usize = 25;
/// Relative size of a pivot below which its condition follows from others.
const RANK_TOLERANCE: f64 = 1e-9;
/// Factor by which the inequality must be violated, which exceeds the effect of rounding.
const CLEARLY: f64 = 1.0 + 1e-6;
/// Factor by which the largest change may still exceed the least one after the maximum number of steps.
const NEARLY: f64 = 1.5;
/// Smallest weight; a zero weight would exclude a coefficient permanently.
const LEAST_WEIGHT: f64 = 1e-6;
/// Number of conditions in excess of the number of unknowns beyond which conditions are combined at random. The
/// combinations carry the same information, and contradict each other if the conditions do.
const SPARE: usize = 16;

/// A condition that holds up to the orders reached, with its derivatives.
pub(crate) struct ConditionRow {
    pub(crate) tree: Tree,
    pub(crate) residual: f64,
    /// Derivatives with respect to the nonzero entries.
    pub(crate) slopes: Vec<f64>,
}

/// Independent conditions Qᵀz = −t with orthonormal columns in Q, and their consequences.
pub(crate) struct LinearizedSystem {
    q: DMatrix<f64>,
    target: DVector<f64>,
    /// The factor R, which converts multipliers of these conditions to those of the given ones.
    r: DMatrix<f64>,
    /// The contribution of terms beyond the first order to each of the given conditions that are independent.
    beyond: DVector<f64>,
    /// Whether a dependent condition contradicts the others.
    contradicts: bool,
    columns: usize,
    used: Vec<usize>,
}

/// Result of the test whether some change explains the residuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplanationStatus {
    /// A change explains them, to first order.
    Yes,
    /// No change explains them, with proof.
    No,
    /// No change was found, but terms beyond the first order, which ill-conditioned conditions magnify, prevent a
    /// proof.
    Unknown,
}

/// A solution with its multipliers.
struct WeightedSolution {
    /// The changes z.
    changes: DVector<f64>,
    /// The slopes Gᵀy.
    slopes: DVector<f64>,
    /// Lower bound on the largest change of any solution.
    lower_bound: f64,
}

impl LinearizedSystem {
    /// Sets up conditions, with `beyond` for the second-order terms of each, for changes in units of `deltas`.
    /// Returns `None` if no coefficient can change.
    pub(crate) fn new(rows: &[ConditionRow], beyond: impl Fn(&Tree) -> f64, deltas: &[f64]) -> Option<Self> {
        let used: Vec<usize> = (0..deltas.len()).filter(|&k| deltas[k] > 0.0).collect();
        // A common scale for all numbers keeps tiny precisions from underflowing.
        let scale = deltas.iter().copied().reduce(f64::max).filter(|scale| *scale > 0.0)?;
        let scaled = |row: &ConditionRow| {
            let slopes: Vec<f64> = used.iter().map(|&k| row.slopes[k] * (deltas[k] / scale)).collect();
            let norm = slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
            // The last two entries are the residual and the bound on terms beyond the first order.
            let further = [row.residual / scale, beyond(&row.tree) / scale];
            (norm > 0.0).then(|| slopes.into_iter().chain(further).map(|x| x / norm).collect::<Vec<f64>>())
        };
        let rows: Vec<Vec<f64>> = combine_rows(rows.iter().filter_map(scaled).collect(), used.len() + SPARE);
        let (count, n) = (rows.len(), used.len());
        if count == 0 {
            return None;
        }
        let qr = DMatrix::from_fn(n, count, |k, i| rows[i][k]).col_piv_qr();
        let mut given = DMatrix::from_fn(2, count, |k, i| rows[i][n + k]);
        qr.p().permute_columns(&mut given);
        let all = qr.r();
        // Slopes, and hence pivots, are as uncertain as the coefficients.
        let tolerance = scale.max(RANK_TOLERANCE);
        let pivots = (0..n.min(count)).map(|k| all[(k, k)].abs());
        let rank = pivots.take_while(|pivot| *pivot > tolerance * all[(0, 0)].abs()).count();
        let r = all.view((0, 0), (rank, rank)).into_owned();
        let residuals = given.row(0).transpose();
        let target = r.tr_solve_upper_triangular(&residuals.rows(0, rank).into_owned())?;
        let beyond = given.row(1).transpose();
        let contradicts = contradicts(&r, &all, &residuals, &beyond, tolerance)?;
        let q = qr.q().columns(0, rank).into_owned();
        let beyond = beyond.rows(0, rank).into_owned();
        Some(Self { q, target, r, beyond, contradicts, columns: deltas.len(), used })
    }

    /// Determines whether changes of at most 1 satisfy the conditions.
    pub(crate) fn is_explained(&self) -> ExplanationStatus {
        if self.contradicts {
            return ExplanationStatus::No;
        }
        let mut squares = DVector::from_element(self.used.len(), 1.0);
        let mut least = f64::INFINITY;
        for _ in 0..STEPS {
            let Some(WeightedSolution { changes, slopes, lower_bound }) = self.solve(&squares) else { break };
            if lower_bound > CLEARLY {
                return ExplanationStatus::No;
            }
            least = least.min(changes.amax());
            if least <= 1.0 {
                return ExplanationStatus::Yes;
            }
            squares = lawson(&slopes);
        }
        if least <= NEARLY { ExplanationStatus::Yes } else { ExplanationStatus::Unknown }
    }

    /// Returns the solution whose largest change is smallest.
    pub(crate) fn least_change(&self) -> Option<Vec<f64>> {
        self.iterate(|solution| lawson(&solution.slopes), nalgebra::Matrix::amax)
    }

    /// Returns a solution that changes few coefficients.
    pub(crate) fn sparse_change(&self) -> Option<Vec<f64>> {
        let few = |solution: &WeightedSolution| {
            let largest = solution.changes.amax();
            solution.changes.map(|z| z.abs().max(LEAST_WEIGHT * largest))
        };
        self.iterate(few, |changes| changes.lp_norm(1))
    }

    /// Returns the best of several weighted solutions.
    fn iterate(
        &self,
        weigh: impl Fn(&WeightedSolution) -> DVector<f64>,
        norm: impl Fn(&DVector<f64>) -> f64,
    ) -> Option<Vec<f64>> {
        if self.contradicts {
            return None;
        }
        let mut squares = DVector::from_element(self.used.len(), 1.0);
        let mut best: Option<DVector<f64>> = None;
        for _ in 0..STEPS {
            let Some(solution) = self.solve(&squares) else { break };
            squares = weigh(&solution);
            if best.as_ref().is_none_or(|best| norm(&solution.changes) < norm(best)) {
                best = Some(solution.changes);
            }
        }
        let mut changes = vec![0.0; self.columns];
        self.used.iter().zip(best?.iter()).for_each(|(&k, change)| changes[k] = *change);
        Some(changes)
    }

    /// Computes the solution with the least Σ z²/squares.
    fn solve(&self, squares: &DVector<f64>) -> Option<WeightedSolution> {
        let mut weighted = self.q.clone();
        weighted.row_iter_mut().zip(squares.iter()).for_each(|(mut row, square)| row *= square.sqrt());
        let multipliers = weighted.tr_mul(&weighted).cholesky()?.solve(&self.target);
        let slopes = &self.q * &multipliers;
        let beyond = self.r.solve_upper_triangular(&multipliers)?.abs().dot(&self.beyond);
        let lower_bound = multipliers.dot(&self.target) / (slopes.lp_norm(1) + beyond);
        let changes = slopes.zip_map(squares, |slope, square| -slope * square);
        Some(WeightedSolution { changes, slopes, lower_bound })
    }
}

/// Returns the reciprocals 1/λ of Lawson's weights.
fn lawson(slopes: &DVector<f64>) -> DVector<f64> {
    let largest = slopes.amax();
    slopes.map(|slope| (slope.abs() / largest).max(LEAST_WEIGHT).recip())
}

/// Returns at most `most` combinations of the rows, with fixed signs that look random.
fn combine_rows(rows: Vec<Vec<f64>>, most: usize) -> Vec<Vec<f64>> {
    if rows.len() <= most {
        return rows;
    }
    let width = rows[0].len();
    let mut sums = vec![vec![0.0; width]; most];
    for (i, row) in rows.into_iter().enumerate() {
        // The bits of multiples of the golden ratio (Knuth 1998, §6.4).
        let is_negative = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40 & 1 == 1;
        for (k, (sum, x)) in sums[i % most].iter_mut().zip(row).enumerate() {
            // The last entry is a bound.
            *sum += if is_negative && k + 1 < width { -x } else { x };
        }
    }
    sums
}

/// Returns whether a condition beyond the first `rank` has an unexplained residual. It is explained by the
/// residuals of the conditions on which it depends, by its own independent part, and by terms beyond the first
/// order.
fn contradicts(
    r: &DMatrix<f64>,
    all: &DMatrix<f64>,
    residuals: &DVector<f64>,
    beyond: &DVector<f64>,
    tolerance: f64,
) -> Option<bool> {
    let rank = r.nrows();
    // Zeros of exact arithmetic are known only to the tolerance of the rank, and so are the factors.
    let noise = tolerance * residuals.lp_norm(1);
    for i in rank..all.ncols() {
        let factors = r.solve_upper_triangular(&all.view((0, i), (rank, 1)).column(0).into_owned())?;
        let left = residuals[i] - factors.dot(&residuals.rows(0, rank));
        let sizes = residuals[i].abs() + factors.abs().dot(&residuals.rows(0, rank).abs());
        let own: f64 = all.view((rank, i), (all.nrows() - rank, 1)).iter().map(|x| x.abs()).sum();
        let reachable = own * (all.nrows() as f64).sqrt() + beyond[i] + factors.abs().dot(&beyond.rows(0, rank));
        // Factors are as uncertain as the rank.
        if left.abs() > CLEARLY * reachable + 1e-6 * sizes + noise {
            return Some(true);
        }
    }
    Some(false)
}
