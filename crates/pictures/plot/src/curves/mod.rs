//! Curves over one parameter: limits, coupled profiles, error over work, radii of absolute monotonicity.

pub(crate) mod limits;
pub(crate) mod monotonicity;
pub(crate) mod profile;
pub(crate) mod ssp;
pub(crate) mod work_precision;
