pub(crate) mod definition;
pub(crate) mod entry;
pub(crate) mod method;
pub(crate) mod objective;
pub(crate) mod order_barriers;
pub(crate) mod stability;
pub(crate) mod structure;
pub(crate) mod validate;
