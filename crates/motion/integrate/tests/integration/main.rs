//! Steppers against exact solutions, predicted orders and stability matrices.

mod adaptive;
mod allocations;
mod common;
mod events;
mod explicit;
mod implicit;
mod multirate;
mod stable_step;
