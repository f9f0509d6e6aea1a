//! Iterations: a convex model at each iterate, a line search on a merit function, and the stopping criteria.

use hemiola_number::Progress;

use super::blocks::{ConvexModel, HessianBlock};
use super::iterate::{Restoration, SqpState, StepOutcome, moved};
use super::merit::{History, Merit};
use super::program::{Linearization, LocalModel, Program, ProgramValues};
use super::quadratic::{Direction, Quadratic};
use super::quasi_newton::QuasiNewton;
use super::snapshot::StoredIterate;
use super::solution::{Hessian, Iteration, ProgramSolution, SolverOptions, WarmStart};
use super::status::Status;
use crate::steps::StepFailure;

/// Sequential quadratic programming with an ℓ₁ merit function.
///
/// ```
/// use hemiola_optimize::sqp::{SolverOptions, Solver, WarmStart, Status};
/// # use hemiola_optimize::sqp::{HessianBlock, LocalModel, Linearization, Program, Ranges, ProgramValues};
/// # use hemiola_optimize::StepFailure;
/// # use nalgebra::DMatrix;
/// # struct Circle { variables: Ranges, constraints: Ranges }
/// # struct ExpandedProgram(Linearization);
/// # impl Program for Circle {
/// #     fn variables(&self) -> &Ranges { &self.variables }
/// #     fn constraints(&self) -> &Ranges { &self.constraints }
/// #     fn values(&self, x: &[f64]) -> Result<ProgramValues, StepFailure> {
/// #         Ok(ProgramValues { objective: x[0] + x[1], constraints: vec![x[0] * x[0] + x[1] * x[1]] })
/// #     }
/// #     fn expand<'a>(&'a self, x: &[f64]) -> Result<Box<dyn LocalModel + 'a>, StepFailure> {
/// #         let jacobian = vec![vec![(0, 2.0 * x[0]), (1, 2.0 * x[1])]];
/// #         Ok(Box::new(ExpandedProgram(Linearization { values: self.values(x)?, gradient: vec![1.0, 1.0], jacobian })))
/// #     }
/// # }
/// # impl LocalModel for ExpandedProgram {
/// #     fn linearization(&self) -> &Linearization { &self.0 }
/// #     fn curvature(&self, y: &[f64]) -> Result<Vec<HessianBlock>, StepFailure> {
/// #         Ok(vec![HessianBlock { indices: vec![0, 1], matrix: DMatrix::identity(2, 2) * (2.0 * y[0]) }])
/// #     }
/// # }
/// # let infinite = Ranges { lower: vec![f64::NEG_INFINITY; 2], upper: vec![f64::INFINITY; 2] };
/// # let program = Circle { variables: infinite, constraints: Ranges { lower: vec![f64::NEG_INFINITY], upper: vec![2.0] } };
/// // min x + y in the disk x² + y² ≤ 2.
/// let start = WarmStart { x: vec![1.0, -0.5], ..WarmStart::default() };
/// let solution = Solver { program: &program, options: SolverOptions::default() }.solve(start, &())?;
/// assert_eq!(solution.status, Status::Optimal);
/// assert!(solution.x.iter().all(|x| (x + 1.0).abs() < 1e-6) && (solution.multipliers[0] - 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<'a, P: Program + ?Sized> {
    /// Program to solve.
    pub program: &'a P,
    /// Settings.
    pub options: SolverOptions,
}

/// Smallest fraction of a step.
const LEAST_FRACTION: f64 = 1e-9;
/// Required fraction of the predicted decrease (Armijo).
const DECREASE: f64 = 1e-4;
/// Fraction of the initial slope above which a step is lengthened, and the largest multiple of a step.
const STRAIGHT: f64 = 0.75;
const LONGEST: f64 = 1e6;
const FIRST_PRICE: f64 = 10.0;
/// First added curvature, and added curvature that is small enough to drop.
const FIRST_SHIFT: f64 = 1e-3;
const LEAST_SHIFT: f64 = 1e-9;
const LARGEST_SHIFT: f64 = 1e4;
/// Largest number of consecutive elastic steps that reduce the violation by less than one percent; after that,
/// restoration ignores the objective until the constraints hold better.
const MOST_IDLE: usize = 8;
const MOST_RESTORATIONS: usize = 10;
const PRICE_GROWTH: f64 = 10.0;
const HIGHEST_PRICE: f64 = 1e8;

