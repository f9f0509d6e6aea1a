//! Multibody dynamics in relative coordinates.
//!
//! A [`Machine`] describes bodies, joints, loops and forces in the design position, in code or as a JSON file.
//! [`build`](Machine::build) turns it into a [`Mechanism`], whose state consists of all positions and velocities of its
//! joints. The equations are written once for any [`Number`]: doubles give the rates, dual numbers the exact Jacobian.
//!
//! - [`machine`]: machines as described; [`forces`]: springs, bushings, engines, wheels on a road.
//! - `dynamics`: velocities of all bodies at one inertial point (semirecursive, García de Jalón et al. 2005),
//!   articulated inertias for trees (Featherstone 2008), elimination of the dependents of loops (Maggi).
//! - [`MachineRun`]: steps of the classical method with iterative refinement (Pan & He) and counts of factorizations.
//! - [`vehicles`]: the HMMWV, a sedan, a tractor with its trailer, and their maneuvers.
//!
//! ```
//! use hemiola_multibody::{Body, Joint, Loop, Machine};
//! // A four-bar linkage in the plane y = 0: two cranks of 1 m and a coupler of 2 m, cut at its end.
//! let crank = |name: &str, x: f64| Body::new(name, 1.0, [x, 0.0, 0.5], [0.1, 0.1, 0.0]);
//! let linkage = Machine::new("four-bar linkage")
//!     .body(crank("left", 0.0))
//!     .body(crank("right", 2.0))
//!     .joint(Joint::revolute("a", ["ground", "left"], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
//!     .joint(Joint::revolute("b", ["ground", "right"], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
//!     .closed_by(Loop::rod("coupler", ["left", "right"], [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0]]))
//!     .starting("a", &[0.1], &[])
//!     .build()?;
//! assert_eq!((linkage.velocities(), linkage.constraints(), linkage.degrees_of_freedom()), (2, 1, 1));
//! // It is a parallelogram: both cranks turn by the same angle.
//! assert!((linkage.initial()[0] - linkage.initial()[1]).abs() < 1e-14);
//! # Ok::<(), hemiola_multibody::MachineError>(())
//! ```

mod algebra;
mod dynamics;
mod error;
mod file;
pub mod forces;
pub mod machine;
mod mechanism;
mod solution;
pub mod vehicles;

pub use algebra::dense::solve_positive_definite;
pub use algebra::number::Number;
pub use algebra::vector::{Mat3, Vec3};
pub use error::{MachineError, MotionError};
pub use file::MachineFileError;
pub use forces::{Brake, Bushing, Characteristic, Drag, Drivetrain, Forces, Load, Road, Spring, Term, Tire, Torsion};
pub use machine::{Body, GROUND, Initial, Joint, JointKind, Loop, LoopKind, Machine};
pub use mechanism::{Axles, Coordinate, Energy, Hub, HubLoad, Mechanism, Pose, TireForce, Workspace, circle};
pub use solution::{AccelerationSolver, Evaluator, MachineRun, Refinement, ResidualForm, SolverCounts};
pub use vehicles::Maneuver;

/// The example of the README, run as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
