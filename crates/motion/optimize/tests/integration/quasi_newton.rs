//! BFGS in place of exact Hessians: the same optima after more iterations.

use std::sync::Arc;

use hemiola_optimize::sqp::{Hessian, SolverOptions, Status};
use hemiola_optimize::{
    ControlInterval, ControlOptimum, IntegratorSpan, LaneChange, Propagation, Propagator, ShootingNodes, StepFailure,
    StepRule, Transcription,
};
use nalgebra::DMatrix;

use crate::optima::transcription;
use crate::steps::scheme;

const RADAU: &str = "linearized:radau-iia-2,q=1";
const BFGS: SolverOptions = SolverOptions { tolerance: 1e-6, most_iterations: 300, hessian: Hessian::Bfgs };

fn optimum(points: usize, shooting: ShootingNodes, options: SolverOptions) -> ControlOptimum {
    let lane = LaneChange::default();
    let found = transcription(&lane, RADAU, points, 2, shooting).solve(&lane.guess(), options, &()).unwrap();
    assert_eq!(found.solution.status, Status::Optimal, "{points} {shooting:?} {:?}", options.hessian);
    found
}

#[test]
fn it_finds_the_same_optima_in_more_iterations() {
    for (points, shooting) in [(26, ShootingNodes::Multiple), (51, ShootingNodes::Multiple)] {
        let [exact, learned] = [SolverOptions::default(), BFGS].map(|options| optimum(points, shooting, options));
        assert!((exact.found.duration - learned.found.duration).abs() < 1e-6, "{points} {shooting:?}");
        assert!(learned.solution.iterations.len() > exact.solution.iterations.len());
    }
}

/// Steps that hide their second derivatives.
struct Secret(StepRule);

impl Secret {
    fn interval<'a>(&'a self, span: &IntegratorSpan<'a>) -> ControlInterval<'a> {
        let &IntegratorSpan { dynamics, local, ends, is_linear } = span;
        ControlInterval { dynamics, rule: &self.0, local, span: ends, steps: 2, is_linear }
    }
}

impl Propagator for Secret {
    fn end(&self, span: &IntegratorSpan<'_>, w: &[f64]) -> Result<Vec<f64>, StepFailure> {
        self.interval(span).end(w)
    }

    fn flow(&self, span: &IntegratorSpan<'_>, w: &[f64]) -> Result<(Vec<f64>, DMatrix<f64>), StepFailure> {
        let flow = self.interval(span).flow(w)?;
        Ok((flow.end.clone(), flow.jacobian().clone()))
    }
}

#[test]
fn another_integrator_may_take_the_place_of_steps() {
    let (lane, secret) = (LaneChange::default(), Secret(StepRule::new(&scheme(RADAU), &[7]).unwrap()));
    let grid =
        hemiola_optimize::ControlGrid { points: 26, steps: 1, shooting: ShootingNodes::Multiple, is_linear: true };
    let program = Transcription::new(lane.problem(), Propagation::Other(Arc::new(secret)), grid).unwrap();
    let found = program.solve(&lane.guess(), BFGS, &()).unwrap();
    let own = optimum(26, ShootingNodes::Multiple, BFGS);
    assert_eq!((found.solution.status, found.found), (Status::Optimal, own.found));
    // Exact Hessians are not available.
    let failure = program.solve(&lane.guess(), SolverOptions::default(), &()).unwrap_err();
    assert!(failure.to_string().contains("expected BFGS"), "{failure}");
}

/// Checks the controls, parameters and time that a span passes to the integrator.
#[test]
fn spans_have_the_arguments_of_the_equations() {
    let lane = LaneChange::default();
    let problem = lane.problem();
    let span =
        IntegratorSpan { dynamics: &*problem.dynamics, local: problem.local, ends: [0.25, 0.5], is_linear: true };
    let w = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.2, 0.6, 8.0];
    let z = span.arguments(0.5, &w[..7], &w);
    assert!(z[..7] == w[..7] && (z[7] - 0.4).abs() < 1e-15 && (z[8] - 3.0).abs() < 1e-15);
    // Along u₁ and T. The state does not contribute.
    let along = span.along(0.5, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
    assert_eq!(along, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.75]);
    assert_eq!(IntegratorSpan { is_linear: false, ..span }.arguments(0.5, &w[..7], &w)[7], 0.2);
}
