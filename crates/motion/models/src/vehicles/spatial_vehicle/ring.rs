//! A ring on its hub: its variables, and springs defined by their modes.

use std::f64::consts::TAU;

use hemiola_multibody::{Hub, Number, Vec3};

/// Number of a ring's variables: u, a, b, θ, its velocity, its angular velocity, and both slips.
pub(crate) const RING_VARIABLES: usize = 14;

/// A stiffness and a damping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elastic {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
}

impl Elastic {
    /// Computes stiffness and damping of a mode with this inertia, frequency in Hz and damping ratio.
    pub(crate) fn mode(inertia: f64, frequency: f64, ratio: f64) -> Self {
        let omega = TAU * frequency;
        Self { stiffness: inertia * omega * omega, damping: 2.0 * ratio * inertia * omega }
    }

    pub(crate) fn of<N: Number>(self, moved: N, speed: N) -> N {
        moved * self.stiffness + speed * self.damping
    }
}

/// A ring on its hub.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring<N> {
    pub(crate) offset: Vec3<N>,
    pub(crate) slopes: [N; 2],
    pub(crate) wound: N,
    pub(crate) velocity: Vec3<N>,
    pub(crate) turning: Vec3<N>,
    pub(crate) slips: [N; 2],
    /// Its center.
    pub(crate) center: [N; 3],
    /// The direction n of the axle.
    pub(crate) axle: Vec3<N>,
    /// The angular velocity relative to the carrier, in its axes.
    pub(crate) relative: Vec3<N>,
    /// The rate θ̇ of the wind-up.
    pub(crate) winding: N,
}

impl<N: Number> Ring<N> {
    /// Creates a ring from its variables; `None` if their number differs.
    #[inline]
    pub(crate) fn on_hub(hub: &Hub<N>, y: &[N]) -> Option<Self> {
        let &[x, y, z, a, b, wound, u, v, w, p, q, r, along, aside] = <&[N; RING_VARIABLES]>::try_from(y).ok()?;
        let [velocity, turning] = [Vec3([u, v, w]), Vec3([p, q, r])];
        let relative = hub.axes.transposed_times(turning - hub.turning);
        let length = (a * a + b * b + 1.0).sqrt().recip();
        Some(Self {
            offset: Vec3([x, y, z]),
            slopes: [a, b],
            wound,
            velocity,
            turning,
            slips: [along, aside],
            center: [hub.center[0] + x, hub.center[1] + y, hub.center[2] + z],
            axle: hub.axes.times(Vec3([a, N::one(), b])) * length,
            relative,
            winding: relative.0[1] - hub.spin,
        })
    }

    /// Computes the rates of a and b. The direction (a, 1, b) turns with the ring and keeps its 1.
    #[inline]
    pub(crate) fn slope_rates(&self) -> [N; 2] {
        let ([a, b], Vec3([x, y, z])) = (self.slopes, self.relative);
        let stretch = z * a - x * b;
        [y * b - z - stretch * a, x - y * a - stretch * b]
    }
}
