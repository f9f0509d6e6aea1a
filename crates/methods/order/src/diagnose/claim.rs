//! The claims about a method, and the array of the tableau to which each refers.

use std::fmt;

use hemiola_tableau::Claims;

/// A claim about a method.
///
/// ```
/// use hemiola_order::diagnose::Claim;
/// let claims = hemiola_tableau::library::method("bogacki-shampine-3").unwrap().claims();
/// let orders: Vec<Option<usize>> = Claim::ALL.iter().map(|claim| claim.order(claims)).collect();
/// assert_eq!(orders[..3], [Some(3), None, Some(2)]);
/// assert_eq!(Claim::EmbeddedOrder.to_string(), "embedded order");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claim {
    /// The order for general problems.
    #[default]
    Order,
    /// The order for separable problems, in which a partition's derivative depends only on the other partitions.
    SeparableOrder,
    /// The order of the embedded weights.
    EmbeddedOrder,
    /// The order of the dense output.
    DenseOrder,
}

impl Claim {
    /// All claims, in the order in which they are diagnosed.
    pub const ALL: [Self; 4] = [Self::Order, Self::SeparableOrder, Self::EmbeddedOrder, Self::DenseOrder];

    /// Returns the claimed order.
    #[must_use]
    pub fn order(self, claims: Claims) -> Option<usize> {
        match self {
            Self::Order => claims.order,
            Self::SeparableOrder => claims.separable_order,
            Self::EmbeddedOrder => claims.embedded_order,
            Self::DenseOrder => claims.dense_order,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Order => "order",
            Self::SeparableOrder => "separable order",
            Self::EmbeddedOrder => "embedded order",
            Self::DenseOrder => "dense order",
        })
    }
}

/// The array that contains an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoefficientArray {
    /// A and b.
    Tableau,
    /// The embedded weights.
    Embedded,
    /// The coefficients of a power of θ in the dense output.
    Dense {
        /// The power, from 1.
        power: usize,
    },
}
