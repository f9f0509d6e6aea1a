//! Curves: forces over deflections or speeds, commands over time, heights over a path.

use crate::algebra::number::Number;
use crate::error::MachineError;
use crate::machine::values::finite;

/// A function of one variable.
///
/// ```
/// use hemiola_multibody::Characteristic;
/// let damper = Characteristic::table(&[[-1.0, -3000.0], [0.0, 0.0], [1.0, 1000.0]]);
/// assert_eq!((damper.at(-1.0), damper.at(0.0), damper.at(2.0)), (-3000.0, 0.0, 2000.0));
/// assert_eq!(Characteristic::linear(4.0).at(0.5), 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Characteristic {
    points: Vec<[f64; 2]>,
    slopes: Vec<f64>,
}

impl Characteristic {
    /// Creates the line slope · x.
    #[must_use]
    pub fn linear(slope: f64) -> Self {
        Self { points: vec![[0.0, 0.0]], slopes: vec![slope] }
    }

    /// Creates a constant.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { points: vec![[0.0, value]], slopes: vec![0.0] }
    }

    /// Interpolates points (x, y) with increasing x. Beyond them the curve is linear, with the slopes of the outer
    /// pieces.
    ///
    /// Between the points it is a cubic with continuous slopes that does not overshoot (Fritsch & Carlson 1980, with
    /// the slopes of Brodlie): a corner would reduce the order of a method. Second derivatives jump at the points,
    /// where methods of order above three lose some accuracy.
    #[must_use]
    pub fn table(points: &[[f64; 2]]) -> Self {
        let rise = |k: usize| (points[k + 1][1] - points[k][1]) / (points[k + 1][0] - points[k][0]);
        let last = points.len().saturating_sub(1);
        let slope = |k: usize| match k {
            _ if last == 0 => 0.0,
            0 => rise(0),
            k if k == last => rise(last - 1),
            k => {
                let (before, after) = (rise(k - 1), rise(k));
                if before * after <= 0.0 {
                    return 0.0;
                }
                let [h, g] = [points[k][0] - points[k - 1][0], points[k + 1][0] - points[k][0]];
                let weight = (h + 2.0 * g) / (3.0 * (h + g));
                before * after / (weight * after + (1.0 - weight) * before)
            }
        };
        Self { points: points.to_vec(), slopes: (0..points.len()).map(slope).collect() }
    }

    /// Returns the value at x.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.value(x)
    }

    /// Returns the interpolated points.
    #[must_use]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    pub(crate) fn value<N: Number>(&self, x: N) -> N {
        match self.piece(x.re()) {
            Piece::Line([x0, y0], slope) => (x - x0) * slope + y0,
            Piece::Cubic(k) => {
                let (u, [a, b, c, d], _) = self.cubic(k, x);
                ((u * d + c) * u + b) * u + a
            }
        }
    }

    /// Returns the derivative.
    pub(crate) fn slope<N: Number>(&self, x: N) -> N {
        match self.piece(x.re()) {
            Piece::Line(_, slope) => N::constant(slope),
            Piece::Cubic(k) => {
                let (u, [_, b, c, d], width) = self.cubic(k, x);
                ((u * (3.0 * d) + 2.0 * c) * u + b) / width
            }
        }
    }

    /// Returns the integral from the first point, which is x = 0 for curves of one point.
    pub(crate) fn integral<N: Number>(&self, x: N) -> N {
        let line = |[x0, y0]: [f64; 2], slope: f64| (x - x0) * ((x - x0) * (slope / 2.0) + y0);
        let last = self.points.len().saturating_sub(1);
        let whole = |k: usize| {
            let (_, [a, b, c, d], width) = self.cubic(k, 0.0);
            width * (a + b / 2.0 + c / 3.0 + d / 4.0)
        };
        match self.piece(x.re()) {
            Piece::Line(point, slope) if self.points.first().is_none_or(|first| x.re() <= first[0]) => {
                line(point, slope)
            }
            Piece::Line(point, slope) => line(point, slope) + (0..last).map(whole).sum::<f64>(),
            Piece::Cubic(k) => {
                let (u, [a, b, c, d], width) = self.cubic(k, x);
                let part = (((u * (d / 4.0) + c / 3.0) * u + b / 2.0) * u + a) * u * width;
                part + (0..k).map(whole).sum::<f64>()
            }
        }
    }

    fn piece(&self, x: f64) -> Piece {
        let ends = self.points.first().zip(self.points.last());
        // A curve without points, which no machine accepts, is zero.
        let Some((first, last)) = ends else { return Piece::Line([0.0; 2], 0.0) };
        if x <= first[0] {
            Piece::Line(*first, self.slopes[0])
        } else if x >= last[0] || x.is_nan() {
            Piece::Line(*last, self.slopes[self.points.len() - 1])
        } else {
            Piece::Cubic(self.points.partition_point(|point| point[0] <= x) - 1)
        }
    }

    /// Returns the position within a piece from 0 to 1, the coefficients of its polynomial, and the width of the piece.
    fn cubic<N: Number>(&self, k: usize, x: N) -> (N, [f64; 4], f64) {
        let ([x0, y0], [x1, y1]) = (self.points[k], self.points[k + 1]);
        let width = x1 - x0;
        let [s0, s1] = [self.slopes[k] * width, self.slopes[k + 1] * width];
        ((x - x0) / width, [y0, s0, 3.0 * (y1 - y0) - 2.0 * s0 - s1, s0 + s1 - 2.0 * (y1 - y0)], width)
    }

    pub(crate) fn check(&self, place: &str) -> Result<(), MachineError> {
        finite(place, &self.slopes)?;
        self.points.iter().try_for_each(|point| finite(place, point))?;
        if self.points.is_empty() || self.points.windows(2).any(|pair| pair[0][0] >= pair[1][0]) {
            let (place, found) = (place.to_owned(), format!("{:?}", self.points));
            return Err(MachineError::Value { place, found, expected: "one or more points with increasing abscissae" });
        }
        Ok(())
    }
}

enum Piece {
    Line([f64; 2], f64),
    Cubic(usize),
}

#[cfg(test)]
mod tests {
    use super::Characteristic;
    use num_dual::Dual64;

    #[test]
    fn values_slopes_and_integrals_belong_together() {
        let curve = Characteristic::table(&[[-2.0, -1.0], [-1.0, -0.9], [0.5, 2.0], [3.0, 2.0], [4.0, -1.0]]);
        for x in [-5.0, -2.0, -1.7, -1.0, 0.0, 0.4, 0.5, 1.0, 3.0, 3.3, 4.0, 9.0] {
            let dual = Dual64::new(x, 1.0);
            let slope = curve.value(dual).eps;
            assert!((slope - curve.slope(x)).abs() < 1e-14, "{x}");
            assert!((curve.integral(dual).eps - curve.at(x)).abs() < 1e-14, "{x}");
        }
        // Values, slopes and integrals are continuous at the points.
        for x in [-2.0f64, -1.0, 0.5, 3.0, 4.0] {
            let (left, right) = (x - 1e-12, x + 1e-12);
            assert!(
                (curve.at(left) - curve.at(right)).abs() < 1e-11
                    && (curve.slope(left) - curve.slope(right)).abs() < 1e-10
            );
            assert!((curve.integral(left) - curve.integral(right)).abs() < 1e-11);
        }
        // The curve is flat between equal values and monotone where the points are.
        assert_eq!((curve.at(1.0), curve.at(2.9)), (2.0, 2.0));
        assert!((0..150).all(|k| curve.slope(-1.0 + 0.01 * f64::from(k)) >= 0.0));
    }
}
