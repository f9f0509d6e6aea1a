//! An equation of a certificate.

use hemiola_tableau::{Exact, Scalar, Tableau};

use super::at_infinity::scaled_limit;
use crate::polish::equation::PolishEquation;

/// An equation of a certificate.
#[derive(Clone, Debug)]
pub(crate) enum CertifiedEquation {
    /// An equation of the design: also imposed by the search.
    Designed(PolishEquation),
    /// R of the embedded weights of a partition vanishes at infinity.
    EmbeddedLimit {
        /// The partition of A.
        partition: usize,
        /// The partition of the weights.
        weights: usize,
        /// The stages at which the partition is evaluated.
        stages: Vec<usize>,
        /// Whether the first of them is explicit.
        is_explicit: bool,
    },
}

impl CertifiedEquation {
    pub(super) fn residual<T: Scalar>(&self, tableau: &Tableau<T>, number: impl Fn(&Exact) -> T) -> T {
        match self {
            Self::Designed(equation) => equation.residual(tableau, number),
            Self::EmbeddedLimit { partition, weights, stages, is_explicit } => {
                let (a, b) = (&tableau.partitions[*partition].a, &tableau.partitions[*weights].b);
                scaled_limit(a, b, stages, *is_explicit)
            }
        }
    }
}
