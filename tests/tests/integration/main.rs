//! Properties that involve several crates.

mod architecture;
mod families;
mod order;
mod reading;
mod stability;
