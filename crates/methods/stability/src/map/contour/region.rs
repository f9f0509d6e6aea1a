//! Regions: boundaries, and polygons that follow the edge of the window where a region leaves it.

use super::curve::Curve;
use super::level_set::{Borrowed, LevelSet};
use super::march::Edge;
use super::samples::Samples;
use super::trace::Contour;
use crate::map::field::{Field, Sampled};
use crate::map::window::Window;
use hemiola_number::parallel;

/// Set of points of a window at which a field is at most a level.
///
/// ```
/// use hemiola_stability::{Region, Window};
/// let window = Window { x: (0.0, 2.0), y: (-2.0, 2.0), cells: (20, 40) };
/// let half = Region::new(&window, &|x: f64, y: f64| x * x + y * y, 1.0);
/// assert!(!half.boundary[0].closed); // an arc from edge to edge,
/// assert_eq!(half.polygons.len(), 1); // closed along the window's edge
/// assert!((half.area() - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Curves on which the field equals the level, as computed by [`contour`](super::contour).
    pub boundary: Vec<Contour>,
    /// Closed polygons around the region, for filling by the even–odd rule: outer ones run counter-clockwise, holes
    /// clockwise.
    ///
    /// They consist of the points of the boundary and corners of the window.
    pub polygons: Vec<Vec<[f64; 2]>>,
    area: f64,
}

impl Region {
    /// Computes the region of one level. [`contour`](super::contour) describes the method and its accuracy.
    pub fn new(window: &Window, field: &(impl Field + ?Sized), level: f64) -> Self {
        Self::with_samples(window, field, level).0
    }

    /// Computes the region and, for fields with vector kernels, returns the samples at all grid points, row by row from
    /// below.
    ///
    /// The search for the boundary uses the same samples, which saves a second computation.
    ///
    /// ```
    /// use hemiola_stability::{Field, Region, Scan, Slice, Window};
    /// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64();
    /// let scan = Scan::new(&pair, Slice::ray(5.0, 0.01))?;
    /// let window = Window { x: (-1.0, 0.0), y: (-1.0, 1.0), cells: (10, 20) };
    /// let (region, samples) = Region::with_samples(&window, &scan, 1.0);
    /// assert!(region == Region::new(&window, &scan, 1.0) && samples == Some(scan.sampled(&window)));
    /// # Ok::<(), hemiola_stability::StabilityError>(())
    /// ```
    pub fn with_samples(window: &Window, field: &(impl Field + ?Sized), level: f64) -> (Self, Option<Sampled>) {
        let field = &Borrowed(field);
        let samples = Samples::new(window, field, &[level]);
        let region = LevelSet { samples: &samples, field, level }.region();
        (region, samples.all())
    }

    /// Computes the regions of several levels from the same samples, and returns these as in
    /// [`with_samples`](Self::with_samples).
    ///
    /// ```
    /// use hemiola_stability::{Region, Window};
    /// let window = Window { x: (-3.0, 3.0), y: (-3.0, 3.0), cells: (60, 60) };
    /// let (discs, _) = Region::several(&window, &|x: f64, y: f64| x.hypot(y), &[1.0, 2.0]);
    /// assert!((discs[1].area() / discs[0].area() - 4.0).abs() < 1e-9);
    /// ```
    pub fn several(window: &Window, field: &(impl Field + ?Sized), levels: &[f64]) -> (Vec<Self>, Option<Sampled>) {
        let field = &Borrowed(field);
        let samples = Samples::new(window, field, levels);
        let regions = parallel::map(levels.len(), |k| LevelSet { samples: &samples, field, level: levels[k] }.region());
        (regions, samples.all())
    }

    /// Returns the area, by Green's theorem over the chords and the parabolic segments between chords and boundary.
    ///
    /// For chords of length h on a smooth boundary the error is of order h⁴; a corner adds an error of the order of the
    /// square of the chord tolerance.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }
}

