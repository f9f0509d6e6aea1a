//! Vehicles: quarter cars, with a rigid wheel and with a ring of the tire, and a vehicle in the plane.
//!
//! `chassis`, `drive` and `tire` are what they are put together from.

mod chassis;
mod drive;
pub(crate) mod planar_vehicle;
pub(crate) mod quarter_car;
pub(crate) mod quarter_car_ring;
mod tire;
