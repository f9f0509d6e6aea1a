//! The pendulum with a particle of Figures 6 to 8, and the cost of its integration.

use hemiola_integrate::{Embedded, Explicit, Extras, Outcome, Reference, SingularPerturbationStepper, equal_steps};
use hemiola_models::{Model, model};
use hemiola_tableau::library;

use crate::markdown::digits;
use crate::report::ReportError;
use crate::runs::{MeasuredRun, integrate, reference};
use hemiola_integrate::Track;

/// Duration of the simulation, in s: two and a half periods.
pub(crate) const END: f64 = 5.0;
/// Index of the bar's angle.
pub(crate) const ANGLE: usize = 2;
/// Indices of the particle's position.
pub(crate) const PARTICLE: [usize; 2] = [6, 7];

/// Integration method for the pendulum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PendulumIntegrator {
    Scheme {
        steps: u64,
    },
    Rk4 {
        steps: u64,
    },
    /// The pair of orders 5 and 4 by Dormand & Prince, as in ode45, with its default largest step of a tenth of the span.
    DormandPrince {
        relative: f64,
        absolute: f64,
    },
}

/// The paper's step size, a step size at which RK4 is stable (the limit is √8/√(k/m₂) = 0.0040 s), and ode45's default tolerances.
pub(crate) const SCHEME: PendulumIntegrator = PendulumIntegrator::Scheme { steps: 1000 };
pub(crate) const RK4: PendulumIntegrator = PendulumIntegrator::Rk4 { steps: 1000 };
pub(crate) const STABLE_RK4: PendulumIntegrator = PendulumIntegrator::Rk4 { steps: 1280 };
pub(crate) const ODE45: PendulumIntegrator = PendulumIntegrator::DormandPrince { relative: 1e-3, absolute: 1e-6 };
pub(crate) const TIGHT: PendulumIntegrator = PendulumIntegrator::DormandPrince { relative: 1e-6, absolute: 1e-9 };

impl PendulumIntegrator {
    pub(crate) fn label(self) -> String {
        let step = |steps: u64| digits(END / steps as f64, 3);
        match self {
            Self::Scheme { steps } => format!("scheme, *h* = {}", step(steps)),
            Self::Rk4 { steps } => format!("RK4, *h* = {}", step(steps)),
            Self::DormandPrince { relative, .. } => format!("ode45's pair, tolerance {}", digits(relative, 1)),
        }
    }
}

/// The pendulum with its reference solution.
pub(crate) struct Pendulum {
    pub(crate) model: Model,
    pub(crate) reference: Reference,
    pub(crate) track: Track,
}

impl Pendulum {
    /// Creates the paper's pendulum with some parameters changed.
    pub(crate) fn new(changes: &[(&str, f64)]) -> Result<Self, ReportError> {
        let model = model("pendulum-particle", changes)?;
        let (reference, track) = reference(&model, END, 0.0)?;
        Ok(Self { model, reference, track })
    }

    /// Integrates the pendulum and records states at least `spacing` apart.
    pub(crate) fn run(&self, way: PendulumIntegrator, spacing: f64) -> Result<MeasuredRun, ReportError> {
        let (model, span) = (&self.model, [0.0, END]);
        Ok(match way {
            PendulumIntegrator::Scheme { steps } => integrate(model, spacing, |system, y, observer| {
                Ok(equal_steps(&mut SingularPerturbationStepper::new(system)?, system, span, steps, y, observer))
            })?,
            PendulumIntegrator::Rk4 { steps } => {
                let rk4 = library::method("rk4")?;
                integrate(model, spacing, |system, y, observer| {
                    Ok(equal_steps(&mut Explicit::new(&rk4, system)?, system, span, steps, y, observer))
                })?
            }
            PendulumIntegrator::DormandPrince { relative, absolute } => {
                let pair = library::method("dormand-prince-5")?;
                let control = Embedded { relative, absolute, largest: END / 10.0, ..Embedded::new(4) };
                integrate(model, spacing, |system, y, observer| {
                    let mut stepper = Explicit::with(&pair, system, Extras { estimate: true, dense: false })?;
                    Ok(control.run(&mut stepper, system, span, y, observer))
                })?
            }
        })
    }

    /// Returns the relative change of the energy of a state since the start.
    pub(crate) fn energy_gain(&self, y: &[f64]) -> f64 {
        let energy = |y: &[f64]| self.model.energy(0.0, y).unwrap_or(f64::NAN);
        let first = energy(&self.model.initial);
        (energy(y) - first) / first.abs()
    }

    /// Returns the largest relative change of the energy among the recorded states.
    pub(crate) fn largest_energy_gain(&self, run: &MeasuredRun) -> f64 {
        run.track.states.iter().map(|y| self.energy_gain(y).abs()).fold(0.0, f64::max)
    }

    /// Returns the largest error of some variables at the end, or infinity if the run did not finish.
    pub(crate) fn error(&self, run: &MeasuredRun, variables: &[usize]) -> f64 {
        if run.run.outcome == Outcome::Finished { self.reference.error(&run.y, variables) } else { f64::INFINITY }
    }

    /// Returns the number of evaluations of f and g. A Jacobian counts as one evaluation per column, as with finite
    /// differences.
    pub(crate) fn cost(&self, run: &MeasuredRun) -> u64 {
        run.evaluations.iter().sum::<u64>() + 2 * self.model.initial.len() as u64 * run.jacobians
    }
}

/// Returns the horizontal distance of the particle from the bar's end: r₂ − r₁ − s with s = r₁.
pub(crate) fn stretch(y: &[f64]) -> f64 {
    y[PARTICLE[0]] - 2.0 * y[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_integrate::StepError;

    #[test]
    fn the_scheme_is_stable_where_rk4_blows_up() {
        let pendulum = Pendulum::new(&[]).unwrap();
        let [scheme, blown, stable, ode45] =
            [SCHEME, RK4, STABLE_RK4, ODE45].map(|way| pendulum.run(way, 0.0).unwrap());
        assert!(matches!(blown.run.outcome, Outcome::Failed(StepError::NotFinite { .. })));
        assert!([&scheme, &stable, &ode45].iter().all(|run| run.run.outcome == Outcome::Finished));
        assert!(pendulum.error(&scheme, &[ANGLE]) < 1e-7 && pendulum.largest_energy_gain(&scheme) < 1e-7);
        // The particle follows the solution, is damped, or is excited. It oscillates by 4 µm about the bar's end, 1 m from the joint.
        assert!(pendulum.error(&scheme, &PARTICLE) < 1e-7);
        assert!((1e-6..1e-5).contains(&pendulum.error(&stable, &PARTICLE)));
        assert!(pendulum.error(&ode45, &PARTICLE) > 1e-4);
        assert!(pendulum.cost(&scheme) < pendulum.cost(&ode45) && scheme.jacobians == 1000);
    }

    #[test]
    fn a_heavy_particle_couples_too_strongly() {
        let heavy = Pendulum::new(&[("particle-mass", 1.0), ("stiffness", 5e5)]).unwrap();
        let error = |steps| heavy.error(&heavy.run(PendulumIntegrator::Scheme { steps }, END).unwrap(), &[ANGLE]);
        assert!((2e-3..2e-2).contains(&error(1000)));
        // For practical step sizes, below h √(k/m₂) = 1, errors decay like h².
        assert!(((error(8000) / error(16_000)).log2() - 2.0).abs() < 0.2);
    }
}