impl LevelSet<'_> {
    fn region(&self) -> Region {
        let curves = self.curves();
        let polygons = self.polygons(&curves);
        let bulges: f64 = curves.iter().map(|curve| curve.bulge).sum();
        let area = polygons.iter().map(|polygon| shoelace(polygon)).sum::<f64>() - bulges;
        Region { boundary: curves.into_iter().filter_map(Contour::through).collect(), polygons, area }
    }

    fn polygons(&self, curves: &[Curve]) -> Vec<Vec<[f64; 2]>> {
        let mut polygons: Vec<Vec<[f64; 2]>> =
            curves.iter().filter(|curve| curve.closed).map(|curve| curve.points.clone()).collect();
        let mut open: Vec<OpenCurve> = curves.iter().filter(|curve| !curve.closed).map(|c| self.passage(c)).collect();
        open.sort_unstable_by_key(|passage| passage.enters);
        let corners = corners(self.samples.window);
        if open.is_empty() && self.samples.values.first().is_some_and(|value| *value <= self.level) {
            polygons.push(corners.map(|(_, corner)| corner).to_vec());
        }
        let mut used = vec![false; open.len()];
        for first in 0..open.len() {
            let mut polygon = Vec::new();
            let mut current = first;
            while !std::mem::replace(&mut used[current], true) {
                let OpenCurve { curve, leaves, .. } = open[current];
                polygon.extend_from_slice(&curve.points);
                // From the end of a curve the polygon follows the edge of the window to the start of the next curve.
                let next = open.partition_point(|passage| passage.enters < leaves) % open.len();
                polygon.extend(passed(&corners, leaves, open[next].enters));
                current = next;
            }
            polygons.push(polygon);
        }
        polygons.retain(|polygon| polygon.len() > 2);
        polygons
    }

    fn passage<'c>(&self, curve: &'c Curve) -> OpenCurve<'c> {
        let [enters, leaves] = curve.ends.map(|edge| self.place(edge));
        OpenCurve { curve, enters, leaves }
    }

    /// Returns the position of a grid edge on the edge of the window: cells counter-clockwise from the lower left
    /// corner.
    fn place(&self, edge: Edge) -> usize {
        let (nx, ny) = self.samples.window.cells;
        let (vertex, upwards) = edge.parts();
        let (i, j) = (vertex % (nx + 1), vertex / (nx + 1));
        match (upwards, i, j) {
            (false, _, 0) => i,
            (true, 0, _) => 2 * nx + ny + (ny - 1 - j),
            (true, ..) => nx + j,
            (false, ..) => nx + ny + (nx - 1 - i),
        }
    }
}

/// Open curve with its start and end positions on the edge of the window.
struct OpenCurve<'a> {
    curve: &'a Curve,
    enters: usize,
    leaves: usize,
}

/// Returns the corners of a window, counter-clockwise from the lower left, each with the cell of the window's edge that
/// follows it.
fn corners(window: &Window) -> [(usize, [f64; 2]); 4] {
    let (nx, ny) = window.cells;
    let ((left, right), (bottom, top)) = (window.x, window.y);
    [(0, [left, bottom]), (nx, [right, bottom]), (nx + ny, [right, top]), (2 * nx + ny, [left, top])]
}

/// Returns the corners between two cells along the edge of the window.
fn passed(corners: &[(usize, [f64; 2]); 4], from: usize, to: usize) -> impl Iterator<Item = [f64; 2]> {
    let around = to < from;
    let before = corners.iter().filter(move |(place, _)| *place > from && (around || *place <= to));
    let after = corners.iter().filter(move |(place, _)| around && *place <= to);
    before.chain(after).map(|(_, corner)| *corner)
}

/// Computes the area of a polygon, positive if it runs counter-clockwise.
fn shoelace(points: &[[f64; 2]]) -> f64 {
    // Coordinates relative to a vertex keep the digits of small polygons far from the origin.
    let [x, y] = points[0];
    let next = points.iter().cycle().skip(1);
    let twice = |(p, q): (&[f64; 2], &[f64; 2])| (p[0] - x) * (q[1] - y) - (q[0] - x) * (p[1] - y);
    points.iter().zip(next).map(twice).sum::<f64>() / 2.0
}
