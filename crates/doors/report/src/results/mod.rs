//! Results of runs on models as JSON, as CSV and as figures.

mod animation;
mod convergence;
mod csv;
mod fit;
mod optimum;
mod outputs;
mod simulation;
mod stable_steps;

pub use animation::frames;
pub use convergence::{ConvergenceReport, csv as convergence_csv};
pub use fit::{FitReport, ParameterReport, ellipses, fitted_variables};
pub use optimum::{OptimumReport, csv as optimum_csv};
pub use outputs::ShownQuantities;
pub use simulation::{SimulationReport, csv as simulation_csv, drawn, outcome_text};
pub use stable_steps::{StableStepsReport, csv as stable_steps_csv};
