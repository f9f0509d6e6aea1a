//! Iterative refinement compared with factorizations.

use std::ops::ControlFlow;

use hemiola_multibody::{
    AccelerationSolver, Machine, MachineRun, Maneuver, Refinement, ResidualForm, SolverCounts, vehicles,
};

use crate::common::largest_difference;

const STEPS: u32 = 300;
const H: f64 = 1e-3;

fn end(machine: &Machine, solver: AccelerationSolver) -> (Vec<f64>, SolverCounts) {
    let machine = machine.build().unwrap();
    let mut run = MachineRun::new(&machine, solver);
    let mut y = machine.initial().to_vec();
    run.run([0.0, H * f64::from(STEPS)], STEPS, &mut y, |_, _| ControlFlow::Continue(())).unwrap();
    (y, run.counts())
}

/// Differences between the ends of runs with steps of a millisecond, with the numbers of iterations and factorizations.
#[test]
fn refined_motions_are_those_with_factorizations() {
    let maneuver = Maneuver::double_lane_change(15.0);
    for machine in [
        vehicles::hmmwv(&maneuver),
        vehicles::sedan(&maneuver),
        vehicles::truck(&maneuver),
        vehicles::truck_on_rods(&maneuver),
    ] {
        let (full, counts) = end(&machine, AccelerationSolver::Cholesky);
        assert_eq!((counts.evaluations, counts.factorizations), (1200, 1200));
        for (tolerance, apart, most) in [(1e-3, 1e-9, 1), (1e-6, 1e-12, 2), (1e-9, 1e-12, 3)] {
            let mut ends = Vec::new();
            for residual in [ResidualForm::Assembled, ResidualForm::MatrixFree] {
                let (y, counts) = end(&machine, AccelerationSolver::Refined(Refinement::new(tolerance, residual)));
                let difference = largest_difference(&y, &full);
                println!("{} {tolerance:e} {residual:?}: {difference:.1e}, {counts:?}", machine.name);
                assert_eq!(
                    (counts.factorizations, counts.refined),
                    (u64::from(2 * STEPS + 1), u64::from(2 * STEPS - 1))
                );
                assert!(counts.most_iterations <= most, "{counts:?}");
                assert!(difference < apart, "{difference}");
                ends.push(y);
            }
            assert!(largest_difference(&ends[0], &ends[1]) < 1e-10);
        }
    }
}

/// Articulated inertias and Cholesky factorization give the same motion of a tree.
#[test]
fn direct_solutions_agree() {
    let machine = vehicles::truck(&Maneuver::double_lane_change(15.0));
    let (direct, counts) = end(&machine, AccelerationSolver::Direct);
    assert_eq!(counts.factorizations, 0);
    assert!(largest_difference(&direct, &end(&machine, AccelerationSolver::Cholesky).0) < 1e-10);
}