impl<'a, P: Program + ?Sized> Solver<'a, P> {
    /// Runs the iterations from a start, which is first moved within the bounds of its variables. `progress` receives
    /// the number, objective, violation and residual of each iterate.
    ///
    /// # Errors
    /// [`StepFailure`] if the program has no values or derivatives at the start.
    pub fn solve(&self, start: WarmStart, progress: &dyn Progress) -> Result<ProgramSolution, StepFailure> {
        let mut iterate = self.begin(start)?;
        let mut best = self.snapshot(&iterate, 0, 0.0);
        let mut iterations = vec![best.iteration];
        let mut flow = best.iteration.report(progress);
        let status = loop {
            if flow.is_break() {
                break Status::Interrupted;
            }
            if iterations.len() > self.options.most_iterations {
                break Status::IterationLimit;
            }
            let fraction = match self.advance(&mut iterate)? {
                StepOutcome::Stepped(fraction) => fraction,
                StepOutcome::Ended(status) => break status,
            };
            let here = self.snapshot(&iterate, iterations.len(), fraction);
            iterations.push(here.iteration);
            flow = here.iteration.report(progress);
            if here.iteration.residual <= self.options.tolerance {
                return Ok(here.solution(Status::Optimal, iterations));
            }
            if here.is_no_worse(&best, iterate.price) {
                best = here;
            }
        };
        Ok(best.solution(status, iterations))
    }

    fn snapshot(&self, iterate: &SqpState<'_>, number: usize, fraction: f64) -> StoredIterate {
        let iteration = self.report(iterate, number, fraction);
        StoredIterate {
            is_feasible: iteration.violation <= self.options.tolerance,
            merit: Merit::new(&iterate.here.linearization().values, self.program.constraints()),
            iteration,
            x: iterate.x.clone(),
            multipliers: iterate.multipliers.clone(),
            bound_multipliers: iterate.bound_multipliers.clone(),
        }
    }

