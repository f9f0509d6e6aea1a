//! Test problems for partitioned methods, and vehicle models: ordinary differential equations whose variables are slow or fast.
//!
//! A [`Model`] is made from its name and the parameters that differ from its table; it is a [`System`](hemiola_integrate::System).
//! Its equations are written once, over any number: doubles make the rates, dual numbers the exact Jacobian.
//!
//! ```
//! let car = hemiola_models::model("quarter-car", &[("wheel-mass", 15.0)])?;
//! assert_eq!(car.variables[2].name, "wheel position");
//! assert_eq!(car.partition(), [0, 0, 1, 1]);
//! assert_eq!(car.jacobian_at(0.0, &car.initial)[1][0], -16_200.0 / 290.0);
//! # Ok::<(), hemiola_models::ModelError>(())
//! ```

#![forbid(unsafe_code)]

mod beam;
mod brusselator;
mod chassis;
#[cfg(test)]
mod check;
mod drive;
mod equations;
mod error;
mod kepler;
mod kpr;
mod linear_pair;
mod model;
mod oscillators;
mod parameter;
mod pendulum;
mod planar_vehicle;
mod quarter_car;
mod quarter_car_ring;
mod steady;
mod tyre;
mod van_der_pol;

pub use error::ModelError;
pub use model::{Model, Variable, model, names, parameters};
pub use parameter::Parameter;
