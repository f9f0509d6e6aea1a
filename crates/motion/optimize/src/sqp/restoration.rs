//! Restoration: steps that reduce only the violation, used where steps for the objective got stuck at an infeasible
//! point.
//!
//! A step minimizes the ℓ₁ violation of the linearized constraints plus ½σ|d|². The damping σ is adapted to the
//! accuracy of the linearization (the Levenberg–Marquardt method for ℓ₁; Fletcher 1987, §14). The program is called
//! locally infeasible only if the linearization predicts no relief.

use super::blocks::{ConvexModel, HessianBlock};
use super::iterate::{Restoration, SqpState, StepOutcome, moved};
use super::merit::Merit;
use super::program::{Linearization, Program};
use super::quadratic::Quadratic;
use super::solver::Solver;
use super::status::Status;
use crate::steps::StepFailure;

const LEAST_DAMPING: f64 = 1e-8;
const MOST_DAMPING: f64 = 1e8;
/// Damping up to which steps of unit size cost little: a lack of relief is then not due to the damping.
const MILD_DAMPING: f64 = 1.0;
const GROWTH: f64 = 10.0;
/// Relief relative to the violation that counts as zero.
const NO_RELIEF: f64 = 1e-6;
/// Fractions of the predicted relief: a step with less than the first is rejected, a step with more than the second
/// reduces σ.
const LEAST_PART: f64 = 0.1;
const GOOD_PART: f64 = 0.5;

impl<'a, P: Program + ?Sized> Solver<'a, P> {
    /// Takes one step of the restoration. Once the violation is small enough, the iterations restart with zero
    /// multipliers.
    pub(crate) fn restore(&self, iterate: &mut SqpState<'a>) -> Result<StepOutcome, StepFailure> {
        let Some(Restoration { wanted, mut damping }) = iterate.restoration else {
            return Ok(StepOutcome::Stepped(0.0));
        };
        let constraints = self.program.constraints();
        let linear = Linearization { gradient: vec![0.0; iterate.x.len()], ..iterate.here.linearization().clone() };
        let here = Merit::new(&linear.values, constraints).violation;
        let (x, violation) = loop {
            let model = damped(iterate.x.len(), damping);
            let quadratic = Quadratic {
                x: &iterate.x,
                variables: self.program.variables(),
                constraints,
                linear: &linear,
                model: &model,
                values: &linear.values.constraints,
            };
            let Some(direction) = quadratic.solve_elastic(1.0) else { return Ok(StepOutcome::Ended(Status::Stalled)) };
            let relief = here - direction.violation;
            if relief <= NO_RELIEF * here {
                let is_certain = damping <= MILD_DAMPING;
                return Ok(StepOutcome::Ended(if is_certain { Status::LocallyInfeasible } else { Status::Stalled }));
            }
            let mut x = moved(&iterate.x, &direction.step, 1.0);
            self.program.variables().clip(&mut x);
            let violation = self.program.values(&x).map(|values| Merit::new(&values, constraints).violation);
            if let Ok(violation) = violation
                && here - violation >= LEAST_PART * relief
            {
                if here - violation >= GOOD_PART * relief {
                    damping = (damping / GROWTH).max(LEAST_DAMPING);
                }
                break (x, violation);
            }
            damping *= GROWTH;
            if damping > MOST_DAMPING {
                return Ok(StepOutcome::Ended(Status::Stalled));
            }
        };
        let Ok(there) = self.program.expand(&x) else { return Ok(StepOutcome::Ended(Status::Stalled)) };
        let restorations = iterate.restorations;
        *iterate = self.iterate(x, Vec::new(), there);
        iterate.restorations = restorations;
        iterate.restoration = (violation > wanted).then_some(Restoration { wanted, damping });
        Ok(StepOutcome::Stepped(1.0))
    }
}

/// Returns the model ½σ|d|².
fn damped(size: usize, damping: f64) -> ConvexModel {
    ConvexModel { blocks: (0..size).map(|k| HessianBlock::one(k, damping)).collect(), ..ConvexModel::default() }
}
