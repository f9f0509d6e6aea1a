//! Oscillators: two linear ones with a coupling, van der Pol's, an elastic pendulum and a beam.

pub(crate) mod beam;
pub(crate) mod coupled_oscillators;
pub(crate) mod pendulum;
pub(crate) mod van_der_pol;
