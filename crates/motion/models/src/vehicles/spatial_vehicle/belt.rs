//! A rigid ring in space on a hub: the belt of a tire, its sidewalls and its slips.
//!
//! The ring has six degrees of freedom relative to the hub. As [in the plane](super::super::tire::ring), its
//! displacements are measured from the hub, and its velocities are absolute: the offset u of its center from the hub's
//! has u̇ = v_ring − v_hub. Two slopes (a, b) describe the tilt of its axle n ∥ e + a f + b g against the hub's axle e,
//! where f and g are the carrier's axes forward and up; θ is its wind-up about e. The ring is symmetric about n. With
//! its inertias I about n and J across, and a moment M,
//!
//!   J ω̇ = M − (I − J)(ω·n) ω × n − (1 − J/I)(M·n) n.
//!
//! The sidewalls' potential is ½ uᵀKu + K_t (1 − n·e) + ½ K_w θ², where K consists of K_r across the axle and K_l along
//! it. K = m(2πf)² and C = 2ζm 2πf follow from the modes of the ring about a fixed hub, off the road, and those of
//! rotation likewise with the inertias. The forces act at the centers of ring and hub, as in (B1)–(B3) of Shome, Haug &
//! Jay (2004).

use hemiola_multibody::{Hub, HubLoad, Number, Vec3};

use crate::parameter::Values;
use crate::vehicles::spatial_vehicle::contact::{RingContact, Tread};
use crate::vehicles::spatial_vehicle::ring::{Elastic, RING_VARIABLES, Ring};

/// A tire's ring, with its sidewalls and its contact.
#[derive(Clone, Debug)]
pub(crate) struct SpatialRingTire {
    pub(crate) mass: f64,
    /// The inertias I about the axle and J across it.
    pub(crate) inertia: [f64; 2],
    pub(crate) radial: Elastic,
    pub(crate) lateral: Elastic,
    pub(crate) tilt: Elastic,
    pub(crate) wind_up: Elastic,
    pub(crate) tread: Tread,
    pub(crate) gravity: f64,
}

/// Action of the sidewalls on a hub.
struct SidewallAction<N> {
    force: Vec3<N>,
    moment: Vec3<N>,
    turned: Vec3<N>,
    of_carrier: N,
}

impl SpatialRingTire {
    /// Creates a belt; `None` if the tire would be stiffer than its sidewall alone.
    pub(crate) fn new(values: Values<'_>, gravity: f64) -> Option<Self> {
        let mass = values.of("belt-mass");
        let [about, across] = ["belt-inertia", "belt-tilt-inertia"].map(|name| values.of(name));
        let mode = |inertia: f64, name: &str| Elastic::mode(inertia, values.of(name), values.of("belt-damping"));
        let radial = mode(mass, "radial-frequency");
        let tread = Tread::new(values, radial.stiffness)?;
        Some(Self {
            mass,
            inertia: [about, across],
            radial,
            lateral: mode(mass, "lateral-frequency"),
            tilt: mode(across, "tilt-frequency"),
            wind_up: mode(about, "wind-up-frequency"),
            tread,
            gravity,
        })
    }

    /// Computes the action of the sidewalls on the hub: a force, a moment, and the moment that rotates K with the hub.
    /// The ring feels the opposite of the first two. Last comes the part of the moment about e that acts on the carrier
    /// and not on the wheel.
    #[inline]
    fn sidewall<N: Number>(&self, hub: &Hub<N>, ring: &Ring<N>) -> SidewallAction<N> {
        let (e, u) = (hub.axle, ring.offset);
        let speed = ring.velocity - hub.velocity;
        let (along, along_speed) = (e.dot(u), e.dot(speed));
        let difference = self.lateral.stiffness - self.radial.stiffness;
        let force = u * N::constant(self.radial.stiffness)
            + speed * N::constant(self.radial.damping)
            + e * (along * difference + along_speed * (self.lateral.damping - self.radial.damping));
        // K rotates with the hub: the moment −(K_l − K_r)(e·u) e × u does the corresponding work.
        let turned = e.cross(u) * (along * -difference);
        // Tilting is damped against the carrier, which does not turn with the wheel.
        let tilting = (ring.turning - hub.turning).cross(ring.axle);
        let damping = ring.axle.cross(tilting) * N::constant(self.tilt.damping);
        let moment = e.cross(ring.axle) * N::constant(self.tilt.stiffness)
            + damping
            + e * self.wind_up.of(ring.wound, ring.winding);
        SidewallAction { force, moment, turned, of_carrier: damping.dot(e) }
    }

