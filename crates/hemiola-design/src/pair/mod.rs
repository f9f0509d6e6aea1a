pub(crate) mod coefficients;
pub(crate) mod decimals;
pub(crate) mod first_same_as_last;
pub(crate) mod partitions;
pub(crate) mod place;
