//! Vehicles: quarter cars, with a rigid wheel and with a rigid-ring tire, and a planar vehicle.
//!
//! `chassis`, `drive` and `tire` are their components, and `drawing` draws them. `multibody` contains the vehicles of
//! `hemiola-multibody`, and `spatial_vehicle` the HMMWV on rigid-ring tires. `single_track` is the car of optimal lane
//! changes.

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
