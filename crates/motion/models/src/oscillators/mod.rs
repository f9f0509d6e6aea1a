//! Oscillators: two coupled linear ones, van der Pol's, an elastic pendulum, a beam and a manipulator.

pub(crate) mod beam;
pub(crate) mod coupled_oscillators;
pub(crate) mod manipulator;
pub(crate) mod pendulum;
pub(crate) mod van_der_pol;
