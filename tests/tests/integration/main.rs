//! What holds across crates.

mod order;
mod reading;
mod stability;
