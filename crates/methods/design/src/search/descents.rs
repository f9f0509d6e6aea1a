//! Single starts of a search, and descents from them with any solver.

use nalgebra::DVector;

use crate::optimize::chart::DesignChart;
use crate::optimize::descent::Minimum;
use crate::optimize::problem::{EvaluationCounts, IN_FULL, NOT_AT_ALL};
use crate::optimize::restore::{RESTORE_ITERATIONS, restore};
use crate::optimize::solver::minimize;
use crate::search::multistart::{Search, Start};
use crate::unknowns::start::random_start;

impl Search<'_> {
    /// Returns the random unknowns from which a start begins, with its slow stages.
    ///
    /// The unknowns are the entries of the slow part row by row, the weights last, then those of the fast part; slow rows have
    /// entries at slow stages only. Other programs can search from the same starts.
    ///
    /// ```
    /// use hemiola_design::{Search, Specification};
    /// let specification = Specification::new(2, 3, None)?;
    /// let (slow_stages, unknowns) = Search::new(&specification, Vec::new())?.random_start(0);
    /// // Stages 0 and 1 of three: slow rows have 0 + 1 + 2 entries and two weights, fast ones 0 + 1 + 2 and three.
    /// assert_eq!((slow_stages, unknowns.len()), (vec![0, 1], 5 + 6));
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn random_start(&self, number: usize) -> (Vec<usize>, Vec<f64>) {
        let choice = number % self.unknowns.len();
        let x = random_start(&self.unknowns[choice], self.specification.slow, self.specification.seed, number);
        (self.choices[choice].clone(), x)
    }

    /// Restores a start to the conditions, and returns the unknowns before any descent.
    ///
    /// Unlike in a race, the start gets as many iterations as it needs.
    pub fn start(&self, number: usize) -> Start {
        let (choice, (_, x)) = (number % self.unknowns.len(), self.random_start(number));
        let solution = restore(&self.problem(choice, NOT_AT_ALL).equations, &x, RESTORE_ITERATIONS);
        Start { number, solution }
    }

    /// Returns the design problem around a start in coordinates without constraints, for a solver of argmin; `None` if
    /// the start has no solution.
    ///
    /// ```
    /// use argmin::core::{CostFunction, Gradient};
    /// use hemiola_design::{Search, Specification};
    /// let specification = Specification::new(2, 5, None)?;
    /// let search = Search::new(&specification, Vec::new())?;
    /// let start = (0..8).map(|number| search.start(number)).find(|start| start.solution.is_some());
    /// let chart = start.and_then(|start| search.chart(&start)).ok_or("no solution")?;
    /// let origin = nalgebra::DVector::zeros(chart.dimension());
    /// // A short step against the gradient lowers the objective.
    /// let gradient = (&chart).gradient(&origin)?;
    /// assert!((&chart).cost(&(gradient * -1e-3))? < (&chart).cost(&origin)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chart(&self, start: &Start) -> Option<DesignChart<'_>> {
        let x = self.fitting(start)?;
        let choice = start.number % self.unknowns.len();
        Some(DesignChart::new(self.problem(choice, IN_FULL), DVector::from_column_slice(x)))
    }

    /// Descends from a start with the solver of the specification: at most `steps` steps, until the gain of a step is less than
    /// the fraction `gain` of the objective.
    ///
    /// Returns `None` if the start has no solution or a model of the objective breaks down.
    #[must_use]
    pub fn descent(&self, start: &Start, steps: usize, gain: f64) -> Option<Minimum> {
        let choice = start.number % self.unknowns.len();
        minimize(&self.problem(choice, IN_FULL), self.fitting(start)?, (steps, gain))
    }

    /// Returns the numbers of evaluations of the objective and of its derivatives so far.
    #[must_use]
    pub fn evaluations(&self) -> EvaluationCounts {
        self.formulation.counts()
    }

    /// Returns the solution of a start if it has as many numbers as this search has unknowns.
    fn fitting<'b>(&self, start: &'b Start) -> Option<&'b [f64]> {
        let count = self.unknowns[start.number % self.unknowns.len()].places().len();
        start.solution.as_deref().filter(|x| x.len() == count)
    }
}
