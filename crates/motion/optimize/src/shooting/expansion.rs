//! Local model of the program at a point: constraints with first derivatives, and Hessians segment by segment.

use nalgebra::{DMatrix, DVector};

use super::convex::{ActiveSet, SegmentChain, convex};
use super::segment::Segment;
use super::transcription::Transcription;
use crate::sqp::{
    ActiveRow, ConstraintRow, ConvexModel, HessianBlock, LagrangianPart, Linearization, LocalModel, ProgramValues,
};
use crate::steps::StepFailure;

pub(crate) struct ExpandedProgram<'a> {
    pub(crate) transcription: &'a Transcription,
    x: Vec<f64>,
    pub(crate) segments: Vec<Segment<'a>>,
    pub(crate) linear: Linearization,
    /// Constraints of each block: those of each segment, those at the last point, the boundary constraints.
    rows: Vec<Vec<usize>>,
    /// Variables of each block.
    indices: Vec<Vec<usize>>,
}

impl<'a> ExpandedProgram<'a> {
    pub(crate) fn new(transcription: &'a Transcription, x: &[f64]) -> Result<Self, StepFailure> {
        let layout = &transcription.layout;
        let segments: Vec<Segment<'a>> =
            (0..layout.segments()).map(|index| Segment::new(transcription, x, index)).collect::<Result<_, _>>()?;
        let mut indices: Vec<Vec<usize>> = (0..layout.segments()).map(|index| layout.segment(index)).collect();
        indices.extend([layout.extended(layout.segments()), layout.ends()]);
        let values = ProgramValues { objective: 0.0, constraints: Vec::new() };
        let linear = Linearization { values, gradient: vec![0.0; layout.size], jacobian: Vec::new() };
        let rows = vec![Vec::new(); indices.len()];
        let mut here = Self { transcription, x: x.to_vec(), segments, linear, rows, indices };
        here.add_joints();
        here.add_paths();
        here.add_bounds();
        here.add_ends();
        let linear = &here.linear;
        let entries = linear.jacobian.iter().flatten().map(|(_, entry)| entry);
        let all =
            linear.values.constraints.iter().chain(&linear.gradient).chain([&linear.values.objective]).chain(entries);
        if all.copied().all(f64::is_finite) { Ok(here) } else { Err(StepFailure::NotFinite) }
    }

    fn push(&mut self, block: usize, value: f64, row: Vec<(usize, f64)>) {
        self.rows[block].push(self.linear.jacobian.len());
        self.linear.values.constraints.push(value);
        self.linear.jacobian.push(row);
    }

    /// Adds the equations that join the end of each segment to the next state.
    fn add_joints(&mut self) {
        for index in 0..self.segments.len() {
            let next = self.transcription.layout.state(index + 1);
            for (k, variable) in next.enumerate() {
                let segment = &self.segments[index];
                let value = segment.end()[k] - self.x[variable];
                let mut row = entries(&self.indices[index], segment.end_w().row(k).iter());
                row.push((variable, -1.0));
                self.push(index, value, row);
            }
        }
    }

    fn add_paths(&mut self) {
        let Some((function, _)) = &self.transcription.problem.path else { return };
        let mut values = vec![0.0; function.outputs()];
        for block in 0..=self.segments.len() {
            for (k, point) in self.points(block).enumerate() {
                let z = self.path_arguments(block, k, point);
                function.value(&z, &mut values);
                let rows = self.path_jacobian(&z) * self.path_along(block, k, point);
                for (value, row) in values.iter().zip(rows.row_iter()) {
                    let row = entries(&self.indices[block], row.iter());
                    self.push(block, *value, row);
                }
            }
        }
    }

    fn add_bounds(&mut self) {
        for block in 0..self.segments.len() {
            for k in 1..self.segments[block].points.len() {
                for &state in &self.transcription.bounded {
                    let segment = &self.segments[block];
                    let (value, row) = (segment.states[k][state], segment.states_w[k].row(state));
                    let row = entries(&self.indices[block], row.iter());
                    self.push(block, value, row);
                }
            }
        }
    }

    fn add_ends(&mut self) {
        let (ends, block) = (&self.transcription.problem.ends, self.segments.len() + 1);
        let arguments = self.transcription.end_arguments(&self.x);
        let (mut values, mut rows) = (vec![0.0; ends.outputs()], vec![0.0; ends.outputs() * arguments.len()]);
        ends.value(&arguments, &mut values);
        ends.jacobian(&arguments, &mut rows);
        for (k, row) in rows.chunks(arguments.len()).enumerate() {
            let row = entries(&self.indices[block], row.iter());
            if k == 0 {
                self.linear.values.objective = values[0];
                row.iter().for_each(|&(variable, entry)| self.linear.gradient[variable] += entry);
            } else {
                self.push(block, values[k], row);
            }
        }
    }

