//! Contact of a ring with the road: a residual spring, and a brush whose longitudinal and lateral slips share the
//! friction.
//!
//! For the ring's axle n its lowest point is at r = −R(ẑ − n n_z)/√(1 − n_z²) from its center; forward is n × ẑ, left
//! is ẑ × forward. At that point the road presses with a spring and a damper, upward as in (B4), and holds the tread
//! with
//!
//!   F = C (1 − q + q²/3)(s_x, λ s_y), q = C|(s_x, λ s_y)| / 3μF_N, and μF_N in the same direction if q > 1.
//!
//! These are (B5)–(B7) of Shome, Haug & Jay (2004) in two directions (Pacejka 2012, §3.3: the brush with equal
//! friction), with λ for a laterally softer tread. Slips relax as in (B11)–(B13): σṡ = −V − |v|s with the velocity V of
//! the lowest point and the forward speed v, where σ = a (1 − q)², but at least a fraction of a, by default a
//! twentieth. The lateral force acts behind the center, by a/3 at small slip: the aligning moment of the brush.

use hemiola_multibody::{Number, Vec3};

use crate::parameter::Values;
use crate::vehicles::spatial_vehicle::ring::{Elastic, Ring};

/// Speed in m/s below which rolling resistance and aligning moment fade, since they have no direction at rest.
const CRAWL: f64 = 0.1;

/// The tread and its contact with the road.
#[derive(Clone, Debug)]
pub(crate) struct Tread {
    /// The radius of the ring.
    pub(crate) radius: f64,
    /// The residual spring.
    pub(crate) vertical: Elastic,
    /// Half the length of the contact, a.
    half_length: f64,
    /// The smallest relaxation length, as a fraction of a.
    least: f64,
    /// The slip stiffness C = 2 c_p a².
    slip_stiffness: f64,
    /// The ratio λ of lateral to longitudinal tread stiffness.
    aside: f64,
    friction: f64,
    /// The lever arm of the normal force in rolling resistance.
    pub(crate) rolling_resistance: f64,
}

/// Action of the road on a ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RingContact<N> {
    /// The force at the center, with the moment about it.
    pub(crate) force: Vec3<N>,
    pub(crate) moment: Vec3<N>,
    pub(crate) slip_rates: [N; 2],
    /// The normal force F_N.
    pub(crate) normal: N,
    /// The tangential force, forward and to the left.
    pub(crate) traction: [N; 2],
}

impl Tread {
    /// Creates a tread; `None` if the tire would be stiffer than its sidewall alone.
    pub(crate) fn new(values: Values<'_>, sidewall: f64) -> Option<Self> {
        // Springs in series: 1/K = 1/K_sidewall + 1/K_residual.
        let compliance = 1.0 / values.of("tyre-stiffness") - 1.0 / sidewall;
        let half_length = values.of("contact-half-length");
        (compliance > 0.0).then(|| Self {
            radius: values.of("tyre-radius"),
            vertical: Elastic { stiffness: 1.0 / compliance, damping: values.of("residual-damping") },
            half_length,
            least: values.of("least-relaxation"),
            slip_stiffness: 2.0 * values.of("tread-stiffness") * half_length * half_length,
            aside: values.of("lateral-tread"),
            friction: values.of("friction"),
            rolling_resistance: values.of("rolling-resistance"),
        })
    }

    /// Returns the compression of the residual spring over a road of this height.
    #[inline]
    pub(crate) fn compression<N: Number>(&self, ring: &Ring<N>, height: N) -> N {
        let up = ring.axle.0[2];
        height + (-up * up + 1.0).sqrt() * self.radius - ring.center[2]
    }

    /// Computes the contact for the height and slope of the road.
    #[inline]
    pub(crate) fn contact<N: Number>(&self, ring: &Ring<N>, (height, slope): (N, N)) -> RingContact<N> {
        let Vec3([x, y, z]) = ring.axle;
        let cos = (-z * z + 1.0).sqrt();
        let inverse = cos.recip();
        let arm = Vec3([x * z, y * z, -cos * cos]) * (inverse * self.radius);
        let [forward, left] =
            [Vec3([y * inverse, -x * inverse, N::zero()]), Vec3([x * inverse, y * inverse, N::zero()])];
        let touching = ring.velocity + ring.turning.cross(arm);

        let compression = height + cos * self.radius - ring.center[2];
        let closing = slope * ring.velocity.0[0] - touching.0[2];
        let pressed = compression * self.vertical.stiffness + closing * self.vertical.damping;
        let normal = if pressed.re() > 0.0 { pressed } else { N::zero() };

        let BrushForces { traction, relaxation, aligning } = self.grip(normal, ring.slips);
        let speed = ring.velocity.dot(forward);
        let size = if speed.re() < 0.0 { -speed } else { speed };
        let direction = direction(speed);
        let rate = |velocity: N, slip: N| -(velocity + size * slip) / relaxation;

        let mut force = forward * traction[0] + left * traction[1];
        force.0[2] += normal;
        let mut moment = arm.cross(force) - ring.axle * (normal * direction * self.rolling_resistance);
        moment.0[2] += aligning * direction;
        let slip_rates = [rate(touching.dot(forward), ring.slips[0]), rate(touching.dot(left), ring.slips[1])];
        RingContact { force, moment, slip_rates, normal, traction }
    }

    #[inline]
    fn grip<N: Number>(&self, normal: N, [along, aside]: [N; 2]) -> BrushForces<N> {
        let slips = [along, aside * self.aside];
        let square = slips[0] * slips[0] + slips[1] * slips[1];
        // The root has no derivative at zero slip, where the forces have that of adhesion.
        let size = if square.re() > 0.0 { square.sqrt() } else { N::zero() };
        let limit = normal * self.friction;
        // Sliding fraction of the contact; without contact, all of it slides.
        let sliding = size * (self.slip_stiffness / 3.0) / limit;
        if normal.re() > 0.0 && sliding.re() < 1.0 {
            let adhering = -sliding + 1.0;
            let part = adhering * adhering;
            let slope = ((sliding / 3.0 - 1.0) * sliding + 1.0) * self.slip_stiffness;
            let kept = if part.re() > self.least { part } else { N::constant(self.least) };
            BrushForces {
                traction: slips.map(|slip| slip * slope),
                relaxation: kept * self.half_length,
                aligning: slips[1] * part * adhering * (-self.half_length * self.slip_stiffness / 3.0),
            }
        } else {
            let traction =
                if normal.re() > 0.0 { slips.map(|slip| limit * slip / size) } else { [N::zero(), N::zero()] };
            BrushForces { traction, relaxation: N::constant(self.least * self.half_length), aligning: N::zero() }
        }
    }
}

/// Returns the sign of a speed, smoothed at rest by tanh, which equals 1 up to rounding from 20 on.
#[inline]
fn direction<N: Number>(speed: N) -> N {
    let fast = speed.re() / CRAWL;
    if fast.abs() > 20.0 { N::constant(fast.signum()) } else { (speed / CRAWL).tanh() }
}

struct BrushForces<N> {
    traction: [N; 2],
    relaxation: N,
    /// The aligning moment about the vertical.
    aligning: N,
}
