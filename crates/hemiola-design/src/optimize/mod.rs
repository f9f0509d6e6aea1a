pub(crate) mod descent;
pub(crate) mod inequalities;
pub(crate) mod model;
pub(crate) mod null_space;
pub(crate) mod problem;
pub(crate) mod profile_merit;
pub(crate) mod restore;
pub(crate) mod sparsify;
