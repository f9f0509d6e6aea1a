//! Integrates a custom system, with a cheap fast part and an expensive slow part, by two methods.
//!
//! A heavy pendulum carries a light, stiff antenna. The classical Runge–Kutta method evaluates both parts at every
//! stage. The dual-rate method of the same order evaluates the antenna eight times and the pendulum four times in a
//! step.
//!
//! ```console
//! $ cargo run --release -p hemiola --example integrate_your_own_system
//! ```
//!
//! prints, for each number of steps, the error of the pendulum at the end and the evaluations of the slow and the
//! fast part:
//!
//! ```text
//! rk4
//!      100 steps     unstable    400    400
//!      200 steps       3.0e-7    800    800
//!      400 steps       1.9e-8   1600   1600
//!      800 steps       1.2e-9   3200   3200
//!     observed order 4.0
//! hemiola-4-8
//!      100 steps       5.0e-4    400    800
//!      200 steps       9.8e-6    800   1600
//!      400 steps       4.5e-7   1600   3200
//!      800 steps       2.7e-8   3200   6400
//!     observed order 4.1
//! ```
//!
//! With 100 steps the fast part has hω = 4, which exceeds the limit 2.83 of the classical method.

use std::error::Error;
use std::io::Write;

use hemiola::integrate::{AnyStepper, Comparison, Extras, Reference, System, observed_order};
use hemiola::tableau::library;

/// The system θ'' = −sin θ − ετ, φ'' = τ with τ = ω²(θ − φ) + 2ζω(θ' − φ'): slow variables θ, θ', then fast
/// variables φ, φ'.
struct Antenna {
    mass_ratio: f64,
    frequency: f64,
    damping: f64,
}

impl System for Antenna {
    fn sizes(&self) -> &[usize] {
        &[2, 2]
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let &[theta, spin, phi, whip] = y else { return };
        let torque = self.frequency.powi(2) * (theta - phi) + 2.0 * self.damping * self.frequency * (spin - whip);
        match partition {
            0 => rate.copy_from_slice(&[spin, -theta.sin() - self.mass_ratio * torque]),
            _ => rate.copy_from_slice(&[whip, torque]),
        }
    }
}

/// The final time; the run starts at zero.
const END: f64 = 10.0;
/// The initial state: the pendulum is released from rest, with the antenna in line with it.
const START: [f64; 4] = [1.0, 0.0, 1.0, 0.0];

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let antenna = Antenna { mass_ratio: 1e-3, frequency: 40.0, damping: 0.05 };
    let span = [0.0, END];
    let (reference, _) = Reference::computed(&antenna, span, &START, 0.1, &())
        .map_err(|outcome| format!("no solution to compare with: {outcome:?}"))?;
    let compared = Comparison { system: &antenna, span, start: &START, reference: &reference, variables: &[0, 1] };
    for id in ["rk4", "hemiola-4-8"] {
        let method = library::method(id)?;
        let stepper = AnyStepper::new(&method, &antenna, Extras::default())?;
        let samples = [100, 200, 400, 800].map(|steps| compared.sample(&mut stepper.clone(), steps, &()));
        writeln!(out, "{id}")?;
        for sample in &samples {
            let error = if sample.error < 1.0 { format!("{:.1e}", sample.error) } else { "unstable".to_owned() };
            writeln!(
                out,
                "    {:4} steps {error:>12} {:6} {:6}",
                sample.steps, sample.evaluations[0], sample.evaluations[1]
            )?;
        }
        let order = observed_order(&samples, reference.uncertainty).ok_or("no error shows an order")?;
        writeln!(out, "    observed order {order:.1}")?;
    }
    Ok(())
}
