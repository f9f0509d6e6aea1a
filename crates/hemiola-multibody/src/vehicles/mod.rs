//! Vehicles and what they do: the HMMWV, a sedan and a tractor with its trailer, with Project Chrono's data.
//!
//! All data marked *Chrono* are those of Project Chrono (projectchrono.org, BSD-3-Clause; Tasora et al. 2016), from its folders
//! `data/vehicle/hmmwv`, `data/vehicle/sedan` and `src/chrono_models/vehicle/kraz` as of August 2026. What is marked *ours* stands in no
//! file there: a simplification, or a value chosen by us.

mod hmmwv;
mod maneuver;
mod sedan;
mod truck;
mod wheel;
mod wishbone;

pub use hmmwv::{HMMWV_TIRE, HMMWV_TIRE_RADIUS, HMMWV_WHEELS, hmmwv, hmmwv_without_belts};
pub use maneuver::Maneuver;
pub use sedan::sedan;
pub use truck::{truck, truck_on_rods};
