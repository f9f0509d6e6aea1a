//! Vehicles and their maneuvers: the HMMWV, a sedan and a tractor with its trailer, with data of Project Chrono.
//!
//! All data marked *Chrono* are those of Project Chrono (projectchrono.org, BSD-3-Clause; Tasora et al. 2016), from its
//! folders `data/vehicle/hmmwv`, `data/vehicle/sedan` and `src/chrono_models/vehicle/kraz` as of August 2026. Data
//! marked *ours* are in none of its files: simplifications, or values of our choice.

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
