//! Small dense linear programs with bounded variables, by the primal simplex method.

/// Modulus below which reduced costs and pivots count as zero.
const TOLERANCE: f64 = 1e-11;
/// Number of pivots after which entering variables are chosen by their index, so that the method cannot cycle (Bland
/// 1977).
const PIVOTS_BEFORE_BLAND: usize = 2_000;
/// Largest number of pivots.
const MOST_PIVOTS: usize = 4_000;

/// The program: maximize cᵀy subject to Ay = h and 0 ≤ y ≤ u, with A = [… | I] in the columns of the first basis.
pub(crate) struct LinearProgram {
    /// The rows of A. The column of each basic variable is a unit vector.
    pub(crate) rows: Vec<Vec<f64>>,
    /// The right-hand side h ≥ 0: the values of the basic variables.
    pub(crate) right: Vec<f64>,
    /// The upper bounds u, possibly infinite.
    pub(crate) upper: Vec<f64>,
    /// The costs c.
    pub(crate) costs: Vec<f64>,
    /// The basic variable of each row; all others start at their lower bound.
    pub(crate) basis: Vec<usize>,
}

impl LinearProgram {
    /// Computes a vertex y at which the maximum is attained; `None` if the program is unbounded or takes too many
    /// pivots.
    pub(crate) fn maximize(mut self) -> Option<Vec<f64>> {
        let n = self.costs.len();
        let mut is_upper = vec![false; n];
        let mut is_basic = vec![false; n];
        self.basis.iter().for_each(|&k| is_basic[k] = true);
        let mut reduced = self.costs.clone();
        for (row, &k) in self.rows.iter().zip(&self.basis) {
            let cost = self.costs[k];
            reduced.iter_mut().zip(row).for_each(|(z, a)| *z -= cost * a);
        }
        for pivots in 0..MOST_PIVOTS {
            let gain = |k: usize| if is_upper[k] { -reduced[k] } else { reduced[k] };
            let mut open = (0..n).filter(|&k| !is_basic[k] && self.upper[k] > 0.0 && gain(k) > TOLERANCE);
            let entering = if pivots < PIVOTS_BEFORE_BLAND {
                open.max_by(|&j, &k| gain(j).total_cmp(&gain(k)).then(k.cmp(&j)))
            } else {
                open.next()
            };
            let Some(k) = entering else { return Some(self.vertex(&is_upper)) };
            let sign = if is_upper[k] { -1.0 } else { 1.0 };
            let (length, leaving) = self.longest_move(k, sign);
            if !length.is_finite() {
                return None;
            }
            self.right.iter_mut().zip(&self.rows).for_each(|(value, row)| *value -= sign * length * row[k]);
            let Some(row) = leaving else {
                is_upper[k] = !is_upper[k];
                continue;
            };
            let out = self.basis[row];
            is_upper[out] = self.rows[row][k] * sign < 0.0;
            self.right[row] = length * sign + if is_upper[k] { self.upper[k] } else { 0.0 };
            (is_basic[out], is_basic[k], is_upper[k]) = (false, true, false);
            self.basis[row] = k;
            self.pivot(row, k, &mut reduced);
        }
        None
    }

    /// Returns the longest move of variable k, and the row that limits it; no row if its own bound is the limit.
    fn longest_move(&self, k: usize, sign: f64) -> (f64, Option<usize>) {
        let mut best = (self.upper[k], None);
        let mut best_pivot = 0.0;
        for (i, row) in self.rows.iter().enumerate() {
            let slope = row[k] * sign;
            let room = if slope > TOLERANCE { self.right[i] } else { self.upper[self.basis[i]] - self.right[i] };
            if slope.abs() <= TOLERANCE || !room.is_finite() {
                continue;
            }
            let length = room.max(0.0) / slope.abs();
            // Among equal moves, the largest pivot is the most accurate.
            let is_tie = (length - best.0).abs() <= 1e-14 * (1.0 + length);
            if length < best.0 && !is_tie || is_tie && slope.abs() > best_pivot {
                best = (length, Some(i));
                best_pivot = slope.abs();
            }
        }
        best
    }

    fn pivot(&mut self, row: usize, k: usize, reduced: &mut [f64]) {
        let factor = 1.0 / self.rows[row][k];
        self.rows[row].iter_mut().for_each(|a| *a *= factor);
        let pivot_row = self.rows[row].clone();
        let subtract = |target: &mut [f64], multiple: f64| {
            if multiple != 0.0 {
                target.iter_mut().zip(&pivot_row).for_each(|(x, a)| *x -= multiple * a);
                target[k] = 0.0;
            }
        };
        for (_, other) in self.rows.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let multiple = other[k];
            subtract(other, multiple);
        }
        let multiple = reduced[k];
        subtract(reduced, multiple);
    }

    fn vertex(&self, is_upper: &[bool]) -> Vec<f64> {
        let mut y: Vec<f64> =
            is_upper.iter().zip(&self.upper).map(|(is_upper, u)| if *is_upper { *u } else { 0.0 }).collect();
        for (&k, value) in self.basis.iter().zip(&self.right) {
            y[k] = value.max(0.0).min(self.upper[k]);
        }
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_of_small_programs_are_those_of_textbooks() {
        // Maximize 3x + 5y with x ≤ 4, 2y ≤ 12 and 3x + 2y ≤ 18 (Hillier & Lieberman): x = 2, y = 6.
        let program = LinearProgram {
            rows: vec![vec![0.0, 2.0, 1.0, 0.0], vec![3.0, 2.0, 0.0, 1.0]],
            right: vec![12.0, 18.0],
            upper: vec![4.0, f64::INFINITY, f64::INFINITY, f64::INFINITY],
            costs: vec![3.0, 5.0, 0.0, 0.0],
            basis: vec![2, 3],
        };
        let y = program.maximize().unwrap();
        assert!((y[0] - 2.0).abs() < 1e-14 && (y[1] - 6.0).abs() < 1e-14, "{y:?}");
    }

    #[test]
    fn programs_without_a_maximum_have_no_vertex() {
        let program = LinearProgram {
            rows: vec![vec![-1.0, 1.0]],
            right: vec![1.0],
            upper: vec![f64::INFINITY; 2],
            costs: vec![1.0, 0.0],
            basis: vec![1],
        };
        assert!(program.maximize().is_none());
    }

    #[test]
    fn upper_bounds_of_basic_variables_are_kept() {
        // y + z = 1 from the basis z with z ≤ 1, and x − z = 0 from the basis x ≤ ½: maximize −y, so z grows to ½ only.
        let program = LinearProgram {
            rows: vec![vec![0.0, 1.0, 1.0], vec![1.0, 1.0, 0.0]],
            right: vec![0.0, 0.5],
            upper: vec![0.5, 1.0, 1.0],
            costs: vec![0.0, 1.0, 0.0],
            basis: vec![2, 0],
        };
        let y = program.maximize().unwrap();
        assert!(y[1].abs() < 1e-15 && (y[0] - 0.5).abs() < 1e-15, "{y:?}");
    }
}
