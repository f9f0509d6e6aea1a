//! Contours: level curves of a field as polylines.

use crate::map::contour::curve::Curve;
use crate::map::contour::level_set::{Borrowed, LevelSet};
use crate::map::contour::samples::Samples;
use crate::map::field::Field;
use crate::map::window::Window;

/// Polyline on which a field has a given level, in the coordinates of the window; values below the level lie on its
/// left.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// Points in order. Chords stay within a millionth of the window's sides from the curve.
    pub points: Vec<[f64; 2]>,
    /// Whether the last point joins the first; an open contour ends at the edge of the window.
    pub closed: bool,
}

impl Contour {
    /// Converts a curve to a polyline; `None` for a point.
    pub(super) fn through(curve: Curve) -> Option<Self> {
        let Curve { points, closed, .. } = curve;
        (points.len() > if closed { 2 } else { 1 }).then_some(Self { points, closed })
    }
}
/// Computes the curves on which a field equals a level: the boundary of the set where it is at most the level.
///
/// All points lie on the level to rounding where the field is continuous, and on the jump where it jumps across the
/// level. Chords deviate from the curve by at most a millionth of the window's sides; the deviation is measured in the
/// middle of each chord, and at inflections estimated from its neighbors. Tips of less than 50 degrees are blunted
/// within a cell. NaN and infinity lie above every level.
///
/// Fields with vector kernels are sampled on the whole grid, which finds every detail that a grid point distinguishes.
/// Others are evaluated on a grid of about fifty blocks in each direction. Blocks are halved, down to the cells, if the
/// values at their corners lie on both sides of the level, if they adjoin such blocks, or if second differences
/// indicate that the field may bend across the level inside a block. Curves are then followed to their ends regardless
/// of the blocks. The search can miss only an entire island or hole smaller than a block, where the samples of the
/// field look linear.
///
/// ```
/// use hemiola_stability::{Window, contour};
/// let window = Window { x: (-2.0, 2.0), y: (-2.0, 2.0), cells: (20, 20) };
/// let circle = contour(&window, &|x: f64, y: f64| x * x + y * y, 1.0);
/// assert_eq!(circle.len(), 1);
/// assert!(circle[0].closed);
/// assert!(circle[0].points.iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-15));
/// ```
pub fn contour(window: &Window, field: &(impl Field + ?Sized), level: f64) -> Vec<Contour> {
    let field = &Borrowed(field);
    let samples = Samples::new(window, field, &[level]);
    LevelSet { samples: &samples, field, level }.curves().into_iter().filter_map(Contour::through).collect()
}
