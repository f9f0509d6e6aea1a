//! Transcription of a problem on a grid to a nonlinear program.

use nalgebra::DMatrix;

use super::layout::{ControlGrid, VariableLayout};
use crate::problem::{ControlProblem, ProblemError};
use crate::sqp::Ranges;
use crate::steps::{IntegratorSpan, Propagation, StateFlow, StepFailure};

/// Problem on a grid with a method: the nonlinear program whose variables are controls, states at the nodes, duration
/// and parameters.
///
/// The constraints are, in this order: joints of the segments, path constraints at all grid points, bounds of states
/// that are not variables, boundary constraints.
pub struct Transcription {
    pub(crate) problem: ControlProblem,
    pub(crate) propagation: Propagation,
    pub(crate) grid: ControlGrid,
    pub(crate) layout: VariableLayout,
    /// Indices of the bounded states, and the grid points at which states are not variables.
    pub(crate) bounded: Vec<usize>,
    pub(crate) inner: Vec<usize>,
    pub(crate) variables: Ranges,
    pub(crate) constraints: Ranges,
}

impl Transcription {
    /// Transcribes a problem on a grid.
    ///
    /// # Errors
    /// [`ProblemError`] if sizes do not fit, bounds are empty, or there are fewer than two grid points or no steps.
    pub fn new(
        problem: ControlProblem,
        propagation: impl Into<Propagation>,
        grid: ControlGrid,
    ) -> Result<Self, ProblemError> {
        problem.validate()?;
        for (what, found, least) in
            [("the number of grid points", grid.points, 2), ("the number of steps", grid.steps, 1)]
        {
            if found < least {
                return Err(ProblemError::TooFew { what, found, least });
            }
        }
        let layout = VariableLayout::new(problem.local, &grid);
        let is_bounded = |k: &usize| problem.states.lower[*k].is_finite() || problem.states.upper[*k].is_finite();
        let bounded: Vec<usize> = (0..problem.local.states).filter(is_bounded).collect();
        let inner = (0..grid.points).filter(|point| layout.nodes.binary_search(point).is_err()).collect();
        let (variables, constraints) = (Ranges::default(), Ranges::default());
        let propagation = propagation.into();
        let mut all = Self { problem, propagation, grid, layout, bounded, inner, variables, constraints };
        all.variables = all.variable_ranges();
        all.constraints = all.constraint_ranges();
        Ok(all)
    }

    fn variable_ranges(&self) -> Ranges {
        let infinite = |sign: f64| vec![sign * f64::INFINITY; self.layout.size];
        let mut all = Ranges { lower: infinite(-1.0), upper: infinite(1.0) };
        let mut narrow = |first: usize, ranges: &Ranges| {
            for (k, (lower, upper)) in ranges.lower.iter().zip(&ranges.upper).enumerate() {
                all.lower[first + k] = all.lower[first + k].max(*lower);
                all.upper[first + k] = all.upper[first + k].min(*upper);
            }
        };
        (0..self.layout.nodes.len()).for_each(|node| narrow(self.layout.state(node).start, &self.problem.states));
        narrow(self.layout.state(0).start, &self.problem.initial);
        narrow(self.layout.state(self.layout.segments()).start, &self.problem.terminal);
        (0..self.grid.points).for_each(|point| narrow(self.layout.control(point).start, &self.problem.controls));
        let [lower, upper] = self.problem.duration;
        narrow(self.layout.duration, &Ranges { lower: vec![lower], upper: vec![upper] });
        narrow(self.layout.duration + 1, &self.problem.parameters);
        all
    }

