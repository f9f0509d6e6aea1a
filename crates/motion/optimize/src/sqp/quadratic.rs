//! Quadratic programs min gᵀd + ½dᵀHd subject to linearized constraints and bounds, solved by Clarabel.

use std::borrow::Cow;

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus};

use super::blocks::{ActiveRow, ConstraintRow, ConvexModel, HessianBlock};
use super::program::{Linearization, Ranges};

const TOLERANCE: f64 = 1e-10;
const MOST_ITERATIONS: u32 = 200;

/// Solution of a quadratic program.
#[derive(Clone, Debug)]
pub(crate) struct Direction {
    pub(crate) step: Vec<f64>,
    /// Multipliers of the constraints: positive at upper bounds, negative at lower bounds.
    pub(crate) multipliers: Vec<f64>,
    /// Multipliers of the bounds of variables, with the same signs.
    pub(crate) bound_multipliers: Vec<f64>,
    /// Remaining violation of the linearized constraints, the sum of moduli. Zero unless constraints were elastic.
    pub(crate) violation: f64,
}

impl Direction {
    /// Returns the largest multiplier among the constraints that an elastic program may violate.
    pub(crate) fn soft_multiplier(&self, model: &ConvexModel) -> f64 {
        let soft = self.multipliers.iter().enumerate().filter(|(k, _)| !model.is_used(*k));
        soft.fold(0.0, |largest, (_, y)| largest.max(y.abs()))
    }
}

/// One side of a constraint or a bound, sign · (row · d) ≤ room, or an equation.
struct ConstraintSide {
    row: Vec<(usize, f64)>,
    room: f64,
    sign: f64,
    /// Row of the program; `None` for rows added by an elastic program.
    source: Option<ConstraintRow>,
}

pub(crate) struct Quadratic<'a> {
    pub(crate) x: &'a [f64],
    pub(crate) variables: &'a Ranges,
    pub(crate) constraints: &'a Ranges,
    pub(crate) linear: &'a Linearization,
    pub(crate) model: &'a ConvexModel,
    /// Values c(x), or their replacement in a second-order correction.
    pub(crate) values: &'a [f64],
}

