//! Restoration: steps that make the violation alone smaller, where steps that mind the objective got stuck at a point that is not feasible.
//!
//! A step minimizes the ℓ₁ violation of the linearized constraints and ½σ|d|², where σ grows and falls with how well the linearization
//! predicts (Levenberg & Marquardt's method for ℓ₁; Fletcher 1987, §14). Only where it predicts no relief either is there no feasible point nearby.

use super::blocks::{Block, Convex};
use super::iterate::{Advance, Iterate, Restoration, moved};
use super::merit::Merit;
use super::program::{Linearization, Program};
use super::quadratic::Quadratic;
use super::solver::Solver;
use super::status::Status;
use crate::steps::StepFailure;

const LEAST_DAMPING: f64 = 1e-8;
const MOST_DAMPING: f64 = 1e8;
/// With σ up to this, steps of the size of one cost little: that they relieve nothing is not the damping's doing.
const MILD_DAMPING: f64 = 1.0;
const GROWTH: f64 = 10.0;
/// Relief, over the violation, that is none.
const NO_RELIEF: f64 = 1e-6;
/// Parts of the predicted relief: less is refused, more lets σ fall.
const LEAST_PART: f64 = 0.1;
const GOOD_PART: f64 = 0.5;

impl<'a, P: Program + ?Sized> Solver<'a, P> {
    /// A step of the restoration; where the violation is small enough the iterations begin anew, with multipliers that are zero.
    pub(crate) fn restore(&self, iterate: &mut Iterate<'a>) -> Result<Advance, StepFailure> {
        let Some(Restoration { wanted, mut damping }) = iterate.restoration else { return Ok(Advance::Stepped(0.0)) };
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
            let Some(direction) = quadratic.solve_elastic(1.0) else { return Ok(Advance::Ended(Status::Stalled)) };
            let relief = here - direction.violation;
            if relief <= NO_RELIEF * here {
                let is_certain = damping <= MILD_DAMPING;
                return Ok(Advance::Ended(if is_certain { Status::LocallyInfeasible } else { Status::Stalled }));
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
                return Ok(Advance::Ended(Status::Stalled));
            }
        };
        let Ok(there) = self.program.expand(&x) else { return Ok(Advance::Ended(Status::Stalled)) };
        let restorations = iterate.restorations;
        *iterate = self.iterate(x, Vec::new(), there);
        iterate.restorations = restorations;
        iterate.restoration = (violation > wanted).then_some(Restoration { wanted, damping });
        Ok(Advance::Stepped(1.0))
    }
}

/// ½σ|d|².
fn damped(size: usize, damping: f64) -> Convex {
    Convex { blocks: (0..size).map(|k| Block::one(k, damping)).collect(), ..Convex::default() }
}
