pub(crate) mod design;
pub(crate) mod newton;
pub(crate) mod regular;
