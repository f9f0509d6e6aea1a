//! Properties that involve several crates.

mod architecture;
mod doc_openings;
mod families;
mod order;
mod packages;
mod reading;
mod stability;
