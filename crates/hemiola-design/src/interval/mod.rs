pub(crate) mod bounds;
pub(crate) mod dual;
