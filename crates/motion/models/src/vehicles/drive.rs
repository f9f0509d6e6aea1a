//! Inputs of a vehicle: torque over time, and the road over distance.

use crate::equations::Number;
use crate::parameter::{AdmissibleValues, Parameter};

/// Parameters of a [`Drive`] and a [`UndulatingRoad`].
pub(crate) const PARAMETERS: [Parameter; 5] = [
    Parameter::new("speed", "initial speed", 20.0, "m/s"),
    Parameter::new("torque-pulse", "height of the torque's pulses, each wheel", 100.0, "N m")
        .within(AdmissibleValues::NotNegative),
    Parameter::new("torque-period", "period of the torque's pulses", 2.5, "s"),
    Parameter::new("road-amplitude", "amplitude of the road's long wave", 0.002, "m")
        .within(AdmissibleValues::NotNegative),
    Parameter::new("road-wavelength", "length of the road's long wave", 2.0, "m"),
];

/// The torque on each wheel, M + P sin²(πt/T): M keeps a steady speed, the pulses accelerate.
#[derive(Clone, Copy)]
pub(crate) struct Drive {
    pub(crate) steady: f64,
    pub(crate) pulse: f64,
    pub(crate) period: f64,
}

impl Drive {
    pub(crate) fn torque(&self, t: f64) -> f64 {
        self.steady + self.pulse * (std::f64::consts::PI * t / self.period).sin().powi(2)
    }
}

/// Distance at which the road's undulation sets in, in m.
const ONSET: f64 = 20.0;

/// A smooth undulation of height w(x) A (sin κx + sin(4κx)/10) at x. The factor w(x) = 1 − exp(−(x/20 m)⁴) leaves the
/// road flat where the vehicle starts.
#[derive(Clone, Copy)]
pub(crate) struct UndulatingRoad {
    pub(crate) amplitude: f64,
    pub(crate) wavelength: f64,
}

impl UndulatingRoad {
    pub(crate) const FLAT: Self = Self { amplitude: 0.0, wavelength: 1.0 };

    /// Returns the height at x, and its slope.
    pub(crate) fn profile<N: Number>(&self, x: N) -> (N, N) {
        if self.amplitude == 0.0 {
            return (N::from(0.0), N::from(0.0));
        }
        let wave = std::f64::consts::TAU / self.wavelength;
        // Apply the double-angle formulas twice.
        let (sin, cos) = (x * wave).sin_cos();
        let (sin_two, cos_two) = (sin * cos * 2.0, cos * cos * 2.0 - 1.0);
        let (sin_four, cos_four) = (sin_two * cos_two * 2.0, cos_two * cos_two * 2.0 - 1.0);
        let shape = sin + sin_four * 0.1;
        let shape_slope = (cos + cos_four * 0.4) * wave;
        let far = x / ONSET;
        if far.re().abs() > 3.0 {
            // exp(−3⁴) is 1e-35.
            return (shape * self.amplitude, shape_slope * self.amplitude);
        }
        let cube = far * far * far;
        let decay = (-(cube * far)).exp();
        let height = (-decay + 1.0) * shape;
        let slope = (-decay + 1.0) * shape_slope + decay * cube * shape * (4.0 / ONSET);
        (height * self.amplitude, slope * self.amplitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_dual::Dual64;

    #[test]
    fn the_slope_is_the_derivative_of_the_height() {
        let road = UndulatingRoad { amplitude: 0.01, wavelength: 1.7 };
        for x in [-1.3, 0.0, 4.0, 15.0, 21.0, 59.0, 61.0, 300.0] {
            let (height, slope) = road.profile(Dual64::new(x, 1.0));
            // κx is rounded to ε of its size.
            assert!((height.eps - slope.re).abs() < 1e-15 * (10.0 + x.abs()), "{x}");
        }
        // Comparison with the formula itself.
        let wave = std::f64::consts::TAU / 1.7;
        let expected = 0.01 * (1.0 - f64::exp(-1.0)) * ((20.0 * wave).sin() + 0.1 * (80.0 * wave).sin());
        assert!((road.profile(20.0).0 - expected).abs() < 1e-14);
        // At the start, the road under the vehicle is flat to 1e-4 of its amplitude.
        assert!(road.profile(1.5).0.abs() < 1e-4 * 0.01);
    }

    #[test]
    fn pulses_begin_and_end_at_the_steady_torque() {
        let drive = Drive { steady: 30.0, pulse: 100.0, period: 2.0 };
        assert!((drive.torque(0.0) - 30.0).abs() < 1e-13 && (drive.torque(2.0) - 30.0).abs() < 1e-13);
        assert!((drive.torque(1.0) - 130.0).abs() < 1e-13);
    }
}
