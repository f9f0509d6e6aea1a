//! Curves through chains of edges: points on the level, close enough for chords to follow the curve.

use super::level_set::{LevelSet, above};
use super::march::{Chain, Edge};
use super::root::root;

use hemiola_number::parallel;

/// Largest deviation of a chord from the curve, relative to the sides of the window.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of halvings of a chord: a chord across the window is shorter than the tolerance after twenty.
const MOST_HALVINGS: usize = 32;
/// Maximum number of points on a chord between two edges, which limits the memory for noisy fields.
///
/// A quarter circle with a radius of a tenth of the window's side needs π/2 √(0.1/8e-6) = 176, and a corner two for
/// each halving.
const MOST_POINTS: usize = 512;

/// Chain with its points.
pub(super) struct Curve {
    pub(super) points: Vec<[f64; 2]>,
    pub(super) closed: bool,
    /// First and last edge that the curve crosses.
    pub(super) ends: [Edge; 2],
    /// Area between the chords and the curve, on the left of the chords.
    pub(super) bulge: f64,
}

impl LevelSet<'_> {
    /// Computes the curves of the boundary.
    pub(super) fn curves(&self) -> Vec<Curve> {
        let chains = self.chains();
        parallel::map(chains.len(), |k| self.curve(&chains[k]))
    }

    fn curve(&self, chain: &Chain) -> Curve {
        let Chain { edges, closed } = chain;
        let mut vertices: Vec<[f64; 2]> = parallel::map(edges.len(), |k| self.crossing(edges[k]));
        vertices.dedup_by(|p, q| self.coincide(*p, *q));
        if *closed && vertices.len() > 1 && self.coincide(vertices[0], vertices[vertices.len() - 1]) {
            vertices.pop();
        }
        let chords = if *closed && vertices.len() > 1 { vertices.len() } else { vertices.len() - 1 };
        let refined = |k: usize| {
            let mut points = Vec::new();
            let least = self.least_halvings(&vertices, *closed, k);
            let bulge = self.refine(vertices[k], vertices[(k + 1) % vertices.len()], [0, least], &mut points);
            (points, bulge)
        };
        let arcs: Vec<(Vec<[f64; 2]>, f64)> = parallel::map(chords, refined);
        let bulge = arcs.iter().map(|(_, bulge)| bulge).sum();
        let mut between = arcs.into_iter().map(|(points, _)| points);
        let points = vertices.iter().flat_map(|p| std::iter::once(*p).chain(between.next().unwrap_or_default()));
        Curve { points: points.collect(), closed: *closed, ends: [edges[0], edges[edges.len() - 1]], bulge }
    }

    /// Finds the point of an edge on the level.
    fn crossing(&self, edge: Edge) -> [f64; 2] {
        let (start, upwards) = edge.parts();
        let end = if upwards { start + self.samples.columns() } else { start + 1 };
        let [p, q] = [start, end].map(|vertex| self.samples.point(vertex));
        let at = |t: f64| [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
        let [a, b] = [start, end].map(|vertex| above(self.samples.values[vertex], self.level));
        let [nx, ny] = self.cells();
        let resolution = self.resolution() * if upwards { ny } else { nx };
        at(root(|t| self.excess(at(t)), [(0.0, a), (1.0, b)], resolution, self.noise(a, b)))
    }

    fn chord(&self, p: [f64; 2], q: [f64; 2]) -> Chord {
        Chord::new(p, q, self.samples.window.sides())
    }

    /// Returns whether two points differ only by rounding.
    fn coincide(&self, p: [f64; 2], q: [f64; 2]) -> bool {
        self.chord(p, q).length <= 4.0 * self.resolution()
    }

    /// Returns the minimum number of halvings of the chord from a vertex to the next one.
    ///
    /// If the curvature changes by Δκ along a chord of length h, the curve is a cubic that deviates from its parabola
    /// by √3/216 Δκ h². At an inflection it also deviates from the chord by this amount, but not in the middle. Halving
    /// divides this by eight.
    fn least_halvings(&self, vertices: &[[f64; 2]], closed: bool, k: usize) -> usize {
        let n = vertices.len();
        if !closed && (k == 0 || k + 2 >= n) {
            return 0;
        }
        let chord = |k: usize| self.chord(vertices[k % n], vertices[(k + 1) % n]);
        let [before, here, after] = [k + n - 1, k, k + 1].map(chord);
        let change = here.curvature_after(&before) - after.curvature_after(&here);
        let cubic = 3f64.sqrt() / 216.0 * change.abs() * here.length.powi(2);
        // Use half the tolerance, because the curvatures are estimates. The conversion maps negative numbers to zero.
        (2.0 * cubic / TOLERANCE).log(8.0).ceil() as usize
    }

    /// Adds the points between two points of the curve; returns the area between curve and chords, on the left of the
    /// chords.
    ///
    /// `halvings` contains the numbers of halvings done and of those required.
    fn refine(&self, p: [f64; 2], q: [f64; 2], halvings: [usize; 2], points: &mut Vec<[f64; 2]>) -> f64 {
        let chord = self.chord(p, q);
        let [done, least] = halvings;
        if chord.length <= 2.0 * TOLERANCE || done >= MOST_HALVINGS || points.len() >= MOST_POINTS {
            return 0.0;
        }
        match self.middle(&chord, done < least) {
            ChordCrossing::Near(sagitta) => chord.bulge(sagitta),
            ChordCrossing::Far(middle) => {
                let before = self.refine(p, middle, [done + 1, least], points);
                points.push(middle);
                before + self.refine(middle, q, [done + 1, least], points)
            }
            ChordCrossing::Lost => 0.0,
        }
    }

    /// Locates the curve at the middle of a chord, on the side given by the sign of the value there; the inside is on
    /// the left.
    ///
    /// The exact point is computed if `wanted` or if it is farther than the tolerance.
    fn middle(&self, chord: &Chord, wanted: bool) -> ChordCrossing {
        let value = |s: f64| self.excess(chord.beside(s));
        let mut near = (0.0, value(0.0));
        let outwards = if near.1 <= 0.0 { -1.0 } else { 1.0 };
        let mut distance = TOLERANCE;
        loop {
            let place = outwards * distance;
            let far = (place, value(place));
            if (far.1 <= 0.0) != (near.1 <= 0.0) {
                if near.0 == 0.0 && !wanted {
                    // The error of linear interpolation over the tolerance is of the order of its square.
                    let share = near.1 / (near.1 - far.1);
                    return ChordCrossing::Near(if share.is_finite() { place * share } else { 0.0 });
                }
                let noise = self.noise(near.1, far.1);
                return ChordCrossing::Far(chord.beside(root(value, [near, far], self.resolution(), noise)));
            }
            if distance >= chord.length {
                return ChordCrossing::Lost;
            }
            // Step a quarter beyond the zero of the secant.
            let secant = near.0 - near.1 * (far.0 - near.0) / (far.1 - near.1);
            let guess = if secant * outwards > distance { 1.25 * secant.abs() } else { 4.0 * distance };
            distance = guess.clamp(2.0 * distance, 32.0 * distance).min(chord.length);
            near = far;
        }
    }

    /// Returns the rounding error of coordinates, relative to the sides of the window.
    fn resolution(&self) -> f64 {
        let window = self.samples.window;
        let part = |(low, high): (f64, f64)| low.abs().max(high.abs()) / (high - low).abs();
        f64::EPSILON * part(window.x).max(part(window.y))
    }

    /// Returns the rounding error of a zero between two values above and below the level.
    fn noise(&self, a: f64, b: f64) -> f64 {
        let size = a.abs().min(b.abs());
        2.0 * f64::EPSILON * self.level.abs().max(if size.is_finite() { size } else { 0.0 })
    }

    fn cells(&self) -> [f64; 2] {
        let (nx, ny) = self.samples.window.cells;
        [nx as f64, ny as f64]
    }
}

