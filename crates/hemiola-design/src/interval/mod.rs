//! Real numbers known to lie between two doubles: `bounds`, and `dual` for such numbers with their derivatives.

pub(crate) mod bounds;
pub(crate) mod dual;
