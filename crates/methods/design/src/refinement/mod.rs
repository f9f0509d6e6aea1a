//! Completes a [`Design`] from a minimum in doubles.
//!
//! `newton` refines coefficients in exact arithmetic, and `regular` continues to a nearby solution at which the
//! equations are independent. `design` adds weights, decimals and a certificate. `decimals` refines the unknowns of
//! other kinds of designs.

pub(crate) mod decimals;
pub(crate) mod design;
pub(crate) mod newton;
pub(crate) mod regular;

pub use design::{
    Design, InternalBalance, InternalTradeOff, PreferredChoice, PreferredPair, SlowBalance, SlowTradeOff,
};
