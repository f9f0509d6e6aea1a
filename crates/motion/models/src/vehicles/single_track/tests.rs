use super::car::SingleTrack;
use nalgebra::{Matrix2, Vector2};

/// Computes the rates of β and ω without drive, drag and rolling resistance: only lateral forces act.
fn lateral(car: &SingleTrack, v: f64, beta: f64, omega: f64, delta: f64) -> [f64; 2] {
    let [front, rear] = car.lateral_forces(v, beta, omega, delta);
    let slip = omega - (rear * beta.cos() + front * (delta + beta).cos()) / (car.mass * v);
    [slip, (front * car.arms[0] * delta.cos() - rear * car.arms[1]) / car.yaw_inertia]
}

/// Returns the cornering stiffnesses BCD.
fn cornering(car: &SingleTrack) -> [f64; 2] {
    [0, 1].map(|axle| car.stiffness[axle] * car.shape[axle] * car.peak[axle])
}

/// Returns A and b of (β, ω)' = A (β, ω) + b δ for small angles. The paper's β is positive if the car's nose points
/// left of its course.
fn linear(car: &SingleTrack, v: f64) -> (Matrix2<f64>, Vector2<f64>) {
    let ([c, d], [p, q], m, i) = (cornering(car), car.arms, car.mass, car.yaw_inertia);
    // The slip angles are δ − (pω − vβ)/v at the front and (qω + vβ)/v at the rear.
    let a = Matrix2::new(
        -(c + d) / (m * v),
        1.0 + (c * p - d * q) / (m * v * v),
        (c * p - d * q) / i,
        -(c * p * p + d * q * q) / (i * v),
    );
    (a, Vector2::new(-c / (m * v), c * p / i))
}

#[test]
fn a_steady_circle_has_the_radius_of_the_textbook() {
    // ω/δ = v/(l + K v²) with K = m (q/C_f − p/C_r)/l (Mitschke & Wallentowitz, Dynamik der Kraftfahrzeuge, §21).
    let car = SingleTrack::default();
    let ([c, d], [p, q], m) = (cornering(&car), car.arms, car.mass);
    let wheelbase = p + q;
    for v in [5.0, 15.0, 25.0, 40.0] {
        let gradient = m * (q / c - p / d) / wheelbase;
        let gain = v / (wheelbase + gradient * v * v);
        for delta in [1e-5, 1e-4] {
            let (mut beta, mut omega) = (0.0, gain * delta);
            for _ in 0..20 {
                let here = lateral(&car, v, beta, omega, delta);
                let (a, _) = linear(&car, v);
                let step = a.lu().solve(&-Vector2::new(here[0], here[1])).unwrap();
                (beta, omega) = (beta + step[0], omega + step[1]);
            }
            let rest = lateral(&car, v, beta, omega, delta);
            assert!(rest.iter().all(|rest| rest.abs() < 1e-13), "{rest:?}");
            // Pacejka's curve deviates from its tangent with the square of the slip: BC²… < 200 α² here.
            assert!(
                (omega / (gain * delta) - 1.0).abs() < 300.0 * delta * delta + 1e-10,
                "{v} {delta}: {}",
                omega / (gain * delta) - 1.0
            );
        }
    }
}

#[test]
fn a_step_of_the_steering_wheel_is_answered_as_by_the_linear_car() {
    let car = SingleTrack { drag: 0.0, ..SingleTrack::default() };
    let (v, delta, end, steps) = (20.0, 1e-5, 0.4, 4000);
    let (a, b) = linear(&car, v);
    // z(t) = A⁻¹(e^{At} − 1) b δ.
    let exact = a.lu().solve(&(((a * end).exp() - Matrix2::identity()) * b * delta)).unwrap();
    let h = end / f64::from(steps);
    let (mut beta, mut omega) = (0.0, 0.0);
    for _ in 0..steps {
        let k = lateral(&car, v, beta, omega, delta);
        let middle = lateral(&car, v, beta + h / 2.0 * k[0], omega + h / 2.0 * k[1], delta);
        (beta, omega) = (beta + h * middle[0], omega + h * middle[1]);
    }
    assert!(
        (beta - exact[0]).abs() < 1e-6 * exact[0].abs() && (omega - exact[1]).abs() < 1e-6 * exact[1].abs(),
        "{beta} {omega} {exact}"
    );
}

#[test]
fn linear_tires_are_the_tangent_of_pacejkas() {
    let car = SingleTrack::default();
    for v in [8.0, 30.0] {
        let (a, b) = linear(&car, v);
        let e = 1e-6;
        let slope = |k: usize| -> [f64; 2] {
            let mut ends = [[0.0; 3]; 2];
            (ends[0][k], ends[1][k]) = (-e, e);
            let [f, g] = ends.map(|z| lateral(&car, v, z[0], z[1], z[2]));
            [(g[0] - f[0]) / (2.0 * e), (g[1] - f[1]) / (2.0 * e)]
        };
        for row in 0..2 {
            for column in 0..2 {
                assert!((slope(column)[row] - a[(row, column)]).abs() < 1e-7 * (1.0 + a[(row, column)].abs()));
            }
            assert!((slope(2)[row] - b[row]).abs() < 1e-7 * (1.0 + b[row].abs()));
        }
    }
}

#[test]
fn the_whole_equations_turn_with_the_road() {
    // Translation and rotation leave the car's motion unchanged, and reflection reflects it.
    let car = SingleTrack::default();
    let state = [3.0, -1.0, 22.0, 0.05, 0.3, -0.2, 0.08];
    let here = car.rate(&state, 0.1);
    let turned = car.rate(&[-7.0, 4.0, 22.0, 0.05, 0.3 + 1.1, -0.2, 0.08], 0.1);
    let (sin, cos) = f64::sin_cos(1.1);
    assert!((turned[0] - (cos * here[0] - sin * here[1])).abs() < 1e-13);
    assert!((turned[1] - (sin * here[0] + cos * here[1])).abs() < 1e-13);
    assert!((2..7).all(|k| (turned[k] - here[k]).abs() < 1e-13));
    let mirrored = car.rate(&[3.0, 1.0, 22.0, -0.05, -0.3, 0.2, -0.08], -0.1);
    for (k, sign) in [1.0, -1.0, 1.0, -1.0, -1.0, -1.0, -1.0].into_iter().enumerate() {
        assert!((mirrored[k] - sign * here[k]).abs() < 1e-13);
    }
}
