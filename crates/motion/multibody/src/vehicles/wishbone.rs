//! Double wishbones with a tie rod: four bodies and four equations per wheel.

use crate::forces::{Characteristic, Spring};
use crate::machine::{Body, Joint, Loop, Machine};
use crate::vehicles::maneuver::Maneuver;
use crate::vehicles::wheel::WheelAssembly;

/// The left side of an axle, relative to its middle. The right side is the mirror image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishbone {
    /// The middle of the axle, in the vehicle's axes.
    pub(crate) axle: [f64; 3],
    pub(crate) wheel_center: [f64; 3],
    pub(crate) upright: Part,
    pub(crate) upper: Part,
    /// The upper arm's joints: front and rear on the chassis, then at the upright.
    pub(crate) upper_points: [[f64; 3]; 3],
    pub(crate) lower: Part,
    pub(crate) lower_points: [[f64; 3]; 3],
    /// The ends on the chassis or the rack, and on the upright.
    pub(crate) tie_rod: [[f64; 3]; 2],
    /// The ends on the chassis and on the lower arm.
    pub(crate) spring: [[f64; 3]; 2],
    pub(crate) free_length: f64,
    /// The tension over the extension, for positive extensions of an odd curve.
    pub(crate) stiffness: &'static [[f64; 2]],
    pub(crate) shock: [[f64; 3]; 2],
    /// The damping, in N s/m.
    pub(crate) damping: f64,
    pub(crate) rim: WheelAssembly,
}

/// A body: its mass, center of mass and principal inertias in vehicle axes (ours: Chrono's are in the axes of the
/// part).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) mass: f64,
    pub(crate) center: [f64; 3],
    pub(crate) inertia: [f64; 3],
}

impl Wishbone {
    /// Adds both sides to the body `chassis`, with tie rods to the body `steering`, which may be the same.
    pub(crate) fn mount(&self, machine: &mut Machine, name: &str, chassis: &str, steering: &str, maneuver: &Maneuver) {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            self.side(machine, &format!("{name} {side}"), sign, [chassis, steering], maneuver);
        }
    }

    fn side(&self, machine: &mut Machine, name: &str, sign: f64, [chassis, steering]: [&str; 2], maneuver: &Maneuver) {
        let at = |point: [f64; 3]| [point[0] + self.axle[0], sign * point[1] + self.axle[1], point[2] + self.axle[2]];
        let along = |points: &[[f64; 3]; 3]| {
            let [front, back] = [at(points[0]), at(points[1])];
            [0, 1, 2].map(|k| front[k] - back[k])
        };
        let part = |name: &str, part: &Part| Body::new(name, part.mass, at(part.center), part.inertia);
        let [upper, lower, upright, wheel] =
            ["upper arm", "lower arm", "upright", "wheel"].map(|part| format!("{name} {part}"));
        machine.bodies.extend([part(&lower, &self.lower), part(&upper, &self.upper), part(&upright, &self.upright)]);
        machine.joints.extend([
            Joint::revolute(&lower, [chassis, &lower], at(self.lower_points[0]), along(&self.lower_points)),
            Joint::revolute(&upper, [chassis, &upper], at(self.upper_points[0]), along(&self.upper_points)),
            Joint::ball(&upright, [&lower, &upright], at(self.lower_points[2])),
        ]);
        machine.loops.push(Loop::ball(
            &format!("{name} upper ball joint"),
            [&upper, &upright],
            at(self.upper_points[2]),
        ));
        machine.loops.push(Loop::rod(&format!("{name} tie rod"), [steering, &upright], self.tie_rod.map(at)));
        let spring = |kind: &str, ends: [[f64; 3]; 2], free_length, stiffness, damping| Spring {
            name: format!("{name} {kind}"),
            between: [chassis.to_owned(), lower.clone()],
            points: ends.map(at),
            free_length,
            stiffness,
            damping,
        };
        let (none, damping) = (Characteristic::linear(0.0), Characteristic::linear(self.damping));
        machine.forces.springs.push(spring(
            "spring",
            self.spring,
            Some(self.free_length),
            odd(self.stiffness),
            none.clone(),
        ));
        machine.forces.springs.push(spring("shock", self.shock, None, none, damping));
        self.rim.mount(machine, &upright, &wheel, at(self.wheel_center), maneuver);
    }
}

/// Creates the odd curve through points with positive abscissae.
fn odd(points: &[[f64; 2]]) -> Characteristic {
    let negative = points.iter().rev().map(|[x, y]| [-x, -y]);
    let all: Vec<[f64; 2]> = negative.chain([[0.0, 0.0]]).chain(points.iter().copied()).collect();
    Characteristic::table(&all)
}
