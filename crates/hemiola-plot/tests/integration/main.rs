//! Figures as readers get them.

mod figures;
mod picture;
mod snapshot;
