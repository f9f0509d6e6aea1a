//! Figures as files and on plotters areas.

mod figures;
mod plotters_areas;
