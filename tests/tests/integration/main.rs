//! What holds across crates.

mod architecture;
mod families;
mod order;
mod reading;
mod stability;
