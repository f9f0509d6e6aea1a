//! What errors are measured on, and where the figures go.

use hemiola_models::Model;

use crate::papers::SHOME_HAUG_JAY;

/// Position, pitch and velocities of the planar vehicle's chassis, of which errors are measured.
pub(crate) const CHASSIS: [usize; 6] = [0, 1, 2, 7, 8, 9];

/// Position, attitude and velocities of the spatial vehicle's chassis.
pub(crate) fn spatial_chassis(vehicle: &Model) -> Vec<usize> {
    (0..vehicle.variables.len()).filter(|&k| vehicle.variables[k].name.starts_with("chassis")).collect()
}

/// The name of a figure's file.
pub(crate) fn file(figure: &str) -> String {
    format!("{SHOME_HAUG_JAY}-{figure}.svg")
}
