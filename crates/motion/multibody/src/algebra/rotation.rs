//! Rotations by axis and angle, and by quaternions (w, x, y, z).

use crate::algebra::number::Number;
use crate::algebra::vector::{Mat3, Vec3};

impl<N: Number> Mat3<N> {
    /// Computes self · (rotation by an angle about a constant unit axis).
    ///
    /// It applies Rodrigues's formula to each row.
    pub(crate) fn turned(&self, axis: [f64; 3], angle: N) -> Self {
        let (sin, cos) = angle.sin_cos();
        let [x, y, z] = axis;
        Self(self.0.map(|row| {
            // A row w becomes (cos + (1 − cos) u uᵀ) w − sin (u × w).
            let along = (row[0] * x + row[1] * y + row[2] * z) * (N::one() - cos);
            let turned = [row[1] * z - row[2] * y, row[2] * x - row[0] * z, row[0] * y - row[1] * x];
            [
                row[0] * cos + along * x + turned[0] * sin,
                row[1] * cos + along * y + turned[1] * sin,
                row[2] * cos + along * z + turned[2] * sin,
            ]
        }))
    }

    /// Returns the rotation of a nonzero quaternion of any length. Drift of the length during integration does not
    /// matter.
    pub(crate) fn from_quaternion(q: [N; 4]) -> Self {
        let [w, x, y, z] = q;
        let scale = (w * w + x * x + y * y + z * z).recip() * 2.0;
        let [xs, ys, zs] = [x * scale, y * scale, z * scale];
        let [wx, wy, wz] = [w * xs, w * ys, w * zs];
        let [xx, xy, xz, yy, yz, zz] = [x * xs, x * ys, x * zs, y * ys, y * zs, z * zs];
        let one = N::one();
        Self([[one - yy - zz, xy - wz, xz + wy], [xy + wz, one - xx - zz, yz - wx], [xz - wy, yz + wx, one - xx - yy]])
    }
}

/// Computes q' = ½ q ∘ (0, ω), with ω in the rotated axes.
pub(crate) fn quaternion_rate<N: Number>(q: [N; 4], omega: Vec3<N>) -> [N; 4] {
    let [w, x, y, z] = q;
    let Vec3([a, b, c]) = omega * N::constant(0.5);
    [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a]
}

/// Rotates a quaternion by a small rotation in its own axes and normalizes it.
pub(crate) fn quaternion_moved<N: Number>(q: [N; 4], by: Vec3<N>) -> [N; 4] {
    let rate = quaternion_rate(q, by);
    normalized([0, 1, 2, 3].map(|k| q[k] + rate[k]))
}

/// Computes q/|q|.
pub(crate) fn normalized<N: Number>(q: [N; 4]) -> [N; 4] {
    let [w, x, y, z] = q;
    let scale = (w * w + x * x + y * y + z * z).sqrt().recip();
    q.map(|entry| entry * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_and_quaternion_agree() {
        let axis = [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0];
        for angle in [0.0f64, 1e-9, 0.7, 3.0, -2.0, 40.0] {
            let (s, c) = (angle / 2.0).sin_cos();
            // A quaternion of length five.
            let q = [5.0 * c, 5.0 * s * axis[0], 5.0 * s * axis[1], 5.0 * s * axis[2]];
            let (turned, other) = (Mat3::identity().turned(axis, angle), Mat3::from_quaternion(q));
            for i in 0..3 {
                for j in 0..3 {
                    assert!((turned.0[i][j] - other.0[i][j]).abs() < 1e-15, "{turned:?} {other:?}");
                }
            }
            // The axis is invariant, and a perpendicular vector rotates counterclockwise about it.
            let stays = turned.times_constant(axis);
            assert!((0..3).all(|k| (stays.0[k] - axis[k]).abs() < 1e-15));
        }
        let z = Mat3::identity().turned([0.0, 0.0, 1.0], 0.1).times_constant([1.0, 0.0, 0.0]);
        assert!((z.0[1] - 0.1f64.sin()).abs() < 1e-16);
    }

    #[test]
    fn quaternions_turn_as_their_rate_says() {
        let (q, omega) = ([0.5, -0.5, 0.5, 0.5], Vec3([0.3, -1.0, 2.0]));
        let h = 1e-5;
        let moved = |h: f64| Mat3::from_quaternion(quaternion_moved(q, omega * h));
        let (back, ahead, here) = (moved(-h), moved(h), Mat3::from_quaternion(q));
        // Ṙ = R ω̃: column k of Ṙ is R (ω × eₖ).
        for k in 0..3 {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let rate = here.times(omega.cross(Vec3(unit)));
            for i in 0..3 {
                let difference = (ahead.0[i][k] - back.0[i][k]) / (2.0 * h);
                assert!((difference - rate.0[i]).abs() < 1e-9);
            }
        }
    }
}