    /// Returns the grid points of a block: those of a segment, or the last point.
    fn points(&self, block: usize) -> std::ops::Range<usize> {
        let last = self.transcription.grid.points - 1;
        self.segments.get(block).map_or(last..last + 1, |segment| segment.points.clone())
    }

    /// Returns z at the kth point of a block.
    fn path_arguments(&self, block: usize, k: usize, point: usize) -> Vec<f64> {
        let last = &self.x[self.transcription.layout.state(self.segments.len())];
        let state = self.segments.get(block).map_or(last, |segment| &segment.states[k]);
        self.transcription.path_arguments(&self.x, point, state)
    }

    /// Returns ∂z/∂(variables of the block) at its kth point.
    fn path_along(&self, block: usize, k: usize, point: usize) -> DMatrix<f64> {
        let local = self.transcription.problem.local;
        let mut along = DMatrix::zeros(local.arguments(), self.indices[block].len());
        match self.segments.get(block) {
            Some(segment) => along.rows_mut(0, local.states).copy_from(&segment.states_w[k]),
            None => (0..local.states).for_each(|k| along[(k, k)] = 1.0),
        }
        let control = if block < self.segments.len() {
            self.transcription.layout.control_in_segment(block, point)
        } else {
            local.states
        };
        (0..local.controls).for_each(|k| along[(local.states + k, control + k)] = 1.0);
        let globals = local.states + local.controls;
        (0..local.parameters).for_each(|k| along[(globals + k, globals + 1 + k)] = 1.0);
        along[(globals + local.parameters, globals)] = self.transcription.fraction(point);
        along
    }

    fn path_jacobian(&self, z: &[f64]) -> DMatrix<f64> {
        let Some((function, _)) = &self.transcription.problem.path else { return DMatrix::zeros(0, z.len()) };
        let mut rows = vec![0.0; function.outputs() * z.len()];
        function.jacobian(z, &mut rows);
        DMatrix::from_row_slice(function.outputs(), z.len(), &rows)
    }

    /// Returns the Hessian of the constraints at the kth point of a block in its variables, and their gradient with
    /// respect to the state.
    fn at_point(
        &self,
        block: usize,
        k: usize,
        multipliers: &[f64],
    ) -> Result<(DMatrix<f64>, DVector<f64>), StepFailure> {
        let n = self.transcription.problem.local.states;
        let size = self.indices[block].len();
        let (mut hessian, mut gradient) = (DMatrix::zeros(size, size), DVector::zeros(n));
        let point = self.points(block).start + k;
        if let Some((function, _)) = &self.transcription.problem.path {
            let first = self.transcription.path_row(point);
            let weights = &multipliers[first..first + function.outputs()];
            if weights.iter().any(|weight| *weight != 0.0) {
                let z = self.path_arguments(block, k, point);
                let mut curvature = vec![0.0; z.len() * z.len()];
                function.curvature(&z, weights, &mut curvature);
                if curvature.iter().any(|entry| !entry.is_finite()) {
                    return Err(StepFailure::NotFinite);
                }
                let along = self.path_along(block, k, point);
                hessian += along.tr_mul(&(DMatrix::from_vec(z.len(), z.len(), curvature) * &along));
                let jacobian = self.path_jacobian(&z);
                gradient += jacobian.columns(0, n).tr_mul(&DVector::from_column_slice(weights));
            }
        }
        if let Some(first) = self.transcription.bound_row(point) {
            self.transcription.bounded.iter().enumerate().for_each(|(i, &k)| gradient[k] += multipliers[first + i]);
        }
        Ok((hessian, gradient))
    }
}

/// Multipliers up to this count as zero.
const ACTIVE: f64 = 1e-7;

/// Returns the excess of a value over the bound that its multiplier belongs to (negative within the bound); `None` if
/// the constraint is not active. Equations are always active. The multiplier of an active inequality exceeds its slack
/// (the primal–dual active set of Hintermüller, Ito & Kunisch 2003): otherwise small multipliers of the interior-point
/// method would keep constraints active that should be released.
fn active_excess(value: f64, lower: f64, upper: f64, multiplier: f64) -> Option<f64> {
    let excess = if multiplier > 0.0 { value - upper } else { value - lower };
    let room = -multiplier.signum() * excess;
    (lower == upper || multiplier.abs() > room.max(ACTIVE)).then_some(excess)
}

