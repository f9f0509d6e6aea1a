//! Derivatives of steps, and optima.
#![allow(clippy::unwrap_used)]

mod edges;
mod files;
mod identification;
mod optima;
mod quasi_newton;
mod ringing;
mod steps;
