pub(crate) mod coupled_profile;
pub(crate) mod internal_stability;
pub(crate) mod objective;
pub(crate) mod size;
pub(crate) mod stability_limit;
pub(crate) mod term;
