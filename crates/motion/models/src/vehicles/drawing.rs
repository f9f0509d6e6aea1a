//! Line drawings of planar vehicles: x forward, z up, all with y = 0, in m.

use hemiola_multibody::circle;

use crate::vehicles::tire::MountedRing;

/// A point in the plane.
type Point = [f64; 2];

/// Number of segments of a coil, its width relative to its length, and its largest width in m.
const COILS: u32 = 9;
const BREADTH: f64 = 0.15;
const BROADEST: f64 = 0.05;
/// Distance of the spring and the damper of a strut to either side, in m.
const BESIDE: f64 = 0.07;
/// Radius of a hub relative to that of the ring.
const HUB: f64 = 0.45;
/// Number of sidewall springs, drawn every 60°.
const SIDEWALLS: u32 = 6;

/// Lines of a drawing: those of two points are bodies and springs; closed ones are wheels.
#[derive(Default)]
pub(crate) struct Drawing(Vec<Vec<[f64; 3]>>);

impl Drawing {
    pub(crate) fn lines(self) -> Vec<Vec<[f64; 3]>> {
        self.0
    }

    pub(crate) fn line(mut self, a: Point, b: Point) -> Self {
        self.0.push([a, b].map(|[x, z]| [x, 0.0, z]).to_vec());
        self
    }

    /// Draws lines from corner to corner, and back to the first.
    pub(crate) fn polygon(self, corners: &[Point]) -> Self {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).fold(self, |drawing, (&a, &b)| drawing.line(a, b))
    }

    /// Draws a road between two positions.
    pub(crate) fn road(self, [from, to]: [f64; 2], height: impl Fn(f64) -> f64) -> Self {
        const PIECES: u32 = 24;
        let at = |k: u32| {
            let x = from + (to - from) * f64::from(k) / f64::from(PIECES);
            [x, height(x)]
        };
        (0..PIECES).fold(self, |drawing, k| drawing.line(at(k), at(k + 1)))
    }

    /// Draws a spring as a zigzag between its ends.
    pub(crate) fn spring(self, a: Point, b: Point) -> Self {
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]);
        let breadth = if length > 0.0 { BROADEST.min(BREADTH * length) / length } else { 0.0 };
        let at = |k: u32| {
            let part = f64::from(k) / f64::from(COILS);
            let side = if k == 0 || k == COILS { 0.0 } else { breadth * if k.is_multiple_of(2) { 1.0 } else { -1.0 } };
            [a[0] + along[0] * part - along[1] * side, a[1] + along[1] * part + along[0] * side]
        };
        (0..COILS).fold(self, |drawing, k| drawing.line(at(k), at(k + 1)))
    }

    /// Draws a spring and a damper side by side, upward along the unit vector e₂ = `up`.
    pub(crate) fn strut(self, low: Point, high: Point, up: Point) -> Self {
        let beside = |[x, z]: Point, by: f64| [x + by * up[1], z - by * up[0]];
        let [foot, head] = [low, high].map(|point| beside(point, BESIDE));
        let [spring_foot, spring_head] = [low, high].map(|point| beside(point, -BESIDE));
        let on_rod = |part: f64| [0, 1].map(|k| foot[k] + part * (head[k] - foot[k]));
        // The cylinder is attached below, and the piston above slides in it.
        let (wall, piston) = (0.02, on_rod(0.5));
        self.line(spring_foot, foot)
            .line(spring_head, head)
            .spring(spring_foot, spring_head)
            .line(on_rod(0.2), foot)
            .line(beside(on_rod(0.2), -wall), beside(on_rod(0.2), wall))
            .line(beside(on_rod(0.2), -wall), beside(on_rod(0.65), -wall))
            .line(beside(on_rod(0.2), wall), beside(on_rod(0.65), wall))
            .line(beside(piston, -wall), beside(piston, wall))
            .line(piston, head)
    }

    pub(crate) fn circle(mut self, [x, z]: Point, radius: f64) -> Self {
        self.0.push(circle([x, 0.0, z], [0.0, 1.0, 0.0], radius));
        self
    }

    /// Draws a ring on its hub with the springs of the sidewall. Hub and ring rotate, so that the springs show the
    /// wind-up.
    pub(crate) fn rigid_ring(self, hub: [f64; 3], ring: &MountedRing<f64>, radius: f64) -> Self {
        let rim = |[x, z, angle]: [f64; 3], r: f64, k: u32| {
            let (sin, cos) = (angle + std::f64::consts::TAU * f64::from(k) / f64::from(SIDEWALLS)).sin_cos();
            [x + r * cos, z + r * sin]
        };
        let (inner, outer) = (HUB * radius, [ring.motion.x, ring.motion.y, ring.motion.angle]);
        let wheel = self.circle([hub[0], hub[1]], inner).circle([outer[0], outer[1]], radius);
        let wheel = wheel.line(rim(hub, inner, 0), rim(hub, inner, SIDEWALLS / 2));
        (0..SIDEWALLS).fold(wheel, |drawing, k| drawing.spring(rim(hub, inner, k), rim(outer, radius, k)))
    }
}
