//! Coordinates of a ring: from its hub, or in space.
//!
//! Ring and hub are connected by a stiff spring. Where a partitioned method evaluates it at a stage whose abscissae cˢ and cᶠ differ, positions in
//! space are moved against each other by (cˢ − cᶠ)hv, and the spring shows a force of a size that no step in use makes small. What a ring
//! is off its hub, u with u̇ = v_ring − v_hub, has one abscissa. Speeds are absolute in both forms: their differences are those of accelerations.

use crate::equations::Number;
use crate::parameter::Values;

/// Position and velocity of a body in the plane.
#[derive(Clone, Copy)]
pub(crate) struct Motion<N> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) angle: N,
    pub(crate) x_speed: N,
    pub(crate) y_speed: N,
    pub(crate) spin: N,
}

/// The ring's variables in a state: x, y, angle, their speeds, slip.
pub(crate) const RING: usize = 7;

/// A ring on its hub.
#[derive(Clone, Copy)]
pub(crate) struct OnHub<N> {
    /// In space.
    pub(crate) motion: Motion<N>,
    /// x, y and angle against the hub.
    pub(crate) offset: [N; 3],
    /// Their speeds.
    pub(crate) offset_speed: [N; 3],
    pub(crate) slip: N,
}

/// What x, y and angle of a ring are measured from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rings {
    Relative,
    Absolute,
}

impl Rings {
    pub(crate) fn of(values: Values<'_>) -> Self {
        if values.is("rings", "absolute") { Self::Absolute } else { Self::Relative }
    }

    /// The ring on its hub, from the ring's variables.
    #[inline]
    pub(crate) fn on_hub<N: Number>(self, hub: &Motion<N>, ring: &[N; RING]) -> OnHub<N> {
        let &[x, y, angle, x_speed, y_speed, spin, slip] = ring;
        let offset_speed = [x_speed - hub.x_speed, y_speed - hub.y_speed, spin - hub.spin];
        let at = |x, y, angle| Motion { x, y, angle, x_speed, y_speed, spin };
        let (motion, offset) = match self {
            Self::Relative => (at(hub.x + x, hub.y + y, hub.angle + angle), [x, y, angle]),
            Self::Absolute => (at(x, y, angle), [x - hub.x, y - hub.y, angle - hub.angle]),
        };
        OnHub { motion, offset, offset_speed, slip }
    }

    /// The rates of x, y and angle.
    #[inline]
    pub(crate) fn position_rates<N: Number>(self, ring: &OnHub<N>) -> [N; 3] {
        match self {
            Self::Relative => ring.offset_speed,
            Self::Absolute => [ring.motion.x_speed, ring.motion.y_speed, ring.motion.spin],
        }
    }

    /// x, y and angle as variables, of a ring at a place in space on a hub at rest there.
    pub(crate) fn variables(self, [x, y, angle]: [f64; 3], hub: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Relative => [x - hub[0], y - hub[1], angle - hub[2]],
            Self::Absolute => [x, y, angle],
        }
    }

    /// The name of a variable among x, y and angle of a ring.
    pub(crate) fn name(self, name: &str) -> String {
        match self {
            Self::Relative => format!("{name} from hub"),
            Self::Absolute => name.to_owned(),
        }
    }
}
