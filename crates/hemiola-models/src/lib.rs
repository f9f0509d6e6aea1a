//! Test problems for partitioned methods: linear models q' = Jq whose variables are slow or fast.
//!
//! A [`Model`] is made from its name and the parameters that differ from its table.
//!
//! ```
//! let car = hemiola_models::model("quarter-car", &[("wheel-mass", 15.0)])?;
//! assert_eq!(car.variables, ["body position", "body speed", "wheel position", "wheel speed"]);
//! assert_eq!(car.partition, [0, 0, 1, 1]);
//! # Ok::<(), hemiola_models::ModelError>(())
//! ```

#![forbid(unsafe_code)]

mod error;
mod model;
mod oscillators;
mod quarter_car;

pub use error::ModelError;
pub use model::{Model, Parameter, model, names, parameters};
