//! Figures as output files.

mod figures;
mod picture;
mod snapshot;
