//! Derivatives of steps, and optima.
#![allow(clippy::unwrap_used)]

mod edges;
mod optima;
mod steps;
