//! Integrates a system of one's own, whose fast part is cheap and whose slow part is expensive, with two methods.
//!
//! A heavy pendulum carries a light, stiff antenna. The classical Runge–Kutta method evaluates both parts at every stage; the
//! dual-rate method evaluates the antenna eight times and the pendulum four times in a step of the same order.
//!
//! ```console
//! $ cargo run --release -p hemiola --example integrate_your_own_system
//! ```
//!
//! prints, for each number of steps, the error at the end and how often the slow part was evaluated:
//!
//! ```text
//! ```

use std::error::Error;
use std::io::Write;

use hemiola::integrate::{AnyStepper, Comparison, Extras, Reference, System, observed_order};
use hemiola::tableau::library;

/// θ'' = −sin θ − ε(θ − φ), φ'' = −ω²(φ − θ) − 2ζω(φ' − θ'): first the slow θ, θ', then the fast φ, φ'.
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

/// From zero to this time.
const END: f64 = 10.0;
/// The pendulum is let go, with the antenna in line with it.
const START: [f64; 4] = [1.0, 0.0, 1.0, 0.0];

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let antenna = Antenna { mass_ratio: 1e-3, frequency: 20.0, damping: 0.05 };
    let span = [0.0, END];
    let (reference, _) = Reference::computed(&antenna, span, &START, 0.1, &|| true)
        .map_err(|outcome| format!("no solution to compare with: {outcome:?}"))?;
    let compared = Comparison { system: &antenna, span, start: &START, reference: &reference, variables: &[0, 1] };
    for id in ["rk4", "hemiola-4-8"] {
        let method = library::method(id)?;
        let stepper = AnyStepper::new(&method, &antenna, Extras::default())?;
        let samples = [100, 200, 400, 800].map(|steps| compared.sample(&mut stepper.clone(), steps, &|| true));
        writeln!(out, "{id}")?;
        for sample in &samples {
            writeln!(out, "    {:4} steps: {:8.1e} {:6}", sample.steps, sample.error, sample.evaluations[0])?;
        }
        let order = observed_order(&samples, reference.uncertainty).ok_or("no error shows an order")?;
        writeln!(out, "    observed order {order:.1}")?;
    }
    Ok(())
}
