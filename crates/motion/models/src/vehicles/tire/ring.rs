//! Coordinates of a ring: relative to its hub, or in space.
//!
//! A stiff spring connects ring and hub. If a partitioned method evaluates it at a stage whose abscissae cˢ and cᶠ
//! differ, positions in space are displaced relative to each other by (cˢ − cᶠ)hv, which causes a spurious force that
//! is large for any practical step. The offset u of a ring from its hub, with u̇ = v_ring − v_hub, has only one
//! abscissa. Velocities are absolute in both forms: their displacements are differences of accelerations.

use crate::equations::Number;
use crate::parameter::Values;

/// Position and velocity of a body in the plane.
#[derive(Clone, Copy)]
pub(crate) struct PlanarMotion<N> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) angle: N,
    pub(crate) x_speed: N,
    pub(crate) y_speed: N,
    pub(crate) spin: N,
}

/// Number of a ring's variables in a state: x, y, angle, their velocities, slip.
pub(crate) const RING: usize = 7;

/// A ring on its hub.
#[derive(Clone, Copy)]
pub(crate) struct MountedRing<N> {
    /// The motion in space.
    pub(crate) motion: PlanarMotion<N>,
    /// The offsets x, y and angle relative to the hub.
    pub(crate) offset: [N; 3],
    /// The rates of the offsets.
    pub(crate) offset_speed: [N; 3],
    pub(crate) slip: N,
}

/// Origin from which x, y and angle of a ring are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RingCoordinates {
    Relative,
    Absolute,
}

impl RingCoordinates {
    pub(crate) fn of(values: Values<'_>) -> Self {
        if values.is("rings", "absolute") { Self::Absolute } else { Self::Relative }
    }

    /// Creates the ring on its hub from the ring's variables.
    #[inline]
    pub(crate) fn on_hub<N: Number>(self, hub: &PlanarMotion<N>, ring: &[N; RING]) -> MountedRing<N> {
        let &[x, y, angle, x_speed, y_speed, spin, slip] = ring;
        let offset_speed = [x_speed - hub.x_speed, y_speed - hub.y_speed, spin - hub.spin];
        let at = |x, y, angle| PlanarMotion { x, y, angle, x_speed, y_speed, spin };
        let (motion, offset) = match self {
            Self::Relative => (at(hub.x + x, hub.y + y, hub.angle + angle), [x, y, angle]),
            Self::Absolute => (at(x, y, angle), [x - hub.x, y - hub.y, angle - hub.angle]),
        };
        MountedRing { motion, offset, offset_speed, slip }
    }

    /// Returns the rates of x, y and angle.
    #[inline]
    pub(crate) fn position_rates<N: Number>(self, ring: &MountedRing<N>) -> [N; 3] {
        match self {
            Self::Relative => ring.offset_speed,
            Self::Absolute => [ring.motion.x_speed, ring.motion.y_speed, ring.motion.spin],
        }
    }

    /// Converts a position in space to the variables x, y and angle of a ring, for a hub at rest.
    pub(crate) fn variables(self, [x, y, angle]: [f64; 3], hub: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Relative => [x - hub[0], y - hub[1], angle - hub[2]],
            Self::Absolute => [x, y, angle],
        }
    }

    /// Returns the name of a variable among x, y and angle of a ring.
    pub(crate) fn name(self, name: &str) -> String {
        match self {
            Self::Relative => format!("{name} from hub"),
            Self::Absolute => name.to_owned(),
        }
    }
}
