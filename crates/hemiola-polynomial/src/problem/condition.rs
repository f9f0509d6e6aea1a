//! Linear conditions on a stability polynomial besides its order.

/// A linear condition on R, as the stages that all levels of a family share impose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// R(z) has this value at a real z.
    Value {
        /// The place.
        z: f64,
        /// R(z).
        value: f64,
    },
    /// The coefficient β_k of a power k above the order.
    Coefficient {
        /// k.
        power: usize,
        /// β_k.
        value: f64,
    },
}
