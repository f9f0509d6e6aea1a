//! Figures as files.

mod figures;
