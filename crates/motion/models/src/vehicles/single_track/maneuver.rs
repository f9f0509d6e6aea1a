//! The single-track car as a model with sinusoidal steering, δ = A sin(2πt/P).

use super::car::SingleTrack;
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

const PAPER: &str = "Gerdts 2005, the same car";

const fn car(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Parameter {
    Parameter::new(name, meaning, value, unit).from(PAPER)
}

pub(crate) static KIND: ModelKind = ModelKind {
    name: "single-track",
    title: "single-track car with Pacejka's tires and sinusoidal steering",
    parameters: &[
        car("mass", "mass", 1239.0, "kg"),
        car("yaw-inertia", "moment of inertia about the vertical", 1752.0, "kg m²"),
        car("front-arm", "from the center of mass to the front axle", 1.190_16, "m"),
        car("rear-arm", "from the center of mass to the rear axle", 1.374_84, "m"),
        car("wheel-radius", "radius of the wheels", 0.302, "m"),
        car("drag", "drag coefficient", 0.3, "1").within(AdmissibleValues::NotNegative),
        car("front-stiffness", "B of the front tires", 10.96, "1"),
        car("rear-stiffness", "B of the rear tires", 12.67, "1"),
        car("front-shape", "C of the front tires", 1.3, "1"),
        car("rear-shape", "C of the rear tires", 1.3, "1"),
        car("front-peak", "D of the front tires", 4560.40, "N"),
        car("rear-peak", "D of the rear tires", 3947.81, "N"),
        car("front-curvature", "E of the front tires", -0.5, "1").within(AdmissibleValues::Real),
        car("rear-curvature", "E of the rear tires", -0.5, "1").within(AdmissibleValues::Real),
        Parameter::new("gear", "gear", 4.0, "1").within(AdmissibleValues::Gear),
        Parameter::new("pedal", "accelerator pedal", 0.0, "1").within(AdmissibleValues::Fraction),
        Parameter::new("brake", "braking force", 0.0, "N").within(AdmissibleValues::NotNegative),
        Parameter::new("speed", "initial speed", 25.0, "m/s"),
        Parameter::new("steer", "amplitude of the steering angle", 0.03, "rad").within(AdmissibleValues::Real),
        Parameter::new("steer-period", "period of steering", 2.0, "s"),
        Parameter::choice("yaw-equation", "without or with the moment of the front wheel's pull", &["paper", "full"]),
    ],
    build: |values| {
        let both = |key: &str| [values.of(&format!("front-{key}")), values.of(&format!("rear-{key}"))];
        let car = SingleTrack {
            mass: values.of("mass"),
            yaw_inertia: values.of("yaw-inertia"),
            arms: both("arm"),
            wheel_radius: values.of("wheel-radius"),
            drag: values.of("drag"),
            stiffness: both("stiffness"),
            shape: both("shape"),
            peak: both("peak"),
            curvature: both("curvature"),
            gear: values.of("gear") as u8,
            pedal: values.of("pedal"),
            brake: values.of("brake"),
            has_front_moment: values.is("yaw-equation", "full"),
            ..SingleTrack::default()
        };
        let pulse = std::f64::consts::TAU / values.of("steer-period");
        let steered = Steered { car, amplitude: values.of("steer"), pulse };
        let initial = vec![0.0, 0.0, values.of("speed"), 0.0, 0.0, 0.0, 0.0];
        let built = ModelParts::new(&VARIABLES, &[7], steered).starting(initial);
        Some(built.lasting(4.0).drawing(&[1, 3, 5, 6]))
    },
};

const VARIABLES: [(&str, &str); 7] = [
    ("x", "m"),
    ("y", "m"),
    ("speed", "m/s"),
    ("side slip angle", "rad"),
    ("yaw angle", "rad"),
    ("yaw rate", "rad/s"),
    ("steering angle", "rad"),
];

struct Steered {
    car: SingleTrack,
    amplitude: f64,
    pulse: f64,
}

impl Equations for Steered {
    fn rate<N: Number>(&self, _partition: usize, t: f64, y: &[N], rate: &mut [N]) {
        let Ok(state) = <&[N; 7]>::try_from(y) else { return };
        let turn = self.amplitude * self.pulse * (self.pulse * t).cos();
        for (rate, value) in rate.iter_mut().zip(self.car.lift::<N>().rate(state, turn.into())) {
            *rate = value;
        }
    }
}
