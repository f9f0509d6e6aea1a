//! Points on the boundary of a spectrum.

use hemiola_polynomial::{Axis, Spectrum};
use num_complex::Complex64;

/// Samples the upper half of the boundary of a spectrum scaled by h. Returns polylines of about `points` points in
/// total, one between each pair of adjacent corners, or one point per eigenvalue.
///
/// |R| attains its maximum there, because R is analytic and has real coefficients.
///
/// ```
/// use hemiola_polynomial::Spectrum;
/// let lines = hemiola_plot::boundary(&Spectrum::Rectangle { width: 2.0, height: 1.0 }, 3.0, 90);
/// let ends: Vec<(f64, f64)> = lines.iter().map(|line| line[line.len() - 1]).map(|z| (z.re, z.im)).collect();
/// assert_eq!(ends, [(0.0, 3.0), (-6.0, 3.0), (-6.0, 0.0)]);
/// ```
#[must_use]
pub fn boundary(spectrum: &Spectrum, scale: f64, points: usize) -> Vec<Vec<Complex64>> {
    let pieces = pieces(spectrum, scale);
    let each = points.div_ceil(pieces.len().max(1)).max(2);
    let line = |piece: &Piece| match piece {
        Piece::Point(z) => vec![*z],
        _ => (0..each).map(|k| piece.at(k as f64 / (each - 1) as f64)).collect(),
    };
    pieces.iter().map(line).collect()
}

/// Part of a boundary between two corners.
enum Piece {
    Segment(Complex64, Complex64),
    /// Circular arc about a center on the real axis, between two angles.
    Arc {
        center: f64,
        radius: f64,
        angles: [f64; 2],
    },
    Point(Complex64),
}

impl Piece {
    fn at(&self, t: f64) -> Complex64 {
        match *self {
            // This form is exact at both ends.
            Self::Segment(from, to) => from * (1.0 - t) + to * t,
            Self::Arc { center, radius, angles: [from, to] } => {
                center + Complex64::from_polar(radius, from * (1.0 - t) + to * t)
            }
            Self::Point(z) => z,
        }
    }
}

fn pieces(spectrum: &Spectrum, scale: f64) -> Vec<Piece> {
    let point = |x: f64, y: f64| Complex64::new(x, y) * scale;
    let segment = |from, to| Piece::Segment(from, to);
    let origin = Complex64::ZERO;
    let left = std::f64::consts::PI;
    let arc = |from: f64, to: f64| Piece::Arc { center: 0.0, radius: scale, angles: [from, to] };
    match spectrum {
        Spectrum::Axis(Axis::Imaginary) => vec![segment(origin, point(0.0, 1.0))],
        Spectrum::Axis(Axis::Real) => vec![segment(origin, point(-1.0, 0.0))],
        Spectrum::ImaginaryWithReal { extent } => {
            vec![segment(origin, point(0.0, 1.0)), segment(origin, Complex64::from(-extent))]
        }
        Spectrum::Disk => vec![Piece::Arc { center: -scale, radius: scale, angles: [0.0, left] }],
        Spectrum::Wedge { degrees } => {
            let angle = degrees.to_radians();
            vec![segment(origin, Complex64::from_polar(scale, left - angle)), arc(left - angle, left)]
        }
        Spectrum::Rectangle { width, height } => {
            let corners = [origin, point(0.0, *height), point(-width, *height), point(-width, 0.0)];
            corners.windows(2).map(|ends| segment(ends[0], ends[1])).collect()
        }
        Spectrum::Rays { least, greatest } => {
            let [first, last] = [least, greatest].map(|zeta| left - zeta.acos());
            let end = |angle| Complex64::from_polar(scale, angle);
            vec![segment(origin, end(first)), arc(first, last), segment(end(last), origin)]
        }
        Spectrum::Intervals(intervals) => {
            intervals.iter().map(|&(low, high)| segment(point(high, 0.0), point(low, 0.0))).collect()
        }
        Spectrum::Eigenvalues(values) => values.iter().map(|z| Piece::Point(point(z.re, z.im.abs()))).collect(),
        _ => Vec::new(),
    }
}
