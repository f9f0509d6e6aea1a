//! Vehicles: quarter cars, with a rigid wheel and with a rigid-ring tire, and a vehicle in the plane.
//!
//! `chassis`, `drive` and `tire` are their components, `drawing` shows them. `multibody`: the vehicles of `hemiola-multibody`, of which `spatial_vehicle` puts one on
//! rigid-ring tires. `single_track`: the car of optimal lane changes.

mod chassis;
mod drawing;
mod drive;
pub(crate) mod multibody;
pub(crate) mod planar_vehicle;
pub(crate) mod quarter_car;
pub(crate) mod quarter_car_ring;
pub(crate) mod single_track;
pub(crate) mod spatial_vehicle;
mod tire;
