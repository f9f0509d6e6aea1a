//! What errors are measured on, and where the figures go.

use crate::papers::SHOME_HAUG_JAY;

/// Position, pitch and velocities of the planar vehicle's chassis, of which errors are measured.
pub(crate) const CHASSIS: [usize; 6] = [0, 1, 2, 7, 8, 9];

/// Position, attitude and velocities of the spatial vehicle's chassis.
pub(crate) const SPATIAL_CHASSIS: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 36, 37, 38, 39, 40, 41];

/// The name of a figure's file.
pub(crate) fn file(figure: &str) -> String {
    format!("{SHOME_HAUG_JAY}-{figure}.svg")
}