    fn constraint_ranges(&self) -> Ranges {
        let joints = self.layout.segments() * self.problem.local.states;
        let mut all = Ranges { lower: vec![0.0; joints], upper: vec![0.0; joints] };
        for (_, ranges) in (0..self.grid.points).flat_map(|_| &self.problem.path) {
            all.lower.extend(&ranges.lower);
            all.upper.extend(&ranges.upper);
        }
        for &k in self.inner.iter().flat_map(|_| &self.bounded) {
            all.lower.push(self.problem.states.lower[k]);
            all.upper.push(self.problem.states.upper[k]);
        }
        all.lower.extend(&self.problem.boundary.lower);
        all.upper.extend(&self.problem.boundary.upper);
        all
    }

    /// Returns the number of path constraints at a point.
    pub(crate) fn path_size(&self) -> usize {
        self.problem.path.as_ref().map_or(0, |(_, ranges)| ranges.lower.len())
    }

    /// Returns the first path constraint at a grid point.
    pub(crate) fn path_row(&self, point: usize) -> usize {
        self.layout.segments() * self.problem.local.states + point * self.path_size()
    }

    /// Returns the first constraint on the state at a grid point that is not a node.
    pub(crate) fn bound_row(&self, point: usize) -> Option<usize> {
        let place = self.inner.binary_search(&point).ok()?;
        Some(self.path_row(self.grid.points) + place * self.bounded.len())
    }

    pub(crate) fn boundary_row(&self) -> usize {
        self.path_row(self.grid.points) + self.inner.len() * self.bounded.len()
    }

    pub(crate) fn fraction(&self, point: usize) -> f64 {
        point as f64 / (self.grid.points - 1) as f64
    }

    fn span(&self, point: usize) -> IntegratorSpan<'_> {
        IntegratorSpan {
            dynamics: &*self.problem.dynamics,
            local: self.problem.local,
            ends: [self.fraction(point), self.fraction(point + 1)],
            is_linear: self.grid.is_linear,
        }
    }

    /// Returns the state at the next grid point.
    pub(crate) fn end(&self, point: usize, w: &[f64]) -> Result<Vec<f64>, StepFailure> {
        self.propagation.end(self.span(point), self.grid.steps, w)
    }

    /// Returns the state at the next grid point with its derivatives.
    pub(crate) fn flow(&self, point: usize, w: &[f64]) -> Result<StateFlow<'_>, StepFailure> {
        self.propagation.flow(self.span(point), self.grid.steps, w)
    }

    /// Returns w of the interval from a grid point to the next.
    pub(crate) fn local_arguments(&self, x: &[f64], point: usize, state: &[f64]) -> Vec<f64> {
        let mut w = state.to_vec();
        w.extend(&x[self.layout.control(point)]);
        w.extend(&x[self.layout.control(point + 1)]);
        w.extend(&x[self.layout.globals()]);
        w
    }

    /// Returns z at a grid point.
    pub(crate) fn path_arguments(&self, x: &[f64], point: usize, state: &[f64]) -> Vec<f64> {
        let mut z = state.to_vec();
        z.extend(&x[self.layout.control(point)]);
        z.extend(&x[self.layout.duration + 1..]);
        z.push(self.fraction(point) * x[self.layout.duration]);
        z
    }

    pub(crate) fn end_arguments(&self, x: &[f64]) -> Vec<f64> {
        self.layout.ends().into_iter().map(|k| x[k]).collect()
    }

    /// Returns ∂w/∂(variables of the segment) of an interval, given the derivatives of the state.
    pub(crate) fn along(&self, segment: usize, point: usize, state_w: &DMatrix<f64>) -> DMatrix<f64> {
        let local = self.problem.local;
        let mut along = DMatrix::zeros(local.len(), state_w.ncols());
        along.rows_mut(0, local.states).copy_from(state_w);
        for (first, point) in [(local.states, point), (local.states + local.controls, point + 1)] {
            let place = self.layout.control_in_segment(segment, point);
            (0..local.controls).for_each(|k| along[(first + k, place + k)] = 1.0);
        }
        let globals = local.states + local.controls;
        (0..=local.parameters).for_each(|k| along[(local.duration() + k, globals + k)] = 1.0);
        along
    }
}