    /// Computes the load of the ring on its hub, without the shaft's torque.
    #[inline]
    pub(crate) fn load<N: Number>(&self, hub: &Hub<N>, ring: &Ring<N>) -> HubLoad<N> {
        let SidewallAction { force, moment, turned, of_carrier } = self.sidewall(hub, ring);
        HubLoad { force, moment: moment + turned, torque: -of_carrier }
    }

    /// Returns the moment of the sidewall on the wheel about the axle.
    #[inline]
    pub(crate) fn winding<N: Number>(&self, ring: &Ring<N>) -> N {
        self.wind_up.of(ring.wound, ring.winding)
    }

    /// Computes the rates of a ring's variables for the height and slope of the road under it.
    #[inline]
    pub(crate) fn rate<N: Number>(&self, hub: &Hub<N>, ring: &Ring<N>, road: (N, N), rate: &mut [N]) {
        let Ok(rate) = <&mut [N; RING_VARIABLES]>::try_from(rate) else { return };
        let SidewallAction { force: pull, moment: wrung, .. } = self.sidewall(hub, ring);
        let RingContact { force, moment, slip_rates, .. } = self.tread.contact(ring, road);
        let Vec3(offset) = ring.velocity - hub.velocity;
        let Vec3([x, y, z]) = (force - pull) * N::constant(1.0 / self.mass);
        let Vec3(turning) = self.angular_acceleration(ring, moment - wrung);
        let [a, b] = ring.slope_rates();
        *rate = [
            offset[0],
            offset[1],
            offset[2],
            a,
            b,
            ring.winding, //
            x,
            y,
            z - self.gravity, //
            turning[0],
            turning[1],
            turning[2], //
            slip_rates[0],
            slip_rates[1],
        ];
    }

    /// Solves Euler's equations of a body symmetric about n, in the axes of the ground.
    #[inline]
    fn angular_acceleration<N: Number>(&self, ring: &Ring<N>, moment: Vec3<N>) -> Vec3<N> {
        let ([about, across], n) = (self.inertia, ring.axle);
        let spin = ring.turning.dot(n);
        let gyroscopic = ring.turning.cross(n) * (spin * (across - about));
        (moment + gyroscopic) * N::constant(1.0 / across) + n * (moment.dot(n) * (1.0 / about - 1.0 / across))
    }

    /// Returns the energy of ring and springs, including the residual spring if it is compressed.
    pub(crate) fn energy<N: Number>(&self, hub: &Hub<N>, ring: &Ring<N>, (height, _): (N, N)) -> N {
        let ([about, across], e) = (self.inertia, hub.axle);
        let spin = ring.turning.dot(ring.axle);
        let kinetic =
            ring.velocity.square() * self.mass + ring.turning.square() * across + spin * spin * (about - across);
        let along = e.dot(ring.offset);
        let elastic = ring.offset.square() * self.radial.stiffness
            + along * along * (self.lateral.stiffness - self.radial.stiffness)
            + (ring.axle - e).square() * self.tilt.stiffness
            + ring.wound * ring.wound * self.wind_up.stiffness;
        let pressed = self.tread.compression(ring, height);
        let residual = if pressed.re() > 0.0 { pressed * pressed * self.tread.vertical.stiffness } else { N::zero() };
        (kinetic + elastic + residual) / 2.0 + ring.center[2] * (self.mass * self.gravity)
    }
}
