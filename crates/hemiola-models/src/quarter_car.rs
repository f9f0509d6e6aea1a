//! The quarter car: a quarter of a vehicle's body on its suspension, and a wheel on its tyre.

use crate::model::{Kind, Parameter};

const fn parameter(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Parameter {
    // Round numbers of the size of a passenger car's.
    Parameter { name, meaning, value, unit, source: "typical passenger car", may_vanish: false }
}

/// m_b x_b'' = −k (x_b − x_w) − c (x_b' − x_w'), m_w x_w'' = k (x_b − x_w) + c (x_b' − x_w') − k_t x_w, about the static equilibrium on
/// a flat road. The wheel is fast.
pub(crate) static KIND: Kind = Kind {
    name: "quarter-car",
    variables: &["body position", "body speed", "wheel position", "wheel speed"],
    partition: &[0, 0, 1, 1],
    parameters: &[
        parameter("body-mass", "a quarter of the body", 290.0, "kg"),
        parameter("wheel-mass", "wheel and hub", 40.0, "kg"),
        parameter("suspension-stiffness", "spring", 16_200.0, "N/m"),
        Parameter { may_vanish: true, ..parameter("suspension-damping", "damper", 1000.0, "N s/m") },
        parameter("tyre-stiffness", "tyre", 191_000.0, "N/m"),
    ],
    jacobian,
};

fn jacobian(values: &[f64]) -> Vec<Vec<f64>> {
    let &[body, wheel, k, c, tyre] = values else { return Vec::new() };
    vec![
        vec![0.0, 1.0, 0.0, 0.0],
        vec![-k / body, -c / body, k / body, c / body],
        vec![0.0, 0.0, 0.0, 1.0],
        vec![k / wheel, c / wheel, -(k + tyre) / wheel, -c / wheel],
    ]
}

#[cfg(test)]
mod tests {
    use crate::model::model;
    use hemiola_stability::real_eigenvalues;

    #[test]
    fn undamped_frequencies_solve_the_biquadratic() {
        let (m, w, k, t) = (290.0, 40.0, 16_200.0, 191_000.0);
        let car = model("quarter-car", &[("suspension-damping", 0.0)]).unwrap();
        // m w ω⁴ − (k w + (k + t) m) ω² + k t = 0.
        let (b, discriminant) = (k * w + (k + t) * m, f64::powi(k * w + (k + t) * m, 2) - 4.0 * m * w * k * t);
        let mut found: Vec<f64> =
            real_eigenvalues(&car.jacobian).unwrap().iter().map(|value| value.im).filter(|im| *im > 0.0).collect();
        found.sort_by(f64::total_cmp);
        for (found, sign) in found.iter().zip([-1.0, 1.0]) {
            let expected = ((b + sign * discriminant.sqrt()) / (2.0 * m * w)).sqrt();
            assert!((found / expected - 1.0).abs() < 1e-10, "{found} {expected}");
        }
        // The body bounces at about 1.14 Hz, the wheel hops at about 11.5 Hz.
        assert!(
            (found[0] / std::f64::consts::TAU - 1.14).abs() < 0.01
                && (found[1] / std::f64::consts::TAU - 11.46).abs() < 0.02
        );
    }

    #[test]
    fn energy_is_lost_in_the_damper_alone() {
        let car = model("quarter-car", &[]).unwrap();
        let [body, wheel, k, c, tyre] = [0, 1, 2, 3, 4].map(|i| car.parameters[i].value);
        for q in [[0.01, -0.3, 0.02, 1.0], [-0.05, 0.2, 0.0, -0.4], [0.0, 1.0, -0.01, 1.0]] {
            let rate: Vec<f64> = car.jacobian.iter().map(|row| row.iter().zip(q).map(|(j, q)| j * q).sum()).collect();
            let [x, v, y, u] = q;
            // E = m v²/2 + w u²/2 + k (x − y)²/2 + t y²/2.
            let power =
                body * v * rate[1] + wheel * u * rate[3] + k * (x - y) * (rate[0] - rate[2]) + tyre * y * rate[2];
            assert!((power + c * (v - u).powi(2)).abs() < 1e-9 * (1.0 + power.abs()), "{power}");
        }
    }

    #[test]
    fn a_load_on_the_body_compresses_both_springs() {
        // J q + F/m e = 0: the springs carry the same force F.
        let car = model("quarter-car", &[]).unwrap();
        let force = 500.0;
        let wheel = -force / 191_000.0;
        let q = [wheel - force / 16_200.0, 0.0, wheel, 0.0];
        let load = [0.0, -force / 290.0, 0.0, 0.0];
        for (row, load) in car.jacobian.iter().zip(load) {
            let rate: f64 = row.iter().zip(q).map(|(j, q)| j * q).sum();
            assert!((rate + load).abs() < 1e-12);
        }
    }
}
