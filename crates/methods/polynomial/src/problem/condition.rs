//! Linear conditions on a stability polynomial in addition to its order.

/// Linear condition on R, such as one imposed by stages that all levels of a family share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinearCondition {
    /// Prescribed value of R(z) at a real z.
    Value {
        /// Argument z.
        z: f64,
        /// Value R(z).
        value: f64,
    },
    /// Prescribed coefficient β_k of a power k above the order.
    Coefficient {
        /// Power k.
        power: usize,
        /// Coefficient β_k.
        value: f64,
    },
}
