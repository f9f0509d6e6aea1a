//! Results of runs: solutions over time, forces and energies, machines from the side and from above.

mod control;
mod fit;
mod outline;
mod outputs;
mod series;

pub use control::{Drive, OptimumTrajectory, course_figure, drive_figure};
pub use fit::{ConfidenceEllipse, FittedVariable, fit_figure};
pub use outline::{MachineOutline, outline_figure, outline_size};
pub use outputs::{OutputPanel, outputs_figure};
pub use series::{Series, series_figure, solution_figure};
