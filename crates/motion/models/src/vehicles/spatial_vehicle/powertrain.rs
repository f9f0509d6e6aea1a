//! An engine with a gear and an elastic shaft, which drives all wheels equally through differentials.

use hemiola_multibody::Number;

use crate::parameter::Values;
use crate::vehicles::drive::Drive;

/// Number of the powertrain's variables: the twist of the shaft, and the engine's speed.
pub(crate) const POWERTRAIN: usize = 2;

/// A powertrain. The engine's torque is the total drive torque of the wheels over the gear's ratio.
#[derive(Clone)]
pub(crate) struct Powertrain {
    pub(crate) drive: Drive,
    inertia: f64,
    ratio: f64,
    pub(crate) stiffness: f64,
    damping: f64,
    pub(crate) wheels: f64,
}

impl Powertrain {
    pub(crate) fn new(values: Values<'_>, ratio: f64, wheels: usize) -> Self {
        Self {
            drive: Drive { steady: 0.0, pulse: values.of("torque-pulse"), period: values.of("torque-period") },
            inertia: values.of("engine-inertia"),
            ratio,
            stiffness: values.of("shaft-stiffness"),
            damping: values.of("shaft-damping"),
            wheels: wheels as f64,
        }
    }

    /// Returns the engine speed that keeps the twist for a given spin of the wheels.
    pub(crate) fn engine_speed(&self, spin: f64) -> f64 {
        spin * self.ratio
    }

    /// Returns the shaft's rate of twist for the sum of the wheels' spins.
    fn twisting<N: Number>(&self, y: &[N], spins: N) -> N {
        y[1] / self.ratio - spins / self.wheels
    }

    /// Returns the torque on each wheel.
    #[inline]
    pub(crate) fn torque<N: Number>(&self, y: &[N], spins: N) -> N {
        (y[0] * self.stiffness + self.twisting(y, spins) * self.damping) / self.wheels
    }

    #[inline]
    pub(crate) fn rate<N: Number>(&self, t: f64, y: &[N], spins: N) -> [N; POWERTRAIN] {
        let load = self.torque(y, spins) * (self.wheels / self.ratio);
        let engine = self.drive.torque(t) * self.wheels / self.ratio;
        [self.twisting(y, spins), (-load + engine) / self.inertia]
    }

    pub(crate) fn energy<N: Number>(&self, y: &[N]) -> N {
        (y[0] * y[0] * self.stiffness + y[1] * y[1] * self.inertia) / 2.0
    }

    /// Returns the power of the engine, less that of the shaft's damper.
    #[cfg(test)]
    pub(crate) fn power(&self, t: f64, y: &[f64], spins: f64) -> f64 {
        self.drive.torque(t) * self.wheels / self.ratio * y[1] - self.damping * self.twisting(y, spins).powi(2)
    }
}
