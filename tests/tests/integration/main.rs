//! What holds across crates.

mod architecture;
mod order;
mod reading;
mod stability;
