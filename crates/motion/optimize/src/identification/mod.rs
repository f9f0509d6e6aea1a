//! Parameter identification from measurements: weighted least squares by Gauss–Newton within bounds, with covariance,
//! confidence ellipses and the χ² test.

mod fit;
mod gauss_newton;
mod library_model;
mod measurements;
mod statistics;

pub use fit::{FitStatus, ParameterFit};
pub use gauss_newton::Identification;
pub use library_model::LibraryModel;
pub use measurements::{IdentificationError, Measurements};
pub use statistics::{chi_squared_tail, ellipse};
