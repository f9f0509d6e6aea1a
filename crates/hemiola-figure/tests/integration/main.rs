//! Figures as files and on areas of plotters.

mod figures;
mod plotters_areas;
