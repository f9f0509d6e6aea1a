//! The conditions of absolute monotonicity along a ray.

use std::cmp::Ordering;

use hemiola_tableau::{Butcher, Exact};
use num_traits::Zero;

use crate::function::determinant::{adjugate, denominator};
use crate::monotonicity::integer_ray::IntegerRay;
use crate::monotonicity::linear_solve::{Rows, product, solve};
use crate::monotonicity::radius::MonotoneConditions;

/// Tolerance of the conditions in floating-point arithmetic, whose quantities lie between 0 and 1.
const TOLERANCE: f64 = 1e-13;

/// The conditions (I + tD)⁻¹[e, K₁, K₂, …] ≥ 0 with D = Σ dᵣKᵣ, of the partitions with dᵣ > 0.
pub(crate) struct MonotonicityRay {
    d: Rows<Exact>,
    /// The columns e, K₁, K₂, …
    right: Rows<Exact>,
    /// Entries that may be other than zero, by the pattern of D.
    is_open: Rows<bool>,
    d_f64: Rows<f64>,
    right_f64: Rows<f64>,
    integers: Option<IntegerRay>,
}

impl MonotonicityRay {
    /// Prepares the conditions for the matrices K of all partitions and the components of the direction.
    pub(crate) fn new(matrices: &[Rows<Exact>], direction: &[Exact]) -> Self {
        let n = matrices.first().map_or(0, Vec::len);
        let mut d = vec![vec![Exact::zero(); n]; n];
        let mut right = vec![vec![Exact::from(1)]; n];
        for (matrix, factor) in matrices.iter().zip(direction).filter(|(_, factor)| !factor.is_zero()) {
            for (i, row) in matrix.iter().enumerate() {
                for (sum, entry) in d[i].iter_mut().zip(row) {
                    *sum += factor.clone() * entry.clone();
                }
                right[i].extend(row.iter().cloned());
            }
        }
        let doubles = |rows: &Rows<Exact>| rows.iter().map(|row| row.iter().map(Exact::to_f64).collect()).collect();
        let is_open = reachable(&d, &right);
        let integers = IntegerRay::of(&d, &right);
        Self { d_f64: doubles(&d), right_f64: doubles(&right), d, right, is_open, integers }
    }

    /// Computes (I + tD)⁻¹[e, K₁, K₂, …].
    pub(crate) fn solution(&self, t: &Exact) -> Option<Rows<Exact>> {
        solve(&self.d, t, &self.right)
    }

    /// Returns the positions of the entries that may be other than zero.
    fn open_entries(&self) -> Vec<(usize, usize)> {
        let row = |(i, row): (usize, &Vec<bool>)| {
            row.iter().enumerate().filter(|(_, open)| **open).map(|(j, _)| (i, j)).collect::<Vec<_>>()
        };
        self.is_open.iter().enumerate().flat_map(row).collect()
    }
}

impl MonotoneConditions for MonotonicityRay {
    fn hold_at(&self, t: &Exact) -> bool {
        if let Some((integers, t)) = self.integers.as_ref().zip(t.as_rational()) {
            return integers.is_nonnegative(t);
        }
        self.solution(t).is_some_and(|x| x.iter().flatten().all(|entry| entry.sign() != Ordering::Less))
    }

    /// Decides by the first nonzero term of the series Σ (−ε)ᵏ(MD)ᵏ M[e, K₁, …] at t + ε, M = (I + tD)⁻¹.
    fn hold_beyond(&self, t: &Exact) -> bool {
        let Some(mut term) = self.solution(t) else { return false };
        let mut open = self.open_entries();
        // The entries are quotients of polynomials of degrees below and up to n.
        for k in 0..self.d.len() {
            let expected = if k % 2 == 0 { Ordering::Greater } else { Ordering::Less };
            let mut undecided = Vec::new();
            for (i, j) in open {
                match term[i][j].sign() {
                    Ordering::Equal => undecided.push((i, j)),
                    sign if sign == expected => {}
                    _ => return false,
                }
            }
            if undecided.is_empty() {
                return true;
            }
            open = undecided;
            let Some(next) = solve(&self.d, t, &product(&self.d, &term)) else { return false };
            term = next;
        }
        true
    }

    /// Decides by the leading coefficients of det(I + tD) and of adj(I + tD)[e, K₁, …].
    fn hold_everywhere(&self) -> bool {
        let n = self.d.len();
        let a = self.d.iter().map(|row| row.iter().map(|entry| -entry.clone()).collect()).collect();
        let negative = Butcher { a, b: vec![Exact::zero(); n], c: vec![Exact::zero(); n] };
        let leading = |p: &mut dyn Iterator<Item = Ordering>| {
            p.filter(|sign| *sign != Ordering::Equal).last().unwrap_or(Ordering::Equal)
        };
        let determinant = leading(&mut denominator(&negative).iter().map(Exact::sign));
        let transposed = |columns: &Rows<Exact>| -> Rows<Exact> {
            (0..n).map(|i| columns.iter().map(|column| column[i].clone()).collect()).collect()
        };
        let terms: Vec<Rows<Exact>> =
            adjugate(&negative, n).iter().map(|columns| product(&transposed(columns), &self.right)).collect();
        self.open_entries().into_iter().all(|(i, j)| {
            let sign = leading(&mut terms.iter().map(|term| term[i][j].sign()));
            sign == Ordering::Equal || sign == determinant
        })
    }

    fn size(&self) -> usize {
        self.d.len()
    }

    fn appear_to_hold(&self, t: f64) -> bool {
        let scaled = |row: &Vec<f64>| row.iter().enumerate().map(|(j, x)| if j == 0 { *x } else { t * x }).collect();
        let right: Rows<f64> = self.right_f64.iter().map(scaled).collect();
        solve(&self.d_f64, &t, &right).is_some_and(|x| x.iter().flatten().all(|entry| *entry >= -TOLERANCE))
    }
}

/// Returns the pattern of Σ Dᵏ R, which contains that of (I + tD)⁻¹R for every t.
fn reachable(d: &Rows<Exact>, right: &Rows<Exact>) -> Rows<bool> {
    let mut open: Rows<bool> = right.iter().map(|row| row.iter().map(|entry| !entry.is_zero()).collect()).collect();
    let edges: Vec<(usize, usize)> = d
        .iter()
        .enumerate()
        .flat_map(|(i, row)| (0..row.len()).filter(|&j| !row[j].is_zero()).map(move |j| (i, j)))
        .collect();
    loop {
        let mut is_new = false;
        for &(i, j) in &edges {
            for column in 0..open[i].len() {
                if open[j][column] && !open[i][column] {
                    open[i][column] = true;
                    is_new = true;
                }
            }
        }
        if !is_new {
            return open;
        }
    }
}
