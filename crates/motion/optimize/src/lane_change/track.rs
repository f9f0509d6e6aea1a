//! Track of the lane change.

use crate::calculus::Number;

/// Track of the lane change. Its right edge rises and falls, its left edge widens and narrows; each transition is one
/// meter long and consists of two cubic arcs.
///
/// ```
/// use hemiola_optimize::LaneTrack;
/// let track = LaneTrack::default();
/// assert_eq!((track.right(0.0), track.right(44.5), track.right(60.0)), (0.0, 1.75, 3.5));
/// assert!((track.left(0.0) - 1.9).abs() < 1e-15 && (track.left(60.0) - 5.55).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneTrack {
    /// Width B of the car in m, which determines the track.
    pub width: f64,
    /// Reduction of the gap beside the obstacle relative to the paper, in m.
    pub narrowing: f64,
    /// Beginning and end of the track, in m.
    pub ends: [f64; 2],
}

impl Default for LaneTrack {
    fn default() -> Self {
        Self { width: 1.5, narrowing: 0.0, ends: [-30.0, 140.0] }
    }
}

/// Height of the obstacle, in m.
const OBSTACLE: f64 = 3.5;

impl LaneTrack {
    /// Returns the right edge at x, in m.
    pub fn right<N: Number>(&self, x: N) -> N {
        let height = OBSTACLE + self.narrowing;
        blend(x, 44.0, 0.0, height) + blend(x, 70.0, 0.0, -height)
    }

    /// Returns the left edge at x, in m.
    pub fn left<N: Number>(&self, x: N) -> N {
        let [first, middle, last] = [1.1 * self.width + 0.25, 1.2 * self.width + 3.75, 1.3 * self.width + 0.25];
        blend(x, 15.0, first, middle) + blend(x, 94.0, 0.0, last - middle)
    }
}

/// Blends from one level before x₀ to another after x₀ + 1 by two cubic arcs with a common slope in the middle.
fn blend<N: Number>(x: N, start: f64, from: f64, to: f64) -> N {
    let (s, rise) = (x - start, to - from);
    let at = s.re();
    if at <= 0.0 {
        N::from(from)
    } else if at <= 0.5 {
        s * s * s * (4.0 * rise) + from
    } else if at < 1.0 {
        let t = s - 1.0;
        t * t * t * (4.0 * rise) + to
    } else {
        N::from(to)
    }
}