impl ExpandedProgram<'_> {
    /// Returns the active set, in whose directions the step is fixed. Equations between the segments are excluded
    /// because curvature is moved along them.
    fn active(&self, multipliers: &[f64], bound_multipliers: &[f64]) -> ActiveSet {
        let mut held = Vec::new();
        let mut added: Vec<DMatrix<f64>> =
            self.indices.iter().map(|indices| DMatrix::zeros(indices.len(), indices.len())).collect();
        for (block, rows) in self.rows.iter().enumerate() {
            for &row in rows {
                let Some(excess) = self.active_row(row, multipliers[row]) else { continue };
                let entries: Vec<(usize, f64)> = self.linear.jacobian[row]
                    .iter()
                    .filter_map(|&(k, entry)| Some((self.indices[block].iter().position(|&index| index == k)?, entry)))
                    .collect();
                for &(i, left) in &entries {
                    entries.iter().for_each(|&(j, right)| added[block][(i, j)] += left * right);
                }
                held.push(ActiveRow { row: ConstraintRow::Constraint(row), excess });
            }
        }
        let variables = &self.transcription.variables;
        let mut is_added = vec![false; self.x.len()];
        for (block, indices) in self.indices.iter().enumerate() {
            for (i, &k) in indices.iter().enumerate() {
                let excess = active_excess(self.x[k], variables.lower[k], variables.upper[k], bound_multipliers[k]);
                if let Some(excess) = excess
                    && !std::mem::replace(&mut is_added[k], true)
                {
                    added[block][(i, i)] += 1.0;
                    held.push(ActiveRow { row: ConstraintRow::Bound(k), excess });
                }
            }
        }
        ActiveSet { held, added }
    }

    fn active_row(&self, row: usize, multiplier: f64) -> Option<f64> {
        let ranges = &self.transcription.constraints;
        let (lower, upper) = (ranges.lower[row], ranges.upper[row]);
        let is_joint = row < self.segments.len() * self.transcription.problem.local.states;
        // The merged Hessian at the ends is exact only as long as it does not involve the initial state.
        let touches_start = || {
            let initial = self.transcription.layout.state(0);
            self.linear.jacobian[row].iter().any(|(k, _)| initial.contains(k))
        };
        if is_joint || lower == upper && touches_start() {
            return None;
        }
        active_excess(self.linear.values.constraints[row], lower, upper, multiplier)
    }
}

/// Returns the nonzero entries of a row.
fn entries<'b>(indices: &[usize], row: impl Iterator<Item = &'b f64>) -> Vec<(usize, f64)> {
    indices.iter().copied().zip(row.copied()).filter(|(_, entry)| *entry != 0.0).collect()
}

impl LocalModel for ExpandedProgram<'_> {
    fn linearization(&self) -> &Linearization {
        &self.linear
    }

    fn curvature(&self, multipliers: &[f64]) -> Result<Vec<HessianBlock>, StepFailure> {
        let n = self.transcription.problem.local.states;
        let count = self.segments.len();
        let mut matrices = Vec::with_capacity(count + 2);
        for (index, segment) in self.segments.iter().enumerate() {
            let weight = &multipliers[index * n..(index + 1) * n];
            matrices.push(segment.curvature(self.transcription, weight, |k| self.at_point(index, k, multipliers))?);
        }
        matrices.push(self.at_point(count, 0, multipliers)?.0);
        let ends = &self.transcription.problem.ends;
        let mut weights = vec![1.0];
        weights.extend(&multipliers[self.transcription.boundary_row()..]);
        let arguments = self.transcription.end_arguments(&self.x);
        let mut curvature = vec![0.0; arguments.len() * arguments.len()];
        ends.curvature(&arguments, &weights, &mut curvature);
        matrices.push(DMatrix::from_vec(arguments.len(), arguments.len(), curvature));
        if matrices.iter().any(|matrix| matrix.iter().any(|entry| !entry.is_finite())) {
            return Err(StepFailure::NotFinite);
        }
        let blocks = self.indices.iter().zip(matrices);
        Ok(blocks.map(|(indices, matrix)| HessianBlock { indices: indices.clone(), matrix }).collect())
    }

    fn parts(&self, multipliers: &[f64]) -> Vec<LagrangianPart> {
        let part = |(block, indices): (usize, &Vec<usize>)| {
            let mut all = vec![0.0; self.x.len()];
            // The objective is the first of the boundary functions. The next state, which a joint subtracts, enters
            // linearly and is omitted.
            if block + 1 == self.indices.len() {
                all.copy_from_slice(&self.linear.gradient);
            }
            for &row in &self.rows[block] {
                self.linear.jacobian[row].iter().for_each(|&(k, entry)| all[k] += multipliers[row] * entry);
            }
            LagrangianPart { indices: indices.clone(), gradient: indices.iter().map(|&k| all[k]).collect() }
        };
        self.indices.iter().enumerate().map(part).collect()
    }

    fn convex(
        &self,
        blocks: Vec<HessianBlock>,
        shift: f64,
        multipliers: &[f64],
        bound_multipliers: &[f64],
    ) -> ConvexModel {
        let chain = SegmentChain {
            layout: &self.transcription.layout,
            ends_w: self.segments.iter().map(Segment::end_w).collect(),
            defects: &self.linear.values.constraints,
            variables: &self.transcription.variables,
        };
        convex(&chain, blocks, shift, self.active(multipliers, bound_multipliers))
    }
}