    fn begin(&self, start: WarmStart) -> Result<SqpState<'a>, StepFailure> {
        let mut x = start.x;
        self.program.variables().clip(&mut x);
        let here = self.program.expand(&x)?;
        Ok(self.iterate(x, start.multipliers, here))
    }

    /// Builds an iterate without history; missing multipliers are zero.
    pub(crate) fn iterate(
        &self,
        x: Vec<f64>,
        mut multipliers: Vec<f64>,
        here: Box<dyn LocalModel + 'a>,
    ) -> SqpState<'a> {
        multipliers.resize(self.program.constraints().lower.len(), 0.0);
        let mut history = History::default();
        history.add(Merit::new(&here.linearization().values, self.program.constraints()));
        SqpState {
            bound_multipliers: vec![0.0; x.len()],
            x,
            multipliers,
            here,
            price: FIRST_PRICE,
            history,
            shift: FIRST_SHIFT,
            idle: (f64::INFINITY, 0),
            approximation: None,
            restoration: None,
            restorations: 0,
        }
    }

    /// Computes the residuals of the optimality conditions at an iterate.
    fn report(&self, iterate: &SqpState<'_>, number: usize, fraction: f64) -> Iteration {
        let linear = iterate.here.linearization();
        let constraints = self.program.constraints();
        let violation = constraints.excess(&linear.values.constraints).fold(0.0, f64::max);
        let gradient = linear.lagrangian_gradient(&iterate.multipliers);
        let stationarity =
            gradient.iter().zip(&iterate.bound_multipliers).map(|(g, nu)| (g + nu).abs()).fold(0.0, f64::max);
        let gap = |ranges: &super::program::Ranges, values: &[f64], multipliers: &[f64]| {
            let sides = ranges.lower.iter().zip(&ranges.upper);
            let product = |(multiplier, (value, (lower, upper))): (&f64, (&f64, (&f64, &f64)))| {
                let room = if *multiplier > 0.0 { upper - value } else { value - lower };
                if *multiplier == 0.0 || lower == upper { 0.0 } else { (multiplier * room).abs() }
            };
            multipliers.iter().zip(values.iter().zip(sides)).map(product).fold(0.0, f64::max)
        };
        let complementarity = gap(constraints, &linear.values.constraints, &iterate.multipliers).max(gap(
            self.program.variables(),
            &iterate.x,
            &iterate.bound_multipliers,
        ));
        let residual = violation.max(stationarity).max(complementarity);
        Iteration { number, objective: linear.values.objective, violation, residual, fraction }
    }

    fn advance(&self, iterate: &mut SqpState<'a>) -> Result<StepOutcome, StepFailure> {
        if iterate.restoration.is_some() {
            return self.restore(iterate);
        }
        let advance = self.optimize(iterate)?;
        let violation = Merit::new(&iterate.here.linearization().values, self.program.constraints()).violation;
        // A step that considers only the violation may make progress where no step of the program does.
        if matches!(advance, StepOutcome::Ended(_))
            && violation > self.options.tolerance
            && iterate.restorations < MOST_RESTORATIONS
        {
            iterate.restorations += 1;
            iterate.restoration = Some(Restoration::new(violation, self.options.tolerance));
            return self.restore(iterate);
        }
        Ok(advance)
    }

    fn optimize(&self, iterate: &mut SqpState<'a>) -> Result<StepOutcome, StepFailure> {
        let model = self.model(iterate)?;
        let linear = iterate.here.linearization().clone();
        let here = Merit::new(&linear.values, self.program.constraints());
        let Some(direction) = self.direction(iterate, &linear, &model, here) else {
            return Ok(StepOutcome::Ended(Status::Stalled));
        };
        let slope: f64 = linear.gradient.iter().zip(&direction.step).map(|(g, d)| g * d).sum();
        // To first order, the violation falls to the remaining violation of the quadratic program.
        let relieved = here.violation - direction.violation;
        let size = iterate.x.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let length = direction.step.iter().fold(0.0f64, |length, d| length.max(d.abs()));
        let is_infeasible = |merit: Merit| merit.violation > self.options.tolerance;
        let is_elastic = direction.violation > 0.1 * here.violation && is_infeasible(here);
        if is_elastic && here.violation > 0.99 * iterate.idle.0 {
            iterate.idle.1 += 1;
        } else {
            iterate.idle = (here.violation, 0);
        }
        if is_elastic && (relieved <= 1e-6 * here.violation.min(1.0) || iterate.idle.1 >= MOST_IDLE) {
            return Ok(StepOutcome::Ended(Status::Stalled));
        }
        if direction.violation == 0.0 {
            let wanted = 1.5 * largest(&direction.multipliers);
            // If a lower price suffices, the price falls to the mean of both (Powell 1978), since a high price shortens
            // steps along curved constraints.
            iterate.price = wanted.max((iterate.price + wanted) / 2.0).clamp(FIRST_PRICE, HIGHEST_PRICE);
        }
        let expected = slope - iterate.price * relieved;
        let (fraction, step) = match self.search(iterate, &linear, &model, &direction, expected) {
            Some(found) => found,
            // A step of the size of rounding errors is accepted for the sake of its multipliers.
            None if length <= 1e-7 * size => (1.0, direction.step.clone()),
            None => return Ok(StepOutcome::Ended(Status::Stalled)),
        };
        self.take(iterate, &direction, fraction, &step)
    }

    /// Builds a convex model of the Lagrangian.
    fn model(&self, iterate: &mut SqpState<'a>) -> Result<ConvexModel, StepFailure> {
        let SqpState { here, multipliers, bound_multipliers, shift, approximation, .. } = iterate;
        match self.options.hessian {
            Hessian::Exact => {
                let blocks = here.curvature(multipliers)?;
                Ok(here.convex(blocks, *shift, multipliers, bound_multipliers))
            }
            Hessian::Bfgs => {
                let known = approximation.get_or_insert_with(|| QuasiNewton::new(&here.parts(multipliers)));
                Ok(ConvexModel { blocks: known.blocks(), ..ConvexModel::default() })
            }
        }
    }

    /// Solves the quadratic program, elastic if it is infeasible.
    fn direction(
        &self,
        iterate: &mut SqpState<'a>,
        linear: &Linearization,
        model: &ConvexModel,
        here: Merit,
    ) -> Option<Direction> {
        let x = iterate.x.clone();
        let quadratic = Quadratic {
            x: &x,
            variables: self.program.variables(),
            constraints: self.program.constraints(),
            linear,
            model,
            values: &linear.values.constraints,
        };
        if let Some(direction) = quadratic.solve()
            && direction.soft_multiplier(model) <= iterate.price
        {
            return Some(direction);
        }
        let elastic = self.elastic(iterate, &quadratic, here);
        if elastic.as_ref().is_some_and(|direction| here.violation - direction.violation > 0.01 * here.violation) {
            return elastic;
        }
        // Fall back to a nearly unscaled steepest-descent step within the bounds.
        let plain = ConvexModel {
            blocks: (0..x.len()).map(|k| HessianBlock::one(k, FIRST_SHIFT)).collect(),
            ..ConvexModel::default()
        };
        let quadratic = Quadratic { model: &plain, ..quadratic };
        self.elastic(iterate, &quadratic, here).or(elastic)
    }

    /// Computes the step of an elastic program. The price rises if a much higher price would relieve much more (Byrd,
    /// Nocedal & Waltz 2008).
    fn elastic(&self, iterate: &mut SqpState<'a>, quadratic: &Quadratic<'_>, here: Merit) -> Option<Direction> {
        let relieved = |direction: &Direction| here.violation - direction.violation;
        let mut direction = quadratic.solve_elastic(iterate.price);
        if iterate.price < HIGHEST_PRICE
            && direction.as_ref().is_none_or(|direction| direction.violation > 0.1 * here.violation)
        {
            let higher = quadratic.solve_elastic(iterate.price * PRICE_GROWTH);
            let gains = match (&direction, &higher) {
                (Some(now), Some(higher)) => relieved(higher) > 2.0 * relieved(now).max(0.0) + 1e-6 * here.violation,
                (now, higher) => now.is_none() && higher.is_some(),
            };
            if gains {
                iterate.price *= PRICE_GROWTH;
                direction = higher;
            }
        }
        direction
    }

    /// Finds the fraction of the step that decreases the merit enough. Returns it with the step, which may contain a
    /// second-order correction.
    fn search(
        &self,
        iterate: &SqpState<'_>,
        linear: &Linearization,
        model: &ConvexModel,
        direction: &Direction,
        expected: f64,
    ) -> Option<(f64, Vec<f64>)> {
        let worst = iterate.history.worst(iterate.price);
        // Constraints have rounding errors proportional to the variables. At a start that is already a solution, steps
        // differ in these errors only.
        let size = iterate.x.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let noise = f64::EPSILON * size * linear.jacobian.len() as f64;
        let rounding = 1e-13 * worst.abs().max(1.0) + iterate.price * noise;
        let accepts = |values: &ProgramValues, fraction: f64| {
            let merit = Merit::new(values, self.program.constraints()).at(iterate.price);
            merit <= worst + DECREASE * fraction * expected.min(0.0) + rounding
        };
        let mut fraction = 1.0;
        while fraction > LEAST_FRACTION {
            let trial = moved(&iterate.x, &direction.step, fraction);
            if let Ok(values) = self.program.values(&trial) {
                if accepts(&values, fraction) {
                    let merit = Merit::new(&values, self.program.constraints()).at(iterate.price);
                    let is_whole = fraction == 1.0;
                    let fraction =
                        if is_whole { self.extend_step(iterate, direction, merit, expected) } else { fraction };
                    return Some((fraction, direction.step.clone()));
                }
                if fraction == 1.0
                    && direction.violation == 0.0
                    && let Some(step) = self.second_order_correction(iterate, linear, model, direction, &values)
                    && let Ok(values) = self.program.values(&moved(&iterate.x, &step, 1.0))
                    && accepts(&values, 1.0)
                {
                    return Some((1.0, step));
                }
            }
            fraction *= 0.5;
        }
        None
    }

    /// Doubles a step as long as the merit falls as fast as at its beginning. At the minimum of a quadratic model, half
    /// of the slope is lost. If it is not, the curvature of the model comes from its convexification rather than from
    /// the program, and steps would be far too short.
    fn extend_step(&self, iterate: &SqpState<'_>, direction: &Direction, first: f64, expected: f64) -> f64 {
        let values = &iterate.here.linearization().values;
        let here = Merit::new(values, self.program.constraints()).at(iterate.price);
        let is_straight = |from: f64, to: f64, part: f64| expected < 0.0 && to - from <= STRAIGHT * part * expected;
        let (mut fraction, mut merit) = (1.0, first);
        if !is_straight(here, first, 1.0) {
            return fraction;
        }
        while fraction < LONGEST {
            let mut trial = moved(&iterate.x, &direction.step, 2.0 * fraction);
            self.program.variables().clip(&mut trial);
            let Ok(values) = self.program.values(&trial) else { break };
            let there = Merit::new(&values, self.program.constraints()).at(iterate.price);
            if !is_straight(merit, there, fraction) {
                break;
            }
            (fraction, merit) = (2.0 * fraction, there);
        }
        fraction
    }

    /// Computes a second-order correction: the quadratic program with c(x + d) − c′d in place of c(x).
    fn second_order_correction(
        &self,
        iterate: &SqpState<'_>,
        linear: &Linearization,
        model: &ConvexModel,
        direction: &Direction,
        there: &ProgramValues,
    ) -> Option<Vec<f64>> {
        let along = |row: &Vec<(usize, f64)>| row.iter().map(|&(k, entry)| entry * direction.step[k]).sum::<f64>();
        let values: Vec<f64> =
            there.constraints.iter().zip(&linear.jacobian).map(|(value, row)| value - along(row)).collect();
        let quadratic = Quadratic {
            x: &iterate.x,
            variables: self.program.variables(),
            constraints: self.program.constraints(),
            linear,
            model,
            values: &values,
        };
        quadratic.solve().map(|corrected| corrected.step)
    }

    fn take(
        &self,
        iterate: &mut SqpState<'a>,
        direction: &Direction,
        fraction: f64,
        step: &[f64],
    ) -> Result<StepOutcome, StepFailure> {
        let mut x = moved(&iterate.x, step, fraction);
        self.program.variables().clip(&mut x);
        let there = match self.program.expand(&x) {
            Ok(there) => there,
            Err(_) => return Ok(StepOutcome::Ended(Status::Stalled)),
        };
        let part = fraction.min(1.0);
        let blend = |old: &mut Vec<f64>, new: &[f64]| {
            old.iter_mut().zip(new).for_each(|(old, new)| *old += part * (new - *old));
        };
        blend(&mut iterate.multipliers, &direction.multipliers);
        blend(&mut iterate.bound_multipliers, &direction.bound_multipliers);
        if let Some(known) = &mut iterate.approximation {
            let moved: Vec<f64> = x.iter().zip(&iterate.x).map(|(new, old)| new - old).collect();
            let [before, after] = [&iterate.here, &there].map(|place| place.parts(&iterate.multipliers));
            known.update(&moved, &before, &after);
        }
        if fraction >= 1.0 {
            iterate.shift = if iterate.shift > LEAST_SHIFT { iterate.shift / 10.0 } else { 0.0 };
        } else if fraction < 0.3 {
            iterate.shift = (iterate.shift * 10.0).clamp(LEAST_SHIFT, LARGEST_SHIFT);
        }
        iterate.x = x;
        iterate.here = there;
        iterate.history.add(Merit::new(&iterate.here.linearization().values, self.program.constraints()));
        Ok(StepOutcome::Stepped(fraction))
    }
}

fn largest(multipliers: &[f64]) -> f64 {
    multipliers.iter().fold(0.0, |largest, y| largest.max(y.abs()))
}
