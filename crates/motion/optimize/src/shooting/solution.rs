//! Transcribed problem as a nonlinear program, and its solution on the grid.

use hemiola_number::Progress;

use super::expansion::ExpandedProgram;
use super::ringing::{Ringing, ringing};
use super::transcription::Transcription;
use crate::problem::{Guess, ProblemError};
use crate::sqp::{LocalModel, Program, ProgramSolution, ProgramValues, Ranges, Solver, SolverOptions, WarmStart};
use crate::steps::StepFailure;

/// Solution on a control grid.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlOptimum {
    /// Solution of the nonlinear program, with status, variables and multipliers.
    pub solution: ProgramSolution,
    /// Grid points as fractions of the duration.
    pub fractions: Vec<f64>,
    /// States, controls, duration and parameters.
    pub found: Guess,
    /// Multipliers of the path constraints at each grid point.
    pub path_multipliers: Vec<Vec<f64>>,
    /// Intervals in which the grid does not resolve a control.
    pub ringing: Vec<Ringing>,
    /// Orders of the active state constraints: the number of derivatives until a control appears.
    pub orders: Vec<usize>,
}

impl Transcription {
    /// Solves the problem from a guess or from a solution on another grid. `progress` receives the iterates.
    ///
    /// # Errors
    /// [`ProblemError`] if the guess does not fit the problem or the equations have no values there.
    pub fn solve(
        &self,
        guess: &Guess,
        options: SolverOptions,
        progress: &dyn Progress,
    ) -> Result<ControlOptimum, ProblemError> {
        let start = WarmStart { x: self.variables_of(guess)?, multipliers: Vec::new() };
        self.solve_from(start, options, progress)
    }

    /// Solves the problem from a guess with multipliers, such as a saved solution. Multipliers that belong to a program
    /// of a different size are ignored.
    ///
    /// # Errors
    /// [`ProblemError`] if the guess does not fit the problem, a multiplier is not finite, or the equations have no
    /// values there.
    pub fn solve_warm(
        &self,
        guess: &Guess,
        multipliers: &[f64],
        options: SolverOptions,
        progress: &dyn Progress,
    ) -> Result<ControlOptimum, ProblemError> {
        crate::problem::finite("multipliers of the start", multipliers)?;
        let is_ours = multipliers.len() == self.constraints.lower.len();
        let multipliers = if is_ours { multipliers.to_vec() } else { Vec::new() };
        self.solve_from(WarmStart { x: self.variables_of(guess)?, multipliers }, options, progress)
    }

    /// Solves the problem from variables and multipliers of this program.
    ///
    /// # Errors
    /// [`ProblemError`] if the number of variables is wrong or the equations have no values there.
    pub fn solve_from(
        &self,
        start: WarmStart,
        options: SolverOptions,
        progress: &dyn Progress,
    ) -> Result<ControlOptimum, ProblemError> {
        crate::problem::expect("variables of the start", start.x.len(), self.layout.size)?;
        let solution = Solver { program: self, options }.solve(start, progress).map_err(ProblemError::Start)?;
        Ok(self.optimum(solution))
    }

    fn variables_of(&self, guess: &Guess) -> Result<Vec<f64>, ProblemError> {
        let guess = guess.on_grid(self.grid.points, self.problem.local)?;
        let mut x = vec![0.0; self.layout.size];
        for (node, &point) in self.layout.nodes.iter().enumerate() {
            x[self.layout.state(node)].copy_from_slice(&guess.states[point]);
        }
        for point in 0..self.grid.points {
            x[self.layout.control(point)].copy_from_slice(&guess.controls[point]);
        }
        x[self.layout.duration] = guess.duration;
        x[self.layout.duration + 1..].copy_from_slice(&guess.parameters);
        Ok(x)
    }

    fn optimum(&self, solution: ProgramSolution) -> ControlOptimum {
        let x = &solution.x;
        let states = self.states(x).unwrap_or_default();
        let controls: Vec<Vec<f64>> =
            (0..self.grid.points).map(|point| x[self.layout.control(point)].to_vec()).collect();
        // The last value of a piecewise constant control has no effect.
        let acting = if self.grid.is_linear { self.grid.points } else { self.grid.points - 1 };
        let values = |control: usize| controls[..acting].iter().map(|row| row[control]).collect::<Vec<f64>>();
        let ringing = (0..self.problem.local.controls).flat_map(|control| ringing(control, &values(control))).collect();
        let multipliers = |point: usize| {
            let first = self.path_row(point);
            solution.multipliers[first..first + self.path_size()].to_vec()
        };
        let mut optimum = ControlOptimum {
            fractions: (0..self.grid.points).map(|point| self.fraction(point)).collect(),
            path_multipliers: (0..self.grid.points).map(multipliers).collect(),
            found: Guess {
                states,
                controls,
                duration: x[self.layout.duration],
                parameters: x[self.layout.duration + 1..].to_vec(),
            },
            solution,
            ringing,
            orders: Vec::new(),
        };
        optimum.orders = self.orders(&optimum);
        optimum
    }

    /// Returns the states at all grid points; those at nodes are variables.
    fn states(&self, x: &[f64]) -> Result<Vec<Vec<f64>>, StepFailure> {
        let mut states: Vec<Vec<f64>> = Vec::with_capacity(self.grid.points);
        for point in 0..self.grid.points {
            let state = match (self.layout.nodes.binary_search(&point), states.last()) {
                (Err(_), Some(before)) => self.end(point - 1, &self.local_arguments(x, point - 1, before))?,
                (node, _) => x[self.layout.state(node.unwrap_or(0))].to_vec(),
            };
            states.push(state);
        }
        Ok(states)
    }
}

impl Program for Transcription {
    fn variables(&self) -> &Ranges {
        &self.variables
    }

    fn constraints(&self) -> &Ranges {
        &self.constraints
    }

    fn values(&self, x: &[f64]) -> Result<ProgramValues, StepFailure> {
        let mut constraints = Vec::with_capacity(self.constraints.lower.len());
        let states = self.states(x)?;
        for segment in 0..self.layout.segments() {
            let last = self.layout.nodes[segment + 1] - 1;
            let end = self.end(last, &self.local_arguments(x, last, &states[last]))?;
            constraints.extend(end.iter().zip(&x[self.layout.state(segment + 1)]).map(|(end, state)| end - state));
        }
        let mut path = vec![0.0; self.path_size()];
        for (point, state) in states.iter().enumerate() {
            if let Some((function, _)) = &self.problem.path {
                function.value(&self.path_arguments(x, point, state), &mut path);
                constraints.extend(&path);
            }
        }
        constraints.extend(
            self.inner
                .iter()
                .flat_map(|&point| self.bounded.iter().map(move |&k| (point, k)))
                .map(|(point, k)| states[point][k]),
        );
        let mut ends = vec![0.0; self.problem.ends.outputs()];
        self.problem.ends.value(&self.end_arguments(x), &mut ends);
        constraints.extend(&ends[1..]);
        if constraints.iter().chain(&ends).all(|value| value.is_finite()) {
            Ok(ProgramValues { objective: ends[0], constraints })
        } else {
            Err(StepFailure::NotFinite)
        }
    }

    fn expand<'a>(&'a self, x: &[f64]) -> Result<Box<dyn LocalModel + 'a>, StepFailure> {
        Ok(Box::new(ExpandedProgram::new(self, x)?))
    }
}
