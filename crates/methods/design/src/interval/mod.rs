//! Interval arithmetic: `bounds`, and `dual` for enclosures with derivatives.

pub(crate) mod bounds;
pub(crate) mod dual;
