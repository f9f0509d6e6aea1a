//! Test problems for partitioned methods, and vehicle models: ordinary differential equations with slow and fast
//! variables.
//!
//! A [`Model`] is created from its name and the parameters that differ from their defaults. It is a
//! [`System`](hemiola_integrate::System). Its equations are written once for any number type: doubles give the rates,
//! dual numbers the exact Jacobian.
//!
//! The models are listed in `registry`, which finds them by name: vehicles in `vehicles/`, `oscillators/`, problems
//! from the literature in `test_equations/`, and partial differential equations in `meshes/`. [`machine()`] turns a
//! multibody system into a model, and [`linear()`] turns a Jacobian into one. `model` defines models and `outputs`
//! quantities derived from their states; `equations` derives rates and Jacobian from one implementation.
//!
//! ```
//! let car = hemiola_models::model("quarter-car", &[("wheel-mass", 15.0)])?;
//! assert_eq!(car.variables[2].name, "wheel position");
//! assert_eq!(car.partition(), [0, 0, 1, 1]);
//! assert_eq!(car.jacobian_at(0.0, &car.initial)[1][0], -16_200.0 / 290.0);
//! # Ok::<(), hemiola_models::ModelError>(())
//! ```

#[cfg(test)]
mod check;
mod equations;
mod error;
mod linear;
mod machine;
mod meshes;
mod model;
mod oscillators;
mod outputs;
mod parameter;
mod registry;
mod steady_state;
mod test_equations;
mod vehicles;

pub use error::ModelError;
pub use linear::linear;
pub use machine::{machine, machine_with};
pub use model::{Model, Variable};
pub use outputs::Output;
pub use parameter::{Parameter, Value};
pub use registry::{model, model_with, names, parameters, part_alone};
pub use vehicles::single_track::SingleTrack;

/// The example of the README, run as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