/// Position of the curve at the middle of a chord.
enum ChordCrossing {
    /// Within the tolerance, at this distance on the left.
    Near(f64),
    /// Beyond the tolerance, or requested exactly: at this point.
    Far([f64; 2]),
    /// Nowhere within the length of the chord: at a tip.
    Lost,
}

/// Chord, measured relative to the sides of the window.
struct Chord {
    middle: [f64; 2],
    along: [f64; 2],
    /// Unit normal on the left, in the coordinates of the plane.
    normal: [f64; 2],
    length: f64,
    /// Area of the window.
    unit: f64,
}

impl Chord {
    fn new(p: [f64; 2], q: [f64; 2], [width, height]: [f64; 2]) -> Self {
        let along = [(q[0] - p[0]) / width, (q[1] - p[1]) / height];
        let length = along[0].hypot(along[1]);
        Self {
            middle: [f64::midpoint(p[0], q[0]), f64::midpoint(p[1], q[1])],
            normal: [-along[1] / length * width, along[0] / length * height],
            along,
            length,
            unit: width * height,
        }
    }

    /// Estimates the curvature between this chord and the previous one.
    fn curvature_after(&self, before: &Self) -> f64 {
        let ([x, y], [u, v]) = (before.along, self.along);
        (x * v - y * u).atan2(x * u + y * v) / (0.5 * (before.length + self.length))
    }

    /// Returns the point at a distance to the left of the middle.
    fn beside(&self, distance: f64) -> [f64; 2] {
        [self.middle[0] + distance * self.normal[0], self.middle[1] + distance * self.normal[1]]
    }

    /// Computes the area of the parabolic segment (Archimedes), which is exact for cubics.
    fn bulge(&self, sagitta: f64) -> f64 {
        2.0 / 3.0 * sagitta * self.length * self.unit
    }
}