impl Quadratic<'_> {
    /// Computes the step; `None` if the program is infeasible or the solver fails.
    pub(crate) fn solve(&self) -> Option<Direction> {
        let (equations, inequalities) = self.sides();
        self.run(&equations, &inequalities, self.x.len(), &[])
    }

    /// Computes the step with constraints that may be violated at a price per unit. Constraints along which the model
    /// moves curvature stay exact.
    pub(crate) fn solve_elastic(&self, price: f64) -> Option<Direction> {
        let n = self.x.len();
        let is_soft = |source: Option<ConstraintRow>| matches!(source, Some(ConstraintRow::Constraint(k)) if !self.model.is_used(k));
        let (mut equations, mut inequalities) = self.sides();
        let mut slacks = 0;
        let mut slack = |row: &mut Vec<(usize, f64)>, sign: f64| {
            row.push((n + slacks, sign));
            slacks += 1;
        };
        for side in equations.iter_mut().filter(|side| is_soft(side.source)) {
            slack(&mut side.row, 1.0);
            slack(&mut side.row, -1.0);
        }
        for side in inequalities.iter_mut().filter(|side| is_soft(side.source)) {
            // The relaxed constraint is sign · (row · d) − s ≤ room.
            slack(&mut side.row, -side.sign);
        }
        let positive = |k| ConstraintSide { row: vec![(n + k, 1.0)], room: 0.0, sign: -1.0, source: None };
        inequalities.extend((0..slacks).map(positive));
        let mut direction = self.run(&equations, &inequalities, n + slacks, &vec![price; slacks])?;
        direction.violation = direction.step[n..].iter().map(|slack| slack.max(0.0)).sum();
        direction.step.truncate(n);
        Some(direction)
    }

    /// Returns the equations and the finite sides of inequalities.
    fn sides(&self) -> (Vec<ConstraintSide>, Vec<ConstraintSide>) {
        let (mut equations, mut inequalities) = (Vec::new(), Vec::new());
        let mut add = |row: Vec<(usize, f64)>, value: f64, lower: f64, upper: f64, source: ConstraintRow| {
            let source = Some(source);
            if lower == upper {
                equations.push(ConstraintSide { row, room: upper - value, sign: 1.0, source });
                return;
            }
            for (bound, sign) in [(upper, 1.0), (lower, -1.0)] {
                if bound.is_finite() {
                    inequalities.push(ConstraintSide { row: row.clone(), room: sign * (bound - value), sign, source });
                }
            }
        };
        for (k, (row, value)) in self.linear.jacobian.iter().zip(self.values).enumerate() {
            add(
                row.clone(),
                *value,
                self.constraints.lower[k],
                self.constraints.upper[k],
                ConstraintRow::Constraint(k),
            );
        }
        for (k, value) in self.x.iter().enumerate() {
            add(vec![(k, 1.0)], *value, self.variables.lower[k], self.variables.upper[k], ConstraintRow::Bound(k));
        }
        (equations, inequalities)
    }

    fn entries(&self, row: ConstraintRow) -> Cow<'_, [(usize, f64)]> {
        match row {
            ConstraintRow::Constraint(k) => Cow::Borrowed(&self.linear.jacobian[k]),
            ConstraintRow::Bound(k) => Cow::Owned(vec![(k, 1.0)]),
        }
    }

    fn excess_after(&self, held: &ActiveRow, step: &[f64]) -> f64 {
        held.excess + self.entries(held.row).iter().map(|&(k, entry)| entry * step[k]).sum::<f64>()
    }

    fn run(
        &self,
        equations: &[ConstraintSide],
        inequalities: &[ConstraintSide],
        size: usize,
        prices: &[f64],
    ) -> Option<Direction> {
        let mut gradient = self.linear.gradient.clone();
        self.model.gradient.iter().for_each(|&(k, value)| gradient[k] += value);
        for held in &self.model.held {
            self.entries(held.row).iter().for_each(|&(k, entry)| gradient[k] += held.excess * entry);
        }
        gradient.extend(prices);
        let hessian = upper_triangle(&self.model.blocks, size);
        let (mut rows, mut columns, mut entries, mut right) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, side) in equations.iter().chain(inequalities).enumerate() {
            for &(column, entry) in &side.row {
                rows.push(index);
                columns.push(column);
                entries.push(side.sign * entry);
            }
            right.push(side.room);
        }
        let matrix = CscMatrix::new_from_triplets(right.len(), size, rows, columns, entries);
        let cones = [ZeroConeT(equations.len()), NonnegativeConeT(inequalities.len())];
        let settings = DefaultSettings {
            verbose: false,
            max_iter: MOST_ITERATIONS,
            tol_gap_abs: TOLERANCE,
            tol_gap_rel: TOLERANCE,
            tol_feas: TOLERANCE,
            ..DefaultSettings::default()
        };
        let mut solver = DefaultSolver::new(&hessian, &gradient, &matrix, &right, &cones, settings).ok()?;
        solver.solve();
        let is_usable = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
        let is_finite = solver.solution.x.iter().chain(&solver.solution.z).all(|value| value.is_finite());
        if !is_usable || !is_finite {
            return None;
        }
        let (mut multipliers, mut bound_multipliers) = (vec![0.0; self.values.len()], vec![0.0; self.x.len()]);
        for (side, dual) in equations.iter().chain(inequalities).zip(&solver.solution.z) {
            match side.source {
                Some(ConstraintRow::Constraint(k)) => multipliers[k] += side.sign * dual,
                Some(ConstraintRow::Bound(k)) => bound_multipliers[k] += side.sign * dual,
                None => {}
            }
        }
        let step = solver.solution.x.clone();
        for held in &self.model.held {
            match held.row {
                ConstraintRow::Constraint(k) => multipliers[k] += self.excess_after(held, &step),
                ConstraintRow::Bound(k) => bound_multipliers[k] += self.excess_after(held, &step),
            }
        }
        self.model.correct(&step, &mut multipliers);
        Some(Direction { step, multipliers, bound_multipliers, violation: 0.0 })
    }
}

/// Returns the upper triangle of the sum of the blocks.
fn upper_triangle(blocks: &[HessianBlock], size: usize) -> CscMatrix<f64> {
    let (mut rows, mut columns, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks {
        for (j, &column) in block.indices.iter().enumerate() {
            for (i, &row) in block.indices.iter().enumerate().filter(|(_, row)| **row <= column) {
                let entry = block.matrix[(i, j)];
                if entry != 0.0 {
                    rows.push(row);
                    columns.push(column);
                    entries.push(entry);
                }
            }
        }
    }
    // Clarabel adds entries with equal indices.
    CscMatrix::new_from_triplets(size, size, rows, columns, entries)
}
