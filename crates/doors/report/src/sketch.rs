//! Sketches of mechanical systems: bodies, springs, dampers, wheels and the road.

use hemiola_figure::{Axis, Color, Curve, Dash, Panel, Points};

/// Widths of outlines, of springs and dampers, and of dashed lines.
const OUTLINE: f64 = 1.2;
const ELEMENT: f64 = 0.7;
const FAINT: f64 = 0.6;
/// Number of windings of a spring, and the parts of its length that are straight at both ends.
const WINDINGS: u32 = 6;
const STRAIGHT: f64 = 0.12;
/// Number of segments of a full circle, and of a spiral.
const CORNERS: u32 = 72;
/// Turns of a torsional spring.
const TURNS: f64 = 1.75;

/// A panel with a sketch in m.
pub(crate) struct Sketch(Panel);

impl Sketch {
    /// Creates an empty sketch with these ranges.
    pub(crate) fn new(x: [f64; 2], y: [f64; 2]) -> Self {
        let axis = |name: &str, [from, to]: [f64; 2]| Axis::new(name).range(from, to);
        Self(Panel::new(axis("*x* in m", x), axis("*y* in m", y)).without_zero_lines().equal_aspect())
    }

    pub(crate) fn panel(self) -> Panel {
        self.0
    }

    pub(crate) fn title(self, title: &str) -> Self {
        Self(self.0.title(title))
    }

    /// Adds a polyline.
    pub(crate) fn line(self, points: &[[f64; 2]], color: Color, width: f64) -> Self {
        Self(self.0.curve(solid(points.iter().copied(), color, width)))
    }

    pub(crate) fn dashed(self, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self(self.0.curve(Curve::new().open(points).color(Color::GRAY).dash(Dash::Dashed).width(FAINT)))
    }

    /// Adds a rectangular body with its half lengths.
    pub(crate) fn body(self, [x, y]: [f64; 2], [across, up]: [f64; 2], color: Color) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = corners.map(|[i, j]| [x + i * across, y + j * up]);
        Self(self.0.curve(Curve::new().closed(corners).color(color).dash(Dash::Solid).width(OUTLINE)))
    }

    pub(crate) fn circle(self, center: [f64; 2], radius: f64, color: Color, width: f64) -> Self {
        let points = (0..CORNERS).map(|k| polar(center, radius, f64::from(k) / f64::from(CORNERS)));
        Self(self.0.curve(Curve::new().closed(points).color(color).dash(Dash::Solid).width(width)))
    }

    /// Adds the road: a line whose ticks are below it.
    pub(crate) fn road(self, [from, to]: [f64; 2], y: f64) -> Self {
        let road = solid([[from, y], [to, y]], Color::GRAY, OUTLINE);
        Self(self.0.curve(road.hachured()))
    }

    /// Adds a spring as a zigzag between two points.
    pub(crate) fn spring(self, from: [f64; 2], to: [f64; 2], half_width: f64) -> Self {
        Self(self.0.curve(solid(spring(from, to, half_width, STRAIGHT), Color::BLACK, ELEMENT)))
    }

    /// Adds a damper between two points: a cylinder and its piston.
    pub(crate) fn damper(self, from: [f64; 2], to: [f64; 2], half_width: f64) -> Self {
        let at = beside(from, to);
        let cup = [at(0.7, half_width), at(0.35, half_width), at(0.35, -half_width), at(0.7, -half_width)];
        let piston = [at(0.55, 0.8 * half_width), at(0.55, -0.8 * half_width)];
        let rods = [[from, at(0.35, 0.0)], [at(0.55, 0.0), to]];
        let curve = Curve::new().open(cup).open(piston).open(rods[0]).open(rods[1]);
        Self(self.0.curve(curve.color(Color::BLACK).dash(Dash::Solid).width(ELEMENT)))
    }

    /// Adds a torsional spring: a spiral between two radii.
    pub(crate) fn spiral(self, center: [f64; 2], [inner, outer]: [f64; 2]) -> Self {
        let point = |k: u32| {
            let part = f64::from(k) / f64::from(2 * CORNERS);
            polar(center, inner + part * (outer - inner), TURNS * part)
        };
        Self(self.0.curve(solid((0..=2 * CORNERS).map(point), Color::BLACK, ELEMENT)))
    }

    /// Adds a text to the right of a point.
    pub(crate) fn text(self, at: [f64; 2], text: &str) -> Self {
        Self(self.0.points(Points::new([at]).names([text]).names_on_the_right()))
    }

    /// Adds a text to the left of a point.
    pub(crate) fn text_on_the_left(self, at: [f64; 2], text: &str) -> Self {
        Self(self.0.points(Points::new([at]).names([text]).names_on_the_left()))
    }

    pub(crate) fn points(self, points: Points) -> Self {
        Self(self.0.points(points))
    }
}

fn solid(points: impl IntoIterator<Item = [f64; 2]>, color: Color, width: f64) -> Curve {
    Curve::new().open(points).color(color).dash(Dash::Solid).width(width)
}

fn polar([x, y]: [f64; 2], radius: f64, turns: f64) -> [f64; 2] {
    let angle = turns * std::f64::consts::TAU;
    [x + radius * angle.cos(), y + radius * angle.sin()]
}

/// Returns the point at a part of the way between two points, at a distance beside it.
fn beside(from: [f64; 2], to: [f64; 2]) -> impl Fn(f64, f64) -> [f64; 2] {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].hypot(along[1]);
    let across = [-along[1] / length, along[0] / length];
    move |part, distance| [0, 1].map(|i: usize| from[i] + part * along[i] + distance * across[i])
}

/// Returns a zigzag between two points whose ends are straight.
pub(crate) fn spring(from: [f64; 2], to: [f64; 2], half_width: f64, straight: f64) -> Vec<[f64; 2]> {
    let at = beside(from, to);
    let corner = |k: u32| {
        let part = (f64::from(k) + 0.5) / f64::from(2 * WINDINGS);
        let side = if k.is_multiple_of(2) { half_width } else { -half_width };
        at(straight + part * (1.0 - 2.0 * straight), side)
    };
    let ends = [at(straight, 0.0), at(1.0 - straight, 0.0)];
    let middle = std::iter::once(ends[0]).chain((0..2 * WINDINGS).map(corner)).chain([ends[1]]);
    std::iter::once(from).chain(middle).chain([to]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_has_its_windings_on_both_sides() {
        let points = spring([0.0, 0.0], [0.0, 2.0], 0.1, 0.1);
        let on_side = |side: f64| points.iter().filter(|[x, _]| (x - side).abs() < 1e-12).count();
        assert_eq!([on_side(0.1), on_side(-0.1)], [WINDINGS as usize; 2]);
        assert_eq!((points[0], points[points.len() - 1]), ([0.0, 0.0], [0.0, 2.0]));
        assert!(points.windows(2).all(|pair| pair[1][1] >= pair[0][1]));
    }
}
